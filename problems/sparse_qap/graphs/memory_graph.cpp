// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/memory_graph.hpp"

#include <fmt/core.h>

#include <span>

#include "problems/sparse_qap/graphs/graph_reader.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {

Graph read_memory_graph(const sdk::Host& host, const std::string& name) {
    const std::string source = "instance memory:" + name;
    const auto wrong = [&](const std::string& what) { throw Error(ErrorKind::kInput, source + ": " + what); };
    const auto* const service = host.service<qapfw_host_arrays>(QAPFW_HOST_ARRAYS);
    if (service == nullptr) wrong("its graph was in the memory of another program; give a file instead");
    const auto integers = [&](const char* array) -> std::span<const std::int64_t> {
        const qapfw_array* const found = service->find(host.get()->context, array);
        if (found == nullptr) return {};
        if (found->type != QAPFW_ARRAY_INT64 || found->columns != 1)
            wrong(fmt::format("array \"{}\": a column of whole numbers was wanted", array));
        return {static_cast<const std::int64_t*>(found->data), found->rows};
    };
    const auto offsets = integers("offsets"), columns = integers("columns"), weights = integers("weights");
    if (offsets.size() < 2 || static_cast<std::int64_t>(offsets.size()) > kMostVertices)
        wrong(
            fmt::format("array \"offsets\" has {} entries; 2 to 2^31 - 1 entries were wanted, one more than the "
                        "graph has vertices",
                        offsets.size()));
    RawGraph raw;
    raw.n = static_cast<std::uint32_t>(offsets.size() - 1);
    for (std::size_t u = 0; u < offsets.size(); ++u) {
        const std::int64_t before = u == 0 ? 0 : offsets[u - 1];
        if (u == 0 && offsets[u] != 0) wrong(fmt::format("offsets[0] is {}; 0 was wanted", offsets[u]));
        if (offsets[u] < before)
            wrong(fmt::format("offsets[{}] is {}, less than offsets[{}], which is {}; offsets must not fall", u,
                              offsets[u], u - 1, before));
    }
    if (static_cast<std::size_t>(offsets.back()) != columns.size())
        wrong(
            fmt::format("the last offset is {}, but array \"columns\" has {} entries", offsets.back(), columns.size()));
    if (!weights.empty() && weights.size() != columns.size())
        wrong(fmt::format("array \"weights\" has {} entries, but \"columns\" has {}", weights.size(), columns.size()));
    raw.offsets.assign(offsets.begin(), offsets.end());
    for (std::size_t k = 0; k < columns.size(); ++k) {
        if (columns[k] < 0 || columns[k] >= std::int64_t{raw.n})
            wrong(fmt::format("columns[{}] is {}; a vertex from 0 to {} was wanted", k, columns[k], raw.n - 1));
        raw.to.push_back(static_cast<std::uint32_t>(columns[k]));
    }
    if (weights.empty())
        raw.weight.assign(columns.size(), 1);
    else
        raw.weight.assign(weights.begin(), weights.end());
    if (const qapfw_array* const names = service->find(host.get()->context, "vertex_names")) {
        if (names->type != QAPFW_ARRAY_TEXT || names->rows != raw.n)
            wrong(fmt::format("array \"vertex_names\" must hold {} texts, one for each vertex", raw.n));
        const auto* const first = static_cast<const char* const*>(names->data);
        raw.names.assign(first, first + raw.n);
    }
    return make_graph(std::move(raw), source);
}

}  // namespace qapfw::sparse
