// SPDX-License-Identifier: Apache-2.0
// Costs in double with compensated sums: Dot2 of Ogita, Rump and Oishi (SIAM J. Sci. Comput. 26, 2005).
#include "problems/qap/costs/owner_cost.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

class CompensatedSum {
  public:
    void add(double value) {
        const double sum = sum_ + value, moved = sum - sum_;
        error_ += (sum_ - (sum - moved)) + (value - moved);
        sum_ = sum;
    }
    void add_product(double x, double y) {
        const double product = x * y;
        error_ += rounding_of(x, y, product);
        add(product);
    }
    double value() const { return sum_ + error_; }

  private:
    /// Returns exactly x * y - product, the rounding error of `product`. Where std::fma is a function call, Dekker's
    /// formula takes a fifth of the time of std::fma. The formula overflows for factors beyond 2^996; then std::fma is
    /// used.
    static double rounding_of(double x, double y, double product) {
        constexpr double kSplit = 0x1p27 + 1;
        const double scaled_x = kSplit * x, scaled_y = kSplit * y;
        const double high_x = scaled_x - (scaled_x - x), high_y = scaled_y - (scaled_y - y);
        const double low_x = x - high_x, low_y = y - high_y;
        const double rounding = ((high_x * high_y - product) + high_x * low_y + low_x * high_y) + low_x * low_y;
        return std::isfinite(rounding) ? rounding : std::fma(x, y, -product);
    }

    double sum_ = 0, error_ = 0;
};

}  // namespace

double OwnerNumbers::cost(const uint16_t* p) const {
    CompensatedSum sum;
    for (std::size_t i = 0; i < facilities; ++i) {
        set_up_row();
        const double* const a_row = a.data() + i * facilities;
        const double* const b_row = b.data() + std::size_t{p[i]} * locations;
        for (std::size_t j = 0; j < facilities; ++j) sum.add_product(a_row[j], b_row[p[j]]);
        if (!linear.empty()) sum.add(linear[i * locations + p[i]]);
    }
    sum.add(constant);
    // The data are decimals, stored as the nearest doubles, so the sum differs slightly from the exact sum. The exact
    // sum is a multiple of 1 / decimals, so rounding to such a multiple gives the double nearest to the exact sum.
    return decimals > 0 ? std::nearbyint(sum.value() * decimals) / decimals : sum.value();
}

double OwnerNumbers::change(const uint16_t* p, uint32_t i, uint32_t j) const {
    if (i >= facilities) std::swap(i, j);
    if (i >= facilities) return 0;
    const std::size_t n = facilities, m = locations;
    const bool both = j < facilities;
    const auto flow = [&](std::size_t u, std::size_t v) { return a[u * n + v]; };
    const auto distance = [&](std::size_t u, std::size_t v) { return b[u * m + v]; };
    const std::size_t from = p[i], to = p[j];
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) {
        if (k == i || k == j) continue;
        const std::size_t at = p[k];
        const double row = distance(to, at) - distance(from, at), column = distance(at, to) - distance(at, from);
        sum += (flow(i, k) - (both ? flow(j, k) : 0)) * row + (flow(k, i) - (both ? flow(k, j) : 0)) * column;
    }
    sum += (flow(i, i) - (both ? flow(j, j) : 0)) * (distance(to, to) - distance(from, from));
    if (both) sum += (flow(i, j) - flow(j, i)) * (distance(to, from) - distance(from, to));
    if (!linear.empty()) {
        sum += linear[i * m + to] - linear[i * m + from];
        if (both) sum += linear[j * m + from] - linear[j * m + to];
    }
    return sum;
}

namespace {

/// Returns an upper bound of the rounding error of a cost change. The change is a sum of at most `terms` terms. Each
/// term is at most `term` and is rounded at most `terms` times.
double rounding_of_changes(const OwnerNumbers& numbers) {
    const auto largest = [](const std::vector<double>& entries) {
        double most = 0;
        for (const double entry : entries) most = std::max(most, std::fabs(entry));
        return most;
    };
    const double terms = 4.0 * numbers.facilities + 8;
    const double term = 4 * largest(numbers.a) * largest(numbers.b) + largest(numbers.linear);
    return terms * terms * term * std::numeric_limits<double>::epsilon();
}

}  // namespace

void descend(const OwnerNumbers& numbers, int sense, std::span<uint16_t> p,
             const std::function<bool(uint32_t, uint32_t)>& may_swap, const sdk::StopQuestion& stop) {
    constexpr uint64_t kWork = 30'000'000;  // the descent ends after this many products; 0.1 s if columns miss caches
    constexpr uint64_t kCompensated = 8;    // a product in numbers.cost() counts as 8: compensated sums take longer
    const auto m = static_cast<uint32_t>(p.size());
    const double rounding = rounding_of_changes(numbers);
    std::optional<double> cost;  // cost of the solution, if it is known
    uint64_t work = 0;
    const auto whole_cost = [&] {
        work += kCompensated * numbers.facilities * numbers.facilities;
        return sense * numbers.cost(p.data());
    };
    for (bool improved = true; improved;) {
        improved = false;
        for (uint32_t i = 0; i < numbers.facilities; ++i) {
            if (stop() || work > kWork) return;
            for (uint32_t j = i + 1; j < m; ++j) {
                if (!may_swap(i, j)) continue;
                work += 4 * std::size_t{numbers.facilities};
                const double change = sense * numbers.change(p.data(), i, j);
                if (!(change < 0)) continue;
                const bool is_clear = change < -rounding;
                if (!is_clear && !cost) cost = whole_cost();
                std::swap(p[i], p[j]);
                const std::optional<double> now = is_clear ? std::nullopt : std::optional(whole_cost());
                if (is_clear || *now < *cost) {
                    cost = now;
                    improved = true;
                } else {
                    std::swap(p[i], p[j]);
                }
                if (stop() || work > kWork) return;
            }
        }
    }
}

}  // namespace qapfw::qap
