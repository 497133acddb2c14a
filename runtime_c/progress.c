/* progress.c: when a running search looks up, and the line it keeps on a terminal meanwhile.
 *
 * A search counts its steps down and looks at the clock at zero. How many steps that is depends on
 * how long the last ones took: a model with millions of states a second looks every few thousand
 * steps, which costs nothing, one whose steps are slow still shows that it lives.
 *
 * The line goes to standard error, because programs read standard output. A terminal that cannot
 * rewrite a line (TERM is dumb or not set), and one that belongs to another job, get none.
 */
#include "progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "options.h"
#include "tell_search.h"
#include "util.h"

enum { MOST_STEPS = 4096, WIDEST_LINE = 240, USUAL_WIDTH = 80 };

static const double look_seconds = 0.05; /* at most, unless single steps take longer */
static const double show_seconds = 0.25;

uint32_t progress_countdown = 1;

static struct {
    uint32_t steps;   /* the countdown began with these, */
    double looked_at; /* then */
    bool on;
    bool shown;
    double begun, shown_at;
    uint64_t states; /* when the line was written last */
} progress;

static bool can_rewrite_lines(int file)
{
    const char *terminal = getenv("TERM");
    return isatty(file) && terminal && *terminal && strcmp(terminal, "dumb") != 0;
}

/* Before its first look a search has made no step. */
void progress_open(void)
{
    bool others_print = options.print_output || TELLS_SEARCH;
    memset(&progress, 0, sizeof progress);
    progress.on = !others_print && can_rewrite_lines(STDERR_FILENO);
    progress.begun = progress.looked_at = progress.shown_at = seconds_now();
    progress_countdown = progress.steps = 1;
    before_dying(progress_clear);
}

bool progress_replaces_lines(void) { return progress.on && (options.json || isatty(STDOUT_FILENO)); }

/* ---- when ---- */

uint32_t progress_pace(double now)
{
    uint32_t done = progress.steps;
    double elapsed = now - progress.looked_at;
    if (elapsed > look_seconds)
        progress.steps = (uint32_t)((double)done * look_seconds / elapsed) + 1;
    else if (done < MOST_STEPS)
        progress.steps = 2 * done < MOST_STEPS ? 2 * done : MOST_STEPS;
    progress.looked_at = now;
    progress_countdown = progress.steps;
    return done;
}

/* ---- the line ---- */

/* "1.23M" and the like: three digits say enough. */
static const char *short_number(char *text, size_t size, double n)
{
    static const char units[] = " kMGT";
    const char *unit = units;
    while (n >= 999.5 && unit[1]) {
        n /= 1000;
        unit++;
    }
    if (unit == units)
        snprintf(text, size, "%.0f", n);
    else
        snprintf(text, size, "%.*f%c", n < 9.995 ? 2 : n < 99.95 ? 1 : 0, n, *unit);
    return text;
}

static size_t terminal_width(void)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    size_t width = known ? size.ws_col : USUAL_WIDTH;
    return width < WIDEST_LINE ? width : WIDEST_LINE;
}

static bool is_in_background(void)
{
    pid_t front = tcgetpgrp(STDERR_FILENO);
    return front > 0 && front != getpgrp();
}

static int write_front(char *text, size_t size, const Front *front)
{
    char number[32];
    int n = 0;
    if (front->measure) n += snprintf(text, size, "  %s %lu", front->measure, (unsigned long)front->key);
    if (front->has_open)
        n += snprintf(text + n, size - (size_t)n, "  open %s",
                      short_number(number, sizeof number, (double)front->open));
    return n;
}

/* The line without its end; what does not fit is cut by the caller. */
static void write_line(char *text, size_t size, double now, long depth, const Front *front)
{
    char states[32], rate[32];
    double fresh = stats.stored > progress.states ? (double)(stats.stored - progress.states) : 0;
    double passed = now - progress.shown_at;
    int n
        = snprintf(text, size, "%s states  %s/s  depth %ld", short_number(states, sizeof states, (double)stats.stored),
                   short_number(rate, sizeof rate, fresh / passed), depth);
    if (front) n += write_front(text + n, size - (size_t)n, front);
    snprintf(text + n, size - (size_t)n, "  %.0f MB  %.0f s", (double)memory_in_use() / 1048576, now - progress.begun);
}

void progress_show(double now, long depth, const Front *front)
{
    char line[WIDEST_LINE + 256];
    if (!progress.on || now - progress.shown_at < show_seconds || is_in_background()) return;
    write_line(line, sizeof line, now, depth, front);
    fflush(stdout);
    fprintf(stderr, "\r%.*s\033[K", (int)terminal_width() - 1, line);
    progress.shown = true;
    progress.shown_at = now;
    progress.states = stats.stored;
}

void progress_clear(void)
{
    if (!progress.shown) return;
    progress.shown = false;
    fputs("\r\033[K", stderr);
}
