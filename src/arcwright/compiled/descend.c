/* The whole descent in one call: what descent.py does, with the rows of tasks.c and the steps of
   box.c, in room that is laid out once. */

#include "arcwright.h"

#include <math.h>
#include <string.h>

static const double SMALL_GAIN = 0.05, CLIMB = 10; /* as in descent.py */
enum { SPOTS = 3, HEAD = 4 };

/* Unknowns, and what was worked out there. */
typedef struct {
    int64_t rows;
    double total;
    double *x, *found;
    Points there; /* move and turn are shared with other spots */
    int64_t *which, *group, *begin; /* (M) of each row: its number among all, group, first entry */
} Spot;

typedef struct {
    const Descending *problem;
    int64_t unknowns, most;
    int by_channel;
    const double *pull, *rest, *low, *high; /* (N) */
    double strongest;                       /* of all pulls */
    double *step;                           /* x (N), pulls (M), longest part, fall */
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
    int64_t spot = count + drag->times * each + found_size(problem) + 3 * most;
    int64_t shared = 6 * drag->times * drag->chain->points * drag->moving;
    return SPOTS * spot + shared + count + most + 2 + step_room(most, count) +
           factors_room(most, drag->times, drag->moving);
}

/* What is never written stays 0 in the room: it must be so at the beginning. */
static void lay_out(Work *work, Spot *spots, double *room)
{
    const Descending *problem = work->problem;
    const Drag *drag = problem->drag;
    int64_t all = drag->times * drag->chain->points, found = found_size(problem);
    double *move = room, *turn = move + 3 * all * drag->moving;
    room = turn + 3 * all * drag->moving;
    for (int i = 0; i < SPOTS; i++) {
        Spot *spot = spots + i;
        Points *there = &spot->there;
        spot->x = room;
        there->values = spot->x + work->unknowns;
        there->slopes = there->values + drag->times * drag->chain->channels;
        there->position = there->slopes + drag->times * drag->moving * drag->each;
        there->orientation = there->position + 3 * all;
        there->move = move;
        there->turn = turn;
        spot->found = there->orientation + 9 * all;
        spot->which = (int64_t *)(spot->found + found);
        spot->group = spot->which + work->most;
        spot->begin = spot->group + work->most;
        room = (double *)(spot->begin + work->most);
    }
    work->step = room;
    work->factors = work->step + work->unknowns + work->most + 2;
    work->room = work->factors + factors_room(work->most, drag->times, drag->moving);
}

/* Works out what there is to know of a spot's unknowns; 0, or 1 where there is no memory. */
static int look_around(const Work *work, Spot *spot)
{
    const Descending *problem = work->problem;
    const Rows *all = problem->all;
    spot->rows = find_rows(problem->drag, problem->own, problem->rest, spot->x, 0,
                           work->by_channel, problem->scope, &spot->there, spot->found,
                           spot->which);
    if (spot->rows < 0)
        return 1;
    double pulled = 0;
    for (int64_t n = 0; n < work->unknowns; n++) {
        double away = spot->x[n] - work->rest[n];
        pulled += work->pull[n] * away * away;
    }
    spot->total = spot->found[0] + 0.5 * pulled;
    for (int64_t m = 0, begin = 0; m < spot->rows; m++) {
        const int64_t *first = all->first + (spot->group[m] = all->group[spot->which[m]]);
        spot->begin[m] = begin;
        begin += first[1] - first[0];
    }
    return 0;
}

static const double *miss_of(const Spot *spot) { return spot->found + 1; }

static const double *weight_of(const Work *work, const Spot *spot)
{
    return miss_of(spot) + work->most;
}

static const double *entries_of(const Work *work, const Spot *spot)
{
    return weight_of(work, spot) + work->most + work->problem->drag->moving;
}

/* The matrix at a spot, as rows or as factors. */
static Rows rows_of(const Work *work, const Spot *spot)
{
    Rows rows = *work->problem->all;
    rows.rows = spot->rows;
    rows.group = spot->group;
    rows.begin = spot->begin;
    rows.entry = entries_of(work, spot);
    return rows;
}

static Factors factors_of(const Work *work, const Spot *spot)
{
    Factors factors = {.rows = spot->rows,
                       .unknowns = work->unknowns,
                       .times = work->problem->drag->times,
                       .channels = work->problem->drag->moving,
                       .time = spot->group,
                       .unknown = work->problem->unknown,
                       .segment = work->problem->segment,
                       .slope = spot->there.slopes,
                       .lever = entries_of(work, spot),
                       .room = work->factors};
    return factors;
}

/* The step from a spot into work->step; the rounds it took, or what stood in the way. */
static int64_t step_from(const Work *work, const Spot *spot, double damping)
{
    Rows rows = rows_of(work, spot);
    Factors factors = factors_of(work, spot);
    Start start = {.rows = work->by_channel ? NULL : &rows,
                   .factors = work->by_channel ? &factors : NULL,
                   .miss = miss_of(spot),
                   .weight = weight_of(work, spot),
                   .pull = work->pull,
                   .rest = work->rest,
                   .low = work->low,
                   .high = work->high,
                   .x = spot->x,
                   .damping = damping};
    return find_step(&start, work->room, work->step);
}

/* Whether another step is worth while. */
static int is_worth(double gain, const Spot *spot, const Descending *problem)
{
    double most = 0;
    if (gain <= problem->gain * spot->total)
        return 0;
    if (gain > SMALL_GAIN * spot->total || problem->met == 0)
        return 1;
    for (int64_t m = 0; m < spot->rows; m++)
        most = fmax(most, fabs(miss_of(spot)[m]));
    return most >= problem->met;
}

/* The most that a step from here can gain: by duality, from the pulls l (M) that the last step
   left on the same rows. With v = l A, no step comes below
   l miss - v rest - 1/2 sum v^2 / pull - 1/2 sum l^2 / weight. */
static double most_gain(const Work *work, const Spot *spot, double damping)
{
    const double *miss = miss_of(spot), *weight = weight_of(work, spot);
    const double *pulls = work->step + work->unknowns;
    double *pulled = work->room, now = 0, least = 0;
    if (work->by_channel) {
        Factors factors = factors_of(work, spot);
        memset(pulled, 0, (size_t)work->unknowns * sizeof *pulled);
        factors_pulled(&factors, pulls, pulled);
    } else {
        Rows rows = rows_of(work, spot);
        arcwright_pulled(&rows, pulls, pulled);
    }
    for (int64_t m = 0; m < spot->rows; m++) {
        now += 0.5 * weight[m] * miss[m] * miss[m];
        least += pulls[m] * (miss[m] - 0.5 * pulls[m] / weight[m]);
    }
    for (int64_t n = 0; n < work->unknowns; n++) {
        double pull = work->pull[n] + damping;
        double rest = work->pull[n] * (work->rest[n] - spot->x[n]) / pull;
        now += 0.5 * pull * rest * rest;
        least -= pulled[n] * (rest + 0.5 * pulled[n] / pull);
    }
    return now - least;
}

static int same_rows(const Spot *one, const Spot *other)
{
    return one->rows == other->rows &&
           memcmp(one->which, other->which, (size_t)one->rows * sizeof *one->which) == 0;
}

/* Less damping after a good step, and none once it is too little to matter. */
static double eased(double damping, double ratio, double strongest)
{
    if (ratio > 0.25)
        damping /= ratio > 0.75 ? 10 : 2;
    return damping > 0.3 * strongest ? damping : 0;
}

/* The spot that is neither of two. */
static Spot *unused(Spot *spots, const Spot *one, const Spot *other)
{
    Spot *spot = spots;
    while (spot == one || spot == other)
        spot++;
    return spot;
}

/* Steps down from `start`, until nothing more is to be gained or there have been enough of them.

   bounds (5, N): pull, rest, low, high, start. room: as much as arcwright_descend_room says, all
   0 when it is first used. out: steps, whether it settled, cost and rows;
   then x (N), miss (M), weight (M), values (T, C), positions (T, P, 3), NAN where none is
   needed, and orientations (T, P, 9); which (M) rows there are. 1, or what stood in the way of a
   step. */
EXPORT int64_t arcwright_descend(const Descending *problem, const double *bounds, double *room,
                                 double *out, int64_t *which)
{
    const Drag *drag = problem->drag;
    int64_t count = problem->all->unknowns, most = problem->all->rows;
    Work work = {.problem = problem, .unknowns = count, .most = most};
    Spot spots[SPOTS], *here = spots, *kept = spots;
    const Spot *reached = NULL; /* where the last step led, if with the same rows */
    double damping = 0, growth = 2, promised = 0;
    int64_t steps = 1, settled = count == 0;
    work.by_channel = problem->segment != NULL;
    work.pull = bounds;
    work.rest = work.pull + count;
    work.low = work.rest + count;
    work.high = work.low + count;
    lay_out(&work, spots, room);
    for (int64_t n = 0; n < count; n++) {
        here->x[n] = fmin(fmax(bounds[4 * count + n], work.low[n]), work.high[n]);
        work.strongest = fmax(work.strongest, work.pull[n]);
    }
    if (look_around(&work, here))
        return NO_MEMORY;
    while (steps < problem->steps && !settled) {
        if (here == reached && !is_worth(most_gain(&work, here, damping), here, problem)) {
            settled = 1;
            break;
        }
        int64_t rounds = step_from(&work, here, damping);
        if (rounds <= 0)
            return rounds;
        double far = work.step[count + here->rows], foreseen = work.step[count + here->rows + 1];
        if (far <= problem->move || !is_worth(foreseen, here, problem)) {
            settled = 1;
            break;
        }
        Spot *there = unused(spots, here, kept);
        memcpy(there->x, work.step, (size_t)count * sizeof *there->x);
        if (look_around(&work, there))
            return NO_MEMORY;
        steps++;
        reached = same_rows(here, there) ? there : NULL;
        int climbed = here != kept;
        promised = climbed ? promised + foreseen : foreseen;
        double fell = kept->total - there->total;
        if (fell > 1e-3 * promised) {
            damping = eased(damping, fell / fmax(promised, 1e-300), work.strongest);
            kept = here = there;
            growth = 2;
        } else if (!climbed && -fell < CLIMB * promised) {
            here = there;
        } else {
            here = kept;
            damping = fmax(damping * growth, work.strongest);
            growth *= 2;
        }
    }
    double head[HEAD] = {(double)steps, (double)settled, kept->found[0], (double)kept->rows};
    int64_t values = drag->times * drag->chain->channels;
    const double *parts[] = {head, kept->x, miss_of(kept), miss_of(kept) + most,
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
