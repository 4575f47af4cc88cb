/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.slicing/1" of problems whose solutions are slicing trees by grafts: a permutation of n
 * departments and n - 1 values, value k - 1 below 4 (2k - 1) (qapfw/kernels/slicing_tree.hpp). It gives a search what it
 * needs to evaluate trees itself, without codes. On a GPU the texts' `Problem::View` is then a kernels::SlicingView. */
#ifndef QAPFW_ABI_SLICING_H
#define QAPFW_ABI_SLICING_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_SLICING "qapfw.problem.slicing/1"

struct qapfw_problem;

/* An instance for slicing trees. Owned by the problem; it lives as long. Departments with flow have a row each in a
 * matrix whose rows are padded with zeros to `stride` columns. */
typedef struct qapfw_slicing {
    uint32_t struct_size;
    uint32_t departments;  /* n, at least 1 */
    uint32_t rows;         /* departments with flow */
    uint32_t stride;       /* columns of the matrix, a multiple of 8 */
    uint32_t euclidean;    /* 1: Euclidean distances; 0: rectilinear ones */
    uint32_t roots;        /* rectangles that may be the whole layout: 1 or 2 */
    uint32_t space_count;  /* departments of empty space: no rule and no flow */
    uint32_t reserved;     /* 0 */
    double root_width[2];  /* of each of the rectangles */
    double root_height[2]; /* the same */
    const double* area;    /* one for each department; every sum of them is exact */
    const double* longest; /* longest side that the shape rule of a department allows; infinite without one */
    const uint32_t* row;   /* row of each department; `stride` without flow */
    const double* flow;    /* rows * stride: entry (i, j), j > i, is the flow in both directions together; else 0 */
    const uint16_t* spaces; /* `space_count` departments, ascending */
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
