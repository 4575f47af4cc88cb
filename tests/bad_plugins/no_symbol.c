/* SPDX-License-Identifier: Apache-2.0 */
/* A proper library that exports no plugin. */
#define qapfw_plugin_entry qapfw_another_entry
#include "minimal_plugin.h"
