/* A displaced motion, frame by frame: where points are (what tools/spacetime/body.py does in
   NumPy), and the banded system of wishes about them (what model.py does). */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arcwright.h"
#include "matrix.h"

static const double PI = 3.14159265358979323846;

enum { FIXED = 0, TURNS = 1, ANGLES = 2 };

/* exp(v), and how fast it turns in its own axes per unit of v; series where v is small. */
static void turn_by(const double *v, double *turn, double *rate)
{
    double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2], angle = sqrt(square);
    double first, second, along; /* (1 - cos) / a^2, (a - sin) / a^3, sin / a */
    if (angle < 0.05) {
        first = 0.5 - square / 24 + square * square / 720;
        second = 1.0 / 6 - square / 120 + square * square / 5040;
        along = 1 - square / 6 + square * square / 120 - square * square * square / 5040;
    } else {
        double half = sin(angle / 2) / angle;
        first = 2 * half * half;
        along = sin(angle) / angle;
        second = (1 - along) / square;
    }
    double hat[9] = {0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0}, twice[9];
    multiply(hat, hat, twice);
    for (int i = 0; i < 9; i++) {
        double one = i % 4 == 0;
        turn[i] = one + along * hat[i] + first * twice[i];
        rate[i] = one - first * hat[i] + second * twice[i];
    }
}

/* The matrix of Euler angles, and the axes (rows) about which each turns, in the parent. */
static void turn_by_angles(const int64_t *letter, double parity, const double *angle, double *turn,
                           double *axes)
{
    int64_t i = letter[0], j = letter[1], k = letter[2];
    double ca = cos(angle[0]), cb = cos(angle[1]), cc = cos(angle[2]);
    double sa = parity * sin(angle[0]), sb = parity * sin(angle[1]), sc = parity * sin(angle[2]);
    turn[3 * i + i] = cb * cc;
    turn[3 * i + j] = -cb * sc;
    turn[3 * i + k] = sb;
    turn[3 * j + i] = ca * sc + sa * sb * cc;
    turn[3 * j + j] = ca * cc - sa * sb * sc;
    turn[3 * j + k] = -sa * cb;
    turn[3 * k + i] = sa * sc - ca * sb * cc;
    turn[3 * k + j] = sa * cc + ca * sb * sc;
    turn[3 * k + k] = ca * cb;
    memset(axes, 0, 9 * sizeof(double));
    axes[i] = 1;
    axes[3 + j] = ca;
    axes[3 + k] = sa;
    axes[6 + i] = sb;
    axes[6 + j] = -sa * cb;
    axes[6 + k] = ca * cb;
}

static double wrapped(double angle)
{
    return angle - 2 * PI * rint(angle / (2 * PI));
}

/* Euler angles of a matrix, of all answers the one nearest to `near`. */
static void angles_of(const double *m, const int64_t *letter, double parity, const double *near,
                      double *out)
{
    int64_t i = letter[0], j = letter[1], k = letter[2];
    int locked = hypot(m[3 * i + i], m[3 * i + j]) < 1e-14;
    double c = locked ? near[2] : atan2(-parity * m[3 * i + j], m[3 * i + i]);
    double cosine = cos(c), sine = parity * sin(c);
    double a = atan2(parity * (sine * m[3 * k + i] + cosine * m[3 * k + j]),
                     sine * m[3 * j + i] + cosine * m[3 * j + j]);
    double b = atan2(parity * m[3 * i + k], cosine * m[3 * i + i] - sine * m[3 * i + j]);
    double plain[3] = {a, b, c}, other[3] = {a + PI, PI - b, c + PI};
    double plain_far = 0, other_far = 0;
    for (int n = 0; n < 3; n++) {
        plain[n] = near[n] + wrapped(plain[n] - near[n]);
        other[n] = near[n] + wrapped(other[n] - near[n]);
        plain_far += fabs(plain[n] - near[n]);
        other_far += fabs(other[n] - near[n]);
    }
    memcpy(out, other_far < plain_far ? other : plain, 3 * sizeof(double));
}

/* One moment: `turns` (R, 3) and `adds` (E) displace joints; world has 9 numbers and a place. */
static void place_moment(const Bent *bent, int64_t time, const double *turns, const double *adds,
                         double *world, double *axis, double *way, double *angle)
{
    const double *locals = bent->local + 9 * bent->slots * time;
    const double *places = bent->place + 3 * bent->slots * time;
    int64_t watched = 0;
    for (int64_t at = 0; at < bent->slots; at++) {
        const int64_t *what = bent->what + 5 * at; /* sort, parent, turn, axis, watched */
        const double none[3] = {0, 0, 0}, whole[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        const double *above = what[1] < 0 ? whole : world + 12 * what[1];
        const double *under = what[1] < 0 ? none : world + 12 * what[1] + 9;
        double *own = world + 12 * at, local[9], place[3], moved[3];
        memcpy(place, places + 3 * at, sizeof place);
        for (int64_t s = bent->slide_first[at]; s < bent->slide_first[at + 1]; s++) {
            apply(above, bent->way + 3 * s, way + 3 * s);
            for (int i = 0; i < 3; i++)
                place[i] += adds[bent->slide_add[s]] * bent->way[3 * s + i];
        }
        apply(above, place, moved);
        for (int i = 0; i < 3; i++)
            own[9 + i] = under[i] + moved[i];
        if (what[0] == FIXED) {
            multiply(above, locals + 9 * at, own);
        } else if (what[0] == TURNS) {
            double turn[9], rate[9], spun[9];
            turn_by(turns + 3 * what[2], turn, rate);
            multiply(locals + 9 * at, turn, local);
            multiply(above, local, own);
            multiply(own, rate, spun); /* columns */
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < 3; i++)
                    axis[3 * (what[3] + k) + i] = spun[3 * i + k];
            if (what[4]) {
                const double *rest = bent->rest + 9 * at;
                double by_rest[9] = {rest[0], rest[3], rest[6], rest[1], rest[4],
                                     rest[7], rest[2], rest[5], rest[8]};
                multiply(by_rest, local, turn);
                const double *near = bent->near + 3 * (bent->watched * time + watched);
                angles_of(turn, bent->letter + 3 * at, bent->parity[at], near,
                          angle + 3 * watched);
                watched++;
            }
        } else {
            double angles[3], turn[9], axes[9], before[9];
            for (int i = 0; i < 3; i++) {
                int64_t add = bent->angle_add[3 * at + i];
                angles[i] = bent->angle[3 * (bent->slots * time + at) + i];
                if (add >= 0)
                    angles[i] += adds[add];
            }
            turn_by_angles(bent->letter + 3 * at, bent->parity[at], angles, turn, axes);
            multiply(above, bent->rest + 9 * at, before);
            multiply(before, turn, own);
            int64_t entry = what[3];
            for (int i = 0; i < 3; i++)
                if (bent->angle_add[3 * at + i] >= 0)
                    apply(before, axes + 3 * i, axis + 3 * entry++);
        }
    }
}

/* Where points are and how they are turned, the axes and ways of all that moves them, where
   joints are, and the angles of joints whose limits are watched. */
EXPORT int arcwright_places(const Bent *bent, const double *turns, const double *adds,
                            double *position, double *turned, double *axis, double *way,
                            double *origin, double *angle)
{
    double *world = malloc(12 * (size_t)(bent->slots + 1) * sizeof(double));
    if (!world)
        return 1;
    for (int64_t time = 0; time < bent->times; time++) {
        place_moment(bent, time, turns + 3 * bent->turns * time, adds + bent->adds * time, world,
                     axis + 3 * bent->axes * time, way + 3 * bent->slides * time,
                     angle + 3 * bent->watched * time);
        for (int64_t p = 0; p < bent->points; p++) {
            const double *held = world + 12 * bent->wanted[p];
            double *at = position + 3 * (bent->points * time + p);
            apply(held, bent->offset + 3 * p, at);
            for (int i = 0; i < 3; i++)
                at[i] += held[9 + i];
            memcpy(turned + 9 * (bent->points * time + p), held, 9 * sizeof(double));
        }
        for (int64_t at = 0; at < bent->slots; at++)
            memcpy(origin + 3 * (bent->slots * time + at), world + 12 * at + 9,
                   3 * sizeof(double));
    }
    free(world);
    return 0;
}

/* One row: how far each unknown moves what the row is about. Returns how many it touches; `place`
   has where each of these stands, and anything for the others. */
static int64_t fill_row(const Grid *grid, int64_t time, int64_t row, const double *vector,
                        const double *position, const double *axis, const double *way,
                        const double *origin, double *entry, int64_t *column, int64_t *place)
{
    int64_t count = 0;
    const double *v = vector;
    position += 3 * grid->points * time;
    axis += 3 * grid->axes * time;
    way += 3 * grid->slides * time;
    origin += 3 * grid->slots * time;
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
            int64_t at = place[by[2]];
            if (at >= count || column[at] != by[2]) {
                at = place[by[2]] = count++;
                column[at] = by[2];
                entry[at] = 0;
            }
            entry[at] += share * value;
        }
    }
    return count;
}

/* Add one row to the squares (lower half) and the pull at one moment. */
static void add_row(int64_t size, int64_t count, const int64_t *column, const double *entry,
                    double weight, double miss, double *square, double *pull)
{
    for (int64_t a = 0; a < count; a++) {
        double scaled = weight * entry[a];
        pull[column[a]] += scaled * miss;
        double *line = square + size * column[a];
        for (int64_t b = 0; b < count; b++)
            line[column[b]] += scaled * entry[b];
    }
}

/* The blocks (N, 4, D, D) of wishes at all moments, added to what is there; how hard unknowns
   (N, D) and free places (V) are pulled; and how the two couple. */
EXPORT int arcwright_system(const Grid *grid, const double *position, const double *axis,
                            const double *way, const double *origin, const double *miss,
                            const double *weight, const double *vector, const Broken *broken,
                            const Follow *follow, double *blocks, double *slope)
{
    int64_t size = grid->unknowns, rows = grid->rows, area = size * size;
    double *room = calloc((size_t)(size + area + size), sizeof(double));
    int64_t *column = calloc((size_t)(2 * size + 3), sizeof(int64_t));
    if (!room || !column) {
        free(room);
        free(column);
        return 1;
    }
    double *entry = room, *square = room + size, *pull = square + area;
    int64_t *place_of = column + size + 3;
    int64_t limit = 0;
    for (int64_t time = 0; time < grid->times; time++) {
        const double *share = grid->share + 4 * time;
        int64_t first = grid->first[time], used = 0;
        for (int64_t row = 0; row < rows; row++) {
            int64_t at = rows * time + row;
            if (weight[at] == 0)
                continue;
            int64_t count = fill_row(grid, time, row, vector + 3 * at, position, axis, way, origin,
                                     entry, column, place_of);
            add_row(size, count, column, entry, weight[at], miss[at], square, pull);
            used = 1;
            for (int64_t f = 0; f < follow->wide; f++) {
                int64_t place = follow->place[follow->wide * at + f];
                if (place < 0)
                    continue;
                double lever = follow->lever[follow->wide * at + f] * weight[at];
                follow->pull[place] -= lever * miss[at];
                for (int64_t g = 0; g < follow->wide; g++) {
                    int64_t other = follow->place[follow->wide * at + g];
                    if (other >= 0)
                        follow->corner[follow->count * place + other] +=
                            lever * follow->lever[follow->wide * at + g];
                }
                for (int k = 0; k < 4; k++)
                    for (int64_t n = 0; n < count; n++)
                        follow->border[((first + k) * size + column[n]) * follow->count + place] -=
                            share[k] * lever * entry[n];
            }
        }
        for (; limit < broken->count && broken->time[limit] == time; limit++) {
            int64_t count = 0;
            for (int i = 0; i < 3; i++)
                if (broken->column[3 * limit + i] < size) {
                    column[count] = broken->column[3 * limit + i];
                    entry[count++] = broken->slope[3 * limit + i];
                }
            add_row(size, count, column, entry, broken->weight, broken->miss[limit], square, pull);
            used = 1;
        }
        if (!used)
            continue;
        for (int low = 0; low < 4; low++) {
            double *out = slope + (first + low) * size;
            for (int64_t n = 0; n < size; n++)
                out[n] += share[low] * pull[n];
            for (int high = low; high < 4; high++) {
                double both = share[low] * share[high];
                double *block = blocks + (4 * (first + low) + high - low) * area;
                for (int64_t n = 0; n < area; n++)
                    block[n] += both * square[n];
            }
        }
        memset(square, 0, (size_t)(area + size) * sizeof(double));
    }
    free(room);
    free(column);
    return 0;
}

/* Solve a positive system of blocks in place, with `many` right sides: (N, D, 4, D) the upper
   half, row after row, each from the diagonal block on. Returns 1 where it is not positive. */
EXPORT int arcwright_band_solve(int64_t steps, int64_t size, double *upper, int64_t many,
                                double *right)
{
    int64_t count = steps * size, band = 4 * size;
    for (int64_t i = 0; i < count; i++) {
        int64_t begin = i / size * size, end = begin + band < count ? begin + band : count;
        const double *row = upper + band * i - begin;
        if (!(row[i] > 0))
            return 1;
        double over = 1 / row[i];
        for (int64_t r = i + 1; r < end; r++) {
            double share = row[r] * over;
            if (share == 0)
                continue;
            double *restrict to = upper + band * r - r / size * size;
            for (int64_t c = r; c < end; c++)
                to[c] -= share * row[c];
            for (int64_t k = 0; k < many; k++)
                right[many * r + k] -= share * right[many * i + k];
        }
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        int64_t begin = i / size * size, end = begin + band < count ? begin + band : count;
        const double *row = upper + band * i - begin;
        for (int64_t k = 0; k < many; k++) {
            double sum = right[many * i + k];
            for (int64_t c = i + 1; c < end; c++)
                sum -= row[c] * right[many * c + k];
            right[many * i + k] = sum / row[i];
        }
    }
    return 0;
}
