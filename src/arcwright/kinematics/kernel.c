/* Forward kinematics and Jacobians, moment by moment: what forward.py and jacobian.py do in NumPy.

   The formulas are theirs. Matrices are 3x3, row after row. Nothing is checked here: kernel.py
   hands over only arrays whose sizes and indices it knows. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#ifndef SOURCE_SUM
#define SOURCE_SUM 0
#endif

enum { SLIDES = 1, ANGLES = 2, QUATERNION = 4, STRETCHES = 8, RESTED = 16 };
enum { TRANSLATE = 0, ROTATE = 3, FOUR = 6, SCALE = 10, KINDS = 13 };

/* A Layout: joints with their parents before them. */
typedef struct {
    int64_t joints;         /* A */
    int64_t points;         /* P */
    int64_t channels;       /* C */
    int64_t stretches;      /* whether any joint has a scale */
    const int64_t *parents; /* (A) -1 for roots */
    const int64_t *wanted;  /* (P) */
    const int64_t *sort;    /* (A) SLIDES | ANGLES | ... */
    const int64_t *channel; /* (A, KINDS) -1 for none; angles in the order's letters */
    const int64_t *axes;    /* (A, 3) of the Euler letters */
    const double *parity;   /* (A) of the Euler letters */
    const double *offset;   /* (A, 3) */
    const double *rest;     /* (A, 9) */
    const double *scale;    /* (A, 3) */
} Chain;

/* One joint at one moment. `turned` and `before` leave scale out, `world` and `above` have it. */
typedef struct {
    double own[9];     /* turned by its channels */
    double before[9];  /* world axes in which it turns: parent, then rest */
    double turned[9];  /* world orientation */
    double above[9];   /* as before, with the scale of its ancestors */
    double world[9];   /* world_from_joint */
    double origin[3];  /* where it is */
    double slide[3];   /* its translate channels */
    double stretch[3]; /* its scale, rest scale included */
    double sine, cosine; /* of the first angle, sine with parity */
    double four[4];    /* quaternion times 2 / its squared length */
    double axis[4][3]; /* world axes about which its channels turn */
} Joint;

/* Room for one moment. */
typedef struct {
    Joint *joints;                /* (A) */
    double *angle, *sine, *cosine; /* (3 A) */
} Work;

static const double IDENTITY[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void multiply(const double *restrict a, const double *restrict b, double *restrict out)
{
    for (int row = 0; row < 9; row += 3)
        for (int column = 0; column < 3; column++)
            out[row + column] =
                a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
}

static void apply(const double *restrict a, const double *restrict v, double *restrict out)
{
    for (int row = 0; row < 3; row++)
        out[row] = a[3 * row] * v[0] + a[3 * row + 1] * v[1] + a[3 * row + 2] * v[2];
}

static void cross(const double *restrict a, const double *restrict b, double *restrict out)
{
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static double value_of(const double *values, int64_t channel, double missing)
{
    return channel < 0 ? missing : values[channel];
}

/* Of many angles, to within about 1e-16: series about the nearest quarter turn, without a branch
   so that compilers vectorise it; with those of the C library half of all the time went there. */
static void sines_and_cosines(const double *restrict angle, int64_t count, double *restrict sine,
                              double *restrict cosine)
{
    const double far = 1e5; /* from here on quarter turns no longer come off exactly */
    for (int64_t i = 0; i < count; i++) {
        double x = fabs(angle[i]) < far ? angle[i] : 0, turns = x * 0x1.45f306dc9c883p-1;
        int quarter = (int)(turns + copysign(0.5, turns));
        double n = quarter;
        /* pi / 2 in three parts; the first two have 33 bits, so their multiples are exact */
        x = ((x - n * 0x1.921fb544p+0) - n * 0x1.0b4611a6p-34) - n * 0x1.3198a2e037073p-69;
        double z = x * x, s = 1.0 / 355687428096000, c = 1.0 / 20922789888000; /* 1/17!, 1/16! */
        s = ((s * z - 1.0 / 1307674368000) * z + 1.0 / 6227020800) * z - 1.0 / 39916800;
        s = (((s * z + 1.0 / 362880) * z - 1.0 / 5040) * z + 1.0 / 120) * z - 1.0 / 6;
        c = ((c * z - 1.0 / 87178291200) * z + 1.0 / 479001600) * z - 1.0 / 3628800;
        c = (((c * z + 1.0 / 40320) * z - 1.0 / 720) * z + 1.0 / 24) * z - 0.5;
        s = x + x * (z * s);
        c = 1 + z * c;
        double across = quarter & 1 ? c : s, along = quarter & 1 ? s : c;
        sine[i] = quarter & 2 ? -across : across;
        cosine[i] = (quarter + 1) & 2 ? -along : along;
    }
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(angle[i]) < far)) {
            sine[i] = sin(angle[i]);
            cosine[i] = cos(angle[i]);
        }
}

/* Sines and cosines of all joints that turn by angles, three to a joint. */
static void find_angles(const Chain *chain, const double *values, Work *work)
{
    int64_t count = 0;
    for (int64_t at = 0; at < chain->joints; at++)
        if (chain->sort[at] & ANGLES)
            for (int i = 0; i < 3; i++)
                work->angle[count++] = value_of(values, chain->channel[KINDS * at + ROTATE + i], 0);
    sines_and_cosines(work->angle, count, work->sine, work->cosine);
}

/* The matrix for the order XYZ; other orders exchange rows and columns, odd ones negate sines. */
static void turn_by_angles(const int64_t *letter, double parity, const double *sine,
                           const double *c, Joint *joint)
{
    double s[3] = {parity * sine[0], parity * sine[1], parity * sine[2]};
    double both = s[0] * s[1], other = c[0] * s[1];
    double turn[9] = {
        c[1] * c[2],                 -c[1] * s[2],                s[1],
        c[0] * s[2] + both * c[2],   c[0] * c[2] - both * s[2],   -s[0] * c[1],
        s[0] * s[2] - other * c[2],  s[0] * c[2] + other * s[2],  c[0] * c[1],
    };
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            joint->own[3 * letter[row] + letter[column]] = turn[3 * row + column];
    joint->sine = s[0];
    joint->cosine = c[0];
}

/* Of any length; of length zero the identity. */
static void turn_by_quaternion(const int64_t *channel, const double *values, Joint *joint)
{
    double q[4], size = 0, *s = joint->four, *own = joint->own;
    for (int i = 0; i < 4; i++) {
        q[i] = value_of(values, channel[i], 0);
        size += q[i] * q[i];
    }
    double twice = size > 0 ? 2 / size : 0;
    for (int i = 0; i < 4; i++)
        s[i] = twice * q[i];
    own[0] = 1 - (s[2] * q[2] + s[3] * q[3]);
    own[4] = 1 - (s[1] * q[1] + s[3] * q[3]);
    own[8] = 1 - (s[1] * q[1] + s[2] * q[2]);
    own[1] = s[1] * q[2] - s[3] * q[0];
    own[3] = s[1] * q[2] + s[3] * q[0];
    own[5] = s[2] * q[3] - s[1] * q[0];
    own[7] = s[2] * q[3] + s[1] * q[0];
    own[6] = s[1] * q[3] - s[2] * q[0];
    own[2] = s[1] * q[3] + s[2] * q[0];
}

/* Sets every `stretch`; 0 where nothing is scaled, 1 where all is scaled evenly, 2 otherwise. */
static int stretch_joints(const Chain *chain, const double *values, Joint *joints)
{
    int found = 0;
    for (int64_t at = 0; chain->stretches && at < chain->joints; at++) {
        const int64_t *channel = chain->channel + KINDS * at + SCALE;
        double *stretch = joints[at].stretch;
        for (int i = 0; i < 3; i++) {
            stretch[i] = chain->scale[3 * at + i] * value_of(values, channel[i], 1);
            if (stretch[i] != 1 && !found)
                found = 1;
            if (stretch[i] != stretch[0])
                found = 2;
        }
    }
    return found;
}

/* Places every joint; without scale `above` and `world` are not set, see `frame_of`. */
static void place_joints(const Chain *chain, const double *values, Work *work, int scaled)
{
    Joint *joints = work->joints;
    const double *sine = work->sine, *cosine = work->cosine;
    find_angles(chain, values, work);
    for (int64_t at = 0; at < chain->joints; at++) {
        Joint *joint = joints + at, *parent = joints + chain->parents[at];
        const int64_t *channel = chain->channel + KINDS * at, sort = chain->sort[at];
        const double *offset = chain->offset + 3 * at, *rest = chain->rest + 9 * at;
        const double *turned = IDENTITY, *world = IDENTITY, nowhere[3] = {0, 0, 0};
        const double *origin = nowhere;
        if (chain->parents[at] >= 0) {
            turned = parent->turned;
            world = scaled ? parent->world : parent->turned;
            origin = parent->origin;
        }
        if (sort & ANGLES) {
            turn_by_angles(chain->axes + 3 * at, chain->parity[at], sine, cosine, joint);
            sine += 3;
            cosine += 3;
        } else if (sort & QUATERNION)
            turn_by_quaternion(channel + FOUR, values, joint);
        else
            memcpy(joint->own, IDENTITY, sizeof IDENTITY);
        if (sort & RESTED)
            multiply(turned, rest, joint->before);
        else
            memcpy(joint->before, turned, sizeof IDENTITY);
        multiply(joint->before, joint->own, joint->turned);
        if (scaled) {
            multiply(world, rest, joint->above);
            multiply(joint->above, joint->own, joint->world);
            for (int i = 0; i < 9; i++)
                joint->world[i] *= joint->stretch[i % 3];
        }
        apply(world, offset, joint->origin);
        for (int i = 0; i < 3; i++) {
            joint->origin[i] += origin[i];
            joint->slide[i] = sort & SLIDES ? value_of(values, channel[i], 0) : 0;
        }
        if (sort & SLIDES) {
            double slid[3];
            apply(scaled ? joint->above : joint->before, joint->slide, slid);
            for (int i = 0; i < 3; i++)
                joint->origin[i] += slid[i];
        }
    }
}

/* About what each channel turns, between the frames before and after the joint's own turn. */
static void find_axes(const Chain *chain, int64_t at, const Joint *joint, const double *before,
                      const double *after, double axis[4][3])
{
    if (chain->sort[at] & ANGLES) {
        const int64_t *letter = chain->axes + 3 * at;
        for (int i = 0; i < 3; i++) {
            const double *row = before + 3 * i;
            axis[0][i] = row[letter[0]];
            axis[1][i] = joint->cosine * row[letter[1]] + joint->sine * row[letter[2]];
            axis[2][i] = after[3 * i + letter[2]];
        }
    } else if (chain->sort[at] & QUATERNION) {
        double w = joint->four[0], x = joint->four[1], y = joint->four[2], z = joint->four[3];
        double rate[4][3] = {{-x, -y, -z}, {w, z, -y}, {-z, w, x}, {y, -x, w}};
        for (int i = 0; i < 4; i++)
            apply(before, rate[i], axis[i]);
    }
}

/* What one joint's channels do to a point: `inside` in its frame, `reach` from it in the axes
   in which it turns (both only kept up where there is scale); `move` and `turn` are (3, M). */
static void fill_columns(const Chain *chain, int64_t at, const Joint *joint, int scaled,
                         const int64_t *column, int64_t count, const double *position,
                         const double *inside, const double *reach, double *move, double *turn)
{
    int64_t sort = chain->sort[at];
    const double *above = scaled ? joint->above : joint->before;
    if (sort & SLIDES)
        for (int i = 0; i < 3; i++)
            if (column[TRANSLATE + i] >= 0)
                for (int row = 0; row < 3; row++)
                    move[row * count + column[TRANSLATE + i]] = above[3 * row + i];
    if (sort & (ANGLES | QUATERNION)) {
        int first = sort & ANGLES ? ROTATE : FOUR, last = sort & ANGLES ? FOUR : SCALE;
        double inner[4][3], arm[3], swept[3];
        for (int row = 0; row < 3; row++)
            arm[row] = position[row] - joint->origin[row];
        if (scaled == 2)
            find_axes(chain, at, joint, IDENTITY, joint->own, inner);
        for (int kind = first; kind < last; kind++) {
            if (column[kind] < 0)
                continue;
            const double *axis = joint->axis[kind - first];
            if (scaled == 2) {
                double bent[3];
                cross(inner[kind - first], reach, bent);
                apply(above, bent, swept);
            } else {
                cross(axis, arm, swept);
            }
            for (int row = 0; row < 3; row++) {
                move[row * count + column[kind]] = swept[row];
                turn[row * count + column[kind]] = axis[row];
            }
        }
    }
    if (sort & STRETCHES)
        for (int i = 0; i < 3; i++)
            if (column[SCALE + i] >= 0) {
                double side[3] = {joint->own[i], joint->own[3 + i], joint->own[6 + i]}, along[3];
                apply(above, side, along);
                for (int row = 0; row < 3; row++)
                    move[row * count + column[SCALE + i]] =
                        along[row] * chain->scale[3 * at + i] * inside[i];
            }
}

/* Goes from a point's joint up to its root and fills the columns of each joint passed. */
static void walk_up(const Chain *chain, int64_t at, const Joint *joints, int scaled,
                    const int64_t *columns, int64_t count, const double *position,
                    const double *offset, double *move, double *turn)
{
    double inside[3] = {offset[0], offset[1], offset[2]};
    for (; at >= 0; at = chain->parents[at]) {
        const Joint *joint = joints + at;
        double reach[3] = {0, 0, 0};
        if (chain->stretches) {
            double stretched[3];
            for (int i = 0; i < 3; i++)
                stretched[i] = inside[i] * joint->stretch[i];
            apply(joint->own, stretched, reach);
        }
        fill_columns(chain, at, joint, scaled, columns + KINDS * at, count, position, inside,
                     reach, move, turn);
        if (chain->stretches) {
            double slid[3];
            for (int i = 0; i < 3; i++)
                slid[i] = reach[i] + joint->slide[i];
            apply(chain->rest + 9 * at, slid, inside);
            for (int i = 0; i < 3; i++)
                inside[i] += chain->offset[3 * at + i];
        }
    }
}

static int make_room(const Chain *chain, Work *work)
{
    size_t count = (size_t)chain->joints + 1; /* one more: never zero bytes, which may be no address */
    work->joints = malloc(count * (sizeof *work->joints + 9 * sizeof *work->angle));
    work->angle = (double *)(work->joints + count);
    work->sine = work->angle + 3 * count;
    work->cosine = work->sine + 3 * count;
    return work->joints != NULL;
}

/* Joints and points of `times` moments; 0, or 1 where there is no memory.

   values (T, C), offsets (P, 3), columns (A, KINDS): where each channel goes, -1 for nowhere.
   out: position (T, P, 3), orientation (T, P, 3, 3), move (T, P, 3, M), turn (T, P, 3, M). */
EXPORT int arcwright_jacobian(const Chain *chain, int64_t times, const double *values,
                              const double *offsets, const int64_t *columns, int64_t count,
                              double *out)
{
    int64_t places = times * chain->points, block = 3 * count;
    double *position = out, *orientation = position + 3 * places;
    double *move = orientation + 9 * places, *turn = move + block * places;
    Work work;
    if (!make_room(chain, &work))
        return 1;
    Joint *joints = work.joints;
    memset(move, 0, (size_t)(2 * block * places) * sizeof *move);
    for (int64_t time = 0; time < times; time++, values += chain->channels) {
        int scaled = stretch_joints(chain, values, joints);
        place_joints(chain, values, &work, scaled);
        for (int64_t at = 0; count && at < chain->joints; at++)
            find_axes(chain, at, joints + at, joints[at].before, joints[at].turned,
                      joints[at].axis);
        for (int64_t point = 0; point < chain->points; point++) {
            int64_t at = chain->wanted[point];
            const double *offset = offsets + 3 * point;
            apply(scaled ? joints[at].world : joints[at].turned, offset, position);
            for (int i = 0; i < 3; i++)
                position[i] += joints[at].origin[i];
            memcpy(orientation, joints[at].turned, sizeof joints[at].turned);
            if (count)
                walk_up(chain, at, joints, scaled, columns, count, position, offset, move, turn);
            position += 3;
            orientation += 9;
            move += block;
            turn += block;
        }
    }
    free(joints);
    return 0;
}

/* world_from_joint (T, P, 4, 4) of the joints wanted; 0, or 1 where there is no memory. */
EXPORT int arcwright_forward(const Chain *chain, int64_t times, const double *values, double *out)
{
    Work work;
    if (!make_room(chain, &work))
        return 1;
    Joint *joints = work.joints;
    for (int64_t time = 0; time < times; time++, values += chain->channels) {
        int scaled = stretch_joints(chain, values, joints);
        place_joints(chain, values, &work, scaled);
        for (int64_t point = 0; point < chain->points; point++, out += 16) {
            const Joint *joint = joints + chain->wanted[point];
            const double *world = scaled ? joint->world : joint->turned;
            for (int row = 0; row < 3; row++) {
                memcpy(out + 4 * row, world + 3 * row, 3 * sizeof *out);
                out[4 * row + 3] = joint->origin[row];
            }
            out[12] = out[13] = out[14] = 0;
            out[15] = 1;
        }
    }
    free(joints);
    return 0;
}

/* Which kernel.c this was built from. */
EXPORT uint32_t arcwright_source(void) { return SOURCE_SUM; }
