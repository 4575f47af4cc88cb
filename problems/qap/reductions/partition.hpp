// SPDX-License-Identifier: Apache-2.0
// Graph partitioning into parts of given sizes (Kernighan and Lin 1970) as a QAP, after PGAGrid thesis 2018, section
// 2.1.3, item 4. In the thesis, flows are -1 within the parts, so that the cut is |E| + cost / 2. Here, flows are 1
// between the parts, which adds the constant 2 |E| to every cost: the cost is twice the cut. The facilities are slots.
// The slots of a part are consecutive; p(k) is the vertex in slot k.
#pragma once

#include <vector>

#include "problems/qap/reductions/graph.hpp"
#include "problems/qap/reductions/reduction.hpp"

namespace qapfw::qap {

/// The sizes of `parts` parts of n vertices. Sizes differ by at most one, and the larger parts come first.
std::vector<uint32_t> equal_parts(uint32_t n, uint32_t parts);

class GraphPartition : public Reduction {
  public:
    /// Needs at least one size; the sizes must add up to the number of vertices.
    GraphPartition(Graph graph, std::vector<uint32_t> sizes);

    QapMatrices matrices() const override;
    int64_t divisor() const override { return 2; }
    uint32_t size() const override { return graph_.n; }
    std::string summary() const override;
    int64_t recount(Placement p) const override { return 2 * cut(p); }
    std::string describe(Placement p) const override;
    AnswerFile file(Placement p) const override;

  private:
    std::vector<uint32_t> part_of_vertex(Placement p) const;
    int64_t cut(Placement p) const;

    Graph graph_;
    std::vector<uint32_t> sizes_;
    std::vector<uint32_t> part_of_slot_;
};

}  // namespace qapfw::qap
