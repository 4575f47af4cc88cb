// SPDX-License-Identifier: Apache-2.0
// Annealing in rounds. In a round a quarter of the positions propose one exchange each against the same solution;
// accepted ones claim their two positions, each with a priority of its own; those that hold both claims are made. So
// the order in which threads work makes no difference.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/mapping/acceptance.hpp"
#include "plugins/mapping/team.hpp"
#include "qapfw/sdk/sampled_walk.hpp"

namespace qapfw::mapping {

/// The order for one round.
struct RoundOrder {
    std::uint64_t seed = 0;
    std::uint64_t number = 0;  ///< of all rounds of the run, from 0: no two rounds draw alike
    double temperature = 0;    ///< in units of the cost; 0: nothing is accepted that makes the cost larger
    bool exclusive = false;    ///< exchanges with a common neighbour exclude each other: sums of deltas are exact
};

/// Proposals in each round of a search.
inline std::uint32_t proposals_of(std::uint32_t movers) {
    return (movers + 3) / 4;
}

class Rounds {
  public:
    /// The walk must outlive this object. `movers` as in qapfw_sampled_facts.
    Rounds(sdk::SampledWalk& walk, std::uint32_t positions, std::uint32_t movers);

    std::uint32_t proposals() const { return proposals_of(movers_); }  ///< in each round
    /// The next round may have any number.
    void forget_claims();
    /// One round, from the lead of `team`. Returns the sum of the deltas of the exchanges made.
    std::int64_t play(const RoundOrder& order, Team& team);

  private:
    static constexpr std::uint32_t kChunk = 256;  ///< proposals that one thread works on at a time
    struct Accepted {
        std::uint32_t u, v;
        std::int64_t delta;
    };
    void propose(std::uint32_t chunk, const RoundOrder& order, std::uint64_t key);
    std::int64_t exchange(std::uint32_t chunk, const RoundOrder& order, std::uint64_t key);
    bool wins(const Accepted& accepted, std::uint64_t priority, bool exclusive) const;
    void claim(std::uint32_t position, std::uint64_t priority);

    sdk::SampledWalk& walk_;
    std::uint32_t positions_, movers_, chunks_;
    NegativeLogarithms logarithms_;
    std::unique_ptr<std::atomic<std::uint64_t>[]> claims_;  ///< of each position; larger numbers win
    std::vector<Accepted> accepted_;                        ///< kChunk for each chunk
    std::vector<std::uint32_t> counts_;                     ///< accepted in each chunk
    std::vector<std::int64_t> sums_;                        ///< of the deltas of each chunk's exchanges
    bool atomic_ = true;                                    ///< several threads claim at once
};

}  // namespace qapfw::mapping
