/* expect: reject: error: (inline_label_first_rejected.pml:4) label l placed incorrectly */
/* The first statement of an inline cannot carry a label. */
byte g;
inline f() { l: g++; if :: g < 3 -> goto l :: else fi }
active proctype P() { f() }
