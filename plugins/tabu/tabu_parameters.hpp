// SPDX-License-Identifier: Apache-2.0
// The parameters that the tabu solver and the tabu improver share, declared once.
#pragma once

#include <cstdint>

#include "qapfw/kernels/tabu_rules.hpp"
#include "qapfw/sdk/parameters.hpp"

namespace qapfw::tabu {

inline constexpr double kLargestTenure = 100'000'000;

constexpr qapfw_parameter tenure_parameter(const char* default_text, std::uint32_t flags, const char* summary) {
    return {.name = "tenure",
            .type = QAPFW_PARAMETER_SIZE,
            .flags = flags,
            .default_text = default_text,
            .minimum = 0,
            .maximum = kLargestTenure,
            .choices = nullptr,
            .unit = "iterations",
            .symbol = "T_list-size",
            .summary = summary};
}
inline constexpr qapfw_parameter kMinTenure = {
    .name = "min_tenure",
    .type = QAPFW_PARAMETER_SIZE,
    .flags = 0,
    .default_text = "0",
    .minimum = 0,
    .maximum = kLargestTenure,
    .choices = nullptr,
    .unit = "iterations",
    .symbol = nullptr,
    .summary = "Least number of iterations for which a facility may not return to the location it left."};
inline constexpr qapfw_parameter kLongTerm = {
    .name = "long_term_aspiration",
    .type = QAPFW_PARAMETER_SIZE,
    .flags = 0,
    .default_text = "0",
    .minimum = 0,
    .maximum = 1'000'000'000,
    .choices = nullptr,
    .unit = "iterations",
    .symbol = "u",
    .summary = "A pair not exchanged for so many iterations is forced (Taillard 1991); 0 switches it off."};
inline constexpr qapfw_parameter kAssignment = {
    .name = "assignment",
    .type = QAPFW_PARAMETER_CHOICE,
    .flags = 0,
    .default_text = "tiled",
    .minimum = 0,
    .maximum = 0,
    .choices = "tiled|mata|plain",
    .unit = nullptr,
    .symbol = nullptr,
    .summary =
        "On a GPU, how pairs are dealt to threads: this project's way, the 2011 paper's MATA, or its plain one. "
        "The trajectory is the same."};

}  // namespace qapfw::tabu
