byte x;

active proctyp P() { x = 1 }
