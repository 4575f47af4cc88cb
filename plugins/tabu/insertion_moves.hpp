// SPDX-License-Identifier: Apache-2.0
// Insertions as the moves of segment_search.hpp. An insertion moves an element to another position of the order.
// E[p][v] is the iteration from which element v may return to position p. A move forbids only the moved element to
// return to its old position. The elements between the two positions shift by one, but get no expiry.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "plugins/tabu/segment_search.hpp"
#include "qapfw/sdk/insertion_neighbourhood.hpp"

namespace qapfw::tabu {

struct InsertionMoves {
    using Neighbourhood = sdk::InsertionNeighbourhood;
    struct Move {
        std::uint32_t from, to;
    };

    /// Calls visit(move, delta) for all insertions, ordered by `from`, then `to`. Two neighbouring elements can be
    /// swapped by two insertions, of which only one is visited.
    template <class Visit>
    static void scan(Neighbourhood& neighbourhood, const Visit& visit) {
        const std::vector<std::uint16_t>& free = neighbourhood.free();
        for (std::size_t i = 0; i < free.size(); ++i) {
            const std::span<const qapfw_cost> deltas = neighbourhood.deltas(free[i]);
            for (std::size_t j = 0; j < free.size(); ++j) {
                if (j != i && j + 1 != i) visit(Move{free[i], free[j]}, deltas[free[j]]);
            }
        }
    }
    static std::int32_t least(ValueMemory& memory, const Neighbourhood& neighbourhood, const Move& move) {
        return memory.of(0, move.to, element(neighbourhood, move));
    }
    static void make(Neighbourhood& neighbourhood, ValueMemory& memory, const Move& move, qapfw_cost delta,
                     const kernels::TabuOptions& options, const kernels::Philox4& words, std::int32_t now) {
        memory.of(0, move.from, element(neighbourhood, move)) = now + segment_tenure(options, words.word[0], false);
        neighbourhood.apply(move.from, move.to, delta);
    }

  private:
    static std::uint32_t element(const Neighbourhood& neighbourhood, const Move& move) {
        return sdk::permutation_of(neighbourhood.solution())[move.from];
    }
};

}  // namespace qapfw::tabu
