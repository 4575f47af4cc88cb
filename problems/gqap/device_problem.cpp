// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/device_problem.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "embedded/gqap_texts.hpp"
#include "qapfw/sdk/texts.hpp"

namespace qapfw::gqap {
namespace {

static_assert(sizeof(Flow) == 24 && offsetof(Flow, out) == 8,
              "Flow must be laid out as GqapFlow in device/gqap_problem.cuh");

template <class T>
qapfw_view_buffer array(const std::vector<T>& values, std::uint64_t offset) {
    return {values.data(), values.size() * sizeof(T), offset};
}

}  // namespace

DeviceProblem::DeviceProblem(const AssignmentCost& cost)
    : constants_(fmt::format("constexpr int kItems = {}, kLocations = {};\nconstexpr long long kExcessCost = {};\n",
                             cost.instance().items, cost.instance().locations, cost.factor())) {
    const Instance& instance = cost.instance();
    texts_.push_back({"gqap/instance.cuh", constants_.c_str(), constants_.size()});
    for (const qapfw_text& one : sdk::with_included(device::kTexts, "gqap_problem.cuh")) texts_.push_back(one);
    buffers_ = {array(cost.first(), offsetof(View, first)),         array(cost.flows(), offsetof(View, flows)),
                array(instance.distance, offsetof(View, distance)), array(instance.linear, offsetof(View, linear)),
                array(instance.weight, offsetof(View, weight)),     array(instance.capacity, offsetof(View, capacity))};
    problem_ = {sizeof problem_, static_cast<std::uint32_t>(texts_.size()),
                texts_.data(),   &view_,
                sizeof view_,    buffers_.size(),
                buffers_.data(), nullptr};
}

}  // namespace qapfw::gqap
