/* SPDX-License-Identifier: Apache-2.0 */
/* Exports no entry, but is linked to a library that is a plugin. A lookup by name then finds that library's
 * descriptor. */
int __attribute__((visibility("default"))) another_function(void);
int another_function(void) {
    return 0;
}
