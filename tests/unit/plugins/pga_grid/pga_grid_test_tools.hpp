// SPDX-License-Identifier: Apache-2.0
// Tools of the tests of PGAGrid: problems with real costs.
#pragma once

#include <vector>

#include "tests/support/toy_problems.hpp"

namespace qapfw::test {

/// ToyOrdering with real costs: a quarter of the integer costs.
class RealOrdering : public ToyOrdering {
  public:
    using ToyOrdering::kParameters;
    RealOrdering(const sdk::Host& host, const sdk::Parameters& parameters)
        : ToyOrdering(host, parameters), info_(ToyOrdering::info()) {
        info_.cost_kind = QAPFW_COST_FLOAT64;
    }
    const qapfw_problem_info& info() const { return info_; }
    void evaluate(const qapfw_batch& batch) const {
        ToyOrdering::evaluate(batch);
        for (std::uint64_t k = 0; k < batch.count; ++k) {
            batch.costs[k].f = static_cast<double>(batch.costs[k].i) / 4;
        }
    }

  private:
    qapfw_problem_info info_;
};

inline bool is_permutation_of_all(const std::uint16_t* p, std::uint32_t n) {
    std::vector<bool> seen(n, false);
    for (std::uint32_t k = 0; k < n; ++k) {
        if (p[k] >= n || seen[p[k]]) return false;
        seen[p[k]] = true;
    }
    return true;
}

}  // namespace qapfw::test
