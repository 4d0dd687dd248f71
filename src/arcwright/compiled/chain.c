/* Forward kinematics and Jacobians, moment by moment: what forward.py and jacobian.py do in NumPy.

   The formulas are theirs. Matrices are 3x3. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arcwright.h"
#include "matrix.h"

#ifndef SOURCE_SUM
#define SOURCE_SUM 0
#endif

enum { SLIDES = 1, ANGLES = 2, QUATERNION = 4, STRETCHES = 8, RESTED = 16 };
enum { TRANSLATE = 0, ROTATE = 3, FOUR = 6, SCALE = 10, KINDS = 13 };

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
   so that compilers vectorise it. 5 ns an angle where the C library took 13. */
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
        double z = x * x, z2 = z * z, z4 = z2 * z2;
        double s = (-1.0 / 6 + z * (1.0 / 120)) + z2 * (-1.0 / 5040 + z * (1.0 / 362880)) +
                   z4 * ((-1.0 / 39916800 + z * (1.0 / 6227020800)) +
                         z2 * (-1.0 / 1307674368000 + z * (1.0 / 355687428096000)));
        double c = (-0.5 + z * (1.0 / 24)) + z2 * (-1.0 / 720 + z * (1.0 / 40320)) +
                   z4 * ((-1.0 / 3628800 + z * (1.0 / 479001600)) +
                         z2 * (-1.0 / 87178291200 + z * (1.0 / 20922789888000)));
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

/* Orientation of a joint, and of the axes in which it turns, from that of its parent. */
static void turn_joint(const Chain *chain, int64_t at, const double *turned, Joint *joint)
{
    if (chain->sort[at] & RESTED)
        multiply(turned, chain->rest + 9 * at, joint->before);
    else
        memcpy(joint->before, turned, sizeof joint->before);
    multiply(joint->before, joint->own, joint->turned);
}

/* The same with scale. */
static void stretch_joint(const Chain *chain, int64_t at, const double *world, Joint *joint)
{
    multiply(world, chain->rest + 9 * at, joint->above);
    multiply(joint->above, joint->own, joint->world);
    for (int i = 0; i < 9; i++)
        joint->world[i] *= joint->stretch[i % 3];
}

/* Where a joint is, from the matrix and place of its parent and from the axes it slides along. */
static void slide_joint(const Chain *chain, int64_t at, const double *values, const double *world,
                        const double *origin, const double *along, Joint *joint)
{
    const int64_t *channel = chain->channel + KINDS * at + TRANSLATE;
    double slid[3] = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        joint->slide[i] = value_of(values, channel[i], 0);
    if (chain->sort[at] & SLIDES)
        apply(along, joint->slide, slid);
    apply(world, chain->offset + 3 * at, joint->origin);
    for (int i = 0; i < 3; i++)
        joint->origin[i] += origin[i] + slid[i];
}

/* Places every joint that is wanted; `above` and `world` are set only where there is scale. */
static void place_joints(const Chain *chain, const double *values, const int64_t *joints,
                         Work *work, int scaled)
{
    static const double nowhere[3] = {0, 0, 0};
    const double *sine = work->sine, *cosine = work->cosine;
    find_angles(chain, values, work);
    for (int64_t at = 0; at < chain->joints; at++) {
        int64_t above = chain->parents[at], sort = chain->sort[at];
        if (joints && !joints[at]) {
            sine += sort & ANGLES ? 3 : 0;
            cosine += sort & ANGLES ? 3 : 0;
            continue;
        }
        const Joint *parent = above < 0 ? NULL : work->joints + above;
        const double *turned = parent ? parent->turned : IDENTITY;
        const double *world = parent && scaled ? parent->world : turned;
        Joint *joint = work->joints + at;
        if (sort & ANGLES) {
            turn_by_angles(chain->axes + 3 * at, chain->parity[at], sine, cosine, joint);
            sine += 3;
            cosine += 3;
        } else if (sort & QUATERNION) {
            turn_by_quaternion(chain->channel + KINDS * at + FOUR, values, joint);
        } else {
            memcpy(joint->own, IDENTITY, sizeof joint->own);
        }
        turn_joint(chain, at, turned, joint);
        if (scaled)
            stretch_joint(chain, at, world, joint);
        slide_joint(chain, at, values, world, parent ? parent->origin : nowhere,
                    scaled ? joint->above : joint->before, joint);
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

/* A point seen from one of the joints above it. */
typedef struct {
    const double *position; /* in the world */
    double inside[3];       /* in the joint's frame; kept up only where there is scale, as is */
    double reach[3];        /* from the joint, in the axes in which it turns */
} Sight;

static void set_column(double *matrix, int64_t count, int64_t column, const double *entries)
{
    for (int row = 0; row < 3; row++)
        matrix[row * count + column] = entries[row];
}

/* Columns of the channels that turn a joint, angles or quaternion; see jacobian.py. */
static void fill_turns(const Chain *chain, int64_t at, const Joint *joint, const int64_t *column,
                       int64_t count, const Sight *sight, int uneven, double *move, double *turn)
{
    int angles = (chain->sort[at] & ANGLES) != 0;
    const int64_t *own = column + (angles ? ROTATE : FOUR);
    double inner[4][3], arm[3], swept[3], bent[3];
    for (int row = 0; row < 3; row++)
        arm[row] = sight->position[row] - joint->origin[row];
    if (uneven)
        find_axes(chain, at, joint, IDENTITY, joint->own, inner);
    for (int i = 0; i < (angles ? 3 : 4); i++) {
        if (own[i] < 0)
            continue;
        if (uneven) {
            cross(inner[i], sight->reach, bent);
            apply(joint->above, bent, swept);
        } else {
            cross(joint->axis[i], arm, swept);
        }
        set_column(move, count, own[i], swept);
        set_column(turn, count, own[i], joint->axis[i]);
    }
}

/* Columns of the channels that slide and stretch a joint. */
static void fill_rest(const Chain *chain, int64_t at, const Joint *joint, const int64_t *column,
                      int64_t count, const Sight *sight, int scaled, double *move)
{
    const double *above = scaled ? joint->above : joint->before;
    for (int i = 0; i < 3; i++) {
        if (column[TRANSLATE + i] >= 0) {
            double along[3] = {above[i], above[3 + i], above[6 + i]};
            set_column(move, count, column[TRANSLATE + i], along);
        }
        if (column[SCALE + i] >= 0) {
            double grown = chain->scale[3 * at + i] * sight->inside[i], along[3];
            double side[3] = {joint->own[i], joint->own[3 + i], joint->own[6 + i]};
            apply(above, side, along);
            for (int row = 0; row < 3; row++)
                along[row] *= grown;
            set_column(move, count, column[SCALE + i], along);
        }
    }
}

/* Goes from a point's joint up to its root and fills the columns of each joint passed. */
static void walk_up(const Chain *chain, int64_t at, const Joint *joints, int scaled,
                    const int64_t *columns, int64_t count, const double *position,
                    const double *offset, double *move, double *turn)
{
    Sight sight = {position, {offset[0], offset[1], offset[2]}, {0, 0, 0}};
    for (; at >= 0; at = chain->parents[at]) {
        const Joint *joint = joints + at;
        const int64_t *column = columns + KINDS * at;
        double stretched[3], slid[3];
        if (chain->stretches) {
            for (int i = 0; i < 3; i++)
                stretched[i] = sight.inside[i] * joint->stretch[i];
            apply(joint->own, stretched, sight.reach);
        }
        if (chain->sort[at] & (ANGLES | QUATERNION))
            fill_turns(chain, at, joint, column, count, &sight, scaled == 2, move, turn);
        if (chain->sort[at] & (SLIDES | STRETCHES))
            fill_rest(chain, at, joint, column, count, &sight, scaled, move);
        if (chain->stretches) {
            for (int i = 0; i < 3; i++)
                slid[i] = sight.reach[i] + joint->slide[i];
            apply(chain->rest + 9 * at, slid, sight.inside);
            for (int i = 0; i < 3; i++)
                sight.inside[i] += chain->offset[3 * at + i];
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

/* Joints and points of `times` moments, all or those in a scope; 0, or 1 where there is no memory.

   values (T, C), offsets (P, 3), columns (A, KINDS): where each channel goes, -1 for nowhere.
   In move and turn only the columns of channels that move a point are set. */
int find_points(const Chain *chain, int64_t times, const double *values, const double *offsets,
                const int64_t *columns, int64_t count, const Scope *scope, const Points *out)
{
    int64_t block = 3 * count;
    Work work;
    if (!make_room(chain, &work))
        return 1;
    Joint *joints = work.joints;
    for (int64_t time = 0; time < times; time++, values += chain->channels) {
        const int64_t *wanted = scope ? scope->joints + time * chain->joints : NULL;
        int scaled = stretch_joints(chain, values, joints);
        place_joints(chain, values, wanted, &work, scaled);
        for (int64_t at = 0; count && at < chain->joints; at++)
            if (wanted == NULL || wanted[at])
                find_axes(chain, at, joints + at, joints[at].before, joints[at].turned,
                          joints[at].axis);
        for (int64_t point = 0; point < chain->points; point++) {
            int64_t at = chain->wanted[point], place = time * chain->points + point;
            const double *offset = offsets + 3 * point;
            double *position = out->position + 3 * place;
            if (scope && !scope->points[place])
                continue;
            apply(scaled ? joints[at].world : joints[at].turned, offset, position);
            for (int i = 0; i < 3; i++)
                position[i] += joints[at].origin[i];
            memcpy(out->orientation + 9 * place, joints[at].turned, sizeof joints[at].turned);
            if (count)
                walk_up(chain, at, joints, scaled, columns, count, position, offset,
                        out->move + block * place, out->turn + block * place);
        }
    }
    free(joints);
    return 0;
}

/* find_points for Python. out: position (T, P, 3), orientation (T, P, 3, 3), move (T, P, 3, M),
   turn (T, P, 3, M). */
EXPORT int arcwright_jacobian(const Chain *chain, int64_t times, const double *values,
                              const double *offsets, const int64_t *columns, int64_t count,
                              double *out)
{
    int64_t places = times * chain->points, block = 3 * count;
    Points points = {.position = out, .orientation = out + 3 * places, .move = out + 12 * places};
    points.turn = points.move + block * places;
    memset(points.move, 0, (size_t)(2 * block * places) * sizeof *out);
    return find_points(chain, times, values, offsets, columns, count, NULL, &points);
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
        place_joints(chain, values, NULL, &work, scaled);
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

/* Squared distance of a joint from where it should be, or, where that is more, of a point at
   `flesh` from it along one of its own axes; `side` is that axis, or 3 for the joint itself. */
static double squared_deviation(const double *world, const double *origin, const double *wanted,
                                double flesh, int *side)
{
    double square[3] = {0, 0, 0}, along[3] = {0, 0, 0}, place = 0, most = 0;
    for (int row = 0; row < 3; row++) {
        double apart = origin[row] - wanted[4 * row + 3];
        place += apart * apart;
        for (int axis = 0; axis < 3; axis++) {
            double turned = world[3 * row + axis] - wanted[4 * row + axis];
            square[axis] += turned * turned;
            along[axis] += turned * apart;
        }
    }
    *side = 3;
    for (int axis = 0; axis < 3; axis++) {
        double farther = flesh * (flesh * square[axis] + 2 * along[axis]);
        if (!(farther <= most)) { /* also where it is no number */
            most = farther;
            *side = axis;
        }
    }
    return place + most;
}

/* (T) the largest deviation of any joint wanted, from world (T, P, 3, 4) as it should be; each
   counts by its weight (T, P), if there are any; flesh (P) is in their own units. 0, or 1 where
   there is no memory. */
EXPORT int arcwright_deviation(const Chain *chain, int64_t times, const double *values,
                               const double *wanted, const double *weight, const double *flesh,
                               double *out)
{
    Work work;
    if (!make_room(chain, &work))
        return 1;
    Joint *joints = work.joints;
    for (int64_t time = 0; time < times; time++, values += chain->channels) {
        int scaled = stretch_joints(chain, values, joints);
        double most = 0;
        int side;
        place_joints(chain, values, NULL, &work, scaled);
        for (int64_t point = 0; point < chain->points; point++, wanted += 12) {
            const Joint *joint = joints + chain->wanted[point];
            const double *world = scaled ? joint->world : joint->turned;
            double strict = weight ? *weight++ : 1;
            double square = squared_deviation(world, joint->origin, wanted, flesh[point], &side);
            double found = strict * strict * square;
            if (!(found <= most))
                most = found;
        }
        out[time] = sqrt(most);
    }
    free(joints);
    return 0;
}

/* The vector from where a point should be to where it is, which is `flesh` along the axis `side`
   of a joint, and how it changes with channels: away (3), move (3, M); all times `strict`. */
static void deviation_row(const Chain *chain, int64_t at, const Joint *joints, int scaled,
                          const int64_t *columns, int64_t count, const double *wanted, double flesh,
                          int side, double strict, double *away, double *move, double *turn)
{
    const Joint *joint = joints + at;
    double offset[3] = {0, 0, 0}, position[3];
    if (side < 3)
        offset[side] = flesh;
    apply(scaled ? joint->world : joint->turned, offset, position);
    for (int i = 0; i < 3; i++) {
        position[i] += joint->origin[i];
        away[i] = position[i] - wanted[4 * i + 3] - (side < 3 ? flesh * wanted[4 * i + side] : 0);
        away[i] *= strict;
    }
    memset(move, 0, (size_t)(3 * count) * sizeof *move);
    walk_up(chain, at, joints, scaled, columns, count, position, offset, move, turn);
    for (int64_t i = 0; i < 3 * count; i++)
        move[i] *= strict;
}

/* The deviations above `least`, as arcwright_deviation has them, and how they change with
   channels: moment, away (3) and move (3, M) of each. How many, or -1 where there is no memory. */
EXPORT int64_t arcwright_deviation_rows(const Chain *chain, int64_t times, const double *values,
                                        const double *wanted, const double *weight,
                                        const double *flesh, const int64_t *columns,
                                        int64_t count, double least,
                                        int64_t *moment, double *away, double *move)
{
    Work work;
    int64_t found = 0;
    double *turn = malloc((size_t)(3 * count + 1) * sizeof *turn);
    if (!turn || !make_room(chain, &work)) {
        free(turn);
        return -1;
    }
    Joint *joints = work.joints;
    for (int64_t time = 0; time < times; time++, values += chain->channels) {
        int scaled = stretch_joints(chain, values, joints), turned = 0, side;
        place_joints(chain, values, NULL, &work, scaled);
        for (int64_t point = 0; point < chain->points; point++, wanted += 12) {
            const Joint *joint = joints + chain->wanted[point];
            double strict = weight ? *weight++ : 1;
            double square = squared_deviation(scaled ? joint->world : joint->turned, joint->origin,
                                              wanted, flesh[point], &side);
            if (!(strict * sqrt(square) > least))
                continue;
            for (int64_t at = 0; !turned && at < chain->joints; at++)
                find_axes(chain, at, joints + at, joints[at].before, joints[at].turned,
                          joints[at].axis);
            turned = 1;
            deviation_row(chain, chain->wanted[point], joints, scaled, columns, count, wanted,
                          flesh[point], side, strict, away + 3 * found, move + 3 * count * found,
                          turn);
            moment[found++] = time;
        }
    }
    free(turn);
    free(joints);
    return found;
}

/* Which source files this was built from. */
EXPORT uint32_t arcwright_source(void) { return SOURCE_SUM; }
