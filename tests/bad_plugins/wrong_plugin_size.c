/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor's size leaves out its last members. */
#define MINIMAL_PLUGIN_SIZE 32
#include "minimal_plugin.h"
