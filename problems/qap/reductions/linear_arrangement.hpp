// SPDX-License-Identifier: Apache-2.0
// Minimum linear arrangement (Garey, Johnson and Stockmeyer 1976) as a QAP (PGAGrid thesis 2018, section 2.1.3, item
// 2). Flows are the weights of the edges, distances |i - j|; p(v) is the position of vertex v. Each edge counts in
// both directions, so the cost is twice the total length of the edges.
#pragma once

#include "problems/qap/reductions/graph.hpp"
#include "problems/qap/reductions/reduction.hpp"

namespace qapfw::qap {

class LinearArrangement : public Reduction {
  public:
    explicit LinearArrangement(Graph graph) : graph_(std::move(graph)) {}

    QapMatrices matrices() const override;
    int64_t divisor() const override { return 2; }
    uint32_t size() const override { return graph_.n; }
    std::string summary() const override { return "linear arrangement, " + graph_.summary(); }
    int64_t recount(Placement p) const override { return 2 * total_length(p); }
    std::string describe(Placement p) const override;
    AnswerFile file(Placement p) const override;

  private:
    int64_t total_length(Placement p) const;

    Graph graph_;
};

}  // namespace qapfw::qap
