/* One step of a descent: tasks made straight, solved inside a box; see descent.py, backend.py.

   With d the step, r its reference and p its regularisation, this minimises
   1/2 sum weight (residual - A d)^2 + 1/2 sum p (d - r)^2,   low <= x + d <= high.
   Unknowns held at a bound have it as reference and infinite p. Fewer rows than unknowns:
   (A A'/p + 1/weight) l = residual - A r gives d = r + A'l / p. Else, for e = d - r,
   (A' weight A + p) e = A' weight (residual - A r). Rows F of few unknowns, those of smooth keys,
   join p by the first way: B = p + F' weight F is banded, and
   (A B^-1 A' + 1/weight) l = residual - A g gives d = g + B^-1 A'l, with g the solution without A. */

#include "arcwright.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 4, MAX_STALLS = 3, ROUNDS = 12, WALK = 16, SMALL_WALK = 2000, FEW = 8 };
static const double NEAR = 1e-10; /* as in backend.py */

/* The matrix is kept as factors, or as lines: its rows, or its columns where there are fewer
   rows. Rows of few unknowns come last and are in no line. */
typedef struct {
    int64_t rows, unknowns;
    int by_rows;         /* whether the system has a row for each row, and lines are columns */
    int64_t lines, size; /* how many lines, and their length */
    const double *residual, *weight;
    const Factors *factors;       /* or none */
    Rows few;                     /* the last rows, not in lines */
    Band band;                    /* regularisation with these rows, where by_rows */
    double *divided;              /* (lines, size) lines divided by the factor of the band */
    double *line;                 /* (lines, size) */
    double *squares;              /* (size, size) upper half of A' weight A, or of A loose A' */
    double *counted;              /* (N) loose as in squares, where by_rows */
    double *kernel;               /* (size, size) upper half, then its factor */
    double *low, *high;           /* (N) of the step */
    double *regularisation, *reference; /* (N) */
    double *loose;                /* (N) 1 / regularisation, and 0 for held ones */
    double *goal;                 /* (N) reference, or the bound of held ones */
    double *side;                 /* (N) -1 held low, 1 held high, 0 free */
    double *step, *slope, *along; /* (N) slope of what is minimised; room */
    double *lever, *change;       /* (M) multipliers of the rows; matrix times step */
} Box;

/* In partial sums, so that compilers vectorise it and every machine adds in the same order. */
WIDER static double dot(const double *restrict a, const double *restrict b, int64_t count)
{
    double lane[LANES] = {0}, sum = 0;
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int k = 0; k < LANES; k++)
            lane[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        sum += a[i] * b[i];
    return sum + (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

WIDER static void add(const double *restrict line, double share, int64_t count, double *restrict out)
{
    for (int64_t i = 0; i < count; i++)
        out[i] += share * line[i];
}

/* Matrix times a step (N) gives out (M). */
static void times(const Box *box, const double *step, double *out)
{
    if (box->factors) {
        factors_times(box->factors, step, out);
        return;
    }
    if (!box->by_rows) {
        for (int64_t m = 0; m < box->lines; m++)
            out[m] = dot(box->line + m * box->size, step, box->size);
        if (box->few.rows)
            arcwright_times(&box->few, step, out + box->lines);
        return;
    }
    memset(out, 0, (size_t)box->rows * sizeof *out);
    for (int64_t n = 0; n < box->unknowns; n++)
        if (step[n] != 0)
            add(box->line + n * box->size, step[n], box->size, out);
    if (box->few.rows)
        arcwright_times(&box->few, step, out + box->size);
}

/* Pulls (M) times matrix are added to out (N). */
static void add_transposed_times(const Box *box, const double *lever, double *out)
{
    if (box->factors)
        factors_transposed_times(box->factors, lever, out);
    else if (box->by_rows)
        for (int64_t n = 0; n < box->unknowns; n++)
            out[n] += dot(box->line + n * box->size, lever, box->size);
    else
        for (int64_t m = 0; m < box->lines; m++)
            add(box->line + m * box->size, lever[m], box->size, out);
    if (box->few.rows)
        rows_add_transposed_times(&box->few, lever + box->rows - box->few.rows, out);
}

/* Adds the upper half of the sum over lines of share times line times line; four at a time. */
WIDER static void add_line_squares(const Box *box, const double *lines, const double *share,
                                   double *squares)
{
    int64_t size = box->size;
    for (int64_t n = 0; n < box->lines;) {
        const double *line[4];
        double part[4];
        int count = 0;
        for (; n < box->lines && count < 4; n++)
            if (share[n] != 0) {
                line[count] = lines + n * size;
                part[count++] = share[n];
            }
        for (int unused = count; unused < 4; unused++) {
            line[unused] = lines;
            part[unused] = 0;
        }
        const double *restrict a = line[0], *restrict b = line[1];
        const double *restrict c = line[2], *restrict d = line[3];
        for (int64_t i = 0; count && i < size; i++) {
            double p = part[0] * a[i], q = part[1] * b[i], r = part[2] * c[i], s = part[3] * d[i];
            double *restrict out = squares + i * size;
            for (int64_t j = i; j < size; j++)
                out[j] += (p * a[j] + q * b[j]) + (r * c[j] + s * d[j]);
        }
    }
}

static void fill_squares(const Box *box, const double *share, double *squares)
{
    memset(squares, 0, (size_t)(box->size * box->size) * sizeof *squares);
    if (box->factors == NULL) {
        add_line_squares(box, box->line, share, squares);
        if (!box->by_rows && box->few.rows)
            rows_add_squares(&box->few, share + box->lines, squares);
    } else if (box->by_rows)
        factors_row_squares(box->factors, share, squares);
    else
        factors_unknown_squares(box->factors, share, squares);
}

/* Takes four rows, finished ones, off four others at once, from column `from` on: each row is
   read once for four uses. */
WIDER static void take_off_four(const double *restrict done, double *restrict rows, int64_t from,
                                int64_t size)
{
    const double *restrict a = done, *restrict b = a + size;
    const double *restrict c = b + size, *restrict d = c + size;
    double *restrict first = rows, *restrict second = first + size;
    double *restrict third = second + size, *restrict fourth = third + size;
    double p[4], q[4], r[4], s[4];
    for (int i = 0; i < 4; i++) {
        p[i] = a[from + i];
        q[i] = b[from + i];
        r[i] = c[from + i];
        s[i] = d[from + i];
    }
    for (int64_t j = from; j < size; j++) {
        first[j] -= (p[0] * a[j] + q[0] * b[j]) + (r[0] * c[j] + s[0] * d[j]);
        second[j] -= (p[1] * a[j] + q[1] * b[j]) + (r[1] * c[j] + s[1] * d[j]);
        third[j] -= (p[2] * a[j] + q[2] * b[j]) + (r[2] * c[j] + s[2] * d[j]);
        fourth[j] -= (p[3] * a[j] + q[3] * b[j]) + (r[3] * c[j] + s[3] * d[j]);
    }
}

/* The upper half of a positive matrix becomes its factor; 0 where it is not positive. */
WIDER static int factor(double *matrix, int64_t size)
{
    for (int64_t i = 0; i < size; i++) {
        double *restrict row = matrix + i * size;
        int64_t block = i / 4 * 4, whole = block + 4 <= size, k = whole ? block : 0;
        for (int64_t done = 0; whole && i == block && done < block; done += 4)
            take_off_four(matrix + done * size, row, i, size);
        for (; k + 4 <= i; k += 4) {
            const double *restrict a = matrix + k * size, *restrict b = a + size;
            const double *restrict c = b + size, *restrict d = c + size;
            double p = a[i], q = b[i], r = c[i], s = d[i];
            for (int64_t j = i; j < size; j++)
                row[j] -= (p * a[j] + q * b[j]) + (r * c[j] + s * d[j]);
        }
        for (; k < i; k++)
            add(matrix + k * size + i, -matrix[k * size + i], size - i, row + i);
        if (!(row[i] > 0))
            return 0;
        double scale = 1 / sqrt(row[i]);
        for (int64_t j = i; j < size; j++)
            row[j] *= scale;
    }
    return 1;
}

/* Solves in place with the factor. */
static void divide(const double *matrix, int64_t size, double *vector)
{
    for (int64_t i = 0; i < size; i++) {
        const double *row = matrix + i * size;
        vector[i] /= row[i];
        add(row + i + 1, -vector[i], size - i - 1, vector + i + 1);
    }
    for (int64_t i = size; i-- > 0;) {
        const double *row = matrix + i * size;
        vector[i] = (vector[i] - dot(row + i + 1, vector + i + 1, size - i - 1)) / row[i];
    }
}

/* The squares of loose unknowns; by what changed where that is little. */
static void update_squares(Box *box)
{
    int64_t changed = 0, kept = 0;
    for (int64_t n = 0; n < box->unknowns; n++) {
        box->along[n] = box->loose[n] - box->counted[n];
        changed += box->along[n] != 0;
        kept += box->loose[n] != 0;
    }
    if (box->factors || 2 * changed >= kept)
        fill_squares(box, box->loose, box->squares);
    else if (changed)
        add_line_squares(box, box->line, box->along, box->squares);
    memcpy(box->counted, box->loose, (size_t)box->unknowns * sizeof *box->loose);
}

/* The step by way of the rows: a system of as many as there are. */
static int solve_by_rows(Box *box)
{
    int64_t size = box->size;
    update_squares(box);
    memcpy(box->kernel, box->squares, (size_t)(size * size) * sizeof *box->kernel);
    times(box, box->goal, box->change);
    for (int64_t m = 0; m < box->rows; m++) {
        box->kernel[m * size + m] += 1 / box->weight[m];
        box->lever[m] = box->residual[m] - box->change[m];
    }
    if (!factor(box->kernel, size))
        return 0;
    divide(box->kernel, size, box->lever);
    memset(box->along, 0, (size_t)box->unknowns * sizeof *box->along);
    add_transposed_times(box, box->lever, box->along);
    for (int64_t n = 0; n < box->unknowns; n++) {
        box->step[n] = box->goal[n] + box->loose[n] * box->along[n];
        box->slope[n] = box->regularisation[n] * (box->step[n] - box->reference[n]) - box->along[n];
    }
    return 1;
}

/* The step by way of the rows that are in lines; the others are in the band. */
static int solve_by_band(Box *box)
{
    int64_t size = box->size, count = box->unknowns, bytes = count * (int64_t)sizeof(double);
    const double *few = box->weight + size;
    if (!factor_band(&box->band, &box->few, few, box->regularisation, box->side))
        return 0;
    for (int64_t n = 0; n < count; n++)
        box->step[n] = box->side[n] != 0 ? box->goal[n] : 0;
    times(box, box->step, box->change);
    for (int64_t m = 0; m < box->few.rows; m++)
        box->lever[m] = few[m] * (box->residual[size + m] - box->change[size + m]);
    for (int64_t n = 0; n < count; n++)
        box->along[n] = box->regularisation[n] * box->reference[n];
    rows_add_transposed_times(&box->few, box->lever, box->along);
    for (int64_t n = 0; n < count; n++)
        box->along[n] = box->side[n] != 0 ? 0 : box->along[n];
    divide_by_band(&box->band, count, box->along);
    for (int64_t n = 0; n < count; n++)
        box->step[n] += box->along[n];
    times(box, box->step, box->change);
    memcpy(box->divided, box->line, (size_t)(size * bytes));
    for (int64_t n = 0; n < count; n++)
        if (box->side[n] != 0)
            memset(box->divided + n * size, 0, (size_t)size * sizeof *box->divided);
    divide_lines(&box->band, count, size, box->divided);
    memset(box->kernel, 0, (size_t)(size * size) * sizeof *box->kernel);
    for (int64_t n = 0; n < count; n++)
        box->slope[n] = 1;
    add_line_squares(box, box->divided, box->slope, box->kernel);
    for (int64_t m = 0; m < size; m++) {
        box->kernel[m * size + m] += 1 / box->weight[m];
        box->lever[m] = box->residual[m] - box->change[m];
    }
    if (!factor(box->kernel, size))
        return 0;
    divide(box->kernel, size, box->lever);
    for (int64_t n = 0; n < count; n++) {
        box->slope[n] = dot(box->line + n * size, box->lever, size);
        box->along[n] = box->side[n] != 0 ? 0 : box->slope[n];
    }
    divide_by_band(&box->band, count, box->along);
    for (int64_t n = 0; n < count; n++)
        box->step[n] += box->along[n];
    times(box, box->step, box->change);
    for (int64_t m = 0; m < box->few.rows; m++)
        box->lever[size + m] = few[m] * (box->residual[size + m] - box->change[size + m]);
    rows_add_transposed_times(&box->few, box->lever + size, box->slope);
    for (int64_t n = 0; n < count; n++)
        box->slope[n] = box->regularisation[n] * (box->step[n] - box->reference[n]) - box->slope[n];
    return 1;
}

/* Curvature of what is minimised, by the free unknowns alone: how many they are. */
static int64_t fill_curvature(Box *box)
{
    int64_t size = box->size, count = 0, row = 0;
    for (int64_t n = 0; n < size; n++)
        count += box->side[n] == 0;
    for (int64_t i = 0; i < size; i++) {
        if (box->side[i] != 0)
            continue;
        double *out = box->kernel + row * count + row;
        row++;
        for (int64_t j = i; j < size; j++)
            if (box->side[j] == 0)
                *out++ = box->squares[i * size + j] + (i == j ? box->regularisation[i] : 0);
    }
    return count;
}

/* The step by way of the unknowns. */
static int solve_by_unknowns(Box *box)
{
    double *way = box->along;
    int64_t count = fill_curvature(box), place = 0;
    times(box, box->goal, box->change);
    for (int64_t m = 0; m < box->rows; m++)
        box->lever[m] = box->weight[m] * (box->residual[m] - box->change[m]);
    for (int64_t n = 0; n < box->unknowns; n++)
        way[n] = box->regularisation[n] * (box->reference[n] - box->goal[n]);
    add_transposed_times(box, box->lever, way);
    for (int64_t n = 0; n < box->unknowns; n++)
        if (box->side[n] == 0)
            way[place++] = way[n];
    if (!factor(box->kernel, count))
        return 0;
    divide(box->kernel, count, way);
    place = 0;
    for (int64_t n = 0; n < box->unknowns; n++) {
        box->step[n] = box->goal[n] + (box->side[n] == 0 ? way[place++] : 0);
        box->slope[n] = box->regularisation[n] * (box->step[n] - box->reference[n]);
    }
    times(box, box->step, box->change);
    for (int64_t m = 0; m < box->rows; m++)
        box->lever[m] = box->weight[m] * (box->change[m] - box->residual[m]);
    add_transposed_times(box, box->lever, box->slope);
    return 1;
}

static int solve(Box *box)
{
    if (!box->by_rows)
        return solve_by_unknowns(box);
    return box->few.rows ? solve_by_band(box) : solve_by_rows(box);
}

static void hold(Box *box, int64_t n, double side)
{
    box->side[n] = side;
    box->loose[n] = side != 0 ? 0 : 1 / box->regularisation[n];
    box->goal[n] = side < 0 ? box->low[n] : side > 0 ? box->high[n] : box->reference[n];
}

/* Tolerance of the multipliers of held unknowns. */
static double least_multiplier(const Box *box)
{
    double most = 0;
    for (int64_t n = 0; n < box->unknowns; n++)
        if (box->side[n] != 0 && fabs(box->slope[n]) > most)
            most = fabs(box->slope[n]);
    return NEAR * (1 + most);
}

static int is_loose(const Box *box, int64_t n, double least)
{
    return box->slope[n] * box->side[n] > least && box->low[n] < box->high[n];
}

/* The side on which an unknown belongs, from the last solution. */
static double better_side(const Box *box, int64_t n, double least)
{
    double size = NEAR * (1 + fabs(box->step[n]));
    if (box->side[n] != 0)
        return is_loose(box, n, least) ? 0 : box->side[n];
    return box->step[n] < box->low[n] - size ? -1 : box->step[n] > box->high[n] + size;
}

/* Changes the sides of wrong unknowns, of all at once, or of the last one only: how many are wrong.
   `stalls_left`: how often all may change without there being fewer wrong ones than ever before. */
static int64_t change_sides(Box *box, int64_t *fewest, int *stalls_left)
{
    int64_t wrong = 0, last = 0;
    double least = least_multiplier(box);
    for (int64_t n = 0; n < box->unknowns; n++)
        if (better_side(box, n, least) != box->side[n]) {
            wrong++;
            last = n;
        }
    int fewer = wrong < *fewest;
    *stalls_left = fewer ? MAX_STALLS : *stalls_left - 1;
    *fewest = fewer ? wrong : *fewest;
    for (int64_t n = *stalls_left >= 0 ? 0 : last; wrong && n <= last; n++)
        hold(box, n, better_side(box, n, least));
    return wrong;
}

/* From `at`, inside the box, to the solved step or to the first bound on the way, which then
   holds; whether there was one. */
static int meets_bound(Box *box, double *at)
{
    double share = 1;
    int64_t first = -1;
    for (int64_t n = 0; n < box->unknowns; n++) {
        double way = box->step[n] - at[n], room = (way > 0 ? box->high[n] : box->low[n]) - at[n];
        if (box->side[n] == 0 && way != 0 && room / way < share) {
            share = room / way;
            first = n;
        }
    }
    for (int64_t n = 0; n < box->unknowns; n++)
        if (box->side[n] == 0) {
            double moved = at[n] + share * (box->step[n] - at[n]);
            at[n] = fmin(fmax(moved, box->low[n]), box->high[n]);
        }
    if (first >= 0) {
        hold(box, first, box->step[first] > at[first] ? 1 : -1);
        at[first] = box->goal[first];
    }
    return first >= 0;
}

/* Downhill from no step: stops at each bound met, leaves one at a time; whether it got there. */
static int changes_one_by_one(Box *box, double *at)
{
    for (int64_t n = 0; n < box->unknowns; n++) {
        at[n] = fmin(fmax(0, box->low[n]), box->high[n]);
        hold(box, n, at[n] <= box->low[n] ? -1 : at[n] >= box->high[n]);
    }
    int64_t most = box->unknowns * WALK < SMALL_WALK ? SMALL_WALK / box->unknowns : WALK;
    for (int64_t steps = 0; steps < most; steps++) {
        if (!solve(box))
            return 0;
        if (meets_bound(box, at))
            continue;
        double least = least_multiplier(box), most = 0;
        int64_t worst = -1;
        for (int64_t n = 0; n < box->unknowns; n++)
            if (is_loose(box, n, least) && box->slope[n] * box->side[n] > most) {
                most = box->slope[n] * box->side[n];
                worst = n;
            }
        if (worst < 0)
            return 1;
        hold(box, worst, 0);
    }
    return 1; /* the best after so many changes */
}

/* Cost at a step of zero minus cost at this one; and the multipliers of the rows. */
static double predicted_decrease(const Box *box, double *left)
{
    double fall = 0;
    times(box, box->step, box->change);
    for (int64_t m = 0; m < box->rows; m++) {
        double change = box->change[m];
        left[m] = box->weight[m] * (box->residual[m] - change);
        fall += 0.5 * (box->weight[m] * box->residual[m] + left[m]) * change;
    }
    for (int64_t n = 0; n < box->unknowns; n++)
        fall += 0.5 * box->regularisation[n] * box->step[n] *
                (2 * box->reference[n] - box->step[n]);
    return fall;
}

/* How many numbers a step needs; far fewer rows than unknowns are never solved by way of these. */
int64_t step_room(int64_t rows, int64_t unknowns)
{
    int64_t size = 2 * rows < unknowns ? rows : unknowns;
    int64_t each = 11 + MOST_WIDTH + 1;
    return 2 * rows * unknowns + 2 * size * size + each * unknowns + 2 * rows + 1;
}

/* Which rows are in no line, and the way that multiplies less in about three rounds. By way of the
   unknowns, one matrix serves for all of them, and often for the next step. */
static void choose_way(Box *box, const Rows *rows)
{
    box->by_rows = box->rows < box->unknowns;
    if (!rows)
        return;
    Rows few = rows_of_few(rows, FEW);
    double count = (double)box->unknowns, size = (double)(box->rows - few.rows);
    box->band.width = band_width(&few);
    if (few.rows == 0 || box->band.width > MOST_WIDTH)
        return;
    box->few = few;
    box->by_rows = size * size * (count / 2 + size / 6) < count * count * (size / 10 + count / 6);
}

/* Lays out the room. */
static void lay_out(Box *box, double *room)
{
    double *next = room;
    int64_t dense = box->rows - box->few.rows;
    box->lines = box->by_rows ? box->unknowns : dense;
    box->size = box->by_rows ? dense : box->unknowns;
    double **parts[] = {&box->low,  &box->high, &box->regularisation, &box->reference,  &box->loose,
                        &box->goal, &box->side, &box->step, &box->slope, &box->along,
                        &box->counted};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++, next += box->unknowns)
        *parts[i] = next;
    box->lever = next;
    box->change = box->lever + box->rows;
    box->kernel = box->change + box->rows;
    box->squares = box->kernel + box->size * box->size;
    box->line = box->squares + box->size * box->size;
    box->divided = box->line + box->lines * box->size;
    box->band.factor = box->divided + box->lines * box->size;
    memset(room, 0, (size_t)(box->kernel - room) * sizeof *room);
}

/* The lines, and without bounds the squares; as they were where the matrix is the same. */
static void fill(Box *box, const Start *start)
{
    if (start->again && (!box->by_rows || box->few.rows))
        return;
    if (start->rows) {
        Rows dense = *start->rows;
        dense.rows -= box->few.rows;
        arcwright_dense(&dense, box->by_rows ? 1 : box->unknowns, box->by_rows ? dense.rows : 1,
                        box->line);
    }
    if (!box->by_rows)
        fill_squares(box, box->weight, box->squares);
}

/* out: x + d (N), multipliers of the rows (M), the longest part of d, the predicted decrease. The
   rounds it took, or what stood in the way.

   All unknowns that are wrong change sides at once, which mostly ends in a few rounds but may
   cycle; then only the last of them does, until there are fewer (block principal pivoting). Where
   that takes too long, it is TOO_FAR where only a whole step is of use; else bounds are met and left one at a time, going only down; of large problems
   only the first few, since a step that meets so many is far too long to be of use whole. */
int64_t find_step(const Start *start, double *room, double *out)
{
    const Factors *factors = start->factors;
    int64_t rows = factors ? factors->rows : start->rows->rows;
    int64_t count = factors ? factors->unknowns : start->rows->unknowns;
    const double *regularisation = start->regularisation, *reference = start->reference;
    const double *x = start->x;
    const double *low = start->low, *high = start->high;
    Box box = {.rows = rows,
               .unknowns = count,
               .residual = start->residual,
               .weight = start->weight,
               .factors = factors};
    double far = 0;
    choose_way(&box, start->rows);
    lay_out(&box, room);
    for (int64_t n = 0; n < count; n++) {
        box.regularisation[n] = regularisation[n] + start->damping;
        box.reference[n] = box.goal[n] =
            regularisation[n] * (reference[n] - x[n]) / box.regularisation[n];
        box.loose[n] = 1 / box.regularisation[n];
        box.low[n] = low[n] - x[n];
        box.high[n] = high[n] - x[n];
        if (box.low[n] >= 0 || box.high[n] <= 0) /* mostly it stays where the last step left it */
            hold(&box, n, box.low[n] >= 0 ? -1 : 1);
    }
    fill(&box, start);
    int64_t round = 0, right = 0, solved = 1, fewest = count + 1;
    int stalls_left = MAX_STALLS;
    while (!right && solved && round < ROUNDS) {
        round++;
        solved = solve(&box);
        right = solved && change_sides(&box, &fewest, &stalls_left) == 0;
    }
    if (!right && solved && start->only_whole)
        return TOO_FAR;
    if (!right && round > 1) { /* these changes may take very long */
        right = changes_one_by_one(&box, out);
        memcpy(box.step, out, (size_t)count * sizeof *out);
    }
    for (int64_t n = 0; n < count; n++) {
        double moved = x[n] + box.step[n];
        out[n] = moved < low[n] ? low[n] : moved > high[n] ? high[n] : moved;
        far = fabs(out[n] - x[n]) > far ? fabs(out[n] - x[n]) : far;
        box.step[n] = out[n] - x[n];
    }
    out[count + rows] = far;
    out[count + rows + 1] = predicted_decrease(&box, out + count);
    return right ? round : FAILED;
}

/* find_step for Python; bounds (5, N): regularisation, reference, low, high and x. */
EXPORT int64_t arcwright_step(const Rows *rows, const double *residual, const double *weight,
                              const double *bounds, double damping, int64_t only_whole,
                              double *out)
{
    int64_t count = rows->unknowns;
    double *room = malloc((size_t)step_room(rows->rows, count) * sizeof *room);
    if (room == NULL)
        return NO_MEMORY;
    Start start = {.rows = rows, .residual = residual, .weight = weight, .damping = damping};
    start.only_whole = (int)only_whole;
    start.regularisation = bounds;
    start.reference = start.regularisation + count;
    start.low = start.reference + count;
    start.high = start.low + count;
    start.x = start.high + count;
    int64_t rounds = find_step(&start, room, out);
    free(room);
    return rounds;
}
