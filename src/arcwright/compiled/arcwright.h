/* What the compiled files share. Numbers are double, counts and indices int64_t; arrays lie row
   after row. Nothing is checked here: Python hands over only arrays whose sizes it knows. */

#ifndef ARCWRIGHT_H
#define ARCWRIGHT_H

#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* A function with wider registers where the processor has them. Sums keep their order, so that
   results are the same on every machine. */
#if defined(__GLIBC__) && defined(__x86_64__) && (!defined(__clang__) || __clang_major__ > 13)
#define WIDER __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDER
#endif

/* A Layout: joints with their parents before them. */
typedef struct {
    int64_t joints;         /* A */
    int64_t points;         /* P */
    int64_t channels;       /* C */
    int64_t stretches;      /* whether any joint has a scale */
    const int64_t *parents; /* (A) -1 for roots */
    const int64_t *wanted;  /* (P) */
    const int64_t *sort;    /* (A) SLIDES | ANGLES | ... */
    const int64_t *channel; /* (A, KINDS) -1 for none; angles in the order's letters */
    const int64_t *axes;    /* (A, 3) of the Euler letters */
    const double *parity;   /* (A) of the Euler letters */
    const double *offset;   /* (A, 3) */
    const double *rest;     /* (A, 9) */
    const double *scale;    /* (A, 3) */
} Chain;

/* Values on Bezier segments whose handles (X0, Y0, X1, Y1) are start + factor * unknown. */
typedef struct {
    int64_t count;           /* F values */
    const int64_t *value;    /* (F) where each stands in values (T, C) */
    const int64_t *slope;    /* (F) where its slopes stand in (T, D, 4), -1 for nowhere */
    const int64_t *segment;  /* (F) */
    const double *fraction;  /* (F) of the segment's time */
    const double *length;    /* (S) */
    const double *ends;      /* (S, 2) values of the two keys */
    const double *start;     /* (S, 4) */
    const double *factor;    /* (S, 4) */
    const int64_t *unknown;  /* (S, 4) -1 for none */
} Curves;

/* Smooth keys: the handle that moves and the one across, as pairs (X, Y); see model.py. */
typedef struct {
    int64_t count;          /* B */
    double weight;
    const int64_t *unknown; /* (B, 4) own X, Y, other X, Y; -1 for none */
    const double *start;    /* (B, 4) */
    const double *factor;   /* (B, 4) */
    const double *size;     /* (B) */
} Smooth;

/* Tasks in the order of their rows: a position, an orientation, or a position along some axes. */
enum { WANTED = 14 };
typedef struct {
    int64_t count;         /* W */
    const int64_t *what;   /* (W, 6) kind, time, place, other, number of rows, only from below */
    const double *wanted;  /* (W, 14) weight, saturation, target (3 or 9), directions (up to 3) */
} Wanted;

/* Everything about a drag that does not change while unknowns do. */
typedef struct {
    const Chain *chain;
    int64_t times;        /* T */
    int64_t moving;       /* D channels that move any of the points */
    int64_t each;         /* unknowns of one value: 4 on curves, 1 in a pose */
    const int64_t *slots; /* (A, KINDS) where channels stand among the D */
    const double *offset; /* (P, 3) */
    const double *values; /* (T, C) at the beginning */
    const Curves *curves; /* or none: a pose, whose one moment has */
    int64_t steps;        /* N */
    const int64_t *stepped; /* (N) channels, each moved by its own unknown, */
    const int64_t *shift; /* (N) where that stands among the D, -1 for nowhere */
    const double *step;   /* (N) so far for an unknown of 1 */
    const Smooth *smooth; /* or none */
} Drag;

/* Values, slopes by unknowns, and where points are and how channels move them. */
typedef struct {
    double *values;      /* (T, C) */
    double *slopes;      /* (T, D, each) */
    double *position;    /* (T, P, 3) */
    double *orientation; /* (T, P, 9) */
    double *move, *turn; /* (T, P, 3, D) */
} Points;

/* The part of that which tasks need. */
typedef struct {
    const Curves *curves;  /* or none, as in Drag */
    const int64_t *points; /* (T, P) whether each is needed */
    const int64_t *joints; /* (T, A) */
} Scope;

/* Rows that touch only the unknowns of their group; unknown N stands for none. */
typedef struct {
    int64_t rows;           /* M */
    int64_t unknowns;       /* N */
    const int64_t *first;   /* (G + 1) where each group's unknowns begin */
    const int64_t *unknown; /* of all groups */
    const int64_t *group;   /* (M) */
    const int64_t *begin;   /* (M) where each row's entries begin */
    const double *entry;    /* as many to a row as its group has unknowns */
} Rows;

/* Rows as products: row m at moment t(m) is the sum over channels d of lever[m, d] times the
   slopes of the value of d at t by its four unknowns. No unknown moves two channels. */
typedef struct {
    int64_t rows, unknowns;  /* M, N */
    int64_t times, channels; /* T, D */
    const int64_t *time;     /* (M) */
    const int64_t *unknown;  /* (T, D, 4); any for a slope of 0 */
    const int64_t *segment;  /* (T, D) alike only where all four unknowns are */
    const double *slope;     /* (T, D, 4) */
    const double *lever;     /* (M, D) */
    double *room;            /* factors_room() numbers */
} Factors;

/* A motion that turns (R joints) and adds (E channels) displace; joints with parents first. */
typedef struct {
    int64_t times, slots, points;    /* T, A, P */
    int64_t turns, adds;             /* R, E */
    int64_t axes, slides, watched;   /* X axes, S slides, G joints whose angles are wanted */
    const int64_t *what;             /* (A, 5) sort, parent, turn, first axis, watched or not */
    const int64_t *slide_first;      /* (A + 1) */
    const int64_t *slide_add;        /* (S) */
    const int64_t *angle_add;        /* (A, 3) -1 for none */
    const int64_t *letter;           /* (A, 3) axes of the Euler letters */
    const int64_t *wanted;           /* (P) */
    const double *way;               /* (S, 3) in the parent */
    const double *parity;            /* (A) */
    const double *rest;              /* (A, 9) */
    const double *offset;            /* (P, 3) */
    const double *local;             /* (T, A, 9) at the beginning */
    const double *place;             /* (T, A, 3) in the parent, at the beginning */
    const double *angle;             /* (T, A, 3) of joints that turn by angles */
    const double *near;              /* (T, G, 3) of joints that are watched */
} Bent;

/* Rows about points at moments, and the control values (N steps of D unknowns) under these. */
typedef struct {
    int64_t times, slots, points;    /* T, A, P */
    int64_t axes, slides;            /* X, S */
    int64_t rows, unknowns;          /* M, D */
    const int64_t *first;            /* (T) the first of four steps */
    const double *share;             /* (T, 4) of these */
    const int64_t *item_first;       /* (M + 1) the points that a row is about */
    const int64_t *item_point;
    const double *item_share;
    const int64_t *spins;            /* (M) about turning, not about places */
    const int64_t *moved_first;      /* (P + 1) what moves a point */
    const int64_t *moved_by;         /* (.., 3) axis or -1 - slide, slot, unknown */
} Grid;

/* Limits that are exceeded, in the order of time. */
typedef struct {
    int64_t count;                   /* L */
    double weight;
    const int64_t *time;             /* (L) */
    const int64_t *column;           /* (L, 3) D for none */
    const double *slope;             /* (L, 3) */
    const double *residual;              /* (L) */
} Broken;

/* Free offsets (V) of the targets of rows, each with a factor. */
typedef struct {
    int64_t count, wide;             /* V, F */
    const int64_t *place;            /* (T, M, F) -1 for none */
    const double *lever;             /* (T, M, F) */
    double *border;                  /* (N, D, V) */
    double *corner;                  /* (V, V) */
    double *slope;                   /* (V) */
} Follow;

/* The lower half of a banded matrix, or its factor; see stiff_band.c. */
enum { MOST_WIDTH = 16 };
typedef struct {
    int64_t width;
    double *factor; /* (N, width + 1) */
} Band;

/* What one step of a descent starts from; the matrix is in rows or in factors. */
typedef struct {
    const Rows *rows;       /* or none, and */
    const Factors *factors; /* or none */
    const double *residual, *weight; /* (M) */
    const double *regularisation, *reference, *low, *high, *x; /* (N) */
    double damping;
    int only_whole;         /* whether a step that meets ever more bounds is of no use */
    int again;              /* whether the last step in this room had the same matrix and weights */
} Start;

/* A descent of the tasks of a drag, as descent.py says; with segments, by way of factors. */
typedef struct {
    const Drag *drag;
    const Wanted *own, *rest;
    const Rows *all;         /* as many rows as there may be, without entries */
    const Scope *scope;
    const int64_t *unknown;  /* (T, D, 4) of factors, or none */
    const int64_t *segment;  /* (T, D) of factors, or none */
    int64_t max_iterations;
    double step_tolerance, cost_tolerance, target_tolerance, climb, damping;
} Descending;

/* What stood in the way of a step. */
enum { FAILED = 0, NO_MEMORY = -1, TOO_FAR = -2 };

int arcwright_jacobian(const Chain *chain, int64_t times, const double *values,
                       const double *offsets, const int64_t *columns, int64_t count, double *out);
void arcwright_dense(const Rows *rows, int64_t down, int64_t across, double *out);
void arcwright_transposed_times(const Rows *rows, const double *y, double *out);
int64_t step_room(int64_t rows, int64_t unknowns);
int64_t find_step(const Start *start, double *room, double *out);
int64_t find_rows(const Drag *drag, const Wanted *own, const Wanted *rest, const double *x,
                  int known, int by_channel, const Scope *scope, const Points *there,
                  double *found, int64_t *which);
int find_points(const Chain *chain, int64_t times, const double *values, const double *offsets,
                const int64_t *columns, int64_t count, const Scope *scope, const Points *out);
void rows_add_transposed_times(const Rows *rows, const double *y, double *out);
void rows_add_squares(const Rows *rows, const double *weight, double *out);
Rows rows_of_few(const Rows *rows, int64_t most);
int64_t band_width(const Rows *few);
int factor_band(const Band *band, const Rows *few, const double *weight, const double *diagonal,
                const double *held);
void divide_lines(const Band *band, int64_t count, int64_t size, double *lines);
void divide_by_band(const Band *band, int64_t count, double *vector);
int64_t factors_room(int64_t rows, int64_t times, int64_t channels);
void factors_times(const Factors *factors, const double *x, double *out);
void factors_transposed_times(const Factors *factors, const double *y, double *out);
void factors_row_squares(const Factors *factors, const double *loose, double *out);
void factors_unknown_squares(const Factors *factors, const double *weight, double *out);
int find_values(const Curves *curves, const double *x, double *values, double *slopes);

#endif
