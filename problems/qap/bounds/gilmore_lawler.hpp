// SPDX-License-Identifier: Apache-2.0
// The bound of Gilmore (1962) and Lawler (1963): each facility at each location costs at least the least scalar product
// of its flows and the location's distances; a linear assignment adds these up.
#pragma once

#include <cstdint>
#include <optional>

#include "problems/qap/bounds/bound_terms.hpp"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// No placement costs less. O(m^3); exact integers, but where costs need more than 48 bits they are rounded down.
/// Nothing where `stop` said so meanwhile.
std::optional<int64_t> gilmore_lawler_bound(const BoundTerms& terms, const sdk::StopQuestion& stop = {});

}  // namespace qapfw::qap
