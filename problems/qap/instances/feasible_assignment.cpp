// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/feasible_assignment.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

class Matching {
  public:
    Matching(const std::vector<uint8_t>& forbidden, uint32_t n, const FixedAssignments& fixed)
        : n_(n), forbidden_(forbidden), location_of_(n, kNone), facility_at_(n, kNone), is_fixed_at_(n, 0) {
        fixed_location_.assign(n, kNone);
        for (uint32_t i = 0; fixed.count > 0 && i < n; ++i) {
            if (!fixed.is_fixed(i)) continue;
            fixed_location_[i] = fixed.location(i);
            is_fixed_at_[fixed.location(i)] = 1;
        }
    }

    /// Assigns the facilities; true if every facility got a location. `start`: a permutation to begin with, or empty.
    bool complete(std::span<const uint16_t> start) {
        for (uint32_t i = 0; i < start.size(); ++i) {
            if (may(i, start[i])) take(i, start[i]);
        }
        take_greedily();
        while (find_layers()) {
            std::vector<uint32_t> next(n_, 0);
            for (uint32_t i = 0; i < n_; ++i) {
                if (location_of_[i] == kNone) augment(i, next);
            }
        }
        return std::ranges::count(location_of_, kNone) == 0;
    }

    std::vector<uint16_t> assignment() const { return {location_of_.begin(), location_of_.end()}; }

    /// Returns k facilities that together have fewer than k possible locations. Call it after complete() returned
    /// false.
    std::vector<uint32_t> hall_set() const {
        std::vector<uint32_t> set{static_cast<uint32_t>(std::ranges::find(location_of_, kNone) - location_of_.begin())};
        std::vector<uint8_t> seen(n_, 0);
        for (std::size_t k = 0; k < set.size(); ++k) {
            for (uint32_t l = 0; l < n_; ++l) {
                if (seen[l] != 0 || !may(set[k], l)) continue;
                seen[l] = 1;
                set.push_back(facility_at_[l]);
            }
        }
        std::ranges::sort(set);
        return set;
    }

  private:
    bool may(uint32_t facility, uint32_t location) const {
        if (fixed_location_[facility] != kNone) return fixed_location_[facility] == location;
        return is_fixed_at_[location] == 0 &&
               (forbidden_.empty() || forbidden_[std::size_t{facility} * n_ + location] == 0);
    }

    void take(uint32_t facility, uint32_t location) {
        location_of_[facility] = location;
        facility_at_[location] = facility;
    }

    /// First gives each facility, if possible, the location of the same number. Then gives each other facility any free
    /// location that the facility may have.
    void take_greedily() {
        for (uint32_t i = 0; i < n_; ++i) {
            if (location_of_[i] == kNone && facility_at_[i] == kNone && may(i, i)) take(i, i);
        }
        for (uint32_t i = 0; i < n_; ++i) {
            for (uint32_t l = 0; location_of_[i] == kNone && l < n_; ++l) {
                if (facility_at_[l] == kNone && may(i, l)) take(i, l);
            }
        }
    }

    /// Breadth-first search from the facilities without a location. Computes the layers of facilities, and the least
    /// layer from which a free location is reached. Returns true if a free location is reached.
    bool find_layers() {
        layer_.assign(n_, kNone);
        last_layer_ = kNone;
        std::vector<uint32_t> queue;
        for (uint32_t i = 0; i < n_; ++i) {
            if (location_of_[i] == kNone) layer_[i] = 0, queue.push_back(i);
        }
        for (std::size_t k = 0; k < queue.size() && layer_[queue[k]] <= last_layer_; ++k) {
            for (uint32_t l = 0; l < n_; ++l) {
                if (!may(queue[k], l)) continue;
                const uint32_t other = facility_at_[l];
                if (other == kNone) last_layer_ = layer_[queue[k]];
                if (other == kNone || layer_[other] != kNone) continue;
                layer_[other] = layer_[queue[k]] + 1;
                queue.push_back(other);
            }
        }
        return last_layer_ != kNone;
    }

    /// Follows the layers from a facility to a free location, without recursion, and moves facilities along that path.
    /// The path is a shortest one, so no more facilities move than necessary. Returns false if there is no path.
    bool augment(uint32_t from, std::vector<uint32_t>& next) {
        std::vector<uint32_t> path{from};
        while (!path.empty()) {
            const uint32_t i = path.back();
            if (next[i] == n_) {
                path.pop_back();
                if (!path.empty()) ++next[path.back()];
                continue;
            }
            const uint32_t l = next[i];
            const uint32_t other = facility_at_[l];
            if (may(i, l) && other == kNone) {
                for (std::size_t k = path.size(); k-- > 0;) take(path[k], next[path[k]]);
                for (const uint32_t facility : path) next[facility] = n_;
                return true;
            }
            if (may(i, l) && layer_[i] < last_layer_ && layer_[other] == layer_[i] + 1 && next[other] < n_) {
                path.push_back(other);
            } else {
                ++next[i];
            }
        }
        return false;
    }

    uint32_t n_;
    const std::vector<uint8_t>& forbidden_;
    std::vector<uint32_t> fixed_location_, location_of_, facility_at_, layer_;
    std::vector<uint8_t> is_fixed_at_;
    uint32_t last_layer_ = kNone;
};

std::string list_of(const std::vector<uint32_t>& facilities, uint32_t first) {
    constexpr std::size_t kShown = 12;
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(facilities.size(), kShown); ++k) {
        names.push_back(std::to_string(facilities[k] + first));
    }
    if (facilities.size() > kShown)
        return fmt::format("{}, ... ({} in all)", fmt::join(names, ", "), facilities.size());
    if (names.size() < 2) return names.front();
    const std::string last = names.back();
    names.pop_back();
    return fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace

std::vector<uint16_t> feasible_assignment(const std::vector<uint8_t>& forbidden, uint32_t n,
                                          const FixedAssignments& fixed, const std::string& source,
                                          std::span<const uint16_t> start, uint32_t first) {
    for (uint32_t i = 0; fixed.count > 0 && !forbidden.empty() && i < n; ++i) {
        if (!fixed.is_fixed(i) || forbidden[std::size_t{i} * n + fixed.location(i)] == 0) continue;
        throw Error(ErrorKind::kInput, fmt::format("{}: facility {} is fixed at location {}, which is forbidden to it",
                                                   source, i + first, fixed.location(i) + first));
    }
    Matching matching(forbidden, n, fixed);
    if (matching.complete(start)) return matching.assignment();
    const std::vector<uint32_t> set = matching.hall_set();
    if (set.size() == 1) {
        throw Error(
            ErrorKind::kInput,
            fmt::format("{}: facility {} has no location left: each one is forbidden or taken by a fixed facility",
                        source, set[0] + first));
    }
    throw Error(ErrorKind::kInput,
                fmt::format("{}: no assignment is possible: facilities {} have only {} location{} between them", source,
                            list_of(set, first), set.size() - 1, set.size() == 2 ? "" : "s"));
}

}  // namespace qapfw::qap
