/* SPDX-License-Identifier: Apache-2.0 */
/* The id is no name a configuration could hold. */
#define MINIMAL_ID "Minimal Problem!"
#include "minimal_plugin.h"
