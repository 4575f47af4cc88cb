// SPDX-License-Identifier: Apache-2.0
// The bound of Gilmore (1962) and Lawler (1963). A facility at a location costs at least the minimal scalar product of
// its flows and the location's distances, plus its linear cost there. The bound is the least cost of a linear
// assignment with these costs.
#pragma once

#include <cstdint>
#include <optional>

#include "problems/qap/bounds/bound_terms.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// Returns the bound (no placement costs less), or nothing if `stop` became true. Takes O(m^3) time. Arithmetic is
/// exact, except that all costs are rounded down if one of them has more than 48 bits.
std::optional<int64_t> gilmore_lawler_bound(const BoundTerms& terms, const sdk::StopQuestion& stop = {});

}  // namespace qapfw::qap
