chan q = [1] of { byte };

trace {
	do
	:: q!1; skip
	od
}

active proctype P() { q!1; q?1 }
