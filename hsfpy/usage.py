"""The usage text printed for an option SPIN does not have."""

USAGE = """use: spin [-option] ... [-option] file
\tNote: file must always be the last argument
\t-a generate a verifier in pan.c and build it as ./pan
\t-Dyyy pass -Dyyy to the preprocessor
\t-Eyyy pass yyy to the preprocessor
\t-f "..formula.." translate LTL into a never claim
\t-F file like -f, but with the formula stored on the first line of a file
\t-m a send to a full channel loses the message
\t-N file include the never claim in this file
\t-O use the scope rules of versions before 6.0
\t-o1 -o2 -o3 -o4 -o5 -o6 -o7 switch optimizations and old rules as in SPIN 6.5.2
\t-Pxxx use xxx for preprocessing
\t-run (or -search) generate a verifier, compile and run it
\t      options behind it are for the compiler (-D, -U, -O) and for pan
\t-Uyyy undefine macro yyy
\t-v verbose, with -run print the commands
\t-V print the version number and exit
\t-w with -run: only print the commands
"""
