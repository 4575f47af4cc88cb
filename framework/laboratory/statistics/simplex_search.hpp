// SPDX-License-Identifier: Apache-2.0
// Nelder and Mead, "A simplex method for function minimization", The Computer Journal 7 (1965), in two variables.
#pragma once

#include <array>
#include <functional>

namespace qapfw::statistics {

using Point = std::array<double, 2>;
using Objective = std::function<double(const Point&)>;

/// The lowest point near `start`. A simplex may collapse, so the search restarts a few times at the lowest point found.
Point minimum(const Objective& objective, Point start);

}  // namespace qapfw::statistics
