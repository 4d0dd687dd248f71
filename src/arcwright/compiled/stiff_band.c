/* Regularisation together with rows of few unknowns each: a banded matrix, and its factor.

   B = diagonal + sum over rows of weight times row times row. Unknowns that are held have a row of
   the unit matrix instead. With the factor L, B = L L'. */

#include "arcwright.h"

#include <math.h>
#include <string.h>

/* How far apart the unknowns of a row are, at most. */
int64_t band_width(const Rows *few)
{
    int64_t width = 0;
    for (int64_t m = 0; m < few->rows; m++) {
        const int64_t *first = few->first + few->group[m];
        int64_t low = few->unknowns, high = -1;
        for (int64_t k = first[0]; k < first[1]; k++) {
            int64_t unknown = few->unknown[k];
            if (unknown >= few->unknowns)
                continue;
            low = unknown < low ? unknown : low;
            high = unknown > high ? unknown : high;
        }
        width = high - low > width ? high - low : width;
    }
    return width;
}

/* Fills B; entry (i, j) of its lower half is at i * (width + 1) + width - i + j. */
static void fill(const Band *band, const Rows *few, const double *weight, const double *diagonal,
                 const double *held)
{
    int64_t width = band->width, wide = width + 1, count = few->unknowns;
    memset(band->factor, 0, (size_t)(count * wide) * sizeof *band->factor);
    for (int64_t n = 0; n < count; n++)
        band->factor[n * wide + width] = held[n] != 0 ? 1 : diagonal[n];
    for (int64_t m = 0; m < few->rows; m++) {
        const int64_t *first = few->first + few->group[m], *unknown = few->unknown + first[0];
        const double *entry = few->entry + few->begin[m];
        int64_t touched = first[1] - first[0];
        for (int64_t k = 0; k < touched; k++)
            for (int64_t l = 0; l < touched; l++) {
                int64_t i = unknown[k], j = unknown[l];
                if (j <= i && i < count && held[i] == 0 && held[j] == 0)
                    band->factor[i * wide + width - i + j] += weight[m] * entry[k] * entry[l];
            }
    }
}

/* The factor of B; 0 where it is not positive. diagonal and held (N): 0 for unknowns that are
   free. */
int factor_band(const Band *band, const Rows *few, const double *weight, const double *diagonal,
                const double *held)
{
    int64_t width = band->width, wide = width + 1;
    fill(band, few, weight, diagonal, held);
    for (int64_t i = 0; i < few->unknowns; i++) {
        double *row = band->factor + i * wide + width - i;
        for (int64_t j = i > width ? i - width : 0; j <= i; j++) {
            const double *other = band->factor + j * wide + width - j;
            double sum = row[j];
            for (int64_t k = i > width ? i - width : 0; k < j; k++)
                sum -= j - k <= width ? row[k] * other[k] : 0;
            if (j == i && !(sum > 0))
                return 0;
            row[j] = j == i ? sqrt(sum) : sum / other[j];
        }
    }
    return 1;
}

/* Solves L z = lines in place, for lines (N, size) at once. */
WIDER void divide_lines(const Band *band, int64_t count, int64_t size, double *lines)
{
    int64_t width = band->width, wide = width + 1;
    for (int64_t i = 0; i < count; i++) {
        const double *row = band->factor + i * wide + width - i;
        double *restrict line = lines + i * size;
        for (int64_t j = i > width ? i - width : 0; j < i; j++) {
            const double *restrict done = lines + j * size;
            double share = row[j];
            for (int64_t k = 0; share != 0 && k < size; k++)
                line[k] -= share * done[k];
        }
        double scale = 1 / row[i];
        for (int64_t k = 0; k < size; k++)
            line[k] *= scale;
    }
}

/* Solves B z = vector in place. */
void divide_by_band(const Band *band, int64_t count, double *vector)
{
    int64_t width = band->width, wide = width + 1;
    divide_lines(band, count, 1, vector);
    for (int64_t i = count; i-- > 0;) {
        double sum = vector[i];
        for (int64_t j = i + 1; j < count && j <= i + width; j++)
            sum -= band->factor[j * wide + width - j + i] * vector[j];
        vector[i] = sum / band->factor[i * wide + width];
    }
}
