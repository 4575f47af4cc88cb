/* SPDX-License-Identifier: Apache-2.0 */
/* A component's size leaves out its last members. */
#define MINIMAL_COMPONENT_SIZE 16
#include "minimal_plugin.h"
