/* sanity.c: control flow that makes no sense, refused when the verifier starts, as SPIN does. */
#include "sanity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static void refuse(const Proctype *type, int location, const char *what)
{
    printf("error: proctype '%s' line %u, state %d: %s\n", type->name, (unsigned)type->locations[location].table_line,
           location, what);
    exit(1);
}

static void check_location(const Proctype *type, int l)
{
    int n_else = 0;
    const Location *at = &type->locations[l];
    for (uint32_t i = 0; i < at->count; i++) {
        const Transition *t = &model.transitions[at->first + i];
        if (type->class_ != CLASS_NEVER && t->to == l && strcmp(t->text, "(1)") == 0)
            refuse(type, l, "has unconditional self-loop");
        n_else += (t->flags & T_ELSE) != 0;
    }
    if (n_else > 1) refuse(type, l, "inherits several 'else' stmnts");
}

void sanity_check_model(void)
{
    for (int p = 0; p < model.n_proctypes; p++)
        for (int l = 1; l < model.proctypes[p].n_locations; l++) check_location(&model.proctypes[p], l);
}
