// SPDX-License-Identifier: Apache-2.0
// The drawing assignment.svg: locations as points on a map, the names of the facilities at them, flows as lines.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "problems/qap/instances/instance.hpp"

namespace qapfw::qap {

/// Larger instances are not drawn: labels would lie on each other.
constexpr uint32_t kMostDrawn = 200;

/// True if the instance's locations have coordinates, and not too many of them.
bool can_be_drawn(const QapInstance& instance);

/// The solution p as a picture. `cost` is its text in the owner's unit. Only for an instance that can be drawn.
std::string write_assignment_svg(const QapInstance& instance, const uint16_t* p, const std::string& cost);

}  // namespace qapfw::qap
