/* output.c: what a model prints with printf and printm, shown only while a trail is replayed. */
#include <stdarg.h>
#include <stdio.h>

#include "model.h"

void print_when_shown(const char *format, ...)
{
    va_list args;
    if (!step_context.replaying) return;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}

void print_text(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
}
