/* SPDX-License-Identifier: Apache-2.0 */
/* The entry symbol exists, but it is a function. */
#define QAPFW_ABI_PLUGIN_H
int __attribute__((visibility("default"))) qapfw_plugin_entry(void);
int qapfw_plugin_entry(void) {
    return 0;
}
