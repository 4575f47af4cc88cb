/* SPDX-License-Identifier: Apache-2.0 */
/* Never finishes being loaded. */
#include <unistd.h>

#include "minimal_plugin.h"

__attribute__((constructor)) static void at_load(void) {
    for (;;) pause();
}
