// SPDX-License-Identifier: Apache-2.0
// Includes a layer above its own. check_framework_layers.sh must notice it.
#pragma once

#include "framework/engine/upward.hpp"
