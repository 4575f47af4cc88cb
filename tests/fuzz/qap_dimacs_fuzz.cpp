// SPDX-License-Identifier: Apache-2.0
// Fuzzes DIMACS edge lists with any bytes. A graph that is read has each edge once, in order.
#include <string>

#include "fuzz_support.hpp"
#include "problems/qap/reductions/graph.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    qapfw::fuzz::accept_errors("t:", [&] {
        const qapfw::qap::Graph graph = qapfw::qap::read_dimacs(text, "t");
        for (size_t k = 0; k < graph.edges.size(); ++k) {
            const qapfw::qap::Edge& edge = graph.edges[k];
            qapfw::fuzz::require(edge.u < edge.v && edge.v < graph.n && edge.weight >= 1);
            if (k == 0) continue;
            const qapfw::qap::Edge& before = graph.edges[k - 1];
            qapfw::fuzz::require(before.u < edge.u || (before.u == edge.u && before.v < edge.v));
        }
    });
    return 0;
}
