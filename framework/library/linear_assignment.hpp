// SPDX-License-Identifier: Apache-2.0
// The linear assignment problem. Relaxations of the QAP solve it again and again.
#pragma once

#include <cstdint>

#include "qapfw/qapfw.h"

namespace qapfw::framework {

/// Writes to `columns` the column that each row is assigned to. Throws Error(kInput) for entries that are not finite,
/// and for more rows than columns. Throws Error(kUsage) for a matrix that is not FLOAT64 or has no data.
void solve_linear_assignment(const qapfw_matrix& costs, bool maximize, std::int64_t* columns);

}  // namespace qapfw::framework
