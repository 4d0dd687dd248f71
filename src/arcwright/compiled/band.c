/* Positive systems of blocks near the diagonal, as tasks along a B-spline make them. */

#include "arcwright.h"

#include <math.h>
#include <string.h>

typedef double Wide __attribute__((vector_size(64)));
enum { TALL = 4, BROAD = 8, DEEP = 8 }; /* a tile of entries, and the rows taken off it at once */

/* Where the entries of a row would begin if it held those left of its block, too. */
static inline double *row_of(double *upper, int64_t size, int64_t row)
{
    return upper + 4 * size * row - row / size * size;
}

/* Make `deep` rows, all of one block, those of the factor; columns end before `end`. */
static inline int factor_rows(double *upper, int64_t size, int64_t first, int64_t deep, int64_t end)
{
    for (int64_t i = first; i < first + deep; i++) {
        double *restrict row = row_of(upper, size, i);
        if (!(row[i] > 0))
            return 1;
        double root = sqrt(row[i]), over = 1 / root;
        row[i] = root;
        for (int64_t c = i + 1; c < end; c++)
            row[c] *= over;
        for (int64_t r = i + 1; r < first + deep; r++) {
            double *restrict to = row_of(upper, size, r), share = row[r];
            for (int64_t c = r; c < end; c++)
                to[c] -= share * row[c];
        }
    }
    return 0;
}

/* Take DEEP rows of the factor off a tile; `to` and `from` are rows at the tile's first column,
   `share` is the factor's first row at the tile's first row. */
static inline void take_off_tile(double *to, int64_t to_next, const double *from, int64_t next,
                                 const double *share)
{
    Wide sum[TALL] = {{0}}, taken;
    for (int k = 0; k < DEEP; k++) {
        memcpy(&taken, from + next * k, sizeof taken);
        for (int r = 0; r < TALL; r++)
            sum[r] += share[next * k + r] * taken;
    }
    for (int r = 0; r < TALL; r++) {
        memcpy(&taken, to + to_next * r, sizeof taken);
        taken -= sum[r];
        memcpy(to + to_next * r, &taken, sizeof taken);
    }
}

/* The same for any part of a row. */
static inline void take_off_row(double *to, const double *from, int64_t next, int64_t deep,
                                const double *share, int64_t count)
{
    for (int64_t k = 0; k < deep; k++) {
        double by = share[next * k];
        for (int64_t c = 0; c < count; c++)
            to[c] -= by * from[next * k + c];
    }
}

/* Take `deep` rows of the factor off all rows that they touch. */
static inline void take_off(double *upper, int64_t size, int64_t first, int64_t deep, int64_t end)
{
    const double *from = row_of(upper, size, first);
    int64_t next = 4 * size;
    for (int64_t r = first + deep; r < end;) {
        int64_t left = size - r % size; /* rows of this block */
        double *to = row_of(upper, size, r);
        if (deep == DEEP && left >= TALL) {
            int64_t c = r;
            for (; c + BROAD <= end; c += BROAD)
                take_off_tile(to + c, next, from + c, next, from + r);
            for (int64_t k = 0; k < TALL; k++)
                take_off_row(to + next * k + c, from + c, next, deep, from + r + k, end - c);
            r += TALL;
        } else {
            take_off_row(to + r, from + r, next, deep, from + r, end - r);
            r++;
        }
    }
}

WIDER static int factor(int64_t steps, int64_t size, double *upper)
{
    int64_t count = steps * size;
    for (int64_t block = 0; block < count; block += size) {
        int64_t end = block + 4 * size < count ? block + 4 * size : count;
        for (int64_t first = block; first < block + size; first += DEEP) {
            int64_t deep = block + size - first < DEEP ? block + size - first : DEEP;
            if (factor_rows(upper, size, first, deep, end))
                return 1;
            take_off(upper, size, first, deep, end);
        }
    }
    return 0;
}

WIDER static void divide(int64_t steps, int64_t size, double *upper, double *right)
{
    int64_t count = steps * size;
    for (int64_t i = 0; i < count; i++) {
        int64_t begin = i / size * size, end = begin + 4 * size < count ? begin + 4 * size : count;
        const double *restrict row = row_of(upper, size, i);
        double value = right[i] /= row[i];
        for (int64_t c = i + 1; c < end; c++)
            right[c] -= value * row[c];
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        int64_t begin = i / size * size, end = begin + 4 * size < count ? begin + 4 * size : count;
        const double *restrict row = row_of(upper, size, i);
        double sum[4] = {0};
        int64_t c = i + 1;
        for (; c + 4 <= end; c += 4)
            for (int k = 0; k < 4; k++)
                sum[k] += row[c + k] * right[c + k];
        for (; c < end; c++)
            sum[0] += row[c] * right[c];
        right[i] = (right[i] - ((sum[0] + sum[1]) + (sum[2] + sum[3]))) / row[i];
    }
}

/* The same for BROAD right sides at once, (N D, BROAD). */
WIDER static void divide_many(int64_t steps, int64_t size, double *upper, double *right)
{
    int64_t count = steps * size;
    Wide value, other;
    for (int64_t i = 0; i < count; i++) {
        int64_t begin = i / size * size, end = begin + 4 * size < count ? begin + 4 * size : count;
        const double *row = row_of(upper, size, i);
        memcpy(&value, right + BROAD * i, sizeof value);
        value /= row[i];
        memcpy(right + BROAD * i, &value, sizeof value);
        for (int64_t c = i + 1; c < end; c++) {
            memcpy(&other, right + BROAD * c, sizeof other);
            other -= row[c] * value;
            memcpy(right + BROAD * c, &other, sizeof other);
        }
    }
    for (int64_t i = count - 1; i >= 0; i--) {
        int64_t begin = i / size * size, end = begin + 4 * size < count ? begin + 4 * size : count;
        const double *row = row_of(upper, size, i);
        memcpy(&value, right + BROAD * i, sizeof value);
        for (int64_t c = i + 1; c < end; c++) {
            memcpy(&other, right + BROAD * c, sizeof other);
            value -= row[c] * other;
        }
        value /= row[i];
        memcpy(right + BROAD * i, &value, sizeof value);
    }
}

/* Solve a positive system in place: (N, D, 4, D) its upper half, row after row, each from the
   diagonal block on, with one right side (N D) and `many` groups of BROAD, (many, N D, BROAD).
   Returns 1 where it is not positive. */
EXPORT int arcwright_band_solve(int64_t steps, int64_t size, double *upper, double *right,
                                int64_t many, double *groups)
{
    if (factor(steps, size, upper))
        return 1;
    divide(steps, size, upper, right);
    for (int64_t k = 0; k < many; k++)
        divide_many(steps, size, upper, groups + steps * size * BROAD * k);
    return 0;
}

/* The whole symmetric matrix times a vector (N D), added to `out`. */
WIDER static void multiply_band(int64_t steps, int64_t size, double *upper, const double *vector,
                                double *out)
{
    int64_t count = steps * size;
    for (int64_t i = 0; i < count; i++) {
        int64_t begin = i / size * size, end = begin + 4 * size < count ? begin + 4 * size : count;
        const double *restrict row = row_of(upper, size, i);
        double sum = 0, value = vector[i];
        for (int64_t c = begin; c < begin + size; c++)
            sum += row[c] * vector[c];
        Wide sums = {0}, left, right;
        int64_t c = begin + size;
        for (; c + BROAD <= end; c += BROAD) {
            memcpy(&left, row + c, sizeof left);
            memcpy(&right, vector + c, sizeof right);
            sums += left * right;
            memcpy(&right, out + c, sizeof right);
            right += value * left;
            memcpy(out + c, &right, sizeof right);
        }
        for (; c < end; c++) {
            sum += row[c] * vector[c];
            out[c] += value * row[c];
        }
        for (int k = 0; k < BROAD; k++)
            sum += sums[k];
        out[i] += sum;
    }
}

EXPORT void arcwright_band_times(int64_t steps, int64_t size, double *upper, const double *vector,
                                 double *out)
{
    multiply_band(steps, size, upper, vector, out);
}
