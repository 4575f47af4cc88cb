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

}  // namespace

void DeviceProblem::take(const Graph& graph) {
    const bool same = std::all_of(graph.arcs.begin(), graph.arcs.end(),
                                  [&](const Arc& arc) { return arc.weight == graph.arcs.front().weight; });
    const bool short_weights = std::all_of(graph.arcs.begin(), graph.arcs.end(),
                                           [](const Arc& arc) { return holds<std::int16_t>(arc.weight); });
    const bool without = same || !graph.wide.empty();
    const bool short_ends = graph.n <= 0x10000 && (without || short_weights);
    if (same && !graph.arcs.empty()) view_.weight = graph.arcs.front().weight;
    arcs_.reserve(graph.arcs.size() * (short_ends ? 2u : 4u) * (without ? 1u : 2u));
    for (const Arc& arc : graph.arcs) {
        if (short_ends) {
            append(arcs_, static_cast<std::uint16_t>(arc.to));
            if (!without) append(arcs_, static_cast<std::int16_t>(arc.weight));
        } else {
            append(arcs_, arc.to);
            if (!without) append(arcs_, arc.weight);
        }
    }
    macros_ += fmt::format("#define SPARSE_WIDE {}\n#define SPARSE_END {}\n#define SPARSE_WEIGHT_BITS {}\n",
                           graph.wide.empty() ? 0 : 1, short_ends ? "uint16_t" : "uint32_t",
                           without      ? 0
                           : short_ends ? 16
                                        : 32);
}

void DeviceProblem::take_rows(const Graph& graph) {
    const bool short_offsets = holds<std::uint32_t>(static_cast<std::int64_t>(graph.arcs.size()));
    std::uint32_t degree = graph.n > 0 ? graph.degree(0) : 0;
    for (std::uint32_t u = 0; u < graph.n; ++u) degree = graph.degree(u) == degree ? degree : 0;
    macros_ += fmt::format("#define SPARSE_OFFSET {}\n#define SPARSE_DEGREE {}\n",
                           short_offsets ? "uint32_t" : "uint64_t", degree);
    if (degree > 0) return;
    rows_.reserve(std::size_t{graph.n} * (short_offsets ? 8u : 16u));
    for (std::uint32_t u = 0; u < graph.n; ++u) {
        for (const std::uint64_t offset : {graph.offsets[u], graph.offsets[u + 1]}) {
            if (short_offsets)
                append(rows_, static_cast<std::uint32_t>(offset));
            else
                append(rows_, offset);
        }
    }
}

/// Codes have 32 bits where those of all locations do; a location in a box is found beside another without a table.
void DeviceProblem::take_target(const Target& target) {
    const std::uint64_t largest = *std::max_element(target.codes().begin(), target.codes().end());
    macros_ += fmt::format("#define SPARSE_CODE {}\n", largest <= 0xffffffffu ? "uint32_t" : "uint64_t");
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
    take(graph);
    take_rows(graph);
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
