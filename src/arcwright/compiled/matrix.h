/* Matrices (3, 3), row after row. */

#ifndef MATRIX_H
#define MATRIX_H

static inline void multiply(const double *restrict a, const double *restrict b, double *restrict out)
{
    for (int row = 0; row < 9; row += 3)
        for (int column = 0; column < 3; column++)
            out[row + column] =
                a[row] * b[column] + a[row + 1] * b[3 + column] + a[row + 2] * b[6 + column];
}

static inline void apply(const double *restrict a, const double *restrict v, double *restrict out)
{
    for (int row = 0; row < 3; row++)
        out[row] = a[3 * row] * v[0] + a[3 * row + 1] * v[1] + a[3 * row + 2] * v[2];
}

#endif
