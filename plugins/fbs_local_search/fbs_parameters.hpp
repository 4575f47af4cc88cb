// SPDX-License-Identifier: Apache-2.0
// The parameters of the improver "fbs_local_search".
#pragma once

#include "qapfw/sdk/parameters.hpp"

namespace qapfw::fbs_local_search {

enum class Improvement { kFirst = 0, kBest = 1 };
enum class Order { kMixed = 0, kDescent = 1 };

inline constexpr sdk::ParameterTable kParameters{
    sdk::choice("improvement", "first", "first|best")
        .summary("Which improving move is made. first: the first one found, in random order. best: the one that lowers "
                 "the cost most."),
    sdk::choice("order", "mixed", "mixed|descent")
        .summary(
            "How kinds of moves are combined. mixed: all kinds together. descent: one kind at a time, in the order "
            "swap, insert, shift_border, flip_bit, swap_bays; a kind is tried when the kinds before it find nothing."),
    sdk::flag("swap", true).summary("Whether moves may swap two departments."),
    sdk::flag("insert", true)
        .summary("Whether moves may take a department to another position in any bay (strip of departments), or into a "
                 "new bay of its own."),
    sdk::flag("shift_border", true)
        .summary("Whether moves may shift the border between two neighbouring bays (strips of departments), so that "
                 "departments of one bay join the other."),
    sdk::flag("flip_bit", true)
        .summary("Whether moves may split a bay (strip of departments) in two, or join two bays."),
    sdk::flag("swap_bays", true).summary("Whether moves may swap two bays (strips of departments)."),
    sdk::size("iterations", 0)
        .range(0, 1e12)
        .unit("iterations")
        .summary("Greatest number of moves made on a solution. 0: until no move improves it."),
    sdk::size("evaluations", 0)
        .range(0, 1e12)
        .unit("evaluations")
        .summary("Greatest number of moves that are checked for a solution. 0: no limit.")};

}  // namespace qapfw::fbs_local_search
