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

/* y (M) times rows is added to out (N). */
void rows_add_transposed_times(const Rows *rows, const double *y, double *out)
{
    for (int64_t m = 0; m < rows->rows; m++) {
        const int64_t *unknown;
        const double *entry = rows->entry + rows->begin[m];
        int64_t count = touched(rows, m, &unknown);
        for (int64_t k = 0; k < count; k++)
            if (unknown[k] < rows->unknowns)
                out[unknown[k]] += y[m] * entry[k];
    }
}

/* out (N) = y (M) times rows. */
EXPORT void arcwright_transposed_times(const Rows *rows, const double *y, double *out)
{
    memset(out, 0, (size_t)rows->unknowns * sizeof *out);
    rows_add_transposed_times(rows, y, out);
}

/* Adds the upper half of the sum over rows of weight (M) times row times row to out (N, N). */
void rows_add_squares(const Rows *rows, const double *weight, double *out)
{
    for (int64_t m = 0; m < rows->rows; m++) {
        const int64_t *unknown;
        const double *entry = rows->entry + rows->begin[m];
        int64_t count = touched(rows, m, &unknown);
        for (int64_t k = 0; k < count; k++)
            for (int64_t l = 0; l < count; l++)
                if (unknown[k] <= unknown[l] && unknown[l] < rows->unknowns)
                    out[unknown[k] * rows->unknowns + unknown[l]] += weight[m] * entry[k] * entry[l];
    }
}

/* The rows at the end that touch at most so many unknowns. */
Rows rows_of_few(const Rows *rows, int64_t most)
{
    const int64_t *unknown;
    Rows few = *rows;
    int64_t first = rows->rows;
    while (first > 0 && touched(rows, first - 1, &unknown) <= most)
        first--;
    few.rows -= first;
    few.group += first;
    few.begin += first;
    return few;
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

/* The entries of each unknown, in the order of the rows' positions. */
typedef struct {
    int64_t *first;    /* (N + 1) */
    int64_t *position; /* of the row of each entry */
    double *entry;
} Columns;

/* Turns rows into columns; NULL where there is no memory, else what is to be freed. */
static int64_t *by_columns(const Rows *rows, const int64_t *order, Columns *columns)
{
    int64_t count = rows->unknowns, all = 0;
    for (int64_t m = 0; m < rows->rows; m++)
        all += rows->first[rows->group[m] + 1] - rows->first[rows->group[m]];
    int64_t *room = calloc((size_t)(2 * count + 3 + 2 * all), sizeof *room);
    if (room == NULL)
        return NULL;
    int64_t *next = room + count + 1;
    columns->first = room;
    columns->position = next + count + 2;
    columns->entry = (double *)(columns->position + all);
    for (int64_t m = 0; m < rows->rows; m++) {
        const int64_t *unknown;
        for (int64_t k = touched(rows, m, &unknown); k-- > 0;)
            next[unknown[k] + 1]++;
    }
    for (int64_t n = 0; n <= count; n++)
        next[n + 1] += next[n];
    memcpy(columns->first, next, (size_t)(count + 1) * sizeof *next);
    for (int64_t at = 0; at < rows->rows; at++) {
        const int64_t *unknown;
        int64_t m = order[at], touches = touched(rows, m, &unknown);
        for (int64_t k = 0; k < touches; k++) {
            int64_t place = next[unknown[k]]++;
            columns->position[place] = at;
            columns->entry[place] = rows->entry[rows->begin[m] + k];
        }
    }
    return room;
}

/* Four columns, one after the other, of the same neighbouring rows: four products at each place. */
static void add_four(const double *restrict entry, int64_t count, const double *loose,
                     int64_t size, double *restrict out)
{
    const double *restrict a = entry, *restrict b = a + count;
    const double *restrict c = b + count, *restrict d = c + count;
    for (int64_t i = 0; i < count; i++, out += size) {
        double p = loose[0] * a[i], q = loose[1] * b[i], r = loose[2] * c[i], s = loose[3] * d[i];
        for (int64_t j = 0; j <= i; j++)
            out[j] += (p * a[j] + q * b[j]) + (r * c[j] + s * d[j]);
    }
}

static void add_one(const double *restrict entry, const int64_t *position, int64_t count,
                    double loose, int64_t size, double *restrict out)
{
    for (int64_t i = 0; i < count; i++) {
        double share = loose * entry[i], *row = out + position[i] * size;
        for (int64_t j = 0; j <= i; j++)
            row[position[j]] += share * entry[j];
    }
}

/* Lower half of out (M, M), rows in the given order: sum over unknowns of loose times their
   entries times their entries. 0, or 1 where there is no memory. */
EXPORT int arcwright_row_squares(const Rows *rows, const int64_t *order, const double *loose,
                                 double *out)
{
    Columns columns;
    int64_t *room = by_columns(rows, order, &columns), size = rows->rows;
    if (room == NULL)
        return 1;
    memset(out, 0, (size_t)(size * size) * sizeof *out);
    for (int64_t n = 0; n < rows->unknowns;) {
        const int64_t *first = columns.first + n, *position = columns.position + first[0];
        const double *entry = columns.entry + first[0];
        int64_t count = first[1] - first[0];
        int alike = n + 4 <= rows->unknowns && count > 0 &&
                    position[count - 1] - position[0] == count - 1;
        for (int k = 1; alike && k < 4; k++) {
            const int64_t *other = columns.position + first[k];
            alike = first[k + 1] - first[k] == count && other[0] == position[0] &&
                    other[count - 1] == position[count - 1];
        }
        if (alike)
            add_four(entry, count, loose + n, size, out + position[0] * (size + 1));
        else if (loose[n] != 0)
            add_one(entry, position, count, loose[n], size, out);
        n += alike ? 4 : 1;
    }
    free(room);
    return 0;
}

/* Lower half of out (N, N), unknowns at the given places: sum over rows of weight times their
   entries times their entries. Unknowns at place -1 are left out. 0, or 1: no memory. */
EXPORT int arcwright_unknown_squares(const Rows *rows, const int64_t *place, const double *weight,
                                     int64_t size, double *out)
{
    int64_t widest = 1;
    for (int64_t m = 0; m < rows->rows; m++) {
        const int64_t *unknown;
        int64_t count = touched(rows, m, &unknown);
        widest = count > widest ? count : widest;
    }
    double *square = malloc((size_t)(widest * widest) * sizeof *square);
    if (square == NULL)
        return 1;
    memset(out, 0, (size_t)(size * size) * sizeof *out);
    for (int64_t m = 0; m < rows->rows;) {
        const int64_t *unknown;
        int64_t group = rows->group[m], count = touched(rows, m, &unknown);
        memset(square, 0, (size_t)(count * count) * sizeof *square);
        for (; m < rows->rows && rows->group[m] == group; m++) {
            const double *restrict entry = rows->entry + rows->begin[m];
            for (int64_t i = 0; i < count; i++) {
                double share = weight[m] * entry[i], *restrict row = square + i * count;
                for (int64_t j = 0; j < count; j++)
                    row[j] += share * entry[j];
            }
        }
        for (int64_t i = 0; i < count; i++) {
            int64_t at = unknown[i] < rows->unknowns ? place[unknown[i]] : -1;
            for (int64_t j = 0; at >= 0 && j < count; j++) {
                int64_t other = unknown[j] < rows->unknowns ? place[unknown[j]] : -1;
                if (other >= 0 && other <= at)
                    out[at * size + other] += square[i * count + j];
            }
        }
    }
    free(square);
    return 0;
}
