// SPDX-License-Identifier: Apache-2.0
// The groups of cases of the conformance suite, each in a file of its own. Cases report failures with `require`.
#pragma once

#include <span>
#include <string>

#include "framework/conformance/suite.hpp"

namespace qapfw::framework::conformance {

/// Throws an error with the text `finding` unless `good`.
void require(bool good, const std::string& finding);

std::span<const Case> component_cases();
std::span<const Case> problem_cases();
std::span<const Case> neighbourhood_cases();
std::span<const Case> child_cost_cases();
std::span<const Case> bounds_cases();
std::span<const Case> device_cases();
std::span<const Case> improver_cases();
std::span<const Case> solver_cases();
/// Returns the cases that look for faults without visible symptoms in components of `kind`.
std::span<const Case> silent_cases(std::uint32_t kind);

}  // namespace qapfw::framework::conformance
