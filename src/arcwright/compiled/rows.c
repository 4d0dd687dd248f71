/* Rows that touch only the unknowns of their group: products, and what a solver forms of them. */

#include "arcwright.h"

#include <stdlib.h>
#include <string.h>

/* How many unknowns a row touches, and which. */
static int64_t touched(const Rows *rows, int64_t row, const int64_t **unknown)
{
    const int64_t *first = rows->first + rows->group[row];
    *unknown = rows->unknown + first[0];
    return first[1] - first[0];
}

/* out (M) = rows times x (N). */
EXPORT void arcwright_times(const Rows *rows, const double *x, double *out)
{
    for (int64_t m = 0; m < rows->rows; m++) {
        const int64_t *unknown;
        const double *entry = rows->entry + rows->begin[m];
        int64_t count = touched(rows, m, &unknown);
        double sum = 0;
        for (int64_t k = 0; k < count; k++)
            sum += unknown[k] < rows->unknowns ? entry[k] * x[unknown[k]] : 0;
        out[m] = sum;
    }
}

/* out (N) = y (M) times rows. */
EXPORT void arcwright_pulled(const Rows *rows, const double *y, double *out)
{
    memset(out, 0, (size_t)rows->unknowns * sizeof *out);
    for (int64_t m = 0; m < rows->rows; m++) {
        const int64_t *unknown;
        const double *entry = rows->entry + rows->begin[m];
        int64_t count = touched(rows, m, &unknown);
        for (int64_t k = 0; k < count; k++)
            if (unknown[k] < rows->unknowns)
                out[unknown[k]] += y[m] * entry[k];
    }
}

/* out with zeros where a row touches nothing: row m, unknown n goes to m * down + n * across. */
EXPORT void arcwright_dense(const Rows *rows, int64_t down, int64_t across, double *out)
{
    memset(out, 0, (size_t)(rows->rows * rows->unknowns) * sizeof *out);
    for (int64_t m = 0; m < rows->rows; m++) {
        const int64_t *unknown;
        const double *entry = rows->entry + rows->begin[m];
        int64_t count = touched(rows, m, &unknown);
        for (int64_t k = 0; k < count; k++)
            if (unknown[k] < rows->unknowns)
                out[m * down + unknown[k] * across] += entry[k];
    }
}
