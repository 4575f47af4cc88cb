// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/bounds/dual_ascent.hpp"

#include <algorithm>
#include <numeric>

namespace qapfw::qap {
namespace {

/// Stands for any cost that is at least the cutoff. The sum of 40 such values and many costs is far below overflow.
constexpr int64_t kInfinite = int64_t{1} << 46;
/// Costs are divided, or multiplied by at most 2^kMostShift, so that the greatest cost comes close to this value but
/// does not exceed it. Such large integers can be divided among many rows.
constexpr int64_t kWanted = int64_t{1} << 38;
constexpr int kMostShift = 12;
constexpr int64_t kNoCutoff = INT64_MAX;

int64_t divide_up(int64_t x, int64_t y) {
    return x / y + (x % y > 0 ? 1 : 0);
}

/// A common divisor of all costs of pairs and single assignments; at least 1.
int64_t common_divisor(const BoundTerms& terms) {
    const auto of = [](const std::vector<int64_t>& values) {
        return std::accumulate(values.begin(), values.end(), int64_t{0},
                               [](int64_t g, int64_t v) { return std::gcd(g, v); });
    };
    // Every cost of a pair fits 64 bits and is a multiple of of_a * of_b * factor. So this product fits too.
    const int64_t of_a = of(terms.a), of_b = of(terms.b);
    return std::max<int64_t>(1, std::gcd(of_a * of_b * terms.factor, of(terms.linear)));
}

}  // namespace

DualAscent::DualAscent(const BoundTerms& terms, int64_t magnitude)
    : terms_(terms), divisor_(common_divisor(terms)), levels_(terms.m + 1), costs_(std::size_t{terms.m} * terms.m) {
    const int64_t greatest = std::max<int64_t>(1, magnitude / divisor_);
    while (shift_ < kMostShift && (greatest << (shift_ + 1)) <= kWanted) ++shift_;
    while (shift_ <= 0 && (greatest >> -shift_) > kWanted) --shift_;
    rest_.resize(costs_.size());
}

int64_t DualAscent::to_cost(int64_t units) const {
    if (units >= kInfinite / 2) return kNoCutoff;
    const int64_t whole = shift_ >= 0 ? (units + (int64_t{1} << shift_) - 1) >> shift_ : units << -shift_;
    return terms_.constant + whole * divisor_;
}

/// The least bound, in units, that proves that no solution costs less than `cutoff`.
int64_t DualAscent::cutoff_in_units(int64_t cutoff) const {
    if (cutoff == kNoCutoff) return kInfinite;
    const int64_t least = divide_up(cutoff - terms_.constant, divisor_);
    return shift_ >= 0 ? ((least - 1) << shift_) + 1 : divide_up(least, int64_t{1} << -shift_);
}

void DualAscent::make_root() {
    Level& root = levels_[0];
    const std::size_t m = root.m = terms_.m;
    root.facilities = terms_.facilities;
    root.locations = terms_.locations;
    root.bound = 0;
    root.excluded.assign(m * m, 0);
    root.own.resize(m * m);
    for (std::size_t k = 0; k < m * m; ++k) root.own[k] = to_units(terms_.linear[k] / divisor_);
    root.pairs.resize(m * m * m * (m - (m > 0 ? 1 : 0)) / 2);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = i + 1; k < m; ++k) {
            make_block(root.block(i, k), i, k);
        }
    }
}

/// Makes the block of facilities i and k: one cost for each choice of their two locations, so that exactly one of these
/// costs is part of a solution's cost. If some costs are negative, the least one is subtracted from all costs of the
/// block and added to the bound. Then no cost in the block is negative; the exclusion of assignments relies on that.
void DualAscent::make_block(int64_t* block, std::size_t i, std::size_t k) {
    Level& root = levels_[0];
    const std::size_t m = root.m;
    int64_t least = 0;
    for (std::size_t j = 0; j < m; ++j) {
        for (std::size_t l = 0; l < m; ++l) {
            int64_t& cost = block[j * m + l];
            cost = j == l ? 0 : to_units(terms_.pair_cost(i, j, k, l) / divisor_);
            least = std::min(least, cost);
        }
    }
    root.bound += least;
    for (std::size_t x = 0; x < m * m; ++x) block[x] -= least;
}

int64_t DualAscent::reset(int64_t cutoff, const AscentEffort& effort) {
    depth_ = 0;
    const auto& origin = levels_[0].origin;
    if (origin && origin->cutoff == cutoff) return origin->bound;
    make_root();
    return level_made(0, 0, cutoff, ascend(cutoff, effort, {}));
}

int64_t DualAscent::bound_of_instance(const AscentEffort& effort, const sdk::StopQuestion& stop) {
    depth_ = 0;
    make_root();
    return level_made(0, 0, kNoCutoff, ascend(kNoCutoff, effort, stop));
}

int64_t DualAscent::fix(uint32_t facility, uint32_t location, int64_t cutoff, const AscentEffort& effort) {
    const Level& from = levels_[depth_];
    Level& to = levels_[++depth_];
    const auto& origin = to.origin;
    if (origin && origin->facility == facility && origin->location == location && origin->cutoff == cutoff) {
        return origin->bound;
    }
    make_child(from, to, facility, location);
    return level_made(facility, location, cutoff, ascend(cutoff, effort, {}));
}

/// Stores what the present level was made from, and returns `bound`. The next level was made from the present level's
/// former state, so the next level is marked as invalid.
int64_t DualAscent::level_made(uint32_t facility, uint32_t location, int64_t cutoff, int64_t bound) {
    level().origin = {facility, location, cutoff, bound};
    if (depth_ + 1 < levels_.size()) levels_[depth_ + 1].origin.reset();
    return bound;
}

void DualAscent::make_child(const Level& from, Level& to, uint32_t facility, uint32_t location) const {
    const std::size_t m = from.m, rest = m - 1;
    const auto index = [](const std::vector<uint16_t>& of, uint32_t what) {
        return static_cast<std::size_t>(std::find(of.begin(), of.end(), what) - of.begin());
    };
    const std::size_t i = index(from.facilities, facility), j = index(from.locations, location);
    to.m = from.m - 1;
    to.bound = from.bound + from.own[i * m + j];
    to.facilities = from.facilities;
    to.facilities.erase(to.facilities.begin() + static_cast<std::ptrdiff_t>(i));
    to.locations = from.locations;
    to.locations.erase(to.locations.begin() + static_cast<std::ptrdiff_t>(j));
    to.own.resize(rest * rest);
    to.excluded.resize(rest * rest);
    to.pairs.resize(rest * rest * rest * (rest - (rest > 0 ? 1 : 0)) / 2);
    for (std::size_t x = 0; x < rest; ++x) {
        const std::size_t k = x + (x >= i ? 1 : 0);
        const int64_t* const block = k > i ? from.block(i, k) + j * m : from.block(k, i) + j;
        const std::size_t step = k > i ? 1 : m;
        for (std::size_t y = 0; y < rest; ++y) {
            const std::size_t l = y + (y >= j ? 1 : 0);
            to.own[x * rest + y] = std::min(kInfinite, from.own[k * m + l] + block[l * step]);
            to.excluded[x * rest + y] = from.excluded[k * m + l];
        }
    }
    for (std::size_t x = 0; x < rest; ++x) {
        for (std::size_t z = x + 1; z < rest; ++z) {
            const int64_t* source = from.block(x + (x >= i ? 1 : 0), z + (z >= i ? 1 : 0));
            int64_t* target = to.block(x, z);
            for (std::size_t row = 0; row < m; ++row, source += m) {
                if (row == j) continue;
                target = std::copy(source, source + j, target);
                target = std::copy(source + j + 1, source + m, target);
            }
        }
    }
}

int64_t DualAscent::child_bound(std::size_t f, std::size_t l) const {
    const Level& at = level();
    const std::size_t k = f * at.m + l;
    return at.excluded[k] != 0 ? kNoCutoff : to_cost(at.bound + at.own[k]);
}

int64_t DualAscent::ascend(int64_t cutoff, const AscentEffort& effort, const sdk::StopQuestion& stop) {
    Level& at = level();
    const int64_t target = cutoff_in_units(cutoff);
    for (uint32_t sweeps = 0;; ++sweeps) {
        const int64_t before = at.bound;
        if (close_gap(at, target)) return cutoff;
        const int64_t gain = at.bound - before, gap = target - at.bound;
        if (at.m <= 1 || sweeps == effort.sweeps || stop()) break;
        if (sweeps > 1 && cutoff == kNoCutoff &&
            static_cast<double>(gain) < effort.least_gain * static_cast<double>(std::abs(at.bound)) + 1) {
            break;
        }
        if (sweeps > 1 && cutoff != kNoCutoff &&
            effort.patience * static_cast<double>(gain) < static_cast<double>(gap)) {
            break;
        }
        sweep(at, gap, sweeps % 2 != 0);
    }
    return to_cost(at.bound);
}

/// Takes the least total of a linear assignment out of the own costs and adds it to the bound. Returns true if the
/// bound then reaches `target`. Otherwise excludes each assignment whose own cost lifts the bound to `target`: no
/// solution below `target` has such an assignment.
bool DualAscent::close_gap(Level& at, int64_t target) {
    const std::size_t m = at.m;
    at.bound += assignment_.reduce(at.own.data(), m, m);
    const int64_t gap = target - at.bound;
    if (gap <= 0) return true;
    for (std::size_t k = 0; k < m * m; ++k) {
        if (at.excluded[k] == 0 && at.own[k] < gap) continue;
        at.excluded[k] = 1;
        at.own[k] = kInfinite;
    }
    return false;
}

void DualAscent::sweep(Level& at, int64_t gap, bool backwards) {
    const std::size_t m = at.m;
    spread(at);
    for (std::size_t x = 0; x < m; ++x) {
        const std::size_t i = backwards ? m - 1 - x : x;
        for (std::size_t j = 0; j < m; ++j) {
            const std::size_t k = i * m + j;
            if (at.excluded[k] != 0) continue;
            gather(at, i, j, backwards);
            at.own[k] += assignment_.reduce(costs_.data(), m - 1, m - 1);
            scatter(at, i, j, gap);
            if (at.own[k] < gap) continue;
            at.excluded[k] = 1;
            at.own[k] = kInfinite;
        }
    }
}

/// Divides the own cost of each assignment evenly among the other facilities. A facility's share is added to all pair
/// costs of the assignment with that facility, for use by the linear assignments. The own cost keeps the remainder.
void DualAscent::spread(Level& at) {
    const std::size_t m = at.m;
    shares_.resize(m * m);
    for (std::size_t k = 0; k < m * m; ++k) {
        shares_[k] = at.excluded[k] != 0 ? 0 : at.own[k] / static_cast<int64_t>(m - 1);
        at.own[k] -= shares_[k] * static_cast<int64_t>(m - 1);
    }
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t k = i + 1; k < m; ++k) {
            int64_t* block = at.block(i, k);
            const int64_t* const of_k = shares_.data() + k * m;
            for (std::size_t j = 0; j < m; ++j, block += m) {
                const int64_t of_i = shares_[i * m + j];
                for (std::size_t l = 0; l < m; ++l) block[l] += of_i + of_k[l];
            }
        }
    }
}

/// Gathers the costs of all pairs of assignments that contain (i, j). A sweep visits both assignments of a pair: the
/// first one takes only half of the pair's cost and leaves the rest, the second one takes all that is left.
void DualAscent::gather(Level& at, std::size_t i, std::size_t j, bool backwards) {
    const std::size_t m = at.m;
    int64_t *to = costs_.data(), *kept = rest_.data();
    for (std::size_t k = 0; k < m; ++k) {
        if (k == i) continue;
        const int64_t* const block = k > i ? at.block(i, k) + j * m : at.block(k, i) + j;
        const std::size_t step = k > i ? 1 : m;
        const uint8_t* const excluded = at.excluded.data() + k * m;
        const int half = (k > i) != backwards ? 1 : 63;  // shifting an entry of up to 2^47 by 63 leaves nothing
        for (std::size_t l = 0; l < m; ++l) {
            if (l == j) continue;
            const int64_t all = block[l * step];
            *kept = excluded[l] != 0 ? 0 : std::max<int64_t>(all, 0) >> half;
            *to++ = excluded[l] != 0 ? kInfinite : all - *kept;
            ++kept;
        }
    }
}

void DualAscent::scatter(Level& at, std::size_t i, std::size_t j, int64_t gap) {
    const std::size_t m = at.m;
    const int64_t *from = costs_.data(), *kept = rest_.data();
    for (std::size_t k = 0; k < m; ++k) {
        if (k == i) continue;
        int64_t* const block = k > i ? at.block(i, k) + j * m : at.block(k, i) + j;
        const std::size_t step = k > i ? 1 : m;
        for (std::size_t l = 0; l < m; ++l) {
            if (l == j) continue;
            const int64_t left = *from++ + *kept++;
            block[l * step] = left < gap ? left : kInfinite;
        }
    }
}

}  // namespace qapfw::qap
