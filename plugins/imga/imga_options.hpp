// SPDX-License-Identifier: Apache-2.0
// The options of the configuration, checked against the problem.
#pragma once

#include "plugins/imga/device/islands.hpp"
#include "qapfw/sdk/population/fields.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::imga {

struct ImgaOptions {
    sdk::PopulationShape shape;     ///< number of islands, and of individuals on each
    kernels::IslandRules rules{};   ///< rules of the islands; all pointers are null
    std::uint32_t bits_offset = 0;  ///< bytes from a solution's start to its bay bits; 0: the encoding has none
    Migration migration{};
    bool distinct = false;            ///< true: the best parents and children survive, if possible with different costs
    std::uint32_t elites = 0;         ///< number of best parents that replace the worst children
    std::uint64_t restart_after = 0;  ///< generations without an improvement before all islands restart; 0: never
    std::uint32_t improve = 0;        ///< the improver works on a child if a random word is below this
    std::uint64_t improve_every = 1;  ///< generations between two uses of the improver
};

/// Reads the options. Throws Error(kUsage) for values that contradict each other or do not suit the problem.
ImgaOptions read_options(const sdk::Parameters& parameters, const sdk::ProblemRef& problem);

/// Uses fewer islands if the limit on evaluations is small.
void keep_to(std::uint64_t evaluations, const sdk::Parameters& parameters, ImgaOptions& options);

}  // namespace qapfw::imga
