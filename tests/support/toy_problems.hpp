// SPDX-License-Identifier: Apache-2.0
// A small problem with `evaluate` only: linear ordering with integer weights.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::test {

/// cost(p) = sum over positions i < j of w[p(i)][p(j)]. The integer weights are random, but the same in each run.
/// Optionally position 0 is fixed.
class ToyOrdering {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("n", 9).range(1, 1000).symbol("n").summary("Number of elements."),
        sdk::flag("fix_first", false).summary("Element 2 stays first.")};

    ToyOrdering(const sdk::Host&, const sdk::Parameters& parameters)
        : n_(static_cast<std::uint32_t>(parameters.integer("n"))), encoding_(sdk::Encoding::permutation(n_)) {
        for (std::uint32_t k = 0; k < n_ * n_; ++k) {
            weights_.push_back(static_cast<std::int64_t>(kernels::below(kernels::draw(7, 0, 0, 1, k), 201)) - 100);
        }
        mask_.assign(n_, 0);
        fixed_.assign(encoding_.c_encoding().solution_bytes / 2, 0);
        for (std::uint32_t k = 0; k < n_; ++k) fixed_[k] = static_cast<std::uint16_t>(k);
        const bool fix = parameters.boolean("fix_first");
        if (fix) {
            mask_[0] = 1;
            std::swap(fixed_[0], fixed_[2]);
        }
        info_.struct_size = sizeof info_;
        info_.n = n_;
        info_.encoding = encoding_.c_encoding(fix ? mask_.data() : nullptr, fix ? fixed_.data() : nullptr);
        info_.cost_kind = QAPFW_COST_INT64;
        info_.sense = 1;
        info_.display_divisor = 1;
        info_.instance = "toy";
        info_.summary = "toy ordering";
    }
    const qapfw_problem_info& info() const { return info_; }
    std::int64_t cost(const std::uint16_t* p) const {
        std::int64_t sum = 0;
        for (std::uint32_t i = 0; i < n_; ++i) {
            const std::int64_t* const weights = weights_.data() + std::size_t{p[i]} * n_;
            for (std::uint32_t j = i + 1; j < n_; ++j) sum += weights[p[j]];
        }
        return sum;
    }
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            batch.costs[k].i =
                cost(sdk::permutation_of(sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k)));
        }
    }
    void write_artefacts(const void*, qapfw_cost, const sdk::Emit&) const {}
    /// The cost that arises if `first` is anywhere before `second`.
    std::int64_t weight(std::uint16_t first, std::uint16_t second) const {
        return weights_[std::size_t{first} * n_ + second];
    }

  private:
    std::uint32_t n_;
    sdk::Encoding encoding_;
    std::vector<std::int64_t> weights_;
    std::vector<std::uint8_t> mask_;
    std::vector<std::uint16_t> fixed_;
    qapfw_problem_info info_{};
};

/// The least cost of all orderings, or, with `fixed_first`, of the orderings that begin with element 2.
inline std::int64_t brute_force(const ToyOrdering& problem, bool fixed_first = false) {
    std::vector<std::uint16_t> p(problem.info().n);
    std::iota(p.begin(), p.end(), std::uint16_t{0});
    std::int64_t best = std::numeric_limits<std::int64_t>::max();
    do {
        if (!fixed_first || p[0] == 2) best = std::min(best, problem.cost(p.data()));
    } while (std::next_permutation(p.begin(), p.end()));
    return best;
}

}  // namespace qapfw::test
