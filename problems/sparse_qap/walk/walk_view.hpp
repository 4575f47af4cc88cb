// SPDX-License-Identifier: Apache-2.0
// Data of the proposals: plain pointers, so that each instruction set has a file of its own.
#pragma once

#include <cstdint>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {

struct WalkView {
    const Arc* arcs;               ///< rows of the vertices
    const std::uint64_t* offsets;  ///< vertices + 1
    const std::int64_t* wide;      ///< weights beyond 32 bits; null: those of the arcs
    std::uint32_t vertices;        ///< positions from here on are dummies without arcs
    std::uint32_t locations;
    const DistanceData* distance;
    const std::uint64_t* location_codes;  ///< of each location
    const std::uint32_t* near;            ///< near_count numbers for each location; null for a tree
    std::uint32_t near_count;
    const std::uint32_t* groups;  ///< of a tree: locations in a group of each level
    std::uint32_t levels;         ///< of a tree
    // The solution, three ways.
    std::uint32_t* location_of;  ///< of each position
    std::uint32_t* vertex_at;    ///< the position at each location
    std::uint64_t* code_of;      ///< of each position's location
};

/// For `count` positions a partner each and the exact delta of the exchange; see qapfw_sampled_neighbourhood.propose.
using Propose = void (*)(const WalkView&, std::uint64_t count, const std::uint32_t* positions,
                         const std::uint64_t* draws, std::uint32_t* partners, std::int64_t* deltas);

/// Instruction sets that proposals are compiled for.
enum class Isa : std::uint8_t { kPlain, kAvx2, kAvx512 };
const char* isa_name(Isa isa);
bool isa_supported(Isa isa);
/// The best one of this processor, or the one that the environment variable QAPFW_ISA names.
Isa preferred_isa();

/// The function for one instruction set; `isa` must be supported.
Propose propose_for(Isa isa, Metric metric, bool wide);

Propose propose_plain(Metric metric, bool wide);
Propose propose_avx2(Metric metric);
Propose propose_avx512(Metric metric);

}  // namespace qapfw::sparse
