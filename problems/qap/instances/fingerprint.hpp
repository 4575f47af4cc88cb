// SPDX-License-Identifier: Apache-2.0
// A fingerprint of an instance's data, in 64 bits.
#pragma once

#include <cstdint>

#include "problems/qap/instances/fixed_assignments.hpp"
#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// XXH3 of the size, the matrices, the linear costs and the fixed assignments.
uint64_t fingerprint(const QapMatrices& matrices, const FixedAssignments& fixed = {});

/// True if the data have this fingerprint, perhaps with the two matrices swapped, which gives the same costs.
bool has_fingerprint(const QapMatrices& matrices, uint64_t wanted);

}  // namespace qapfw::qap
