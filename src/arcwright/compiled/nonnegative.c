/* Nonnegative quadratic programs by the active-set method of Lawson and Hanson. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "arcwright.h"

/* The y (N) >= 0 for which y'Gy / 2 - y'b is least; S of the unknowns are free, the others zero. */
typedef struct {
    int64_t size;        /* N */
    int64_t count;       /* S */
    const double *grid;  /* (N, N) G */
    const double *right; /* (N) b */
    double *y;           /* (N) */
    int64_t *member;     /* (S) which are free */
    double *factor;      /* (N, N) the first S rows and columns: the upper factor of their part of G */
    double *solution;    /* (S) of the free ones, whatever their sign */
    double *slope;       /* (N) b - G y */
} Program;

/* Divide `x` by the transposed factor of the first `count` free unknowns. */
static inline void divide_down(const Program *program, int64_t count, double *restrict x)
{
    for (int64_t j = 0; j < count; j++) {
        const double *restrict row = program->factor + program->size * j;
        double value = x[j] /= row[j];
        for (int64_t k = j + 1; k < count; k++)
            x[k] -= value * row[k];
    }
}

/* Make one more unknown free; 1 where G is not positive. */
static inline int append(Program *program, int64_t member)
{
    int64_t size = program->size, last = program->count;
    const double *entry = program->grid + size * member;
    double *column = program->solution, left = entry[member];
    for (int64_t j = 0; j < last; j++)
        column[j] = entry[program->member[j]];
    divide_down(program, last, column);
    for (int64_t j = 0; j < last; j++) {
        program->factor[size * j + last] = column[j];
        left -= column[j] * column[j];
    }
    if (!(left > 0))
        return 1;
    program->factor[size * last + last] = sqrt(left);
    program->member[program->count++] = member;
    return 0;
}

static inline void solve_free(Program *program)
{
    int64_t count = program->count;
    double *x = program->solution;
    for (int64_t i = 0; i < count; i++)
        x[i] = program->right[program->member[i]];
    divide_down(program, count, x);
    for (int64_t i = count - 1; i >= 0; i--) {
        const double *row = program->factor + program->size * i;
        double sum[4] = {0};
        int64_t k = i + 1;
        for (; k + 4 <= count; k += 4)
            for (int each = 0; each < 4; each++)
                sum[each] += row[k + each] * x[k + each];
        for (; k < count; k++)
            sum[0] += row[k] * x[k];
        x[i] = (x[i] - ((sum[0] + sum[1]) + (sum[2] + sum[3]))) / row[i];
    }
}

/* Fix free unknown `first` at zero. */
static inline void drop(Program *program, int64_t first)
{
    int64_t count = program->count, kept = first;
    program->y[program->member[first]] = 0;
    program->count = first;
    for (int64_t i = first + 1; i < count; i++) {
        int64_t member = program->member[i];
        if (append(program, member))
            program->y[member] = 0;
        else
            kept++;
    }
    program->count = kept;
}

/* Solve for the free unknowns; those that would fall below zero are fixed there, one by one. */
static inline void settle(Program *program)
{
    while (program->count) {
        double share = 1;
        int64_t first = -1;
        solve_free(program);
        for (int64_t i = 0; i < program->count; i++) {
            double from = program->y[program->member[i]], to = program->solution[i];
            if (to <= 0 && from / (from - to) <= share) {
                share = from > 0 ? from / (from - to) : 0;
                first = i;
            }
        }
        for (int64_t i = 0; i < program->count; i++) {
            double *y = program->y + program->member[i];
            *y += share * (program->solution[i] - *y);
        }
        if (first < 0)
            break;
        drop(program, first);
    }
}

static inline void find_slope(Program *program)
{
    double *restrict slope = program->slope;
    memcpy(slope, program->right, (size_t)program->size * sizeof *slope);
    for (int64_t i = 0; i < program->count; i++) {
        const double *restrict row = program->grid + program->size * program->member[i];
        double value = program->y[program->member[i]];
        for (int64_t k = 0; k < program->size; k++)
            slope[k] -= value * row[k];
    }
}

WIDER static void solve_program(Program *program, int64_t rounds, double tolerance)
{
    memset(program->y, 0, (size_t)program->size * sizeof *program->y);
    for (int64_t round = 0; round < rounds; round++) {
        int64_t best = -1;
        find_slope(program);
        for (int64_t i = 0; i < program->size; i++)
            if (program->y[i] == 0 &&
                program->slope[i] > (best < 0 ? tolerance : program->slope[best]))
                best = i;
        if (best < 0 || append(program, best))
            break;
        settle(program);
    }
}

/* Solve a program of a positive matrix (N, N) in at most `rounds` steps, until no slope is above the
   tolerance. -1 where there is no memory. */
EXPORT int arcwright_nonnegative(int64_t size, const double *grid, const double *right,
                                 int64_t rounds, double tolerance, double *y)
{
    size_t count = (size_t)size + 1;
    double *room = malloc((count * count + 2 * count) * sizeof *room);
    int64_t *member = malloc(count * sizeof *member);
    int enough = room && member;
    if (enough) {
        Program program = {.size = size, .grid = grid, .right = right, .y = y, .member = member};
        program.slope = room;
        program.solution = room + count;
        program.factor = room + 2 * count;
        solve_program(&program, rounds, tolerance);
    }
    free(room);
    free(member);
    return enough ? 0 : -1;
}
