active proctype P() { skip }
/* the end
