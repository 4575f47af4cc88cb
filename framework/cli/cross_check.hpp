// SPDX-License-Identifier: Apache-2.0
// `qapfw verify --cross`: the same configuration and seed must give the same trajectory on one thread, on several, and
// on the GPU.
#pragma once

#include "framework/cli/commands.hpp"

namespace qapfw::framework {

int cross_check(const VerifyOptions& options);

}  // namespace qapfw::framework
