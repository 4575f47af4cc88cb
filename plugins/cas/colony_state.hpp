// SPDX-License-Identifier: Apache-2.0
// The state of all colonies of a process between two iterations, in host memory: what a CPU run works on, and what a
// device run saves, loads and exchanges through.
#pragma once

#include <cstdint>
#include <vector>

#include "plugins/cas/cas_options.hpp"

namespace qapfw::cas {

/// The best ant of one colony or of all.
struct Champion {
    std::vector<unsigned char> solution;
    std::int64_t cost = 0;
    std::uint64_t found = 0;  ///< iteration
    std::uint32_t ant = 0;    ///< number within this process
};

struct ColonyState {
    ColonyState(const CasOptions& options, std::uint64_t solution_bytes);

    void* solution(std::uint64_t ant) { return sdk::solution_at(solutions.data(), bytes, ant); }
    const void* solution(std::uint64_t ant) const { return sdk::solution_at(solutions.data(), bytes, ant); }
    /// Fitness as qapfw_costs, as a batch wants them.
    std::int64_t cost(std::uint64_t ant) const { return costs[ant].i; }

    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

    std::uint64_t bytes;  ///< of one solution
    std::uint32_t ants;   ///< m
    std::uint32_t colonies;
    std::vector<unsigned char> solutions;               ///< ant*_k, colony by colony
    std::vector<qapfw_cost> costs;                      ///< of ant*_k
    std::vector<std::uint64_t> found;                   ///< iteration in which ant*_k was made
    std::vector<std::uint64_t> trail;                   ///< [colony][free position number][value]
    std::vector<kernels::DepositReference> references;  ///< per colony
};

/// What solution k of iteration 0 is made from: a warm start (`warm` holds them one after the other), which stays as it
/// is and gives true, or the fixed values with the others in any order, to be shuffled.
bool begin_first(const sdk::ProblemRef& problem, const std::vector<unsigned char>& warm, std::uint32_t k,
                 void* solution);
/// Solution k of iteration 0: a warm start (`warm` holds them one after the other) or a random one.
void sample_first(const CasOptions& options, const sdk::ProblemRef& problem, const std::vector<unsigned char>& warm,
                  std::uint32_t k, void* solution);

/// Index of the best of `count` ants from `first` on: least cost, then least found, then least index.
std::uint32_t best_ant(const qapfw_cost* costs, const std::uint64_t* found, std::uint32_t first, std::uint32_t count);

Champion champion(const ColonyState& state, std::uint32_t colony);

/// A newcomer takes the place of the colony's worst ant if it is better and the colony does not have it yet.
void immigrate(ColonyState& state, std::uint32_t colony, const Champion& newcomer);
/// The best of each colony, as it was before, immigrates to the next one, and `newcomer` to the first. Without other
/// processes that is the last one's best.
void exchange_on_ring(ColonyState& state, const Champion& newcomer);

/// Sum over all ants and trails (kernels/digest.hpp) after `iterations` iterations.
std::uint64_t digest(const ColonyState& state, const CasOptions& options, std::uint64_t iterations);

}  // namespace qapfw::cas
