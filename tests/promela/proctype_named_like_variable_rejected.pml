/* expect: reject: redeclaration of 'P' */
/* A proctype may not have the name of a global variable, wherever that is used. */
byte P;
proctype P() { P = 1 }
init { run P() }
