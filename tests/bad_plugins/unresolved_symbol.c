/* SPDX-License-Identifier: Apache-2.0 */
/* Calls a function that no library has. With lazy loading this would be noticed only in the middle of a run. */
extern int qapfw_function_nobody_defines(int);
int __attribute__((visibility("default"))) call_it(void);
int call_it(void) {
    return qapfw_function_nobody_defines(1);
}
#include "minimal_plugin.h"
