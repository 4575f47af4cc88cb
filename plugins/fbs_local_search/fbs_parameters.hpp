// SPDX-License-Identifier: Apache-2.0
// The parameters of the improver "fbs_local_search".
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::fbs_local_search {

enum class Improvement { kFirst = 0, kBest = 1 };
enum class Order { kMixed = 0, kDescent = 1 };

inline constexpr sdk::ParameterTable kParameters{
    sdk::choice("improvement", "first", "first|best")
        .summary("Take the first improving move in random order, or the best one of all."),
    sdk::choice("order", "mixed", "mixed|descent")
        .summary("mixed: all kinds of moves together. descent: variable neighbourhood descent, which tries a kind of "
                 "moves when the kinds before it find nothing. Their order is that of the five parameters below."),
    sdk::flag("swap", true).summary("Exchange two departments."),
    sdk::flag("insert", true).summary("Move a department to another position in any bay, or into a bay of its own."),
    sdk::flag("shift_border", true).summary("Move a border to any other position within its two bays."),
    sdk::flag("flip_bit", true).summary("Split a bay, or join two."),
    sdk::flag("swap_bays", true).summary("Exchange two bays."),
    sdk::size("iterations", 0)
        .range(0, 1e12)
        .unit("iterations")
        .summary("Greatest number of moves; 0: until the solution is a local optimum."),
    sdk::size("evaluations", 0)
        .range(0, 1e12)
        .unit("evaluations")
        .summary("Limit on the neighbours that are evaluated for one solution; 0: no limit.")};

}  // namespace qapfw::fbs_local_search
