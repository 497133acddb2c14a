"""The usage text printed for an option SPIN does not have."""

USAGE = """use: spin [-option] ... [-option] file
\tNote: file must always be the last argument
\t-a generate a verifier in pan.c and build it as ./pan
\t-b printf prints nothing in simulations
\t-B no final state in simulations
\t-c messages in columns, one for each process
\t-Dyyy pass -Dyyy to the preprocessor
\t-Eyyy pass yyy to the preprocessor
\t-f "..formula.." translate LTL into a never claim
\t-F file like -f, but with the formula stored on the first line of a file
\t-g show global variables
\t-h print the seed used at the end of a random simulation
\t-i interactive simulation
\t-J nested unless: outermost first, in simulations
\t-jN show nothing of the first N steps
\t-k file replay the trail in this file
\t-l show local variables
\t-M write a message sequence chart for wish into FILE.tcl
\t-m a send to a full channel loses the message
\t-N file include the never claim in this file
\t-nN seed of a random simulation
\t-O use the scope rules of versions before 6.0
\t-o1 -o2 -o3 -o4 -o5 -o6 -o7 switch optimizations and old rules as in SPIN 6.5.2
\t-Pxxx use xxx for preprocessing
\t-p show statements
\t-qN do not show what happens on channel N
\t-r show receives
\t-replay replay the trail of an error
\t-run (or -search) generate a verifier, compile and run it
\t      options behind it are for the compiler (-D, -U, -O) and for pan
\t-s show sends
\t-T do not indent what printf prints
\t-t[N] replay the trail [number N] of an error
\t-Uyyy undefine macro yyy
\t-uN stop a simulation after N steps
\t-v verbose, with -run print the commands
\t-V print the version number and exit
\t-w show all variables after each step; with -run: only print the commands
\t-X output for graphical clients
"""
