/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.problem.approximate_device/1": the problem's device code may compute costs with less accuracy than
 * `evaluate`. The framework then takes the cost by `evaluate` for every solution that a solver reports, whatever the
 * solver says, and the trajectory on a GPU need not be the CPU's. */
#ifndef QAPFW_ABI_APPROXIMATE_DEVICE_H
#define QAPFW_ABI_APPROXIMATE_DEVICE_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_PROBLEM_APPROXIMATE_DEVICE "qapfw.problem.approximate_device/1"

struct qapfw_problem;

/* The capability's table. */
typedef struct qapfw_approximate_device {
    uint32_t struct_size;
    /* [thread-safe] Not 0: the device code of this problem is less accurate; the same answer every time. */
    int32_t (*is_approximate)(struct qapfw_problem*);
} qapfw_approximate_device;

#ifdef __cplusplus
}
#endif
#endif
