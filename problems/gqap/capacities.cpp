// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/capacities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

/// The exhaustive search ends after this many placements, or this many comparisons of locations.
constexpr std::uint64_t kMostSteps = 300'000, kMostLooks = 100'000'000;
/// Largest number of items for the exhaustive search, which recurses once per item.
constexpr std::uint32_t kMostSearchedItems = 1000;

[[noreturn]] void refuse(const std::string& why) {
    throw Error(ErrorKind::kInput, "no assignment keeps the capacities: " + why);
}

std::int64_t least_weight(const Instance& instance, std::uint32_t item) {
    if (instance.is_fixed(item)) return instance.w(item, instance.fixed[item]);
    std::int64_t least = instance.w(item, 0);
    for (std::uint32_t k = 1; k < instance.locations; ++k) least = std::min(least, instance.w(item, k));
    return least;
}

/// Throws if an item fits nowhere, if the items fixed at a location weigh more than its capacity, or if the
/// sum of the items' least weights exceeds the sum of the capacities.
void check_simply(const Instance& instance) {
    Wide weights = 0, room = 0;
    for (const std::int64_t capacity : instance.capacity) room += capacity;
    std::vector<std::int64_t> fixed(instance.locations, 0);
    for (std::uint32_t i = 0; i < instance.items; ++i) {
        weights += least_weight(instance, i);
        if (instance.is_fixed(i)) fixed[instance.fixed[i]] += instance.w(i, instance.fixed[i]);
        bool fits = instance.is_fixed(i);
        for (std::uint32_t k = 0; k < instance.locations && !fits; ++k) fits = instance.w(i, k) <= instance.capacity[k];
        if (fits) continue;
        const auto widest = std::max_element(instance.capacity.begin(), instance.capacity.end());
        refuse(fmt::format(
            "item {} fits nowhere: at each location its weight (at least {}) is above the capacity; "
            "location {} has the largest capacity, {}",
            instance.item_name(i), least_weight(instance, i),
            instance.location_name(static_cast<std::uint32_t>(widest - instance.capacity.begin())), *widest));
    }
    for (std::uint32_t k = 0; k < instance.locations; ++k) {
        if (fixed[k] <= instance.capacity[k]) continue;
        refuse(fmt::format("the items that are fixed to location {} weigh {}, but its capacity is {}",
                           instance.location_name(k), fixed[k], instance.capacity[k]));
    }
    if (weights <= room) return;
    refuse(fmt::format("the items weigh {} in all, but the capacities sum up to {}", static_cast<std::int64_t>(weights),
                       static_cast<std::int64_t>(room)));
}

/// Puts one item after the other into locations that have room for it, the heaviest item first.
class Filling {
  public:
    explicit Filling(const Instance& instance)
        : instance_(instance), location_of_(instance.items, Instance::kFree), room_(instance.capacity) {
        for (std::uint32_t i = 0; i < instance.items; ++i) {
            if (!instance.is_fixed(i)) {
                order_.push_back(i);
                continue;
            }
            location_of_[i] = instance.fixed[i];
            room_[instance.fixed[i]] -= instance.w(i, instance.fixed[i]);
        }
        std::vector<std::int64_t> least(instance.items);
        for (std::uint32_t i = 0; i < instance.items; ++i) least[i] = least_weight(instance, i);
        std::stable_sort(order_.begin(), order_.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return least[a] > least[b]; });
        same_ = instance.weighs_the_same_everywhere();
    }

    /// Puts each item where it leaves the least room (`tightest`) or the most. If an item fits nowhere, undoes all and
    /// returns false.
    bool greedy(bool tightest) {
        const auto before = std::pair(location_of_, room_);
        for (const std::uint32_t i : order_) {
            instance_.set_up_row();
            std::uint32_t best = Instance::kFree;
            std::int64_t best_left = 0;
            for (std::uint32_t k = 0; k < instance_.locations; ++k) {
                const std::int64_t left = room_[k] - instance_.w(i, k);
                if (left < 0 || (best != Instance::kFree && (tightest ? left >= best_left : left <= best_left)))
                    continue;
                best = k;
                best_left = left;
            }
            if (best == Instance::kFree) {
                std::tie(location_of_, room_) = before;
                return false;
            }
            put(i, best);
        }
        return true;
    }
    /// Tries all ways to place order_[depth] and the items after it. Returns true at the first way that keeps the
    /// capacities; returns false if there is none or a limit is reached. If no item's weight depends on the location,
    /// only one of several locations with equal room is tried.
    bool search(std::size_t depth) {
        if (depth == order_.size()) return true;
        const std::uint32_t i = order_[depth];
        std::vector<std::int64_t> tried;
        instance_.set_up_row();
        for (std::uint32_t k = 0; k < instance_.locations && was_exhaustive(); ++k) {
            looks_ += 1 + tried.size();
            if (room_[k] < instance_.w(i, k)) continue;
            if (same_ && std::find(tried.begin(), tried.end(), room_[k]) != tried.end()) continue;
            tried.push_back(room_[k]);
            ++steps_;
            put(i, k);
            if (search(depth + 1)) return true;
            room_[k] += instance_.w(i, k);
            location_of_[i] = Instance::kFree;
        }
        return false;
    }
    bool was_exhaustive() const { return steps_ < kMostSteps && looks_ < kMostLooks; }
    const std::vector<std::uint32_t>& location_of() const { return location_of_; }
    std::uint32_t heaviest() const { return order_.front(); }

  private:
    void put(std::uint32_t item, std::uint32_t location) {
        location_of_[item] = location;
        room_[location] -= instance_.w(item, location);
    }
    const Instance& instance_;
    std::vector<std::uint32_t> location_of_, order_;
    std::vector<std::int64_t> room_;
    std::uint64_t steps_ = 0, looks_ = 0;
    bool same_ = true;
};

}  // namespace

FeasibleStart find_feasible(const Instance& instance) {
    if (instance.capacity.empty()) return {Feasibility::kFound, {}};
    check_simply(instance);
    Filling filling(instance);
    bool found = filling.greedy(true) || filling.greedy(false);
    if (!found && instance.items <= kMostSearchedItems) {
        found = filling.search(0);
        if (!found && filling.was_exhaustive()) {
            const std::uint32_t heaviest = filling.heaviest();
            refuse(
                fmt::format("all ways to place the {} items were tried; the heaviest item that is not fixed is item "
                            "{}, of weight {} or more; raise a capacity",
                            instance.items, instance.item_name(heaviest), least_weight(instance, heaviest)));
        }
    }
    if (!found) return {};
    return {Feasibility::kFound, filling.location_of()};
}

std::vector<std::int64_t> loads(const Instance& instance, const std::vector<std::uint32_t>& location_of) {
    std::vector<std::int64_t> load(instance.locations, 0);
    for (std::uint32_t i = 0; i < instance.items; ++i) load[location_of[i]] += instance.w(i, location_of[i]);
    return load;
}

}  // namespace qapfw::gqap
