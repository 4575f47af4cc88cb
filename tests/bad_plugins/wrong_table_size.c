/* SPDX-License-Identifier: Apache-2.0 */
/* The problem's table is larger than any table can be. */
#define MINIMAL_TABLE_SIZE 0xFFFFFFF0U
#include "minimal_plugin.h"
