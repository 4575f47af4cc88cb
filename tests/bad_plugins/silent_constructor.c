/* SPDX-License-Identifier: Apache-2.0 */
/* Closes every file and then hangs: no report will ever come. */
#include <unistd.h>

#include "minimal_plugin.h"

__attribute__((constructor)) static void at_load(void) {
    for (int file = 0; file < 1024; ++file) close(file);
    for (;;) pause();
}
