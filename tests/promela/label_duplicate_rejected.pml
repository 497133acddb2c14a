/* expect: reject: label l redeclared */
/* Two labels of one name in one proctype. */
byte g;
active proctype P() { l: g = 1; l: g = 2; goto l }
