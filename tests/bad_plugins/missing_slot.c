/* SPDX-License-Identifier: Apache-2.0 */
/* The problem cannot evaluate. */
#define MINIMAL_EVALUATE NULL
#include "minimal_plugin.h"
