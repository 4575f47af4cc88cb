/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin with no fault: what the bad ones are compared with. */
#include "minimal_plugin.h"
