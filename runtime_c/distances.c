/* distances.c: local distance tables and transition costs.
 *
 * A heuristic asks for the distances to the few locations it aims at, so tables are made per
 * target, by a backward search from it, instead of for all pairs at once: linear in the size of
 * the proctype for each target. Costs may be zero, hence the two-ended queue.
 */
#include "distances.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util.h"

/* ---- costs ---- */

typedef enum CostModel { COST_STEPS, COST_COMMUNICATION, COST_TABLE } CostModel;

static CostModel cost_model;
static int *cost_table; /* by transition, for COST_TABLE */
static const char *cost_name = "steps";

int transition_cost(const Transition *t)
{
    if (cost_model == COST_STEPS) return 1;
    if (cost_model == COST_COMMUNICATION) return t->flags & (T_SEND | T_RECEIVE) ? 1 : 0;
    return cost_table[t - model.transitions];
}

/* A table has lines `PROCTYPE LABEL COST`: the steps that leave the labelled location of the
 * proctype; `*` stands for any; the last line that fits counts. Steps named nowhere cost 1. */
static void apply_cost_line(const char *proctype, const char *label, int cost)
{
    for (int p = 0; p < model.n_proctypes; p++) {
        const Proctype *type = &model.proctypes[p];
        if (strcmp(proctype, "*") != 0 && strcmp(proctype, type->name) != 0) continue;
        for (int l = 1; l < type->n_locations; l++) {
            const Location *at = &type->locations[l];
            if (strcmp(label, "*") != 0 && (!at->label || strcmp(label, at->label) != 0)) continue;
            for (uint32_t i = 0; i < at->count; i++) cost_table[at->first + i] = cost;
        }
    }
}

static bool read_cost_table(const char *path)
{
    char line[512], proctype[200], label[200];
    int cost;
    FILE *file = fopen(path, "r");
    if (!file) return false;
    cost_table = xcalloc((size_t)model.n_transitions + 1, sizeof *cost_table);
    for (int i = 0; i < model.n_transitions; i++) cost_table[i] = 1;
    while (fgets(line, sizeof line, file))
        if (line[0] != '#' && sscanf(line, "%199s %199s %d", proctype, label, &cost) == 3 && cost >= 0)
            apply_cost_line(proctype, label, cost);
    fclose(file);
    return true;
}

bool cost_model_select(const char *name)
{
    cost_name = name;
    if (strcmp(name, "steps") == 0) {
        cost_model = COST_STEPS;
    } else if (strcmp(name, "comm") == 0) {
        cost_model = COST_COMMUNICATION;
    } else {
        if (!read_cost_table(name)) return false;
        cost_model = COST_TABLE;
    }
    return true;
}

const char *cost_model_name(void) { return cost_name; }

bool cost_is_steps(void) { return cost_model == COST_STEPS; }

/* ---- distances ---- */

/* An edge of a proctype's graph, listed by where it leads. */
typedef struct BackEdge {
    uint16_t from;
    int cost;
} BackEdge;

typedef struct BackEdges {
    uint32_t *first; /* by location; first[n] is the number of edges */
    BackEdge *edges;
} BackEdges;

static BackEdges *back_edges; /* by proctype */
static int ***tables;         /* by proctype, target */

static void list_back_edges(BackEdges *b, const Proctype *type)
{
    uint32_t n = 0;
    b->first = xcalloc((size_t)type->n_locations + 2, sizeof *b->first);
    for (int from = 1; from < type->n_locations; from++)
        for (uint32_t i = 0; i < type->locations[from].count; i++, n++)
            b->first[model.transitions[type->locations[from].first + i].to + 1]++;
    for (int l = 0; l < type->n_locations; l++) b->first[l + 1] += b->first[l];
    b->edges = xcalloc(n + 1, sizeof *b->edges);
    uint32_t *next = xcalloc((size_t)type->n_locations + 2, sizeof *next);
    memcpy(next, b->first, ((size_t)type->n_locations + 1) * sizeof *next);
    for (int from = 1; from < type->n_locations; from++)
        for (uint32_t i = 0; i < type->locations[from].count; i++) {
            const Transition *t = &model.transitions[type->locations[from].first + i];
            b->edges[next[t->to]++] = (BackEdge){(uint16_t)from, transition_cost(t)};
        }
    xfree(next);
}

static const BackEdges *back_edges_of(int proctype)
{
    if (!back_edges) back_edges = xcalloc((size_t)model.n_proctypes, sizeof *back_edges);
    if (!back_edges[proctype].first) list_back_edges(&back_edges[proctype], &model.proctypes[proctype]);
    return &back_edges[proctype];
}

/* Bellman-Ford with a queue: costs are small and graphs too. */
static void spread_distances(const BackEdges *b, int n_locations, int *distance)
{
    size_t room = (size_t)n_locations + 1, head = 0, n = 0;
    uint16_t *queue = xcalloc(room, sizeof *queue);
    bool *queued = xcalloc(room, sizeof *queued);
    for (int l = 0; l < n_locations; l++)
        if (distance[l] == 0) {
            queue[n++] = (uint16_t)l;
            queued[l] = true;
        }
    while (n > 0) {
        uint16_t at = queue[head];
        head = (head + 1) % room;
        n--;
        queued[at] = false;
        for (uint32_t i = b->first[at]; i < b->first[at + 1]; i++) {
            BackEdge edge = b->edges[i];
            if (distance[at] + edge.cost >= distance[edge.from]) continue;
            distance[edge.from] = distance[at] + edge.cost;
            if (queued[edge.from]) continue;
            queued[edge.from] = true;
            queue[(head + n++) % room] = edge.from;
        }
    }
    xfree(queue);
    xfree(queued);
}

int *distances_to_any(int proctype, const bool *wanted)
{
    int n = model.proctypes[proctype].n_locations;
    int *distance = xcalloc((size_t)n + 1, sizeof *distance);
    for (int l = 0; l < n; l++) distance[l] = wanted[l] ? 0 : UNREACHABLE;
    spread_distances(back_edges_of(proctype), n, distance);
    return distance;
}

const int *distances_to(int proctype, int to)
{
    int n = model.proctypes[proctype].n_locations;
    if (!tables) tables = xcalloc((size_t)model.n_proctypes, sizeof *tables);
    if (!tables[proctype]) tables[proctype] = xcalloc((size_t)n + 1, sizeof **tables);
    if (!tables[proctype][to]) {
        bool *wanted = xcalloc((size_t)n + 1, sizeof *wanted);
        wanted[to] = true;
        tables[proctype][to] = distances_to_any(proctype, wanted);
        xfree(wanted);
    }
    return tables[proctype][to];
}
