/* Rows as products of levers and slopes: what a solver asks of them, without multiplying them out.

   A row has D levers where it would have 4 D entries, and two rows of one moment share their
   slopes. So A x is a sum over channels of levers times A' slopes; and with
   G_d[t, t'] = sum_k loose_k slope_k[t, d] slope_k[t', d], which is 0 between segments,
   (A loose A')[m, n] = sum_d lever[m, d] G_d[t(m), t(n)] lever[n, d]. */

#include "arcwright.h"

#include <string.h>

enum { EACH = 4, BATCH = 4, GAP = 8 };

int64_t factors_room(int64_t rows, int64_t times, int64_t channels)
{
    int64_t by_rows = BATCH * (rows + times * rows) + (times + 2 * EACH) * times * channels;
    int64_t by_unknowns = times * channels * channels;
    return times * channels + (by_rows > by_unknowns ? by_rows : by_unknowns) + 2 * rows + 2;
}

/* out (M) = rows times x (N). */
WIDER static void multiply(const Factors *factors, const double *x, double *out)
{
    int64_t count = factors->channels, all = factors->times * count;
    double *by_channel = factors->room;
    for (int64_t i = 0; i < all; i++) {
        const double *slope = factors->slope + EACH * i;
        const int64_t *unknown = factors->unknown + EACH * i;
        by_channel[i] = (slope[0] * x[unknown[0]] + slope[1] * x[unknown[1]]) +
                        (slope[2] * x[unknown[2]] + slope[3] * x[unknown[3]]);
    }
    for (int64_t m = 0; m < factors->rows; m++) {
        const double *restrict lever = factors->lever + m * count;
        const double *restrict moved = by_channel + factors->time[m] * count;
        double lane[4] = {0}, sum = 0;
        int64_t d = 0;
        for (; d + 4 <= count; d += 4)
            for (int k = 0; k < 4; k++)
                lane[k] += lever[d + k] * moved[d + k];
        for (; d < count; d++)
            sum += lever[d] * moved[d];
        out[m] = sum + (lane[0] + lane[1]) + (lane[2] + lane[3]);
    }
}

/* y (M) times rows are added to out (N). */
WIDER static void add_products(const Factors *factors, const double *y, double *out)
{
    int64_t count = factors->channels, all = factors->times * count;
    double *by_channel = factors->room;
    memset(by_channel, 0, (size_t)all * sizeof *by_channel);
    for (int64_t m = 0; m < factors->rows; m++) {
        const double *restrict lever = factors->lever + m * count;
        double *restrict sums = by_channel + factors->time[m] * count, share = y[m];
        for (int64_t d = 0; d < count; d++)
            sums[d] += share * lever[d];
    }
    for (int64_t i = 0; i < all; i++)
        for (int k = 0; k < EACH; k++)
            out[factors->unknown[EACH * i + k]] += factors->slope[EACH * i + k] * by_channel[i];
}

/* G (T, T, D) of all channels; aside (2, T, 4, D) is room for slopes by channel. */
WIDER static void fill_grams(const Factors *factors, const double *loose, double *restrict aside,
                             double *restrict gram)
{
    int64_t times = factors->times, count = factors->channels;
    double *restrict scaled = aside, *restrict plain = aside + EACH * times * count;
    for (int64_t t = 0; t < times; t++)
        for (int64_t d = 0; d < count; d++)
            for (int k = 0; k < EACH; k++) {
                int64_t from = EACH * (t * count + d) + k, to = (EACH * t + k) * count + d;
                plain[to] = factors->slope[from];
                scaled[to] = loose[factors->unknown[from]] * factors->slope[from];
            }
    for (int64_t t = 0; t < times; t++)
        for (int64_t u = t; u < times; u++) {
            const double *restrict a = scaled + EACH * t * count;
            const double *restrict b = plain + EACH * u * count;
            const int64_t *restrict own = factors->segment + t * count;
            const int64_t *restrict other = factors->segment + u * count;
            double *restrict out = gram + (t * times + u) * count;
            for (int64_t d = 0; d < count; d++) {
                double product = (a[d] * b[d] + a[count + d] * b[count + d]) +
                                 (a[2 * count + d] * b[2 * count + d] +
                                  a[3 * count + d] * b[3 * count + d]);
                out[d] = own[d] == other[d] ? product : 0;
            }
            memcpy(gram + (u * times + t) * count, out, (size_t)count * sizeof *out);
        }
}

/* Stretches of rows that any of the channels from `first` on moves; those with a small gap
   between them count as one. How many; both ends of each in `ends`. */
static int64_t find_stretches(const Factors *factors, int64_t first, int64_t batch, int64_t *ends)
{
    int64_t found = 0;
    for (int64_t m = 0; m < factors->rows; m++) {
        const double *lever = factors->lever + m * factors->channels + first;
        int moved = 0;
        for (int64_t i = 0; i < batch; i++)
            moved |= lever[i] != 0;
        if (moved && (found == 0 || m - ends[2 * found - 1] > GAP))
            ends[2 * found++] = m;
        if (moved)
            ends[2 * found - 1] = m + 1;
    }
    return found;
}

/* Adds levers times levers times G for a batch of channels: across (BATCH, M) are their levers,
   turned (BATCH, T, M) the same times G. */
WIDER static void add_batch(const Factors *factors, const double *across, const double *turned,
                            const int64_t *ends, int64_t stretches, double *out)
{
    int64_t rows = factors->rows, whole = factors->times * rows;
    for (int64_t s = 0; s < stretches; s++)
        for (int64_t m = ends[2 * s]; m < ends[2 * s + 1]; m++) {
            double p = across[m], q = across[rows + m];
            double r = across[2 * rows + m], v = across[3 * rows + m];
            const double *restrict a = turned + factors->time[m] * rows, *restrict b = a + whole;
            const double *restrict c = b + whole, *restrict d = c + whole;
            double *restrict row = out + m * rows;
            for (int64_t e = s; e < stretches; e++)
                for (int64_t j = e == s ? m : ends[2 * e]; j < ends[2 * e + 1]; j++)
                    row[j] += (p * a[j] + q * b[j]) + (r * c[j] + v * d[j]);
        }
}

/* Adds the upper half of rows times loose (N) times rows to out (M, M). */
WIDER static void add_row_squares(const Factors *factors, const double *loose, double *out)
{
    int64_t rows = factors->rows, times = factors->times, count = factors->channels;
    double *gram = factors->room, *aside = gram + times * times * count;
    double *across = aside + 2 * EACH * times * count, *turned = across + BATCH * rows;
    int64_t *ends = (int64_t *)(turned + BATCH * times * rows);
    fill_grams(factors, loose, aside, gram);
    for (int64_t first = 0; first < count; first += BATCH) {
        int64_t batch = count - first < BATCH ? count - first : BATCH;
        int64_t stretches = find_stretches(factors, first, batch, ends);
        for (int64_t i = 0; i < BATCH; i++) {
            for (int64_t s = 0; s < stretches; s++)
                for (int64_t m = ends[2 * s]; m < ends[2 * s + 1]; m++)
                    across[i * rows + m] = i < batch ? factors->lever[m * count + first + i] : 0;
            for (int64_t t = 0; t < times; t++) {
                const double *own = gram + t * times * count + first + (i < batch ? i : 0);
                double *restrict row = turned + (i * times + t) * rows;
                for (int64_t s = 0; s < stretches; s++)
                    for (int64_t m = ends[2 * s]; m < ends[2 * s + 1]; m++)
                        row[m] = across[i * rows + m] * own[factors->time[m] * count];
            }
        }
        add_batch(factors, across, turned, ends, stretches, out);
    }
}

/* Curvature (T, D, D), upper halves, of the rows by the channels at their moment. */
WIDER static void fill_moments(const Factors *factors, const double *weight, double *moment)
{
    int64_t count = factors->channels;
    memset(moment, 0, (size_t)(factors->times * count * count) * sizeof *moment);
    for (int64_t m = 0; m < factors->rows; m++) {
        const double *restrict lever = factors->lever + m * count;
        double *restrict square = moment + factors->time[m] * count * count;
        for (int64_t d = 0; d < count; d++) {
            double share = weight[m] * lever[d];
            for (int64_t e = d; share != 0 && e < count; e++)
                square[d * count + e] += share * lever[e];
        }
    }
}

/* Adds a block of 4 by 4 to the upper half of out. */
static void add_block(const double *block, const int64_t *down, const int64_t *across, int same,
                      int64_t size, double *out)
{
    for (int k = 0; k < EACH; k++)
        for (int l = same ? k : 0; l < EACH; l++) {
            int64_t i = down[k], j = across[l];
            out[i < j ? i * size + j : j * size + i] += block[EACH * k + l];
        }
}

/* Adds the upper half of rows times weight (M) times rows, by unknowns, to out (N, N). */
WIDER static void add_unknown_squares(const Factors *factors, const double *weight, double *out)
{
    int64_t count = factors->channels, times = factors->times, size = factors->unknowns;
    double *moment = factors->room + times * count;
    fill_moments(factors, weight, moment);
    for (int64_t d = 0; d < count; d++)
        for (int64_t e = d; e < count; e++) {
            double block[EACH * EACH] = {0};
            int64_t last = -1; /* the moment whose segments the block belongs to */
            for (int64_t t = 0; t < times; t++) {
                double curved = moment[(t * count + d) * count + e];
                int64_t own = t * count + d, other = t * count + e;
                if (curved == 0)
                    continue;
                if (last >= 0 && (factors->segment[last * count + d] != factors->segment[own] ||
                                  factors->segment[last * count + e] != factors->segment[other])) {
                    add_block(block, factors->unknown + EACH * (last * count + d),
                              factors->unknown + EACH * (last * count + e), d == e, size, out);
                    memset(block, 0, sizeof block);
                }
                const double *slope = factors->slope + EACH * own;
                const double *across = factors->slope + EACH * other;
                for (int k = 0; k < EACH; k++)
                    for (int l = 0; l < EACH; l++)
                        block[EACH * k + l] += curved * slope[k] * across[l];
                last = t;
            }
            if (last >= 0)
                add_block(block, factors->unknown + EACH * (last * count + d),
                          factors->unknown + EACH * (last * count + e), d == e, size, out);
        }
}

/* For other files; a function with several forms must be known before it is used. */
void factors_times(const Factors *factors, const double *x, double *out)
{
    multiply(factors, x, out);
}

void factors_transposed_times(const Factors *factors, const double *y, double *out)
{
    add_products(factors, y, out);
}

void factors_row_squares(const Factors *factors, const double *loose, double *out)
{
    add_row_squares(factors, loose, out);
}

void factors_unknown_squares(const Factors *factors, const double *weight, double *out)
{
    add_unknown_squares(factors, weight, out);
}
