/* SPDX-License-Identifier: Apache-2.0 */
/* Capability "qapfw.component.device_encodings/1" of a solver or an improver: the encodings that it
 * supports on GPUs. Without this capability these are "permutation" and "permutation+bays", if the component's
 * `encodings` contain them. */
#ifndef QAPFW_ABI_DEVICE_ENCODINGS_H
#define QAPFW_ABI_DEVICE_ENCODINGS_H

#include "qapfw/abi/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The capability's id, for get_capability. */
#define QAPFW_COMPONENT_DEVICE_ENCODINGS "qapfw.component.device_encodings/1"
/* The capability's table. */
typedef struct qapfw_device_encodings {
    uint32_t struct_size;
    const char* encodings; /* as in qapfw_component; null: all `encodings` of the component */
} qapfw_device_encodings;

#ifdef __cplusplus
}
#endif
#endif
