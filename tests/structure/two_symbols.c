/* SPDX-License-Identifier: Apache-2.0 */
/* A library with a second exported symbol, which check_symbols.sh must notice. */
__attribute__((visibility("default"))) const int qapfw_plugin_entry = 1;
__attribute__((visibility("default"))) const int second_symbol = 2;
