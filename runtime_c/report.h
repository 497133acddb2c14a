/* report.h: everything the verifier says about a search. */
#ifndef HSFPY_REPORT_H
#define HSFPY_REPORT_H

#include "search.h"

enum { EXIT_INTERNAL_ERROR = 3 };

/* Makes sure that the output of a verification ends with its closing lines, however it ends. */
void report_open(void);
/* Starts the clock, sets the memory limit and announces the claim. */
void report_begin(void);
/* Prints the final report; returns the exit status. */
int report_end(void);
/* The figures of one run of several, other than the last; the next one counts anew. */
void report_run(int run);
/* The closing lines of every output: elapsed time, -Y. */
void report_time(void);
/* Asks the search to stop; safe in a signal handler. */
void report_request_stop(void);

/* A transition's text on one line; and with embedded C in full. */
void report_in_line(FILE *out, const char *text);
void report_statement(FILE *out, const char *text);

#endif
