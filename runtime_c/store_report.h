/* store_report.h: what the report says about how states were kept. */
#ifndef HSFPY_STORE_REPORT_H
#define HSFPY_STORE_REPORT_H

#include <stdint.h>

/* "Full statespace search for:" and its like. */
void store_report_title(void);
/* What follows the counts: conflicts, hash factor, how many states were probably lost. */
void store_report_figures(uint64_t conflicts);
/* The line about the table or array, given the bytes of a table. */
void store_report_table(double bytes);
/* Fields of the JSON object, each followed by a comma. */
void store_report_json(void);
/* One of several runs is over; the next one has other hash functions. */
void store_next_run(void);

#endif
