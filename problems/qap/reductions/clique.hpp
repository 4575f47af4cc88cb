// SPDX-License-Identifier: Apache-2.0
// Maximum clique (Pardalos and Xue 1994) as a QAP, in two forms. The facilities are slots; slot i chooses the location
// p(i), usually a vertex. Only the first k or K slots count, see below.
//
// With a given size k (PGAGrid thesis 2018, section 2.1.3, item 3), flows are -1 between any two of the first k slots,
// and the distances are the graph's adjacency matrix. The cost is -2 times the number of edges among the chosen
// vertices, so -k^2 + k for a clique. To find the maximum, the user tries one size after the other.
//
// The form with a free size is ours. K slots choose among the n vertices and K blanks; a colouring proves that no
// clique has more than K vertices. A chosen vertex costs -2; a missing edge between two chosen vertices costs 1 in each
// direction. So the cost is 2 * (missing - chosen). Dropping an end of a missing edge never raises the cost, so the
// least cost is -2 omega(G). With a larger cost of missing edges, only cliques would be optimal, but a search would
// stop more often at small maximal cliques.
#pragma once

#include <optional>
#include <vector>

#include "problems/qap/reductions/graph.hpp"
#include "problems/qap/reductions/reduction.hpp"

namespace qapfw::qap {

/// The number of colours of a greedy colouring that takes the vertices with the most neighbours first. No clique has
/// more vertices than this number. O(n^2).
uint32_t colouring_bound(const Graph& graph);

class MaximumClique : public Reduction {
  public:
    /// `chosen`: the size of the clique, from 1 to the number of vertices; empty: the largest clique is sought.
    MaximumClique(Graph graph, std::optional<uint32_t> chosen);

    QapMatrices matrices() const override;
    int32_t sense() const override { return -1; }
    int64_t divisor() const override { return 2; }
    uint32_t size() const override { return graph_.n; }
    std::string summary() const override;
    std::optional<BestKnown> known() const override;
    int64_t recount(Placement p) const override;
    std::string describe(Placement p) const override;
    AnswerFile file(Placement p) const override;

    uint32_t slots() const { return slots_; }
    /// The chosen vertices in ascending order.
    std::vector<uint32_t> chosen(Placement p) const;
    /// Returns a clique within `vertices`: removes the vertex with the most missing edges until no edge is missing.
    std::vector<uint32_t> clique_within(std::vector<uint32_t> vertices) const;

  private:
    bool adjacent(uint32_t u, uint32_t v) const { return adjacent_[std::size_t{u} * graph_.n + v] != 0; }
    int64_t missing_edges(const std::vector<uint32_t>& vertices) const;
    QapMatrices given_size_matrices() const;
    QapMatrices free_size_matrices() const;

    Graph graph_;
    std::vector<uint8_t> adjacent_;
    bool given_size_;
    uint32_t slots_;
};

}  // namespace qapfw::qap
