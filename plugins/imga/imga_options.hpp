// SPDX-License-Identifier: Apache-2.0
// The options of the configuration, checked against the problem.
#pragma once

#include "plugins/imga/device/islands.hpp"
#include "qapfw/sdk/population/fields.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::imga {

struct ImgaOptions {
    sdk::PopulationShape shape;     ///< islands and their size
    kernels::IslandRules rules{};   ///< without its pointers
    std::uint32_t bits_offset = 0;  ///< of bay bits from a solution's start; 0: the encoding has none
    Migration migration{};
    bool distinct = false;  ///< replacement: the best of parents and children with different costs
    std::uint32_t elites = 0;
    std::uint64_t restart_after = 0;  ///< generations; 0: never
    std::uint32_t improve = 0;        ///< threshold of a 32-bit word
    std::uint64_t improve_every = 1;
};

/// Throws Error for values that do not go together or do not suit the problem.
ImgaOptions read_options(const sdk::Parameters& parameters, const sdk::ProblemRef& problem);

/// Fewer islands where the limit on evaluations is small.
void keep_to(std::uint64_t evaluations, const sdk::Parameters& parameters, ImgaOptions& options);

}  // namespace qapfw::imga
