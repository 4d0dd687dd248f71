/* A chain of four links in a vertical plane, on level ground: joints driven by PD controllers, two
   points of the first link in contact with friction. model.py of the hops has the same in Python.

   Coordinates are x and y of the first link and the angle of every link from the vertical, clockwise,
   so the mass matrix needs no recursion. Sines come from a polynomial: with arithmetic alone, a run
   is the same on every machine. */

#include <math.h>
#include <string.h>

#include "arcwright.h"

enum { LINKS = 4, JOINTS = 3, SIZE = 6, WATCHED = 4, FEET = 2, ROWS = 4, ROUNDS = 30 };

/* The order in which planar.py packs a lamp. */
typedef struct {
    double mass[LINKS], inertia[LINKS];
    double centre[LINKS][2], hinge[LINKS][2]; /* in the link's frame: of mass, of the next joint */
    double foot[FEET][2];                     /* points of the first link that touch the ground */
    double watched[WATCHED][2];               /* points that must not: of the last two links */
    double stiffness[JOINTS], damping[JOINTS], strongest[JOINTS]; /* strongest torque */
    double low[JOINTS], high[JOINTS];
    double limit_stiffness, limit_damping, friction, gravity, steepest, margin;
} Lamp;

typedef struct {
    double q[SIZE], v[SIZE];       /* angles are those of links */
    double centre[LINKS][2], arm[LINKS][2], moment[LINKS][2]; /* in the world */
    double matrix[SIZE][SIZE];     /* mass and implicit damping, then its LDL' factor */
    double force[SIZE];
    double impulse[ROWS];          /* of each foot: normal, tangential */
} Body;

static inline void sine_cosine(double x, double *sine, double *cosine)
{
    double turns = floor(x * 0.6366197723675814 + 0.5);
    double r = (x - turns * 1.5707963267341256) - turns * 6.077100506506192e-11;
    double z = r * r;
    double s = r * (1 + z * (-1. / 6 + z * (1. / 120 + z * (-1. / 5040 + z * (1. / 362880 +
                z * (-1. / 39916800 + z * (1. / 6227020800.)))))));
    double c = 1 + z * (-1. / 2 + z * (1. / 24 + z * (-1. / 720 + z * (1. / 40320 +
                z * (-1. / 3628800 + z * (1. / 479001600.))))));
    switch ((int64_t)turns & 3) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s;
    }
}

static inline void turn(const double *own, double sine, double cosine, double *out)
{
    out[0] = own[0] * cosine + own[1] * sine;
    out[1] = own[1] * cosine - own[0] * sine;
}

/* Where links are, and the mass matrix: moment k is the sum of mass times place of all that link k
   carries, so that a pair of links k < l is coupled by arm k times moment l. */
static inline void find_mass(const Lamp *lamp, Body *body, double carried[LINKS])
{
    double total = 0;
    memset(body->matrix, 0, sizeof body->matrix);
    for (int k = LINKS - 1; k >= 0; k--) {
        double sine, cosine;
        sine_cosine(body->q[2 + k], &sine, &cosine);
        turn(lamp->centre[k], sine, cosine, body->centre[k]);
        turn(lamp->hinge[k], sine, cosine, body->arm[k]);
        carried[k] = total;
        for (int d = 0; d < 2; d++)
            body->moment[k][d] = lamp->mass[k] * body->centre[k][d] + total * body->arm[k][d];
        total += lamp->mass[k];
    }
    body->matrix[0][0] = body->matrix[1][1] = total;
    for (int k = 0; k < LINKS; k++) {
        const double *c = lamp->centre[k], *h = lamp->hinge[k], *s = body->moment[k];
        body->matrix[2 + k][0] = s[1];
        body->matrix[2 + k][1] = -s[0];
        for (int l = 0; l < k; l++)
            body->matrix[2 + k][2 + l] = body->arm[l][0] * s[0] + body->arm[l][1] * s[1];
        body->matrix[2 + k][2 + k] = lamp->inertia[k] + lamp->mass[k] * (c[0] * c[0] + c[1] * c[1]) +
                                     carried[k] * (h[0] * h[0] + h[1] * h[1]);
    }
}

/* Gravity and what rotation does. */
static inline void find_force(const Lamp *lamp, Body *body)
{
    double *force = body->force;
    const double *w = body->v + 2;
    force[0] = force[1] = 0;
    for (int k = 0; k < LINKS; k++) {
        const double *s = body->moment[k];
        force[0] += s[0] * w[k] * w[k];
        force[1] += s[1] * w[k] * w[k];
        force[2 + k] = lamp->gravity * s[0];
        for (int l = 0; l < k; l++) {
            const double *a = body->arm[l];
            force[2 + k] += (s[1] * a[0] - s[0] * a[1]) * w[l] * w[l];
            force[2 + l] += (a[1] * s[0] - a[0] * s[1]) * w[k] * w[k];
        }
    }
    force[1] -= body->matrix[1][1] * lamp->gravity;
}

/* A spring and a damper between links j and j + 1, implicit in the step's velocity. */
static inline void add_spring(Body *body, int j, double pull, double stiffness, double damping,
                              double step)
{
    double implicit = step * (damping + step * stiffness);
    body->force[2 + j] -= pull;
    body->force[3 + j] += pull;
    body->matrix[2 + j][2 + j] += implicit;
    body->matrix[3 + j][3 + j] += implicit;
    body->matrix[3 + j][2 + j] -= implicit;
}

static inline void drive(const Lamp *lamp, Body *body, const double *target, double step)
{
    for (int j = 0; j < JOINTS; j++) {
        double angle = body->q[3 + j] - body->q[2 + j], speed = body->v[3 + j] - body->v[2 + j];
        double ahead = angle + step * speed, most = lamp->strongest[j];
        double torque = lamp->stiffness[j] * (target[j] - ahead) - lamp->damping[j] * speed;
        if (torque > most || torque < -most)
            add_spring(body, j, torque > 0 ? most : -most, 0, 0, step);
        else
            add_spring(body, j, torque, lamp->stiffness[j], lamp->damping[j], step);
        double over = ahead > lamp->high[j] ? ahead - lamp->high[j]
                      : ahead < lamp->low[j] ? ahead - lamp->low[j] : 0;
        if (over != 0)
            add_spring(body, j, -lamp->limit_stiffness * over - lamp->limit_damping * speed,
                       lamp->limit_stiffness, lamp->limit_damping, step);
    }
}

static inline void factor(double (*matrix)[SIZE])
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j <= i; j++) {
            double value = matrix[i][j];
            for (int k = 0; k < j; k++)
                value -= matrix[i][k] * matrix[j][k] * matrix[k][k];
            matrix[i][j] = i == j ? value : value / matrix[j][j];
        }
}

static inline void divide(double (*matrix)[SIZE], double *x)
{
    for (int i = 0; i < SIZE; i++)
        for (int k = 0; k < i; k++)
            x[i] -= matrix[i][k] * x[k];
    for (int i = SIZE - 1; i >= 0; i--) {
        x[i] /= matrix[i][i];
        for (int k = i + 1; k < SIZE; k++)
            x[i] -= matrix[k][i] * x[k];
    }
}

/* Impulses of the feet that are about to reach the ground, by projected Gauss-Seidel: normal ones do
   not pull, tangential ones stay in the cone of friction. Returns how many feet carry. */
static inline int push(const Lamp *lamp, Body *body, double step)
{
    double row[ROWS][3], answer[ROWS][SIZE], goal[ROWS], scale[ROWS];
    double *v = body->v, (*matrix)[SIZE] = body->matrix;
    double sine, cosine;
    int used[FEET], feet = 0, carrying = 0;
    sine_cosine(body->q[2], &sine, &cosine);
    for (int f = 0; f < FEET; f++) {
        double at[2];
        turn(lamp->foot[f], sine, cosine, at);
        double high = body->q[1] + at[1], fall = v[1] - at[0] * v[2];
        if (high + step * fall > 0) {
            body->impulse[2 * f] = body->impulse[2 * f + 1] = 0;
            continue;
        }
        int n = 2 * feet;
        used[feet++] = f;
        row[n][0] = 0, row[n][1] = 1, row[n][2] = -at[0];
        row[n + 1][0] = 1, row[n + 1][1] = 0, row[n + 1][2] = at[1];
        goal[n] = high > 0 ? -high / step : -0.1 * high / step;
        goal[n + 1] = 0;
    }
    for (int n = 0; n < 2 * feet; n++) {
        double *x = answer[n];
        x[0] = row[n][0], x[1] = row[n][1], x[2] = row[n][2], x[3] = x[4] = x[5] = 0;
        divide(matrix, x);
        scale[n] = row[n][0] * x[0] + row[n][1] * x[1] + row[n][2] * x[2];
        double start = body->impulse[2 * used[n / 2] + n % 2];
        for (int i = 0; i < SIZE; i++)
            v[i] += start * x[i];
    }
    for (int round = 0; round < ROUNDS && feet; round++) {
        double most = 0;
        for (int n = 0; n < 2 * feet; n++) {
            double *impulse = body->impulse + 2 * used[n / 2], *own = impulse + n % 2;
            double speed = row[n][0] * v[0] + row[n][1] * v[1] + row[n][2] * v[2];
            double next = *own + (goal[n] - speed) / scale[n];
            double low = n % 2 ? -lamp->friction * impulse[0] : 0;
            if (next < low)
                next = low;
            if (n % 2 && next > -low)
                next = -low;
            double change = next - *own;
            *own = next;
            most = fabs(change) > most ? fabs(change) : most;
            for (int i = 0; i < SIZE; i++)
                v[i] += change * answer[n][i];
        }
        if (most < 1e-10)
            break;
    }
    for (int f = 0; f < feet; f++)
        carrying += body->impulse[2 * used[f]] > 0;
    return carrying;
}

/* Whether it leans too far, or one of the watched points is at the ground. */
static inline int has_fallen(const Lamp *lamp, const Body *body)
{
    if (fabs(body->q[2]) > lamp->steepest)
        return 1;
    double high = body->q[1] + body->arm[0][1] + body->arm[1][1];
    for (int i = 0; i < WATCHED; i++) {
        double at[2], sine, cosine;
        int link = i < WATCHED / 2 ? 2 : 3;
        sine_cosine(body->q[2 + link], &sine, &cosine);
        turn(lamp->watched[i], sine, cosine, at);
        if (high + (link == 3 ? body->arm[2][1] : 0) + at[1] < lamp->margin)
            return 1;
    }
    return 0;
}

static inline void write_state(const Body *body, double *out)
{
    memcpy(out, body->q, 3 * sizeof *out);
    for (int j = 0; j < JOINTS; j++)
        out[3 + j] = body->q[3 + j] - body->q[2 + j];
}

/* Simulate `steps` steps from rest at `start` (6: x, y, angle, joints) through P targets (P, 3), each
   until a step. Writes states (steps + 1, 6) and how many feet carry (steps + 1); returns the number
   of steps, fewer where it fell. */
EXPORT int64_t arcwright_planar(const double *lamp_numbers, const double *start, int64_t steps,
                                double step, const int64_t *until, const double *targets,
                                double *states, int64_t *carrying)
{
    const Lamp *lamp = (const Lamp *)lamp_numbers;
    Body body = {.impulse = {0}};
    double carried[LINKS];
    memcpy(body.q, start, 3 * sizeof *start);
    for (int j = 0; j < JOINTS; j++)
        body.q[3 + j] = body.q[2 + j] + start[3 + j];
    write_state(&body, states);
    carrying[0] = FEET;
    for (int64_t done = 0; done < steps; done++) {
        while (done >= *until)
            until++, targets += JOINTS;
        find_mass(lamp, &body, carried);
        find_force(lamp, &body);
        drive(lamp, &body, targets, step);
        factor(body.matrix);
        divide(body.matrix, body.force);
        for (int i = 0; i < SIZE; i++)
            body.v[i] += step * body.force[i];
        carrying[done + 1] = push(lamp, &body, step);
        for (int i = 0; i < SIZE; i++)
            body.q[i] += step * body.v[i];
        write_state(&body, states + SIZE * (done + 1));
        if (has_fallen(lamp, &body))
            return done + 1;
    }
    return steps;
}
