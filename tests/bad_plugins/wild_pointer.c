/* SPDX-License-Identifier: Apache-2.0 */
/* A text of the descriptor lies nowhere. */
#define MINIMAL_ID ((const char*)16)
#include "minimal_plugin.h"
