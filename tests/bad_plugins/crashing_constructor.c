/* SPDX-License-Identifier: Apache-2.0 */
/* Writes to address 0 while it is being loaded. */
#include "minimal_plugin.h"

static int* volatile nowhere;

__attribute__((constructor)) static void at_load(void) {
    *nowhere = 1;
}
