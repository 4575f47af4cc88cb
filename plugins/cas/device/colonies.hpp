// SPDX-License-Identifier: Apache-2.0
// The fields of the cunning ant system, as steps on the host and kernels get them. Ants are numbered colony by colony.
#pragma once

#include "plugins/cas/device/segment_trails.hpp"

namespace qapfw::cas {

/// Facts about a colony after the selection, for its neighbour and for its own newcomer.
struct ColonyEnds {
    int64_t best_cost, worst_cost;
    uint64_t best_found;
    uint32_t worst;    ///< number of the worst ant, among those of its place
    uint32_t arrived;  ///< how many of the two colonies that an immigration waits for are selected; 0 between exchanges
};

/// Data that colonies show each other, for each colony of the run.
struct Exchange {
    uint16_t* champions;  ///< the best ant before any newcomer arrives; `stride` elements apart
    ColonyEnds* ends;
};

struct Colonies {
    kernels::TrailRules rules;
    kernels::CunningTables tables;
    SegmentTrails trails;                   ///< where solutions are neither permutations nor layouts
    const uint16_t* order;                  ///< the movable positions, then the fixed ones
    kernels::DepositReference* references;  ///< one for each colony
    uint64_t* trail;                        ///< [colony][free position number][value]; of segments as TrailRow says
    uint16_t *ants, *children;              ///< solutions are `stride` elements apart
    int64_t *costs, *child_costs;
    uint64_t* found;
    uint64_t* scratch;  ///< scratch_bytes for each ant; for kernels where shared memory is too small
    uint64_t seed;
    uint32_t all_ants, stride;
    uint32_t scratch_bytes;      ///< bytes of one construction, a multiple of 8
    uint32_t rows_at_a_time;     ///< rows of trails that a construction stages; 0: it reads them from device memory
    uint32_t first_ant;          ///< number of the first ant here, in the run
    uint32_t first_colony;       ///< the same of the first colony
    uint32_t bay_moves;          ///< threshold of a random word: an ant's bay bits change
    uint32_t scratch_in_shared;  ///< 1: scratch lies in dynamic shared memory, 0: in `scratch`
};

/// The host's view of a place.
struct View : Colonies {
    Exchange exchange;
};

}  // namespace qapfw::cas
