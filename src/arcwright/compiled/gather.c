/* The system of rows about points at many moments, for the control values under these (what
   tools/spacetime/model.py does in NumPy). */

#include "arcwright.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 4 }; /* moments whose squares are shared out at once */

/* Squares (GROUP, D, D) of moments that touch the same four steps. */
typedef struct {
    int64_t count, first;
    const double *share[GROUP];
    double *square;
} Waiting;

/* One row of a moment: how far each unknown moves what it is about, in `entry` (D), which is
   zero elsewhere. Returns how many unknowns it touches; these are in `column`. */
static inline int64_t fill_row(const Grid *grid, int64_t row, const double *v,
                               const double *position, const double *axis, const double *way,
                               const double *origin, double *entry, int64_t *column, char *touched)
{
    int64_t count = 0;
    for (int64_t item = grid->item_first[row]; item < grid->item_first[row + 1]; item++) {
        int64_t point = grid->item_point[item];
        double share = grid->item_share[item];
        const double *p = position + 3 * point;
        for (int64_t n = grid->moved_first[point]; n < grid->moved_first[point + 1]; n++) {
            const int64_t *by = grid->moved_by + 3 * n; /* axis or -1 - slide, slot, column */
            double value;
            if (by[0] < 0) {
                const double *w = way + 3 * (-1 - by[0]);
                value = grid->spins[row] ? 0 : w[0] * v[0] + w[1] * v[1] + w[2] * v[2];
            } else {
                const double *a = axis + 3 * by[0], *o = origin + 3 * by[1];
                if (grid->spins[row]) {
                    value = a[0] * v[0] + a[1] * v[1] + a[2] * v[2];
                } else {
                    double x = p[0] - o[0], y = p[1] - o[1], z = p[2] - o[2];
                    value = a[0] * (y * v[2] - z * v[1]) + a[1] * (z * v[0] - x * v[2]) +
                            a[2] * (x * v[1] - y * v[0]);
                }
            }
            if (!touched[by[2]]) {
                touched[by[2]] = 1;
                column[count++] = by[2];
            }
            entry[by[2]] += share * value;
        }
    }
    return count;
}

/* Add a row to the squares and the force at its moment, and clear it. */
static inline void add_row(int64_t size, int64_t count, const int64_t *column,
                           double *restrict entry, double weight, double residual,
                           double *restrict square, double *restrict force)
{
    for (int64_t a = 0; a < count; a++) {
        double scaled = weight * entry[column[a]];
        double *restrict line = square + size * column[a];
        force[column[a]] += scaled * residual;
        for (int64_t b = 0; b < size; b++)
            line[b] += scaled * entry[b];
    }
    for (int64_t a = 0; a < count; a++)
        entry[column[a]] = 0;
}

/* Add the squares that wait to the blocks (N, D, 4, D) of their steps. */
static inline void share_out(int64_t size, Waiting *waiting, double *blocks)
{
    int64_t area = size * size;
    const double *square = waiting->square;
    for (int low = 0; low < 4 && waiting->count; low++)
        for (int high = low; high < 4; high++) {
            double both[GROUP] = {0};
            for (int64_t t = 0; t < waiting->count; t++)
                both[t] = waiting->share[t][low] * waiting->share[t][high];
            for (int64_t i = 0; i < size; i++) {
                const double *restrict from = square + size * i;
                double *restrict to =
                    blocks + ((waiting->first + low) * size + i) * 4 * size + (high - low) * size;
                for (int64_t j = 0; j < size; j++)
                    to[j] += (both[0] * from[j] + both[1] * from[area + j]) +
                             (both[2] * from[2 * area + j] + both[3] * from[3 * area + j]);
            }
        }
    memset(waiting->square, 0, (size_t)(GROUP * area) * sizeof(double));
    waiting->count = 0;
}

/* What a row does with free numbers that it follows. */
static inline void follow_row(const Grid *grid, const Follow *follow, int64_t at, int64_t first,
                              const double *share, double weight, double residual, int64_t count,
                              const int64_t *column, const double *entry)
{
    for (int64_t f = 0; f < follow->wide; f++) {
        int64_t place = follow->place[follow->wide * at + f];
        if (place < 0)
            continue;
        double lever = follow->lever[follow->wide * at + f] * weight;
        follow->slope[place] -= lever * residual;
        for (int64_t g = 0; g < follow->wide; g++) {
            int64_t other = follow->place[follow->wide * at + g];
            if (other >= 0)
                follow->corner[follow->count * place + other] +=
                    lever * follow->lever[follow->wide * at + g];
        }
        for (int k = 0; k < 4; k++)
            for (int64_t n = 0; n < count; n++)
                follow->border[((first + k) * grid->unknowns + column[n]) * follow->count +
                               place] -= share[k] * lever * entry[column[n]];
    }
}

/* The tension of one force on a point (what tools/spacetime/tension.py does in NumPy): each link u of
   the chain above it that the force pulls at adds `f.u (1 - uu'/|u|^2)` to the turns above it. */
static inline void add_tension(const Grid *grid, int64_t point, const double *force,
                               const double *position, const double *axis, const double *origin,
                               double *square)
{
    int64_t size = grid->unknowns, start = grid->moved_first[point], slot = -1;
    const double *tip = position + 3 * point;
    double k[6] = {0}; /* xx, yy, zz, xy, xz, yz */
    for (int64_t n = grid->moved_first[point + 1] - 1; n >= start; n--) {
        const int64_t *by = grid->moved_by + 3 * n;
        if (by[0] < 0)
            continue;
        if (by[1] != slot) {
            slot = by[1];
            const double *o = origin + 3 * slot;
            double u[3] = {tip[0] - o[0], tip[1] - o[1], tip[2] - o[2]};
            double pull = force[0] * u[0] + force[1] * u[1] + force[2] * u[2];
            double square_length = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
            if (pull > 0 && square_length > 0) {
                double each = pull / square_length;
                for (int i = 0; i < 3; i++)
                    k[i] += pull - each * u[i] * u[i];
                k[3] -= each * u[0] * u[1];
                k[4] -= each * u[0] * u[2];
                k[5] -= each * u[1] * u[2];
            }
            tip = o;
        }
        const double *b = axis + 3 * by[0];
        double v[3] = {k[0] * b[0] + k[3] * b[1] + k[4] * b[2],
                       k[3] * b[0] + k[1] * b[1] + k[5] * b[2],
                       k[4] * b[0] + k[5] * b[1] + k[2] * b[2]};
        for (int64_t m = start; m <= n; m++) {
            const int64_t *above = grid->moved_by + 3 * m;
            if (above[0] < 0)
                continue;
            const double *a = axis + 3 * above[0];
            double value = a[0] * v[0] + a[1] * v[1] + a[2] * v[2];
            square[size * above[2] + by[2]] += value;
            if (m < n)
                square[size * by[2] + above[2]] += value;
        }
    }
}

WIDER static void gather(const Grid *grid, const double *position, const double *axis,
                         const double *way, const double *origin, const double *residual,
                         const double *weight, const double *vector, const Broken *broken,
                         const Follow *follow, const double *pull, double *room,
                         int64_t *column, char *touched, double *blocks, double *slope)
{
    int64_t size = grid->unknowns, area = size * size, limit = 0;
    double *entry = room, *force = room + size;
    Waiting waiting = {0, 0, {0}, room + 2 * size};
    for (int64_t time = 0; time < grid->times; time++) {
        const double *share = grid->share + 4 * time;
        int64_t first = grid->first[time], used = 0;
        if (waiting.count == GROUP || (waiting.count && waiting.first != first))
            share_out(size, &waiting, blocks);
        double *square = waiting.square + area * waiting.count;
        for (int64_t row = 0; row < grid->rows; row++) {
            int64_t at = grid->rows * time + row;
            if (weight[at] == 0)
                continue;
            int64_t count = fill_row(grid, row, vector + 3 * at,
                                     position + 3 * grid->points * time,
                                     axis + 3 * grid->axes * time, way + 3 * grid->slides * time,
                                     origin + 3 * grid->slots * time, entry, column, touched);
            follow_row(grid, follow, at, first, share, weight[at], residual[at], count, column,
                       entry);
            add_row(size, count, column, entry, weight[at], residual[at], square, force);
            for (int64_t n = 0; n < count; n++)
                touched[column[n]] = 0;
            used = 1;
        }
        for (int64_t point = 0; pull && point < grid->points; point++) {
            const double *own = pull + 3 * (grid->points * time + point);
            if (own[0] != 0 || own[1] != 0 || own[2] != 0) {
                add_tension(grid, point, own, position + 3 * grid->points * time,
                            axis + 3 * grid->axes * time, origin + 3 * grid->slots * time, square);
                used = 1;
            }
        }
        for (; limit < broken->count && broken->time[limit] == time; limit++) {
            int64_t count = 0;
            for (int i = 0; i < 3; i++)
                if (broken->column[3 * limit + i] < size) {
                    column[count++] = broken->column[3 * limit + i];
                    entry[broken->column[3 * limit + i]] = broken->slope[3 * limit + i];
                }
            add_row(size, count, column, entry, broken->weight, broken->residual[limit], square,
                    force);
            used = 1;
        }
        if (!used)
            continue;
        for (int k = 0; k < 4; k++)
            for (int64_t n = 0; n < size; n++)
                slope[(first + k) * size + n] += share[k] * force[n];
        memset(force, 0, (size_t)size * sizeof(double));
        waiting.first = first;
        waiting.share[waiting.count++] = share;
    }
    share_out(size, &waiting, blocks);
}

/* The blocks (N, D, 4, D) of tasks at all moments, and their forces on unknowns (N, D) and
   free numbers (V), all added to what is there; and how the two couple. `pull` (T, P, 3), if any,
   are forces on the points whose tension counts. */
EXPORT int arcwright_system(const Grid *grid, const double *position, const double *axis,
                            const double *way, const double *origin, const double *residual,
                            const double *weight, const double *vector, const Broken *broken,
                            const Follow *follow, const double *pull, double *blocks, double *slope)
{
    size_t size = (size_t)grid->unknowns;
    double *room = calloc(2 * size + GROUP * size * size + 1, sizeof(double));
    int64_t *column = calloc(size + 3, sizeof(int64_t));
    char *touched = calloc(size + 1, 1);
    int lacking = !room || !column || !touched;
    if (!lacking)
        gather(grid, position, axis, way, origin, residual, weight, vector, broken, follow, pull,
               room, column, touched, blocks, slope);
    free(room);
    free(column);
    free(touched);
    return lacking;
}
