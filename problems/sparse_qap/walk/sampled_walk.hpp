// SPDX-License-Identifier: Apache-2.0
// One solution of a sparse instance, with the data from which swaps are proposed.
#pragma once

#include <cstdint>
#include <vector>

#include "problems/sparse_qap/walk/walk_view.hpp"
#include "qapfw/abi/sampled_neighbourhood.h"

namespace qapfw::sparse {

/// Returns the cost of a solution: the sum over edges of weight times distance between the locations of the ends.
std::int64_t exact_cost(const Graph& graph, const Target& target, const std::uint32_t* location_of);
/// Returns the cost of a solution. `code_of`: for each vertex, the code of its location.
std::int64_t cost_of_codes(const Graph& graph, const Target& target, const std::uint64_t* code_of);

class Walk {
  public:
    /// Graph and target must outlive the walk.
    Walk(const Graph& graph, const Target& target, Isa isa = preferred_isa());
    Walk(const Walk&) = delete;
    Walk& operator=(const Walk&) = delete;
    Walk(Walk&&) = default;

    /// Starts from a solution. `location_of`: the location of each position, vertices first, then dummies.
    void reset(const std::uint32_t* location_of);
    const std::vector<std::uint32_t>& location_of() const { return location_of_; }
    std::int64_t cost() const { return cost_of_codes(*graph_, *target_, code_of_.data()); }
    void propose(std::uint64_t count, const std::uint32_t* positions, const std::uint64_t* draws,
                 std::uint32_t* partners, std::int64_t* deltas) const {
        propose_(view_, count, positions, draws, partners, deltas);
    }
    qapfw_sampled_neighbours neighbours(std::uint32_t position) const;
    void exchange(std::uint32_t a, std::uint32_t b);

  private:
    const Graph* graph_;
    const Target* target_;
    std::vector<std::uint32_t> location_of_, vertex_at_;
    std::vector<std::uint64_t> code_of_;
    WalkView view_;
    Propose propose_;
};

}  // namespace qapfw::sparse
