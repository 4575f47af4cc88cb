/* SPDX-License-Identifier: Apache-2.0 */
/* Built for an ABI this program does not know. */
#define MINIMAL_ABI_MAJOR 99
#include "minimal_plugin.h"
