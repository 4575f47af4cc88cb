// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace qapfw::framework {

/// The solver of a configuration that has no [algorithm], with its defaults.
inline constexpr const char* kDefaultSolver = "memetic";

}  // namespace qapfw::framework
