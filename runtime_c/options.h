/* options.h: what this run is asked to do. */
#ifndef HSFPY_OPTIONS_H
#define HSFPY_OPTIONS_H

#include "search.h"

/* The version other programs look for in pan's outputs. */
#define PAN_VERSION "Spin Version 6.5.2 -- hsfpy"

typedef enum RunMode { RUN_SEARCH, RUN_TABLES, RUN_REPLAY, RUN_VERSION } RunMode;

/* The part of the command line that does not concern the searches. */
typedef struct RunPlan {
    RunMode mode;
    int tables;              /* -d and -D: how many of them */
    bool dot;                /* -D */
    bool columns;            /* replay: -C */
    bool show_values;        /* replay: -g */
    bool silent;             /* replay: -S */
    int only_process;        /* replay: -PN; -1: all */
    int trail_number;        /* replay: -rN; 0: the one without a number */
    const char *trail_file;  /* replay: the file named, or NULL */
    bool claim_by_name;      /* -N name */
    bool claim_chosen;       /* -N in any form */
    bool sign_off;           /* -Y */
    bool usage_shown;        /* all is said */
    FILE *complaints;        /* standard error; standard output under -X */
    uint64_t progress_every; /* states between two progress lines */
} RunPlan;

extern RunPlan run_plan;

/* Fills `options` and `run_plan`, first from the -D directives this file was compiled with, then
 * from the command line. Exits with status 1 and a message if an option is wrong. */
void options_read(int argc, char **argv);

#endif
