/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.slicing/1" of problems whose solutions are slicing trees by grafts: a permutation of n
 * departments and n - 1 values, value k - 1 below 4 (2k - 1) (qapfw/kernels/slicing_tree.hpp). It gives a search what
 * it needs to evaluate trees itself, without codes. On a GPU the texts' `Problem::View` is then a kernels::SlicingView.
 */
#ifndef QAPFW_ABI_SLICING_H
#define QAPFW_ABI_SLICING_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_SLICING "qapfw.problem.slicing/1"

struct qapfw_problem;

/* A rule about departments, as qapfw/kernels/slicing_rules.hpp has it. */
typedef struct qapfw_slicing_rule {
    uint32_t kind;     /* see kernels::SlicingRuleKind */
    uint32_t first;    /* the department */
    uint32_t second;   /* the other department; 0 where the rule is about one */
    uint32_t reserved; /* 0 */
    double number[4];  /* their meaning depends on the kind */
    double tolerance;  /* greatest deviation that counts as none */
    double scale;      /* a deviation times this is the excess */
} qapfw_slicing_rule;

/* An instance for slicing trees. Owned by the problem; it lives as long. Departments with flow have a row each in a
 * matrix whose rows are padded with zeros to `stride` columns. */
typedef struct qapfw_slicing {
    uint32_t struct_size;
    uint32_t departments;   /* n, at least 1 */
    uint32_t rows;          /* departments with flow, then points */
    uint32_t stride;        /* columns of the matrix, a multiple of 8 */
    uint32_t euclidean;     /* 1: Euclidean distances; 0: rectilinear ones */
    uint32_t roots;         /* rectangles that may be the whole layout: 1 or 2 */
    uint32_t space_count;   /* departments of empty space: no rule and no flow */
    uint32_t reserved;      /* 0 */
    double root_width[2];   /* of each of the rectangles */
    double root_height[2];  /* the same */
    const double* area;     /* one for each department; every sum of them is exact */
    const double* longest;  /* longest side that the shape rule of a department allows; infinite without one */
    const uint32_t* row;    /* row of each department; `stride` without flow */
    const double* flow;     /* rows * stride: entry (i, j), j > i, is the flow in both directions together; else 0 */
    const uint16_t* spaces; /* `space_count` departments, ascending */
    uint32_t rule_count;    /* 0: nothing below this counts, and point_count is 0 */
    uint32_t point_count;   /* points that stand still: the last rows of the matrix */
    uint32_t place_count;   /* departments with a place */
    uint32_t floors;        /* at least 1; floor f begins at x = f * floor_pitch */
    uint32_t lift_count;    /* at least 1 where there are several floors */
    uint32_t reserved_too;  /* 0 */
    double floor_width;     /* of one floor */
    double floor_pitch;     /* twice the width */
    double floor_travel;    /* distance from a floor to the next one, by lift */
    const qapfw_slicing_rule* rules; /* `rule_count` of them */
    const double* points;            /* x, y of each */
    const double* places;            /* left, top, width, height of each */
    const double* flexible;          /* of each department: its area where it is empty space of any size, else 0 */
    const double* anchors;           /* of each department: part of its width, of its height, where its flows begin */
    const double* lifts;             /* x, y of each */
} qapfw_slicing;

/* The capability's table. */
typedef struct qapfw_problem_slicing {
    uint32_t struct_size;
    /* [thread-safe] The same address every time; null where this instance's solutions are no slicing trees. */
    const qapfw_slicing* (*describe)(struct qapfw_problem* problem);
    /* [thread-safe] The flow cost of centres (`stride` numbers each, those behind the rows 0): the sum that
     * qapfw/kernels/slicing_cost.hpp declares, with the processor's vectors. */
    double (*flow_cost)(struct qapfw_problem* problem, const double* x, const double* y);
} qapfw_problem_slicing;

#ifdef __cplusplus
}
#endif
#endif
