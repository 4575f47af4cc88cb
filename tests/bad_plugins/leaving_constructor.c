/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves a process behind that holds the report's pipe open; the plugin itself is fine. */
#define MINIMAL_ID "leaving"
#include <unistd.h>

#include "minimal_plugin.h"

__attribute__((constructor)) static void at_load(void) {
    if (fork() == 0) {
        for (int file = 0; file < 3; ++file) close(file); /* whoever reads this program's output must not wait */
        sleep(3);
        _exit(0);
    }
}
