/* A chain of four links in a vertical plane, on level ground: joints driven by PD controllers, the two
   ends of the first link's sole in contact with friction. model.py of the hops has the same in Python.

   Coordinates are the angles of links from the vertical, clockwise, and x and y of the first link: the
   mass matrix needs no recursion. The first link comes last, so the last three rows of the factor
   belong to it alone and contacts are solved among three numbers. Sines come from a polynomial: with
   arithmetic alone, a run is the same on every machine. */

#include <math.h>
#include <string.h>

#include "arcwright.h"

enum { LINKS = 4, JOINTS = 3, SIZE = 6, WATCHED = 4, FEET = 2, ROUNDS = 30 };
enum { BASE = 3, X = 4, Y = 5 }; /* the first link's coordinates; link k has angle BASE - k */

/* The order in which lamp.py packs a lamp. */
typedef struct {
    double mass[LINKS], inertia[LINKS];
    double centre[LINKS][2], hinge[LINKS][2]; /* in the link's frame: of mass, of the next joint */
    double foot[FEET][2];                     /* ends of the sole */
    double watched[WATCHED][2];               /* points of the last two links that must not touch */
    double stiffness[JOINTS], damping[JOINTS], strongest[JOINTS]; /* strongest torque */
    double low[JOINTS], high[JOINTS];
    double limit_stiffness, limit_damping, friction, gravity, steepest, margin;
} Lamp;

typedef struct {
    double q[SIZE], v[SIZE];
    double carried[LINKS], diagonal[LINKS]; /* mass at each link's end; constant of the matrix */
    double sine[LINKS], cosine[LINKS];
    double arm[LINKS][2], moment[LINKS][2]; /* in the world */
    double matrix[SIZE][SIZE];              /* mass and implicit damping, then its LDL' factor */
    double force[SIZE];
    double normal[FEET], friction;          /* impulses of the last step; friction of all feet */
} Body;

static inline void sine_cosine(double x, double *sine, double *cosine)
{
    double turns = floor(x * 0.6366197723675814 + 0.5);
    double r = (x - turns * 1.5707963267341256) - turns * 6.077100506506192e-11;
    double z = r * r;
    double s = r * (1 + z * (-1. / 6 + z * (1. / 120 + z * (-1. / 5040 + z * (1. / 362880 +
                z * (-1. / 39916800 + z * (1. / 6227020800.)))))));
    double c = 1 + z * (-1. / 2 + z * (1. / 24 + z * (-1. / 720 + z * (1. / 40320 +
                z * (-1. / 3628800 + z * (1. / 479001600. - z * (1. / 87178291200.)))))));
    switch ((int64_t)turns & 3) {
    case 0: *sine = s, *cosine = c; break;
    case 1: *sine = c, *cosine = -s; break;
    case 2: *sine = -s, *cosine = -c; break;
    default: *sine = -c, *cosine = s;
    }
}

static inline void turn(const Body *body, int link, const double *own, double *out)
{
    out[0] = own[0] * body->cosine[link] + own[1] * body->sine[link];
    out[1] = own[1] * body->cosine[link] - own[0] * body->sine[link];
}

static inline void begin(const Lamp *lamp, const double *start, Body *body)
{
    double total = 0;
    memset(body, 0, sizeof *body);
    for (int k = LINKS - 1; k >= 0; k--) {
        const double *c = lamp->centre[k], *h = lamp->hinge[k];
        body->carried[k] = total;
        body->diagonal[k] = lamp->inertia[k] + lamp->mass[k] * (c[0] * c[0] + c[1] * c[1]) +
                            total * (h[0] * h[0] + h[1] * h[1]);
        total += lamp->mass[k];
    }
    body->q[X] = start[0], body->q[Y] = start[1], body->q[BASE] = start[2];
    for (int j = 0; j < JOINTS; j++)
        body->q[BASE - 1 - j] = body->q[BASE - j] + start[3 + j];
}

/* Where links are. Moment k is mass times place of all that link k carries and itself. */
static inline void find_places(const Lamp *lamp, Body *body)
{
    for (int k = 0; k < LINKS; k++) {
        double centre[2];
        sine_cosine(body->q[BASE - k], &body->sine[k], &body->cosine[k]);
        turn(body, k, lamp->centre[k], centre);
        turn(body, k, lamp->hinge[k], body->arm[k]);
        for (int d = 0; d < 2; d++)
            body->moment[k][d] = lamp->mass[k] * centre[d] + body->carried[k] * body->arm[k][d];
    }
}

/* Mass matrix, gravity, and what rotation does: links k > l are coupled by arm l times moment k. */
static inline void find_dynamics(const Lamp *lamp, Body *body)
{
    double total = body->carried[0] + lamp->mass[0], *force = body->force;
    force[X] = 0;
    force[Y] = -total * lamp->gravity;
    for (int k = LINKS - 1; k >= 0; k--) {
        const double *s = body->moment[k];
        double w = body->v[BASE - k];
        int i = BASE - k;
        body->matrix[X][i] = s[1];
        body->matrix[Y][i] = -s[0];
        body->matrix[i][i] = body->diagonal[k];
        force[X] += s[0] * w * w;
        force[Y] += s[1] * w * w;
        force[i] = lamp->gravity * s[0];
    }
    for (int k = LINKS - 1; k >= 0; k--)
        for (int l = 0; l < k; l++) {
            const double *s = body->moment[k], *a = body->arm[l];
            double across = a[1] * s[0] - a[0] * s[1], wk = body->v[BASE - k], wl = body->v[BASE - l];
            body->matrix[BASE - l][BASE - k] = a[0] * s[0] + a[1] * s[1];
            force[BASE - k] -= across * wl * wl;
            force[BASE - l] += across * wk * wk;
        }
    body->matrix[X][X] = body->matrix[Y][Y] = total;
    body->matrix[Y][X] = 0;
}

/* A torque between links j and j + 1, with a spring and a damper implicit in the step's velocity. */
static inline void add_torque(Body *body, int j, double torque, double stiffness, double damping,
                              double step)
{
    int below = BASE - j, above = below - 1;
    double implicit = step * (damping + step * stiffness);
    body->force[below] -= torque;
    body->force[above] += torque;
    body->matrix[below][below] += implicit;
    body->matrix[above][above] += implicit;
    body->matrix[below][above] -= implicit;
}

static inline void drive(const Lamp *lamp, Body *body, const double *target, double step)
{
    for (int j = 0; j < JOINTS; j++) {
        int below = BASE - j, above = below - 1;
        double speed = body->v[above] - body->v[below];
        double ahead = body->q[above] - body->q[below] + step * speed, most = lamp->strongest[j];
        double torque = lamp->stiffness[j] * (target[j] - ahead) - lamp->damping[j] * speed;
        if (torque > most || torque < -most)
            add_torque(body, j, torque > 0 ? most : -most, 0, 0, step);
        else
            add_torque(body, j, torque, lamp->stiffness[j], lamp->damping[j], step);
        double over = ahead > lamp->high[j] ? ahead - lamp->high[j]
                      : ahead < lamp->low[j] ? ahead - lamp->low[j] : 0;
        if (over != 0)
            add_torque(body, j, -lamp->limit_stiffness * over - lamp->limit_damping * speed,
                       lamp->limit_stiffness, lamp->limit_damping, step);
    }
}

static inline void factor(double (*matrix)[SIZE])
{
    for (int i = 0; i < SIZE; i++) {
        double scaled[SIZE];
        for (int j = 0; j < i; j++) {
            double value = matrix[i][j];
            for (int k = 0; k < j; k++)
                value -= scaled[k] * matrix[j][k];
            scaled[j] = value;
            matrix[i][j] = value * matrix[j][j];
        }
        double value = matrix[i][i];
        for (int k = 0; k < i; k++)
            value -= scaled[k] * matrix[i][k];
        matrix[i][i] = 1 / value; /* the inverse, to multiply by */
    }
}

/* Divide by the factored matrix; the numbers before `first` are zero. */
static inline void divide(double (*matrix)[SIZE], double *x, int first)
{
    for (int i = first + 1; i < SIZE; i++)
        for (int k = first; k < i; k++)
            x[i] -= matrix[i][k] * x[k];
    for (int i = first; i < SIZE; i++)
        x[i] *= matrix[i][i];
    for (int i = SIZE - 2; i >= 0; i--)
        for (int k = i + 1; k < SIZE; k++)
            x[i] -= matrix[k][i] * x[k];
}

/* One number of the rows of a contact: of the first link's velocity along it. */
typedef struct {
    double row[3];    /* of the angle, x, y */
    double answer[3]; /* of the first link's velocity to a unit impulse */
    double goal, scale;
} Contact;

static inline double along(const double *row, const double *x)
{
    return row[0] * x[0] + row[1] * x[1] + row[2] * x[2];
}

static inline void prepare(double (*matrix)[SIZE], Contact *contact)
{
    double *x = contact->answer;
    memcpy(x, contact->row, sizeof contact->row);
    x[1] -= matrix[X][BASE] * x[0];
    x[2] -= matrix[Y][BASE] * x[0] + matrix[Y][X] * x[1];
    x[0] *= matrix[BASE][BASE], x[1] *= matrix[X][X], x[2] *= matrix[Y][Y];
    x[1] -= matrix[Y][X] * x[2];
    x[0] -= matrix[X][BASE] * x[1] + matrix[Y][BASE] * x[2];
    contact->scale = along(contact->row, x);
}

static inline double bounded(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* Impulses on the sole by projected Gauss-Seidel: normal ones do not pull, and the tangential one of
   all feet together stays in the cone of friction. */
static inline void solve_contacts(double friction, Contact *contact, int feet, double *v,
                                  double *impulse)
{
    for (int n = 0; n <= feet; n++)
        for (int i = 0; i < 3; i++)
            v[i] += impulse[n] * contact[n].answer[i];
    for (int round = 0; round < ROUNDS; round++) {
        double most = 0;
        for (int n = 0; n <= feet; n++) {
            double cone = friction * (impulse[0] + (feet > 1 ? impulse[1] : 0));
            double wanted = impulse[n] + (contact[n].goal - along(contact[n].row, v)) / contact[n].scale;
            double next = n < feet ? bounded(wanted, 0, INFINITY) : bounded(wanted, -cone, cone);
            double change = next - impulse[n];
            impulse[n] = next;
            most = fabs(change) > most ? fabs(change) : most;
            for (int i = 0; i < 3; i++)
                v[i] += change * contact[n].answer[i];
        }
        if (most < 1e-9)
            break;
    }
}

/* Push the sole's ends that are about to reach the ground; returns how many carry. */
static inline int push(const Lamp *lamp, Body *body, double step)
{
    Contact contact[FEET + 1];
    double *v = body->v, impulse[FEET + 1], change[SIZE] = {0}, low = 0;
    int used[FEET], feet = 0, carrying = 0;
    for (int f = 0; f < FEET; f++) {
        double at[2];
        turn(body, 0, lamp->foot[f], at);
        double high = v[Y] - at[0] * v[BASE], above = body->q[Y] + at[1];
        if (above + step * high > 0) {
            body->normal[f] = 0;
            continue;
        }
        low = at[1] < low || !feet ? at[1] : low;
        contact[feet] = (Contact){.row = {-at[0], 0, 1}};
        contact[feet].goal = above > 0 ? -above / step : -0.1 * above / step;
        impulse[feet] = body->normal[f];
        used[feet++] = f;
    }
    if (!feet) {
        body->friction = 0;
        return 0;
    }
    contact[feet] = (Contact){.row = {low, 1, 0}};
    impulse[feet] = body->friction;
    for (int n = 0; n <= feet; n++)
        prepare(body->matrix, &contact[n]);
    double base[3] = {v[BASE], v[X], v[Y]};
    solve_contacts(lamp->friction, contact, feet, base, impulse);
    for (int n = 0; n <= feet; n++)
        for (int i = 0; i < 3; i++)
            change[BASE + i] += impulse[n] * contact[n].row[i];
    divide(body->matrix, change, BASE);
    for (int i = 0; i < SIZE; i++)
        v[i] += change[i];
    for (int f = 0; f < feet; f++) {
        body->normal[used[f]] = impulse[f];
        carrying += impulse[f] > 0;
    }
    body->friction = impulse[feet];
    return carrying;
}

/* Whether it leans too far, or one of the watched points is at the ground. */
static inline int has_fallen(const Lamp *lamp, const Body *body)
{
    double knee = body->q[Y] + body->arm[0][1] + body->arm[1][1];
    if (fabs(body->q[BASE]) > lamp->steepest)
        return 1;
    for (int i = 0; i < WATCHED; i++) {
        double at[2];
        int link = i < WATCHED / 2 ? 2 : 3;
        turn(body, link, lamp->watched[i], at);
        if (knee + (link == 3 ? body->arm[2][1] : 0) + at[1] < lamp->margin)
            return 1;
    }
    return 0;
}

static inline void write_state(const Body *body, double *out)
{
    out[0] = body->q[X], out[1] = body->q[Y], out[2] = body->q[BASE];
    for (int j = 0; j < JOINTS; j++)
        out[3 + j] = body->q[BASE - 1 - j] - body->q[BASE - j];
}

/* Simulate `steps` steps from rest at `start` (6: x, y, angle, joints) through P targets (P, 3), each
   until a step. Writes states (steps + 1, 6) and how many feet carry (steps + 1); returns the number
   of steps, fewer where it fell. */
EXPORT int64_t arcwright_planar(const double *lamp_numbers, const double *start, int64_t steps,
                                double step, const int64_t *until, const double *targets,
                                double *states, int64_t *carrying)
{
    const Lamp *lamp = (const Lamp *)lamp_numbers;
    Body body;
    begin(lamp, start, &body);
    write_state(&body, states);
    carrying[0] = FEET;
    for (int64_t done = 0; done < steps; done++) {
        while (done >= *until)
            until++, targets += JOINTS;
        find_places(lamp, &body);
        if (has_fallen(lamp, &body))
            return done;
        find_dynamics(lamp, &body);
        drive(lamp, &body, targets, step);
        factor(body.matrix);
        divide(body.matrix, body.force, 0);
        for (int i = 0; i < SIZE; i++)
            body.v[i] += step * body.force[i];
        carrying[done + 1] = push(lamp, &body, step);
        for (int i = 0; i < SIZE; i++)
            body.q[i] += step * body.v[i];
        write_state(&body, states + SIZE * (done + 1));
    }
    return steps;
}
