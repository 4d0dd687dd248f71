/* Values on Bezier segments and their slopes by the handles: as bezier_parameter.py and
   model.py do. */

#include "arcwright.h"

#include <math.h>
#include <stdlib.h>

enum { QUICK_STEPS = 5, CAREFUL_STEPS = 80 };
static const double CLOSE = 1e-15;

/* Time along a segment, in parts of it: x(at) = at (linear + at (square + at cube)). */
typedef struct {
    double *linear, *square, *cube, *at;
} Runs;

static inline double residual_of(const Runs *runs, int64_t f, double u, double at, double *slope)
{
    double bend = runs->square[f] + runs->cube[f] * at, first = runs->linear[f] + at * bend;
    *slope = first + at * (bend + runs->cube[f] * at);
    return at * first - u;
}

/* Newton kept inside a shrinking bracket; halves it where Newton would leave or crawl. */
static double bracketed(const Runs *runs, int64_t f, double u, double at)
{
    double low = 0, high = 1, last = 1;
    for (int i = 0; i < CAREFUL_STEPS; i++) {
        double slope, residual = residual_of(runs, f, u, at, &slope);
        if (residual <= 0)
            low = at;
        if (residual >= 0)
            high = at;
        if (!(fabs(residual) > CLOSE))
            break;
        double step = slope > 0 ? residual / slope : 2, moved = at - step;
        if (!(moved >= low && moved <= high && fabs(step) < 0.5 * last))
            moved = 0.5 * (low + high);
        if (moved == at)
            break;
        last = fabs(moved - at);
        at = moved;
    }
    return at;
}

/* Where on its segment each value is: a few Newton steps for all, then care for the slow ones. */
WIDER static void find_parameters(const Curves *curves, const double *handle, Runs *runs)
{
    const double *u = curves->fraction;
    for (int64_t f = 0; f < curves->count; f++) {
        int64_t s = curves->segment[f];
        double out = fmin(handle[4 * s] / curves->length[s], 1);
        double into = fmin(handle[4 * s + 2] / curves->length[s], 1);
        runs->linear[f] = 3 * out;
        runs->square[f] = 3 - 3 * into - 2 * runs->linear[f];
        runs->cube[f] = 1 - runs->linear[f] - runs->square[f];
        runs->at[f] = u[f];
    }
    for (int64_t i = 0, far = 1; far && i < QUICK_STEPS; i++) {
        far = 0;
        for (int64_t f = 0; f < curves->count; f++) {
            double slope, at = runs->at[f], residual = residual_of(runs, f, u[f], at, &slope);
            far += !(fabs(residual) <= CLOSE);
            at -= residual / (slope > 1e-3 ? slope : 1e-3);
            at = at > 0 ? at : 0;
            runs->at[f] = at < 1 ? at : 1;
        }
    }
    for (int64_t f = 0; f < curves->count; f++) {
        double slope;
        if (!(fabs(residual_of(runs, f, u[f], runs->at[f], &slope)) <= CLOSE))
            runs->at[f] = bracketed(runs, f, u[f], runs->at[f]);
    }
}

/* Sets the moved values (T, C) and their slopes (T, D, 4); 0, or 1 where there is no memory. */
int find_values(const Curves *curves, const double *x, double *values, double *slopes)
{
    int64_t count = curves->count, segments = 0;
    for (int64_t f = 0; f < count; f++)
        if (curves->segment[f] >= segments)
            segments = curves->segment[f] + 1;
    double *room = malloc((size_t)(4 * segments + 4 * count + 1) * sizeof *room), *handle = room;
    if (room == NULL)
        return 1;
    Runs runs = {room + 4 * segments, NULL, NULL, NULL};
    runs.square = runs.linear + count;
    runs.cube = runs.square + count;
    runs.at = runs.cube + count;
    for (int64_t i = 0; i < 4 * segments; i++) {
        int64_t unknown = curves->unknown[i];
        handle[i] = curves->start[i] + curves->factor[i] * (unknown < 0 ? 0 : x[unknown]);
    }
    find_parameters(curves, handle, &runs);
    for (int64_t f = 0; f < count; f++) {
        int64_t s = curves->segment[f];
        const double *h = handle + 4 * s, *factor = curves->factor + 4 * s;
        const int64_t *unknown = curves->unknown + 4 * s;
        double at = runs.at[f], rest = 1 - at, length = curves->length[s];
        double first = curves->ends[2 * s], rise = curves->ends[2 * s + 1] - first;
        double p = 3 * at * rest * rest, q = 3 * at * at * rest;
        double up = 3 * rest * (1 - 3 * at), down = 3 * at * (2 - 3 * at);
        double along = 6 * at * rest * length + up * h[0] - down * h[2];
        double m = 6 * at * rest * rise + up * h[1] - down * h[3];
        m /= along > 1e-6 * length ? along : 1e-6 * length;
        values[curves->value[f]] = first + (at * at * at + q) * rise + p * h[1] - q * h[3];
        if (curves->slope[f] >= 0) {
            double by[4] = {-m * p, p, m * q, -q};
            for (int i = 0; i < 4; i++)
                slopes[curves->slope[f] + i] = unknown[i] < 0 ? 0 : by[i] * factor[i];
        }
    }
    free(room);
    return 0;
}
