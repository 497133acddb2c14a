chan q = [1] of { byte };

never { q!1 }

active proctype P() { q?1 }
