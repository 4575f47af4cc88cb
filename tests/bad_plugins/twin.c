/* SPDX-License-Identifier: Apache-2.0 */
/* Offers the same components as fine.c from another library. */
#include "minimal_plugin.h"
