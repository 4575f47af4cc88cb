// SPDX-License-Identifier: Apache-2.0
// The parameters of the improver "fbs_local_search".
#pragma once

#include "qapfw/abi/parameters.h"

namespace qapfw::fbs_local_search {

enum class Improvement { kFirst = 0, kBest = 1 };
enum class Order { kMixed = 0, kDescent = 1 };

constexpr qapfw_parameter neighbourhood_parameter(const char* name, const char* summary) {
    return {.name = name,
            .type = QAPFW_PARAMETER_BOOLEAN,
            .flags = 0,
            .default_text = "true",
            .minimum = 0,
            .maximum = 0,
            .choices = nullptr,
            .unit = nullptr,
            .symbol = nullptr,
            .summary = summary};
}

inline constexpr qapfw_parameter kParameters[] = {
    {.name = "improvement",
     .type = QAPFW_PARAMETER_CHOICE,
     .flags = 0,
     .default_text = "first",
     .minimum = 0,
     .maximum = 0,
     .choices = "first|best",
     .unit = nullptr,
     .symbol = nullptr,
     .summary = "Take the first improving move in random order, or the best one of all."},
    {.name = "order",
     .type = QAPFW_PARAMETER_CHOICE,
     .flags = 0,
     .default_text = "mixed",
     .minimum = 0,
     .maximum = 0,
     .choices = "mixed|descent",
     .unit = nullptr,
     .symbol = nullptr,
     .summary = "All kinds of moves together, or variable neighbourhood descent: the next kind only where the ones "
                "before find nothing, in the order of the five parameters below."},
    neighbourhood_parameter("swap", "Exchange two departments."),
    neighbourhood_parameter("insert", "Move a department to another place of any bay, or into a bay of its own."),
    neighbourhood_parameter("shift_border", "Move a border to any other place within its two bays."),
    neighbourhood_parameter("flip_bit", "Split a bay, or join two."),
    neighbourhood_parameter("swap_bays", "Exchange two bays."),
    {.name = "iterations",
     .type = QAPFW_PARAMETER_SIZE,
     .flags = 0,
     .default_text = "0",
     .minimum = 0,
     .maximum = 1e12,
     .choices = nullptr,
     .unit = "iterations",
     .symbol = nullptr,
     .summary = "Moves taken at most; 0: until the solution is a local optimum."},
    {.name = "evaluations",
     .type = QAPFW_PARAMETER_SIZE,
     .flags = 0,
     .default_text = "0",
     .minimum = 0,
     .maximum = 1e12,
     .choices = nullptr,
     .unit = "evaluations",
     .symbol = nullptr,
     .summary = "Neighbours looked at, at most, per solution; 0: no limit."}};

}  // namespace qapfw::fbs_local_search
