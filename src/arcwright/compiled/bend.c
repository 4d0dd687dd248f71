/* A displaced motion, frame by frame: where points are (what tools/spacetime/jacobians.py does in
   NumPy). */

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

static void transpose(const double *m, double *out)
{
    for (int i = 0; i < 9; i++)
        out[i] = m[3 * (i % 3) + i / 3];
}

/* A turn before that of a joint's channels: about the axes of its rest, which columns of `spun`
   are per unit of its numbers. */
static void turn_in_rest(const double *rest, double *turn, const double *rate, double *spun)
{
    double back[9], between[9];
    transpose(rate, between);
    multiply(rest, between, spun);
    transpose(rest, back);
    multiply(turn, back, between);
    multiply(rest, between, turn);
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
            if (what[1] < 0) { /* a root turns in the world */
                turn_in_rest(bent->rest + 9 * at, turn, rate, spun);
                multiply(turn, locals + 9 * at, local);
                memcpy(own, local, sizeof local);
            } else {
                multiply(locals + 9 * at, turn, local);
                multiply(above, local, own);
                multiply(own, rate, spun); /* columns */
            }
            for (int k = 0; k < 3; k++)
                for (int i = 0; i < 3; i++)
                    axis[3 * (what[3] + k) + i] = spun[3 * i + k];
            if (what[4]) {
                double by_rest[9];
                transpose(bent->rest + 9 * at, by_rest);
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
