/* SPDX-License-Identifier: Apache-2.0 */
/* A library with a second exported symbol, to see check_symbols.sh fail. */
__attribute__((visibility("default"))) const int qapfw_plugin_entry = 1;
__attribute__((visibility("default"))) const int second_symbol = 2;
