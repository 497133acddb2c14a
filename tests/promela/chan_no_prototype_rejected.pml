/* expect: reject: too many pars in send */
/* A channel variable that never gets a queue in the whole model has no fields to send. */
chan none;
active proctype P() { none!1 }
