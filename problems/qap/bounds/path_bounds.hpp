// SPDX-License-Identifier: Apache-2.0
// Lower bounds for the C interface (qapfw/abi/bounds.h): of the instance, and along a path of a tree search.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "problems/qap/bounds/bound_terms.hpp"
#include "problems/qap/bounds/dual_ascent.hpp"
#include "problems/qap/bounds/symmetries.hpp"
#include "problems/qap/costs/owner_cost.hpp"
#include "qapfw/abi/bounds.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::qap {

/// Data common to all paths: the costs, and symmetries of the facilities and of the locations.
struct BoundData {
    /// `magnitude`: upper bound of every cost in absolute value, penalties included. `rounded`: if the matrices are
    /// rounded, the numbers before rounding; else null. Symmetries that change a cost computed from these numbers are
    /// dropped. `instance`: name of the instance, for messages. Throws Error(kUnsupported) if more than
    /// DualAscent::kMostFree facilities are free. This check comes before the search for symmetries, which takes O(m^3)
    /// time.
    BoundData(const QapMatrices& matrices, const FixedAssignments& fixed, int64_t magnitude,
              const std::string& instance, const OwnerNumbers* rounded = nullptr);

    BoundTerms terms;
    int64_t magnitude;
    Symmetries of_facilities, of_locations;
};

/// Returns a lower bound that can be found in reasonable time: the bound of Gilmore and Lawler, or the better of this
/// bound and that of dual ascent if at most 30 facilities are free. Returns no bound if n > 1024, or if `stop` became
/// true before the bound of Gilmore and Lawler was found.
qapfw_instance_bound bound_of_instance(const QapMatrices& matrices, const FixedAssignments& fixed, int64_t magnitude,
                                       const sdk::StopQuestion& stop);

class PathBounds {
  public:
    /// `n`: number of the instance's facilities. `data` must outlive this object.
    PathBounds(const BoundData& data, uint32_t n);

    qapfw_cost reset(qapfw_cost cutoff);
    qapfw_cost fix(uint32_t facility, uint32_t location, qapfw_cost cutoff);
    void unfix();
    void children(qapfw_cost* bounds, uint16_t* facility_class, uint16_t* location_class);

  private:
    const BoundData& data_;
    uint32_t n_;
    DualAscent ascent_;
    std::vector<uint16_t> index_of_facility_, index_of_location_;  ///< number in the instance -> index in data_.terms
    std::vector<uint16_t> used_facilities_, used_locations_;       ///< indices in data_.terms, in the order of the path
    std::vector<uint16_t> classes_;
};

}  // namespace qapfw::qap
