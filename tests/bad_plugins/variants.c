/* SPDX-License-Identifier: Apache-2.0 */
/* Each plugin differs from the minimal plugin by one or two macros. CMakeLists.txt lists the plugins with their faults.
 * MINIMAL_AT_LOAD: code that runs while the plugin is being loaded. */
#include <unistd.h>

#include "minimal_plugin.h"

/* Writes to address 0. */
static inline void crash(void) {
    static int* volatile nowhere;
    *nowhere = 1;
}
/* Never ends. */
static inline void hang(void) {
    for (;;) pause();
}
/* Closes every file and then hangs, so that no report ever comes. */
static inline void fall_silent(void) {
    for (int file = 0; file < 1024; ++file) close(file);
    hang();
}
/* Writes garbage into every open file, also where the program awaits a report on the plugin, and ends the process like
 * a successful one. */
static inline void write_garbage(void) {
    for (int file = 3; file < 64; ++file) {
        if (write(file, "rgarbage", 8) < 0) continue;
    }
    _exit(0);
}
/* Leaves a process behind that keeps the report's pipe open. The plugin itself has no fault. */
static inline void leave_a_process(void) {
    if (fork() == 0) {
        for (int file = 0; file < 3; ++file) close(file); /* whoever reads this program's output must not wait */
        sleep(3);
        _exit(0);
    }
}

#ifdef MINIMAL_AT_LOAD
__attribute__((constructor)) static void at_load(void) {
    MINIMAL_AT_LOAD;
}
#endif
