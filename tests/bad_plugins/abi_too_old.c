/* SPDX-License-Identifier: Apache-2.0 */
/* Built for an ABI before the first. */
#define MINIMAL_ABI_MAJOR 0
#include "minimal_plugin.h"
