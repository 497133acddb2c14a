proctype P() { skip }
