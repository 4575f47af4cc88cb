/* SPDX-License-Identifier: Apache-2.0 */
/* Says it was built for another machine. */
#define MINIMAL_PLATFORM "linux-aarch64"
#include "minimal_plugin.h"
