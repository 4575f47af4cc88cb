/* SPDX-License-Identifier: Apache-2.0 */
/* The descriptor begins with other bytes. */
#define MINIMAL_MAGIC "another-plugin"
#include "minimal_plugin.h"
