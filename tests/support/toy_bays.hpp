// SPDX-License-Identifier: Apache-2.0
// A real-valued problem on a permutation and bay bits. It has only `evaluate`. The cost of a pair of elements grows
// with the number of set bits between the two elements.
#pragma once

#include <cmath>
#include <vector>

#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/problem.hpp"

namespace qapfw::test {

/// cost(p, bits) = sum over positions i < j of w[p(i)][p(j)] (0.1 + |b(i) - b(j)|) / 3. b(i) is the number of set bits
/// before position i.
class ToyBays {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("n", 9).range(1, 1000).symbol("n").summary("Number of elements."),
        sdk::flag("fix_first", false).summary("Element 2 stays first.")};

    ToyBays(const sdk::Host&, const sdk::Parameters& parameters)
        : n_(static_cast<std::uint32_t>(parameters.integer("n"))), encoding_(sdk::Encoding::permutation_and_bays(n_)) {
        for (std::uint32_t k = 0; k < n_ * n_; ++k) {
            weights_.push_back(kernels::below(kernels::draw(9, 0, 0, 1, k), 1000) / 7.0);
        }
        info_.struct_size = sizeof info_;
        info_.n = n_;
        if (parameters.boolean("fix_first")) {
            mask_.assign(n_, 0);
            mask_[0] = 1;
            fixed_.assign(encoding_.c_encoding().solution_bytes / 2, 0);
            for (std::uint32_t k = 0; k < n_; ++k) fixed_[k] = static_cast<std::uint16_t>(k);
            std::swap(fixed_[0], fixed_[2]);
        }
        info_.encoding = mask_.empty() ? encoding_.c_encoding() : encoding_.c_encoding(mask_.data(), fixed_.data());
        info_.cost_kind = QAPFW_COST_FLOAT64;
        info_.sense = 1;
        info_.display_divisor = 1;
        info_.instance = "toy bays";
        info_.summary = "toy bays";
    }
    const qapfw_problem_info& info() const { return info_; }
    const std::uint8_t* bits(const void* solution) const {
        return static_cast<const std::uint8_t*>(solution) + info_.encoding.segments[1].offset;
    }
    double cost(const void* solution) const {
        const std::uint16_t* p = sdk::permutation_of(solution);
        std::vector<double> bay(n_, 0);
        for (std::uint32_t i = 1; i < n_; ++i) bay[i] = bay[i - 1] + bits(solution)[i - 1];
        double sum = 0;
        const double* const bays = bay.data();
        for (std::uint32_t i = 0; i < n_; ++i) {
            const double* const weights = weights_.data() + std::size_t{p[i]} * n_;
            for (std::uint32_t j = i + 1; j < n_; ++j) sum += weights[p[j]] * (0.1 + std::abs(bays[i] - bays[j])) / 3;
        }
        return sum;
    }
    void evaluate(const qapfw_batch& batch) const {
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            batch.costs[k].f = cost(sdk::solution_at(batch.solutions, info_.encoding.solution_bytes, k));
        }
    }
    void write_artefacts(const void*, qapfw_cost, const sdk::Emit&) const {}

  private:
    std::uint32_t n_;
    sdk::Encoding encoding_;
    std::vector<double> weights_;
    std::vector<std::uint8_t> mask_;    ///< positions that are fixed; empty: none
    std::vector<std::uint16_t> fixed_;  ///< a solution that holds the fixed elements
    qapfw_problem_info info_{};
};

}  // namespace qapfw::test
