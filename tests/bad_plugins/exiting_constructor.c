/* SPDX-License-Identifier: Apache-2.0 */
/* Ends the process while it is being loaded. */
#include "minimal_plugin.h"

__attribute__((constructor)) static void at_load(void) {
    exit(3);
}
