// SPDX-License-Identifier: Apache-2.0
// Graph packing (Bollobas 1978) as a QAP (PGAGrid thesis 2018, section 2.1.3, item 5): two graphs are laid on the same
// vertices without a common edge. Flows are the first graph, distances the second. p(v) is the vertex of the second
// graph on which vertex v of the first is laid. The cost is twice the number of common edges, so 0 for a packing. The
// smaller graph is filled up with isolated vertices.
#pragma once

#include "problems/qap/reductions/graph.hpp"
#include "problems/qap/reductions/reduction.hpp"

namespace qapfw::qap {

class GraphPacking : public Reduction {
  public:
    GraphPacking(Graph first, Graph second) : first_(std::move(first)), second_(std::move(second)) {}

    QapMatrices matrices() const override;
    int64_t divisor() const override { return 2; }
    uint32_t size() const override { return first_.n > second_.n ? first_.n : second_.n; }
    std::string summary() const override;
    int64_t recount(Placement p) const override { return 2 * static_cast<int64_t>(shared_edges(p).size()); }
    std::string describe(Placement p) const override;
    AnswerFile file(Placement p) const override;

  private:
    /// Returns the edges of the first graph that `p` places on edges of the second graph.
    std::vector<Edge> shared_edges(Placement p) const;

    Graph first_, second_;
};

}  // namespace qapfw::qap
