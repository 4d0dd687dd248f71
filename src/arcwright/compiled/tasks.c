/* Rows of tasks from where points are and how channels move them: what point_tasks.py does. */

#include "arcwright.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum { POSITION = 0, ORIENTATION = 1, ALONG = 2, WHAT = 6 };
static const double METRES_PER_RADIAN = 0.1; /* m per rad, as in tasks.py */

/* Rotation vector of a matrix that turns by any angle, by its quaternion. */
static void any_turn(const double *m, double *vector)
{
    double trace = m[0] + m[4] + m[8], outer[4][4], size = 0, sine = 0;
    int best = 0;
    outer[0][0] = 1 + trace;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        outer[i + 1][i + 1] = 1 - trace + 2 * m[4 * i];
        outer[0][i + 1] = outer[i + 1][0] = m[3 * k + j] - m[3 * j + k];
        outer[j + 1][k + 1] = outer[k + 1][j + 1] = m[3 * k + j] + m[3 * j + k];
    }
    for (int i = 1; i < 4; i++)
        if (outer[i][i] > outer[best][best])
            best = i;
    const double *q = outer[best];
    for (int i = 0; i < 4; i++)
        size += q[i] * q[i];
    size = sqrt(size) * (q[0] < 0 ? -1 : 1);
    for (int i = 1; i < 4; i++)
        sine += q[i] / size * (q[i] / size);
    sine = sqrt(sine);
    double ratio = sine < 1e-8 ? 2 : 2 * atan2(sine, q[0] / size) / sine;
    for (int i = 0; i < 3; i++)
        vector[i] = ratio * (q[i + 1] / size);
}

/* Rotation vector from `turned` to `target`; below a right angle the sine tells the angle. */
static void turn_between(const double *target, const double *turned, double *vector)
{
    double m[9], sine = 0;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            m[3 * row + column] = target[3 * row] * turned[3 * column] +
                                  target[3 * row + 1] * turned[3 * column + 1] +
                                  target[3 * row + 2] * turned[3 * column + 2];
    if (m[0] + m[4] + m[8] < 1 + 1e-3) {
        any_turn(m, vector);
        return;
    }
    vector[0] = m[7] - m[5];
    vector[1] = m[2] - m[6];
    vector[2] = m[3] - m[1];
    for (int i = 0; i < 3; i++)
        sine += vector[i] * vector[i];
    sine = fmin(0.5 * sqrt(sine), 1);
    double share = sine < 1e-6 ? 0.5 : 0.5 * asin(sine) / sine;
    for (int i = 0; i < 3; i++)
        vector[i] *= share;
}

/* How far a task is from being met: up to three numbers. */
static int find_miss(const int64_t *what, const double *target, const double *position,
                     const double *other, const double *turned, double *residual)
{
    if (what[0] == ORIENTATION) {
        turn_between(target, turned, residual);
        for (int i = 0; i < 3; i++)
            residual[i] *= METRES_PER_RADIAN;
        return 3;
    }
    double away[3];
    for (int i = 0; i < 3; i++)
        away[i] = target[i] - (other ? position[i] - other[i] : position[i]);
    for (int row = 0; row < what[4]; row++) {
        const double *axis = target + 3 + 3 * row;
        residual[row] = what[0] == POSITION
                        ? away[row]
                        : axis[0] * away[0] + axis[1] * away[1] + axis[2] * away[2];
    }
    return (int)what[4];
}

/* Huber weight of a residual, and its cost. */
static double huber_weight(const double *residual, int rows, const double *wanted, double *cost)
{
    double squared = 0, weight = wanted[0], near = wanted[1];
    for (int i = 0; i < rows; i++)
        squared += residual[i] * residual[i];
    double distance = sqrt(squared);
    if (distance > near) {
        *cost += weight * near * (distance - 0.5 * near);
        return weight * (near / distance);
    }
    *cost += 0.5 * weight * squared;
    return weight;
}

/* One row over channels: of a place or turn its own, of a direction the three of a place mixed. */
static void fill_channels(const int64_t *what, int row, const double *wanted, const double *by,
                          const double *other, int64_t count, double *out)
{
    const double *axis = wanted + 5 + 3 * row;
    for (int64_t d = 0; d < count; d++)
        out[d] = what[0] == ALONG
                     ? axis[0] * by[d] + axis[1] * by[count + d] + axis[2] * by[2 * count + d]
                     : (what[0] == ORIENTATION ? METRES_PER_RADIAN : 1) * by[row * count + d];
    for (int64_t d = 0; other != NULL && d < count; d++)
        out[d] -= other[row * count + d];
}

static void spread(const double *by_channel, const double *slope, int64_t count, int64_t each,
                   double *entry)
{
    if (each == 4)
        for (int64_t d = 0; d < count; d++)
            for (int i = 0; i < 4; i++)
                entry[4 * d + i] = by_channel[d] * slope[4 * d + i];
    else
        for (int64_t d = 0; d < count; d++)
            entry[d] = by_channel[d] * slope[d];
}

/* Rows for smooth keys, one each, with four entries. */
static void fill_smooth(const Smooth *smooth, const double *x, double *cost, double *residual,
                 double *weight, double *entry)
{
    for (int64_t b = 0; b < smooth->count; b++, entry += 4) {
        const int64_t *unknown = smooth->unknown + 4 * b;
        const double *start = smooth->start + 4 * b, *factor = smooth->factor + 4 * b;
        double now[4], size = smooth->size[b];
        for (int i = 0; i < 4; i++)
            now[i] = start[i] + (unknown[i] < 0 ? 0 : factor[i] * x[unknown[i]]);
        residual[b] = (now[0] * now[3] - now[1] * now[2]) / size;
        weight[b] = smooth->weight;
        double by[4] = {-now[3], now[2], now[1], -now[0]};
        for (int i = 0; i < 4; i++)
            entry[i] = unknown[i] < 0 ? 0 : by[i] * factor[i] / size;
        *cost += 0.5 * smooth->weight * residual[b] * residual[b];
    }
}

/* Where rows are written. */
typedef struct {
    int64_t rows, number; /* so far, and with those left out */
    int by_channel;       /* whether entries stay those of channels */
    double *cost, *residual, *weight, *room, *entry;
    int64_t *which;
} Out;

static int64_t most_rows(const Wanted *wanted)
{
    int64_t most = 0;
    for (int64_t w = 0; wanted && w < wanted->count; w++)
        most += wanted->what[WHAT * w + 4];
    return most;
}

/* Rows of tasks; one about staying above has none where that is so. */
static void fill_rows(const Drag *drag, const Wanted *wanted, const Points *there, Out *out)
{
    int64_t points = drag->chain->points, count = drag->moving;
    const double *places = there->position, *orientation = there->orientation;
    const double *move = there->move, *turn = there->turn;
    for (int64_t w = 0; wanted && w < wanted->count; w++) {
        const int64_t *what = wanted->what + WHAT * w;
        const double *task = wanted->wanted + WANTED * w;
        int64_t at = what[1] * points + what[2], from = what[1] * points + what[3];
        int relative = what[0] == POSITION && what[3] >= 0;
        double *residual = out->residual + out->rows;
        int own = find_miss(what, task + 2, places + 3 * at, relative ? places + 3 * from : NULL,
                            orientation + 9 * at, residual);
        out->number += own;
        if (what[5] && !(residual[0] > 0))
            continue;
        double reduced = huber_weight(residual, own, task, out->cost);
        for (int row = 0; row < own; row++, out->rows++) {
            out->weight[out->rows] = reduced;
            out->which[out->rows] = out->number - own + row;
            fill_channels(what, row, task, (what[0] == ORIENTATION ? turn : move) + 3 * count * at,
                          relative ? move + 3 * count * from : NULL, count,
                          out->by_channel ? out->entry : out->room);
            if (!out->by_channel)
                spread(out->room, there->slopes + drag->each * count * what[1], count, drag->each,
                       out->entry);
            out->entry += (out->by_channel ? 1 : drag->each) * count;
        }
    }
}

/* Values, slopes, and where points are: 0, or 1 where there is no memory. */
static int find_places(const Drag *drag, const double *x, const Scope *scope, const Points *there)
{
    const Curves *curves = scope && drag->curves ? scope->curves : drag->curves;
    memcpy(there->values, drag->values,
           (size_t)(drag->times * drag->chain->channels) * sizeof *x);
    if (curves && find_values(curves, x, there->values, there->slopes))
        return 1;
    for (int64_t n = 0; n < drag->steps; n++) {
        there->values[drag->stepped[n]] += drag->step[n] * x[n];
        if (drag->shift[n] >= 0)
            there->slopes[drag->shift[n]] = drag->step[n];
    }
    return find_points(drag->chain, drag->times, there->values, drag->offset, drag->slots,
                       drag->moving, scope, there);
}

/* From unknowns to rows, all at once: how many rows, or -1 where there is no memory.

   Rows are those of `own`, then of `rest`, then of smooth keys. Slopes, move and turn must be 0
   where nothing is ever written; if `known`, all is there already. A scope says what is needed of
   all this. found: cost, then residual, weight, D numbers of room and the entries, for as many rows
   as there may be; which: for each row its number among these. With `by_channel`, which smooth
   keys do not allow, entries are derivatives by the D channels instead of the unknowns. */
int64_t find_rows(const Drag *drag, const Wanted *own, const Wanted *rest, const double *x,
                  int known, int by_channel, const Scope *scope, const Points *there,
                  double *found, int64_t *which)
{
    const Smooth *smooth = drag->smooth;
    int64_t most = most_rows(own) + most_rows(rest) + (smooth ? smooth->count : 0);
    Out out = {.cost = found, .residual = found + 1, .by_channel = by_channel, .which = which};
    out.weight = out.residual + most;
    out.room = out.weight + most;
    out.entry = out.room + drag->moving;
    if (!known && find_places(drag, x, scope, there))
        return -1;
    found[0] = 0;
    fill_rows(drag, own, there, &out);
    fill_rows(drag, rest, there, &out);
    if (smooth)
        fill_smooth(smooth, x, found, out.residual + out.rows, out.weight + out.rows, out.entry);
    for (int64_t b = 0; smooth && b < smooth->count; b++)
        which[out.rows++] = out.number++;
    return out.rows;
}

/* find_rows by unknowns, for Python. places: values (T, C), slopes (T, D, each), position,
   orientation, move and turn. */
EXPORT int64_t arcwright_linearise(const Drag *drag, const Wanted *own, const Wanted *rest,
                                const double *x, int64_t known, double *places, double *found,
                                int64_t *which)
{
    int64_t all = drag->times * drag->chain->points, block = 3 * drag->moving * all;
    Points there = {.values = places};
    there.slopes = places + drag->times * drag->chain->channels;
    there.position = there.slopes + drag->times * drag->moving * drag->each;
    there.orientation = there.position + 3 * all;
    there.move = there.orientation + 9 * all;
    there.turn = there.move + block;
    if (!known)
        memset(there.slopes, 0, (size_t)(there.turn + block - there.slopes) * sizeof *places);
    return find_rows(drag, own, rest, x, (int)known, 0, NULL, &there, found, which);
}
