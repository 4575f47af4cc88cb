// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/bounds/path_bounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "problems/qap/bounds/gilmore_lawler.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

/// Largest number of positions for the Gilmore-Lawler bound: with more, the bound takes seconds and is weak.
constexpr uint32_t kMostForGilmoreLawler = 1024;
/// Largest number of free facilities for dual ascent in bound_of_instance(). With this many, a sweep takes about 10 ms.
constexpr uint32_t kMostForInstance = 30;
constexpr AscentEffort kInstanceEffort{.sweeps = 300, .least_gain = 1e-4};
constexpr AscentEffort kRootEffort{.sweeps = 60, .patience = 60};
constexpr AscentEffort kNodeEffort{.sweeps = 20, .patience = 8};

std::vector<uint16_t> indices(const std::vector<uint16_t>& numbers, uint32_t n) {
    std::vector<uint16_t> index(n, UINT16_MAX);
    for (std::size_t k = 0; k < numbers.size(); ++k) index[numbers[k]] = static_cast<uint16_t>(k);
    return index;
}

BoundTerms small_enough(BoundTerms terms, const std::string& instance) {
    if (terms.m <= DualAscent::kMostFree) return terms;
    throw Error(ErrorKind::kUnsupported, fmt::format("{}: branch and bound is for at most {} free facilities, found {}",
                                                     instance, DualAscent::kMostFree, terms.m));
}

}  // namespace

BoundData::BoundData(const QapMatrices& matrices, const FixedAssignments& fixed, int64_t most,
                     const std::string& instance, const OwnerNumbers* rounded)
    : terms(small_enough(BoundTerms(matrices, fixed), instance)),
      magnitude(most),
      of_facilities(terms, false),
      of_locations(terms, true) {
    if (rounded == nullptr) return;
    of_facilities.keep_those_of(*rounded, terms.facilities, false);
    of_locations.keep_those_of(*rounded, terms.locations, true);
}

qapfw_instance_bound bound_of_instance(const QapMatrices& matrices, const FixedAssignments& fixed, int64_t magnitude,
                                       const sdk::StopQuestion& stop) {
    qapfw_instance_bound found{};
    if (matrices.n > kMostForGilmoreLawler) return found;
    const BoundTerms terms(matrices, fixed);
    const std::optional<int64_t> gilmore_lawler = gilmore_lawler_bound(terms, stop);
    if (!gilmore_lawler) return found;
    found = {{.i = *gilmore_lawler}, "Gilmore-Lawler bound"};
    if (terms.m < 2 || terms.m > kMostForInstance) return found;
    const int64_t ascended = DualAscent(terms, magnitude).bound_of_instance(kInstanceEffort, stop);
    if (ascended > *gilmore_lawler) found = {{.i = ascended}, "dual ascent bound of Hahn and Grant"};
    return found;
}

PathBounds::PathBounds(const BoundData& data, uint32_t n)
    : data_(data),
      n_(n),
      ascent_(data.terms, data.magnitude),
      index_of_facility_(indices(data.terms.facilities, n)),
      index_of_location_(indices(data.terms.locations, n)) {}

qapfw_cost PathBounds::reset(qapfw_cost cutoff) {
    used_facilities_.clear();
    used_locations_.clear();
    return {.i = ascent_.reset(cutoff.i, kRootEffort)};
}

qapfw_cost PathBounds::fix(uint32_t facility, uint32_t location, qapfw_cost cutoff) {
    used_facilities_.push_back(index_of_facility_[facility]);
    used_locations_.push_back(index_of_location_[location]);
    return {.i = ascent_.fix(facility, location, cutoff.i, kNodeEffort)};
}

void PathBounds::unfix() {
    used_facilities_.pop_back();
    used_locations_.pop_back();
    ascent_.unfix();
}

void PathBounds::children(qapfw_cost* bounds, uint16_t* facility_class, uint16_t* location_class) {
    const std::vector<uint16_t>&facilities = ascent_.free_facilities(), &locations = ascent_.free_locations();
    for (std::size_t f = 0; f < facilities.size(); ++f) {
        for (std::size_t l = 0; l < locations.size(); ++l) {
            bounds[std::size_t{facilities[f]} * n_ + locations[l]].i = ascent_.child_bound(f, l);
        }
    }
    data_.of_facilities.classes(used_facilities_, classes_);
    for (const uint16_t f : facilities) facility_class[f] = data_.terms.facilities[classes_[index_of_facility_[f]]];
    data_.of_locations.classes(used_locations_, classes_);
    for (const uint16_t l : locations) location_class[l] = data_.terms.locations[classes_[index_of_location_[l]]];
}

}  // namespace qapfw::qap
