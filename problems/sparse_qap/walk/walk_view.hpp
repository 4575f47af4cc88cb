// SPDX-License-Identifier: Apache-2.0
// The data from which swaps are proposed, as plain pointers. Containers would bring inline functions, but the object
// files of different instruction sets must not share functions.
#pragma once

#include <cstdint>

#include "problems/sparse_qap/graphs/graph.hpp"
#include "problems/sparse_qap/targets/target.hpp"

namespace qapfw::sparse {

struct WalkView {
    const Arc* arcs;               ///< the arcs of vertex 0, then those of vertex 1, and so on
    const std::uint64_t* offsets;  ///< index of each vertex's first arc, then the number of arcs
    const std::int64_t* wide;      ///< weights of all arcs if some need more than 32 bits; null: `arcs` has the weights
    std::uint32_t vertices;        ///< positions from this number on are dummies without arcs
    std::uint32_t locations;
    const DistanceData* distance;
    const std::uint64_t* location_codes;  ///< code of each location, from which distances are computed
    const std::uint32_t* near;            ///< near_count nearby locations for each location; null for a tree
    std::uint32_t near_count;
    const std::uint32_t* groups;  ///< number of locations in one group, for each level of a tree
    std::uint32_t levels;         ///< number of levels of a tree
    // The solution in three forms.
    std::uint32_t* location_of;  ///< for each position: its location
    std::uint32_t* vertex_at;    ///< for each location: the position to which the solution gives it
    std::uint64_t* code_of;      ///< for each position: the code of its location (see location_codes)
};

/// Computes a partner for each of `count` positions, and the exact delta of each swap; see
/// qapfw_sampled_neighbourhood.propose.
using Propose = void (*)(const WalkView&, std::uint64_t count, const std::uint32_t* positions,
                         const std::uint64_t* draws, std::uint32_t* partners, std::int64_t* deltas);

/// Instruction sets that proposals are compiled for.
enum class Isa : std::uint8_t { kPlain, kAvx2, kAvx512 };
const char* isa_name(Isa isa);
bool isa_supported(Isa isa);
/// Returns the best instruction set of this processor, or the one that the environment variable QAPFW_ISA names.
Isa preferred_isa();

/// Returns the function that proposes swaps with `isa`, which the processor must support. If `wide` is true (see
/// WalkView::wide), the function uses no special instructions, whatever `isa` is.
Propose propose_for(Isa isa, Metric metric, bool wide);

Propose propose_plain(Metric metric, bool wide);
Propose propose_avx2(Metric metric);
Propose propose_avx512(Metric metric);

}  // namespace qapfw::sparse
