/* SPDX-License-Identifier: Apache-2.0 */
/* Exports nothing itself, but is linked to a library that is a plugin: a lookup by name finds that one's descriptor. */
int __attribute__((visibility("default"))) another_function(void);
int another_function(void) {
    return 0;
}
