/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.slicing/1", for problems whose solutions are slicing trees built by grafts. Such a
 * solution has a permutation of n departments, and n - 1 values. For k = 1 .. n - 1, value k - 1 is below 4 (2k - 1)
 * (qapfw/kernels/slicing_tree.hpp). The capability gives a search the data to evaluate trees itself, without encoding
 * them. On a GPU the texts' `Problem::View` is then a kernels::SlicingView. */
#ifndef QAPFW_ABI_SLICING_H
#define QAPFW_ABI_SLICING_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_SLICING "qapfw.problem.slicing/1"

struct qapfw_problem;

/* A rule about departments: see qapfw/kernels/slicing_rules.hpp. */
typedef struct qapfw_slicing_rule {
    uint32_t kind;     /* see kernels::SlicingRuleKind */
    uint32_t first;    /* the rule's first or only department */
    uint32_t second;   /* the rule's second department; 0 if the rule is about one department */
    uint32_t reserved; /* 0 */
    double number[4];  /* numbers whose meaning depends on the kind */
    double tolerance;  /* largest deviation that is ignored */
    double scale;      /* factor from a deviation to the rule's excess */
} qapfw_slicing_rule;

/* An instance for slicing trees. Owned by the problem, and valid as long as the problem exists. Each department with
 * flow, and each fixed point, has a row in the flow matrix. Rows are padded with zeros to `stride` columns. */
typedef struct qapfw_slicing {
    uint32_t struct_size;
    uint32_t departments;   /* n, at least 1 */
    uint32_t rows;          /* number of rows of the flow matrix: departments with flow, then points */
    uint32_t stride;        /* number of columns of the matrix, a multiple of 8 */
    uint32_t euclidean;     /* 1: Euclidean distances; 0: rectilinear ones */
    uint32_t roots;         /* number of rectangles that may be the whole layout: 1 or 2 */
    uint32_t space_count;   /* number of departments of empty space, which have no rule and no flow */
    uint32_t reserved;      /* 0 */
    double root_width[2];   /* widths of the `roots` rectangles */
    double root_height[2];  /* heights of the `roots` rectangles */
    const double* area;     /* area of each department; every sum of areas is exact */
    const double* longest;  /* longest side that each department's shape rule allows; infinite: no limit */
    const uint32_t* row;    /* row of each department in the matrix; `stride` if it has no flow */
    const double* flow;     /* rows * stride: if j > i, entry (i, j) is the flow from i to j and back; else it is 0 */
    const uint16_t* spaces; /* the `space_count` departments of empty space, ascending */
    uint32_t rule_count;    /* number of rules; 0: the members below are not used, and point_count is 0 */
    uint32_t point_count;   /* number of fixed points; their rows are the last ones of the matrix */
    uint32_t place_count;   /* number of boxes that are prescribed for departments */
    uint32_t floors;        /* at least 1; floor f begins at x = f * floor_pitch */
    uint32_t lift_count;    /* number of lifts; at least 1 if there are several floors */
    uint32_t reserved_too;  /* 0 */
    double floor_width;     /* width of one floor */
    double floor_pitch;     /* distance of the floors' left edges: twice the width */
    double floor_travel;    /* distance from a floor to the next one, by lift */
    const qapfw_slicing_rule* rules; /* the `rule_count` rules */
    const double* points;            /* x, y of each of the `point_count` fixed points */
    const double* places;            /* left, top, width, height of each of the `place_count` prescribed boxes */
    const double* flexible;          /* for each department: its area if it is empty space of any size, else 0 */
    const double* anchors;           /* for each department: where its flows begin, as fractions of width and height */
    const double* lifts;             /* x, y of each lift */
} qapfw_slicing;

/* The capability's table. */
typedef struct qapfw_problem_slicing {
    uint32_t struct_size;
    /* [thread-safe] The instance, at the same address every time; null if its solutions are not slicing trees. */
    const qapfw_slicing* (*describe)(struct qapfw_problem* problem);
    /* [thread-safe] The flow cost for the centres (x, y) of the matrix rows: `stride` numbers each, padded with 0. It
     * is the sum that qapfw/kernels/slicing_cost.hpp declares, computed with the processor's vector instructions. */
    double (*flow_cost)(struct qapfw_problem* problem, const double* x, const double* y);
} qapfw_problem_slicing;

#ifdef __cplusplus
}
#endif
#endif
