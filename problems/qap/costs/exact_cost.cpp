// SPDX-License-Identifier: Apache-2.0
// Exact costs and their bounds, see exact_cost.hpp. The bounds use theorem 368 of Hardy, Littlewood and Polya,
// Inequalities: a sum of products of two sequences is greatest if both are sorted in the same order. The sum is least
// if the sequences are sorted in opposite orders.
#include "problems/qap/costs/exact_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "problems/qap/setup.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

__extension__ using Wide = __int128;
__extension__ using WideUnsigned = unsigned __int128;

/// A value that occurs in a matrix, and the number of entries with this value.
struct Run {
    int64_t value;
    uint64_t count;
};

/// Calls visit(entry) for each entry on the diagonal if `diagonal` is true, else for each entry off the diagonal.
template <class Visit>
void for_entries(const std::vector<int64_t>& matrix, uint32_t n, bool diagonal, const Visit& visit) {
    for (std::size_t i = 0; i < n; ++i) {
        const int64_t* row = matrix.data() + i * n;
        if (diagonal) {
            visit(row[i]);
            continue;
        }
        set_up_row();
        for (std::size_t j = 0; j < i; ++j) visit(row[j]);
        for (std::size_t j = i + 1; j < n; ++j) visit(row[j]);
    }
}

/// Sorts numbers from `least` to `least + range` by digits of 11 bits, the lowest first. For millions of numbers this
/// takes an eighth of the time of sorting by comparisons.
void sort_by_digits(std::vector<int64_t>& numbers, int64_t least, uint64_t range) {
    constexpr unsigned kDigit = 11;
    constexpr std::size_t kValues = std::size_t{1} << kDigit;
    std::vector<int64_t> other(numbers.size());
    for (unsigned shift = 0; shift < 64 && (range >> shift) > 0; shift += kDigit) {
        const auto digit = [&](int64_t v) {
            return ((static_cast<uint64_t>(v) - static_cast<uint64_t>(least)) >> shift) & (kValues - 1);
        };
        std::array<std::size_t, kValues> next{};
        for (const int64_t v : numbers) ++next[digit(v)];
        std::size_t begin = 0;
        for (std::size_t& count : next) begin += std::exchange(count, begin);
        for (const int64_t v : numbers) other[next[digit(v)]++] = v;
        numbers.swap(other);
    }
}

/// Returns the different values on the diagonal if `diagonal` is true, else those off the diagonal. The values ascend,
/// each with its number of entries. If their range is below 2^16, the entries are counted, otherwise sorted.
std::vector<Run> sorted_runs(const std::vector<int64_t>& matrix, uint32_t n, bool diagonal) {
    constexpr uint64_t kMostCounters = uint64_t{1} << 16;
    int64_t least = std::numeric_limits<int64_t>::max(), greatest = std::numeric_limits<int64_t>::min();
    for_entries(matrix, n, diagonal, [&](int64_t v) { least = std::min(least, v), greatest = std::max(greatest, v); });
    if (least > greatest) return {};
    std::vector<Run> runs;
    const uint64_t range = static_cast<uint64_t>(greatest) - static_cast<uint64_t>(least);
    if (range < kMostCounters) {
        std::vector<uint64_t> counters(range + 1, 0);
        for_entries(matrix, n, diagonal, [&](int64_t v) { ++counters[static_cast<uint64_t>(v - least)]; });
        for (uint64_t k = 0; k <= range; ++k) {
            if (counters[k] > 0) runs.push_back({least + static_cast<int64_t>(k), counters[k]});
        }
        return runs;
    }
    std::vector<int64_t> sorted;
    sorted.reserve(diagonal ? n : matrix.size());
    for_entries(matrix, n, diagonal, [&](int64_t v) { sorted.push_back(v); });
    sort_by_digits(sorted, least, range);
    for (const int64_t v : sorted) {
        if (runs.empty() || runs.back().value != v) runs.push_back({v, 0});
        ++runs.back().count;
    }
    return runs;
}

uint64_t magnitude_of(int64_t value) {
    return value < 0 ? uint64_t{0} - static_cast<uint64_t>(value) : static_cast<uint64_t>(value);
}

/// Walks two sequences of equal length side by side. Calls meet(x, y, count) for every stretch of `count` equal pairs
/// (x, y).
template <class Meet>
void side_by_side(const std::vector<Run>& x, const std::vector<Run>& y, const Meet& meet) {
    uint64_t used_x = 0, used_y = 0;
    for (std::size_t i = 0, j = 0; i < x.size();) {
        const uint64_t count = std::min(x[i].count - used_x, y[j].count - used_y);
        meet(x[i].value, y[j].value, count);
        used_x += count, used_y += count;
        if (used_x == x[i].count) ++i, used_x = 0;
        if (used_y == y[j].count) ++j, used_y = 0;
    }
}

/// Sorts runs by the magnitude of their values, the greatest first. `runs` must be in ascending order of values.
std::vector<Run> by_magnitude(const std::vector<Run>& runs) {
    std::vector<Run> out;
    out.reserve(runs.size());
    for (std::size_t low = 0, high = runs.size(); low < high;) {
        const bool takes_high = magnitude_of(runs[high - 1].value) > magnitude_of(runs[low].value);
        out.push_back(takes_high ? runs[--high] : runs[low++]);
    }
    return out;
}

/// Pairs the entries x of `a` and y of `b` so that the sum of |x| |y| is greatest, and adds that sum to `sum`. Returns
/// false if `sum` then exceeds kCostLimit.
bool add_magnitude(const std::vector<Run>& a, const std::vector<Run>& b, WideUnsigned& sum) {
    constexpr auto kLimit = static_cast<WideUnsigned>(kCostLimit);
    side_by_side(by_magnitude(a), by_magnitude(b), [&](int64_t x, int64_t y, uint64_t count) {
        const WideUnsigned product = WideUnsigned{magnitude_of(x)} * magnitude_of(y);
        if (product > kLimit) sum = kLimit + 1;
        if (sum <= kLimit) sum += product * count;  // fits 128 bits: product < 2^62, count <= 2^28
    });
    return sum <= kLimit;
}

/// Adds to `bounds` the least and the greatest sum of x * y over all pairings of the entries x of `a` and y of `b`. If
/// add_magnitude() accepted the data, both sums are at most kCostLimit in absolute value.
void add_bounds(const std::vector<Run>& a, const std::vector<Run>& b, CostBounds& bounds) {
    const auto sum = [&](const std::vector<Run>& other) {
        Wide total = 0;
        side_by_side(a, other, [&](int64_t x, int64_t y, uint64_t count) { total += Wide{x} * y * Wide{count}; });
        return static_cast<int64_t>(total);
    };
    bounds.upper += sum(b);
    bounds.lower += sum({b.rbegin(), b.rend()});
}

/// Adds each facility's least and largest linear cost to `bounds`, and its largest absolute cost to `magnitude`.
/// Returns false if `magnitude` then exceeds kCostLimit.
bool add_linear(const QapMatrices& matrices, WideUnsigned& magnitude, CostBounds& bounds) {
    if (!matrices.has_linear()) return true;
    for (std::size_t i = 0; i < matrices.n; ++i) {
        const auto row = matrices.linear.begin() + static_cast<std::ptrdiff_t>(i * matrices.n);
        const auto [least, greatest] = std::minmax_element(row, row + matrices.n);
        magnitude += std::max(magnitude_of(*least), magnitude_of(*greatest));
        if (magnitude > static_cast<WideUnsigned>(kCostLimit)) return false;
        bounds.lower += *least;
        bounds.upper += *greatest;
    }
    return true;
}

}  // namespace

std::optional<CostBounds> try_cost_bounds(const QapMatrices& matrices) {
    CostBounds bounds;
    WideUnsigned magnitude = 0;
    for (const bool diagonal : {true, false}) {
        const std::vector<Run> a = sorted_runs(matrices.a, matrices.n, diagonal);
        const std::vector<Run> b = sorted_runs(matrices.b, matrices.n, diagonal);
        if (!add_magnitude(a, b, magnitude)) return std::nullopt;
        add_bounds(a, b, bounds);
    }
    if (!add_linear(matrices, magnitude, bounds)) return std::nullopt;
    bounds.magnitude = static_cast<int64_t>(magnitude);
    return bounds;
}

CostBounds cost_bounds(const QapMatrices& matrices, const std::string& source) {
    if (const std::optional<CostBounds> bounds = try_cost_bounds(matrices)) return *bounds;
    throw Error(
        ErrorKind::kInput,
        fmt::format(
            "{}: the entries are too large for exact 64-bit costs: the terms of one cost may add up to more than {} in "
            "absolute value; divide all entries of one matrix, and any linear costs, by the same number",
            source, kCostLimit));
}

int64_t evaluate(const QapMatrices& matrices, const uint16_t* p) {
    const std::size_t n = matrices.n;
    int64_t cost = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const int64_t* a_row = matrices.a.data() + i * n;
        const int64_t* b_row = matrices.b.data() + p[i] * n;
        for (std::size_t j = 0; j < n; ++j) cost += a_row[j] * b_row[p[j]];
    }
    return cost + linear_cost(matrices, p);
}

int64_t linear_cost(const QapMatrices& matrices, const uint16_t* p) {
    int64_t cost = 0;
    if (!matrices.has_linear()) return cost;
    for (std::size_t i = 0; i < matrices.n; ++i) cost += matrices.linear[i * matrices.n + p[i]];
    return cost;
}

}  // namespace qapfw::qap
