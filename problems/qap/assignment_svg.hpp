// SPDX-License-Identifier: Apache-2.0
// The drawing assignment.svg: locations as points on a map, the names of the facilities at them, flows as lines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "problems/qap/instances/instance.hpp"

namespace qapfw::qap {

/// Instances with more locations than this are not drawn, since labels would overlap.
constexpr uint32_t kMostDrawn = 200;

/// True if the instance has at most kMostDrawn locations, and they have coordinates on a map.
bool can_be_drawn(const QapInstance& instance);

/// The solution p as a picture. `cost`: the cost as text, in the unit of the instance's file. The instance must be
/// drawable.
std::string write_assignment_svg(const QapInstance& instance, const uint16_t* p, const std::string& cost);

}  // namespace qapfw::qap
