/* The whole descent in one call: what descent.py does, with the rows of tasks.c and the steps of
   box.c, in room that is laid out once. */

#include "arcwright.h"

#include <math.h>
#include <string.h>

static const double SMALL_GAIN = 0.05; /* as in descent.py */
enum { ITERATES = 3, HEAD = 5 };

/* Unknowns, and the evaluation of the model there. */
typedef struct {
    int64_t rows;
    double total;
    double *x, *found;
    Points there; /* move and turn are shared with other iterates */
    int64_t *which, *group, *begin; /* (M) of each row: its number among all, group, first entry */
} Iterate;

typedef struct {
    const Descending *problem;
    int64_t unknowns, most;
    int by_channel;
    const double *regularisation, *reference, *low, *high; /* (N) */
    double strongest;                       /* of all regularisation */
    double *step;                           /* x (N), multipliers (M), longest part, fall */
    double *room, *factors;
} Work;

static int64_t found_size(const Descending *problem)
{
    const Rows *all = problem->all;
    int64_t most = all->rows, entries = problem->segment ? most * problem->drag->moving : 0;
    for (int64_t m = 0; !problem->segment && m < most; m++)
        entries += all->first[all->group[m] + 1] - all->first[all->group[m]];
    return 1 + 2 * most + problem->drag->moving + entries;
}

/* How many numbers a descent needs. */
EXPORT int64_t arcwright_descend_room(const Descending *problem)
{
    const Drag *drag = problem->drag;
    int64_t most = problem->all->rows, count = problem->all->unknowns;
    int64_t each = drag->chain->channels + drag->moving * drag->each + 12 * drag->chain->points;
    int64_t iterate = count + drag->times * each + found_size(problem) + 3 * most;
    int64_t shared = 6 * drag->times * drag->chain->points * drag->moving;
    return ITERATES * iterate + shared + count + most + 2 + step_room(most, count) +
           factors_room(most, drag->times, drag->moving);
}

/* What is never written stays 0 in the room: it must be so at the beginning. */
static void lay_out(Work *work, Iterate *iterates, double *room)
{
    const Descending *problem = work->problem;
    const Drag *drag = problem->drag;
    int64_t all = drag->times * drag->chain->points, found = found_size(problem);
    double *move = room, *turn = move + 3 * all * drag->moving;
    room = turn + 3 * all * drag->moving;
    for (int i = 0; i < ITERATES; i++) {
        Iterate *iterate = iterates + i;
        Points *there = &iterate->there;
        iterate->x = room;
        there->values = iterate->x + work->unknowns;
        there->slopes = there->values + drag->times * drag->chain->channels;
        there->position = there->slopes + drag->times * drag->moving * drag->each;
        there->orientation = there->position + 3 * all;
        there->move = move;
        there->turn = turn;
        iterate->found = there->orientation + 9 * all;
        iterate->which = (int64_t *)(iterate->found + found);
        iterate->group = iterate->which + work->most;
        iterate->begin = iterate->group + work->most;
        room = (double *)(iterate->begin + work->most);
    }
    work->step = room;
    work->factors = work->step + work->unknowns + work->most + 2;
    work->room = work->factors + factors_room(work->most, drag->times, drag->moving);
}

/* Evaluates rows and cost at an iterate's unknowns; 0, or 1 where there is no memory. */
static int evaluate(const Work *work, Iterate *iterate)
{
    const Descending *problem = work->problem;
    const Rows *all = problem->all;
    iterate->rows = find_rows(problem->drag, problem->own, problem->rest, iterate->x, 0,
                           work->by_channel, problem->scope, &iterate->there, iterate->found,
                           iterate->which);
    if (iterate->rows < 0)
        return 1;
    double forces = 0;
    for (int64_t n = 0; n < work->unknowns; n++) {
        double away = iterate->x[n] - work->reference[n];
        forces += work->regularisation[n] * away * away;
    }
    iterate->total = iterate->found[0] + 0.5 * forces;
    for (int64_t m = 0, begin = 0; m < iterate->rows; m++) {
        const int64_t *first = all->first + (iterate->group[m] = all->group[iterate->which[m]]);
        iterate->begin[m] = begin;
        begin += first[1] - first[0];
    }
    return 0;
}

static const double *residual_of(const Iterate *iterate) { return iterate->found + 1; }

static const double *weight_of(const Work *work, const Iterate *iterate)
{
    return residual_of(iterate) + work->most;
}

static const double *entries_of(const Work *work, const Iterate *iterate)
{
    return weight_of(work, iterate) + work->most + work->problem->drag->moving;
}

/* The matrix at an iterate, as rows or as factors. */
static Rows rows_of(const Work *work, const Iterate *iterate)
{
    Rows rows = *work->problem->all;
    rows.rows = iterate->rows;
    rows.group = iterate->group;
    rows.begin = iterate->begin;
    rows.entry = entries_of(work, iterate);
    return rows;
}

static Factors factors_of(const Work *work, const Iterate *iterate)
{
    Factors factors = {.rows = iterate->rows,
                       .unknowns = work->unknowns,
                       .times = work->problem->drag->times,
                       .channels = work->problem->drag->moving,
                       .time = iterate->group,
                       .unknown = work->problem->unknown,
                       .segment = work->problem->segment,
                       .slope = iterate->there.slopes,
                       .lever = entries_of(work, iterate),
                       .room = work->factors};
    return factors;
}

/* The step from an iterate into work->step; the rounds it took, or what stood in the way. `again`:
   whether the last step was from there, too. */
static int64_t step_from(const Work *work, const Iterate *iterate, double damping, int again)
{
    Rows rows = rows_of(work, iterate);
    Factors factors = factors_of(work, iterate);
    Start start = {.rows = work->by_channel ? NULL : &rows,
                   .factors = work->by_channel ? &factors : NULL,
                   .residual = residual_of(iterate),
                   .weight = weight_of(work, iterate),
                   .regularisation = work->regularisation,
                   .reference = work->reference,
                   .low = work->low,
                   .high = work->high,
                   .x = iterate->x,
                   .damping = damping,
                   .only_whole = work->problem->climb == 0,
                   .again = again};
    return find_step(&start, work->room, work->step);
}

/* Whether the predicted decrease is above the tolerances. */
static int is_worth(double gain, const Iterate *iterate, const Descending *problem)
{
    double most = 0;
    if (gain <= problem->cost_tolerance * iterate->total)
        return 0;
    if (gain > SMALL_GAIN * iterate->total || problem->target_tolerance == 0)
        return 1;
    for (int64_t m = 0; m < iterate->rows; m++)
        most = fmax(most, fabs(residual_of(iterate)[m]));
    return most >= problem->target_tolerance;
}

/* The most that a step from here can gain: by duality, from the multipliers l (M) of the
   same rows in the last step. With v = l A, no step comes below
   l residual - v reference - 1/2 sum v^2 / regularisation - 1/2 sum l^2 / weight. */
static double most_gain(const Work *work, const Iterate *iterate, double damping)
{
    const double *residual = residual_of(iterate), *weight = weight_of(work, iterate);
    const double *multipliers = work->step + work->unknowns;
    double *forces = work->room, now = 0, least = 0;
    if (work->by_channel) {
        Factors factors = factors_of(work, iterate);
        memset(forces, 0, (size_t)work->unknowns * sizeof *forces);
        factors_transposed_times(&factors, multipliers, forces);
    } else {
        Rows rows = rows_of(work, iterate);
        arcwright_transposed_times(&rows, multipliers, forces);
    }
    for (int64_t m = 0; m < iterate->rows; m++) {
        now += 0.5 * weight[m] * residual[m] * residual[m];
        least += multipliers[m] * (residual[m] - 0.5 * multipliers[m] / weight[m]);
    }
    for (int64_t n = 0; n < work->unknowns; n++) {
        double regularisation = work->regularisation[n] + damping;
        double away = work->reference[n] - iterate->x[n];
        double reference = work->regularisation[n] * away / regularisation;
        now += 0.5 * regularisation * reference * reference;
        least -= forces[n] * (reference + 0.5 * forces[n] / regularisation);
    }
    return now - least;
}

static int same_rows(const Iterate *one, const Iterate *other)
{
    return one->rows == other->rows &&
           memcmp(one->which, other->which, (size_t)one->rows * sizeof *one->which) == 0;
}

/* Less damping after a good step, and none once it is too little to matter. */
static double reduced_damping(double damping, double ratio, double strongest)
{
    if (ratio > 0.25)
        damping /= ratio > 0.75 ? 10 : 2;
    return damping > 0.3 * strongest ? damping : 0;
}

/* The iterate that is neither of the two. */
static Iterate *unused(Iterate *iterates, const Iterate *one, const Iterate *other)
{
    Iterate *iterate = iterates;
    while (iterate == one || iterate == other)
        iterate++;
    return iterate;
}

/* Steps down from `start`, until nothing more is to be gained or there have been enough of them.

   bounds (5, N): regularisation, reference, low, high, start. room: of the size that
   arcwright_descend_room returns, all 0 when it is first used. out: iterations, whether it
   converged, cost, rows and the last damping;
   then x (N), residual (M), weight (M), values (T, C), positions (T, P, 3), NAN where none is
   needed, and orientations (T, P, 9); which (M) rows there are. 1, or what stood in the way of a
   step. */
EXPORT int64_t arcwright_descend(const Descending *problem, const double *bounds, double *room,
                                 double *out, int64_t *which)
{
    const Drag *drag = problem->drag;
    int64_t count = problem->all->unknowns, most = problem->all->rows;
    Work work = {.problem = problem, .unknowns = count, .most = most};
    Iterate iterates[ITERATES], *here = iterates, *kept = iterates;
    const Iterate *reached = NULL; /* where the last step led, if with the same rows */
    const Iterate *left = NULL;    /* where it began */
    double damping = problem->damping, growth = 2, predicted = 0;
    int64_t steps = 1, converged = count == 0;
    work.by_channel = problem->segment != NULL;
    work.regularisation = bounds;
    work.reference = work.regularisation + count;
    work.low = work.reference + count;
    work.high = work.low + count;
    lay_out(&work, iterates, room);
    for (int64_t n = 0; n < count; n++) {
        here->x[n] = fmin(fmax(bounds[4 * count + n], work.low[n]), work.high[n]);
        work.strongest = fmax(work.strongest, work.regularisation[n]);
    }
    if (evaluate(&work, here))
        return NO_MEMORY;
    while (steps < problem->max_iterations && !converged) {
        if (here == reached && !is_worth(most_gain(&work, here, damping), here, problem)) {
            converged = 1;
            break;
        }
        int64_t rounds = step_from(&work, here, damping, here == left);
        if (rounds <= 0 && rounds != TOO_FAR)
            return rounds;
        left = here;
        if (rounds == TOO_FAR) {
            steps++;
            damping = fmax(damping * growth, work.strongest);
            growth *= 2;
            continue;
        }
        double far = work.step[count + here->rows];
        double step_predicted = work.step[count + here->rows + 1];
        if (far <= problem->step_tolerance || !is_worth(step_predicted, here, problem)) {
            converged = 1;
            break;
        }
        Iterate *there = unused(iterates, here, kept);
        memcpy(there->x, work.step, (size_t)count * sizeof *there->x);
        if (evaluate(&work, there))
            return NO_MEMORY;
        steps++;
        reached = same_rows(here, there) ? there : NULL;
        int climbed = here != kept;
        predicted = climbed ? predicted + step_predicted : step_predicted;
        double fell = kept->total - there->total;
        if (fell > 1e-3 * predicted) {
            damping = reduced_damping(damping, fell / fmax(predicted, 1e-300), work.strongest);
            kept = here = there;
            growth = 2;
        } else if (!climbed && -fell < problem->climb * predicted) {
            here = there;
        } else {
            here = kept;
            damping = fmax(damping * growth, work.strongest);
            growth *= 2;
        }
    }
    double head[HEAD] = {(double)steps, (double)converged, kept->found[0], (double)kept->rows,
                         damping};
    int64_t values = drag->times * drag->chain->channels;
    const double *parts[] = {head, kept->x, residual_of(kept), residual_of(kept) + most,
                             kept->there.values, kept->there.position};
    int64_t sizes[] = {HEAD, count, most, most, values, 12 * drag->times * drag->chain->points};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; out += sizes[i], i++)
        memcpy(out, parts[i], (size_t)sizes[i] * sizeof *out);
    double *places = out - 12 * drag->times * drag->chain->points;
    for (int64_t i = 0; problem->scope && i < drag->times * drag->chain->points; i++)
        if (!problem->scope->points[i])
            places[3 * i] = places[3 * i + 1] = places[3 * i + 2] = NAN;
    memcpy(which, kept->which, (size_t)kept->rows * sizeof *which);
    return 1;
}

/* One step towards each waypoint, then the descent to the last of them. A step is regularised
   towards where the one before led, and moves no unknown farther than `longest`.

   own: the tasks, with the targets of all waypoints, (K, W, 14), one after the other; those of the
   problem are not read. bounds and the rest: as in arcwright_descend, also the answer; reference
   and start are left where the last waypoint led. */
EXPORT int64_t arcwright_descend_along(const Descending *problem, const Wanted *own,
                                       int64_t waypoints, double longest, double *bounds,
                                       double *room, double *out, int64_t *which)
{
    int64_t count = problem->all->unknowns;
    double *reference = bounds + count, *x = bounds + 4 * count;
    Wanted towards = *own;
    Descending part = *problem;
    Work work = {.problem = &part, .unknowns = count, .most = problem->all->rows};
    Iterate iterates[ITERATES], *here = iterates;
    part.own = &towards;
    work.by_channel = problem->segment != NULL;
    work.regularisation = bounds;
    work.reference = reference;
    work.low = reference + count;
    work.high = work.low + count;
    lay_out(&work, iterates, room);
    for (int64_t n = 0; n < count; n++)
        x[n] = fmin(fmax(x[n], work.low[n]), work.high[n]);
    for (int64_t k = 0; k < waypoints; k++) {
        towards.wanted = own->wanted + k * own->count * WANTED;
        memcpy(here->x, x, (size_t)count * sizeof *x);
        memcpy(reference, x, (size_t)count * sizeof *x);
        if (evaluate(&work, here))
            return NO_MEMORY;
        int64_t rounds = step_from(&work, here, 0, 0);
        if (rounds <= 0)
            return rounds;
        double share = fmin(1, longest / fmax(work.step[count + here->rows], 1e-300));
        for (int64_t n = 0; n < count; n++)
            x[n] += share * (work.step[n] - x[n]);
    }
    memcpy(reference, x, (size_t)count * sizeof *x);
    return arcwright_descend(&part, bounds, room, out, which);
}
