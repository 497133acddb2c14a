/* tables.c: the automata of the model as text (pan -d) and in dot format (pan -D).
 *
 * Clients read these lines to know which state numbers and statement ids trails speak of, so they
 * are SPIN's to the character. Locations come in the order a depth-first walk from the start
 * meets them, as there; unreachable ones are left out.
 */
#include "tables.h"

#include <stdio.h>
#include <string.h>

#include "model.h"
#include "options.h"
#include "report.h"
#include "util.h"

/* Without reduction SPIN does not look at the other options of a location. */
static bool is_shown_local(const Transition *t)
{
    return t->flags & T_LOCAL || (options.no_reduction && model.local_alone[t - model.transitions]);
}

static void table_transition(const Location *at, int from, const Transition *t)
{
    printf("\tstate %3d -(tr %3u)-> state %3u  [id %3u tp %3d", from, (unsigned)t->code, (unsigned)t->to,
           (unsigned)t->id, (int)t->tp[0]);
    if (t->tp[1]) printf(",%d", (int)t->tp[1]);
    if (t->escape) printf(" org %3u", (unsigned)t->escape);
    printf("] [%c%c%c%c%c] %s:%u => ",
           t->flags & T_DSTEP    ? 'D'
           : t->flags & T_ATOMIC ? 'A'
                                 : '-',
           at->flags & L_ACCEPT ? 'a' : '-', at->flags & L_END ? 'e' : '-', at->flags & L_PROGRESS ? 'p' : '-',
           is_shown_local(t) ? 'L' : 'G', model.source, (unsigned)at->table_line);
    report_in_line(stdout, t->text);
    putchar('\n');
}

/* Labels must not contain a line break, written "\n" in the source. */
static void dot_label(const char *text)
{
    for (; *text; text++)
        if (text[0] == '\\' && text[1] == 'n') {
            putchar(' ');
            text++;
        } else {
            putchar(*text);
        }
}

static void dot_transition(const Location *at, int from, const Transition *t)
{
    const char *style = t->flags & T_DSTEP    ? "dotted"
                        : t->flags & T_ATOMIC ? "dashed"
                        : is_shown_local(t)   ? "solid"
                                              : "bold";

    printf("\tS%d -> S%u  [color=black,style=%s,label=\"", from, (unsigned)t->to, style);
    dot_label(t->text);
    printf("\"];\n");
    if (at->flags & L_ACCEPT)
        printf("  S%d [color=red,style=bold];\n", from);
    else if (at->flags & L_PROGRESS)
        printf("  S%d [color=green,style=bold];\n", from);
    if (at->flags & L_END) printf("  S%d [color=blue,style=bold,shape=box];\n", from);
}

static void table_location(const Proctype *p, int number)
{
    const Location *at = &p->locations[number];
    for (uint32_t i = at->first; i < at->first + at->count; i++)
        if (run_plan.dot)
            dot_transition(at, number, &model.transitions[i]);
        else
            table_transition(at, number, &model.transitions[i]);
}

/* Prints what can be reached from a location and was not printed yet. */
static void table_walk(const Proctype *p, int number, bool *printed)
{
    const Location *at = &p->locations[number];
    if (number <= 0 || number >= p->n_locations || printed[number] || at->count == 0) return;
    printed[number] = true;
    table_location(p, number);
    for (uint32_t i = at->first; i < at->first + at->count; i++) table_walk(p, model.transitions[i].to, printed);
}

/* The proctype's name without the colons of ":init:". */
static void dot_name(const Proctype *p)
{
    for (const char *c = p->name; *c; c++)
        if (*c != ':') putchar(*c);
}

static void dot_heading(const Proctype *p)
{
    printf("digraph ");
    switch (p->class_) {
    case CLASS_INIT: printf("init"); break;
    case CLASS_TRACE: printf("notrace"); break; /* SPIN mixes these two up, */
    case CLASS_NOTRACE: printf("trace"); break; /* and so do its readers */
    default: printf(p->class_ == CLASS_NEVER ? "claim_" : "p_"); dot_name(p);
    }
    printf(" {\nsize=\"8,10\";\n  GT [shape=box,style=dotted,label=\"");
    dot_name(p);
    printf("\"];\n  GT -> S%u;\n", (unsigned)p->start);
}

static void table_heading(const Proctype *p)
{
    switch (p->class_) {
    case CLASS_INIT: puts("init"); break;
    case CLASS_NEVER: printf("claim %s\n", p->name); break;
    case CLASS_TRACE: puts("notrace assertion"); break; /* as above */
    case CLASS_NOTRACE: puts("trace assertion"); break;
    default: printf("proctype %s\n", p->name);
    }
}

static void table_proctype(const Proctype *p)
{
    bool *printed = xcalloc(p->n_locations, sizeof *printed);
    if (run_plan.dot)
        dot_heading(p);
    else
        table_heading(p);
    table_walk(p, p->start, printed);
    if (run_plan.dot) puts("}");
    xfree(printed);
}

/* -d -d: every location, reachable or not, in the order of their numbers. */
static void table_all_locations(const Proctype *p)
{
    printf("STEP 3 %s\n", p->name);
    for (int i = 1; i < p->n_locations; i++) table_location(p, i);
}

static void table_legend(void)
{
    puts("\nTransition Type: A=atomic; D=d_step; L=local; G=global\n"
         "Source-State Labels: p=progress; e=end; a=accept;");
}

void tables_print(void)
{
    for (int i = 0; i < model.n_proctypes; i++)
        if (run_plan.tables > 1 && !run_plan.dot)
            table_all_locations(&model.proctypes[i]);
        else
            table_proctype(&model.proctypes[i]);
    if (run_plan.dot) return;
    table_legend();
    report_time();
}
