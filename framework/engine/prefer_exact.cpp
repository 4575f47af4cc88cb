// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/prefer_exact.hpp"

#include <algorithm>
#include <string_view>

#include "qapfw/abi/bounds.h"

namespace qapfw::framework {
namespace {

constexpr std::string_view kExact = "exact";
/// Free positions up to which a proof is tried first. For the hardest instances of 12 it takes half a second of one
/// core.
constexpr std::uint32_t kMostFree = 12;

}  // namespace

std::uint32_t free_count(const qapfw_encoding& encoding) {
    const std::uint32_t length = encoding.segments[0].length;
    if (encoding.fixed == nullptr) return length;
    return static_cast<std::uint32_t>(std::count(encoding.fixed, encoding.fixed + length, std::uint8_t{0}));
}

bool has_one_solution(const qapfw_encoding& encoding) {
    const bool is_permutation = encoding.segments[0].kind == QAPFW_SEGMENT_PERMUTATION;
    return encoding.segment_count == 1 && is_permutation && free_count(encoding) <= 1;
}

bool prefer_exact(Config& config, const Problem& problem) {
    if (!config.has_default_algorithm || !config.run.stop_at_optimum.value_or(false)) return false;
    if (config.device.backend == "cuda" || problem.capability(QAPFW_PROBLEM_BOUNDS) == nullptr) return false;
    if (free_count(problem.info().encoding) > kMostFree) return false;
    const auto& components = config.registry->components();
    const auto found = std::find_if(components.begin(), components.end(), [](const Component& component) {
        return component.descriptor->kind == QAPFW_KIND_SOLVER && component.descriptor->id == kExact;
    });
    if (found == components.end()) return false;
    config.algorithm = {&config.registry->find(QAPFW_KIND_SOLVER, std::string(kExact)),
                        ParameterValues(found->descriptor)};
    return true;
}

}  // namespace qapfw::framework
