// SPDX-License-Identifier: Apache-2.0
// The data of the cunning ant system, for steps on the host and for kernels. Ants are numbered colony by colony.
#pragma once

#include "plugins/cas/device/segment_trails.hpp"

namespace qapfw::cas {

/// Results of a colony's selection. A copy of the colony's best ant may go to the next colony on the ring. A newcomer
/// may replace the colony's worst ant.
struct ColonyEnds {
    int64_t best_cost, worst_cost;
    uint64_t best_found;
    uint32_t worst;  ///< index of the colony's worst ant in Colonies::costs
    /// An immigration into this colony waits until this colony and the one before it have selected. 1: only one of them
    /// has selected; 0: neither has, or both have.
    uint32_t arrived;
};

/// Arrays of the data that colonies exchange, with an entry for each colony of the run.
struct Exchange {
    uint16_t* champions;  ///< the best ant of each colony before any newcomer arrives; `stride` elements each
    ColonyEnds* ends;
};

struct Colonies {
    kernels::TrailRules rules;
    kernels::CunningTables tables;
    SegmentTrails trails;                   ///< for solutions that are neither permutations nor layouts
    const uint16_t* order;                  ///< the free positions, then the fixed ones
    kernels::DepositReference* references;  ///< scale of each colony's deposits
    uint64_t* trail;                        ///< [colony][index of free position][value]; for segments see TrailRow
    uint16_t *ants, *children;              ///< present and newly constructed solutions, `stride` elements apart
    int64_t *costs, *child_costs;
    uint64_t* found;    ///< iteration in which each ant was found
    uint64_t* scratch;  ///< scratch_bytes per ant, for kernels whose shared memory is too small
    uint64_t seed;
    uint32_t all_ants, stride;
    uint32_t scratch_bytes;      ///< bytes of scratch that the construction of an ant needs, a multiple of 8
    uint32_t rows_at_a_time;     ///< number of trail rows staged in shared memory at a time; 0: none
    uint32_t first_ant;          ///< number of this place's first ant among all ants of the run
    uint32_t first_colony;       ///< number of this place's first colony among all colonies of the run
    uint32_t bay_moves;          ///< an ant's bay bits change if a random 32-bit word is below this number
    uint32_t scratch_in_shared;  ///< 1: scratch lies in dynamic shared memory, 0: in `scratch`
};

/// All data of one place (a GPU, or the host). Kernels get Colonies. Kernels that exchange ants also get `exchange`, as
/// a separate argument.
struct View : Colonies {
    Exchange exchange;
};

}  // namespace qapfw::cas
