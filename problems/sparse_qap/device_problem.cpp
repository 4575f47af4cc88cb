// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/device_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

#include "embedded/sparse_qap_texts.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::sparse {

static_assert(sizeof(DeviceArc) == sizeof(Arc));

DeviceProblem::DeviceProblem(const Graph& graph, const Target& target)
    : macros_(fmt::format(
          "#define SPARSE_N {}\n#define SPARSE_METRIC {}\n#define SPARSE_LANES {}\n#define SPARSE_WIDE {}\n",
          target.n(), static_cast<int>(target.data().metric), std::max(1u, target.dimensions()),
          graph.wide.empty() ? 0 : 1)) {
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
    add(graph.arcs, offsetof(DeviceView, arcs));
    add(graph.offsets, offsetof(DeviceView, offsets));
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
