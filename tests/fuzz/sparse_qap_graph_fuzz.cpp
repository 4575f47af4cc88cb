// SPDX-License-Identifier: Apache-2.0
// Fuzzes graphs with any bytes; the first byte chooses the format. Checks that the arcs of a vertex ascend, and that
// none is a loop or has weight 0.
#include <string_view>

#include "fuzz_support.hpp"
#include "problems/sparse_qap/graphs/graph_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    using namespace qapfw::sparse;
    if (size == 0) return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const auto format = data[0] >= 240 ? GraphFormat::kTable : static_cast<GraphFormat>(data[0] % 4);
    qapfw::fuzz::accept_errors("t:", [&] {
        const Graph graph = read_graph_text(text, "t", format, data[0] % 8 < 4).graph;
        qapfw::fuzz::require(graph.offsets.size() == size_t{graph.n} + 1 && graph.arcs.size() == graph.offsets.back());
        for (uint32_t u = 0; u < graph.n; ++u) {
            for (uint64_t k = graph.offsets[u]; k < graph.offsets[u + 1]; ++k) {
                const uint32_t v = graph.arcs[k].to;
                qapfw::fuzz::require(v < graph.n && v != u && graph.weight(k) != 0);
                qapfw::fuzz::require(k == graph.offsets[u] || graph.arcs[k - 1].to < v);
            }
        }
    });
    return 0;
}
