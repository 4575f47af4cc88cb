// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/device_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>

#include "embedded/sparse_qap_texts.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::sparse {

namespace {

template <class Number>
void append(std::vector<std::byte>& bytes, Number number) {
    const auto* const begin = reinterpret_cast<const std::byte*>(&number);
    bytes.insert(bytes.end(), begin, begin + sizeof number);
}

template <class Number>
bool holds(std::int64_t value) {
    return value >= std::numeric_limits<Number>::min() && value <= std::numeric_limits<Number>::max();
}

/// Returns the degree that all vertices have; 0 if degrees differ.
std::uint32_t same_degree(const Graph& graph) {
    const std::uint32_t degree = graph.n > 0 ? graph.degree(0) : 0;
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        if (graph.degree(u) != degree) return 0;
    }
    return degree;
}

}  // namespace

std::uint32_t DeviceProblem::packed_count(std::uint32_t vertex) const {
    return packed_.slots > 0 ? packed_.count[vertex] : 0;
}

/// Stores the graph, with its vertices in the order of row_order() if there is one. The dummies, which are the
/// positions from graph.n on, keep their numbers.
void DeviceProblem::take_order(const Graph& graph, std::uint32_t locations) {
    positions_ = row_order(graph);
    macros_ += fmt::format("#define SPARSE_ORDERED {}\n", positions_.empty() ? 0 : 1);
    if (positions_.empty()) return take_graph(graph);
    take_graph(in_order(graph, positions_));
    for (std::uint32_t u = graph.n; u < locations; ++u) positions_.push_back(u);
}

void DeviceProblem::take_graph(const Graph& graph) {
    take_arcs(graph);
    take_rows(graph);
    packed_.count = {};
}

void DeviceProblem::take_arcs(const Graph& graph) {
    const bool same = std::all_of(graph.arcs.begin(), graph.arcs.end(),
                                  [&](const Arc& arc) { return arc.weight == graph.arcs.front().weight; });
    const bool short_weights = std::all_of(graph.arcs.begin(), graph.arcs.end(),
                                           [](const Arc& arc) { return holds<std::int16_t>(arc.weight); });
    const bool without = same || !graph.wide.empty();
    const bool short_ends = graph.n <= 0x10000 && (without || short_weights);
    if (same && !graph.arcs.empty()) view_.weight = graph.arcs.front().weight;
    if (without && graph.wide.empty()) packed_ = packed_rows(graph, same_degree(graph));
    arcs_.reserve(graph.arcs.size() * (short_ends ? 2u : 4u) * (without ? 1u : 2u));
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        for (std::uint64_t k = graph.offsets[u] + packed_count(u); k < graph.offsets[u + 1]; ++k) {
            const Arc& arc = graph.arcs[k];
            if (short_ends) {
                append(arcs_, static_cast<std::uint16_t>(arc.to));
                if (!without) append(arcs_, static_cast<std::int16_t>(arc.weight));
            } else {
                append(arcs_, arc.to);
                if (!without) append(arcs_, arc.weight);
            }
        }
    }
    macros_ += fmt::format("#define SPARSE_SLOTS {}\n#define SPARSE_RING {}\n", packed_.slots, packed_.ring ? 1 : 0);
    macros_ += fmt::format("#define SPARSE_WIDE {}\n#define SPARSE_END {}\n#define SPARSE_WEIGHT_BITS {}\n",
                           graph.wide.empty() ? 0 : 1, short_ends ? "uint16_t" : "uint32_t",
                           without      ? 0
                           : short_ends ? 16
                                        : 32);
}

void DeviceProblem::take_rows(const Graph& graph) {
    const bool short_offsets = holds<std::uint32_t>(static_cast<std::int64_t>(graph.arcs.size()));
    const std::uint32_t degree = same_degree(graph);
    macros_ += fmt::format("#define SPARSE_OFFSET {}\n#define SPARSE_DEGREE {}\n",
                           short_offsets ? "uint32_t" : "uint64_t", degree);
    if (degree > 0 || packed_.all) return;
    rows_.reserve(std::size_t{graph.n} * (short_offsets ? 8u : 16u));
    std::uint64_t begin = 0;
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        const std::uint64_t end = begin + graph.degree(u) - packed_count(u);
        for (const std::uint64_t offset : {begin, end}) {
            if (short_offsets)
                append(rows_, static_cast<std::uint32_t>(offset));
            else
                append(rows_, offset);
        }
        begin = end;
    }
}

/// Defines the macros about the locations. Codes have 32 bits if the codes of all locations fit. If the locations are
/// the cells of a grid or torus, SPARSE_SIDES lets the kernels compute a location's neighbours without a table.
void DeviceProblem::take_target(const Target& target) {
    const std::uint64_t largest = *std::max_element(target.codes().begin(), target.codes().end());
    macros_ += fmt::format("#define SPARSE_CODE {}\n", largest <= 0xffffffffu ? "uint32_t" : "uint64_t");
    const bool bytes = target.data().metric == Metric::kGridBytes || target.data().metric == Metric::kTorusBytes;
    bool short_sides = bytes && target.dimensions() <= 4;
    for (std::uint32_t d = 0; d < target.dimensions(); ++d)
        short_sides = short_sides && (target.data().metric == Metric::kGridBytes || target.side(d) <= 255);
    macros_ += fmt::format("#define SPARSE_SHORT_SIDES {}\n", short_sides ? 1 : 0);
    if (target.data().metric > Metric::kTorusWords) return;
    std::uint64_t places = 1;
    std::string sides;
    for (std::uint32_t d = 0; d < target.dimensions(); ++d) {
        places *= target.side(d);
        sides += fmt::format("{}{}", d == 0 ? "" : ", ", target.side(d));
    }
    if (places == target.n()) macros_ += fmt::format("#define SPARSE_SIDES {}\n", sides);
}

DeviceProblem::DeviceProblem(const Graph& graph, const Target& target)
    : macros_(fmt::format("#define SPARSE_N {}\n#define SPARSE_METRIC {}\n#define SPARSE_LANES {}\n", target.n(),
                          static_cast<int>(target.data().metric), std::max(1u, target.dimensions()))) {
    take_order(graph, target.n());
    take_target(target);
    const DistanceData& data = target.data();
    view_.sides = data.sides;
    std::copy(std::begin(data.level_costs), std::end(data.level_costs), view_.level_costs);
    std::copy(target.groups().begin(), target.groups().end(), view_.groups);
    view_.near_count = target.near_count();
    view_.levels = data.levels;
    view_.stride = data.stride;
    view_.vertices = graph.n;
    view_.locations = target.n();
    texts_.push_back({"sparse_qap/instance.cuh", macros_.c_str(), macros_.size()});
    for (const qapfw_text& one : sdk::with_included(sparse_qap::device::kTexts, "sparse_problem.cuh"))
        texts_.push_back(one);
    const auto add = [this](const auto& from, std::size_t offset) {
        if (!from.empty()) buffers_.push_back({from.data(), from.size() * sizeof(from[0]), offset});
    };
    add(arcs_, offsetof(DeviceView, arcs));
    add(rows_, offsetof(DeviceView, rows));
    add(packed_.entries, offsetof(DeviceView, packed));
    add(positions_, offsetof(DeviceView, positions));
    add(graph.wide, offsetof(DeviceView, wide));
    add(target.codes(), offsetof(DeviceView, location_codes));
    if (!target.is_tree()) add(target.near(), offsetof(DeviceView, near));
    add(target.table(), offsetof(DeviceView, table));
    problem_ = {sizeof problem_, static_cast<std::uint32_t>(texts_.size()),
                texts_.data(),   &view_,
                sizeof view_,    buffers_.size(),
                buffers_.data(), nullptr};
}

}  // namespace qapfw::sparse
