// SPDX-License-Identifier: Apache-2.0
// The fields of the memetic algorithm.
#pragma once

#include "plugins/memetic/race.hpp"

namespace qapfw::memetic {

/// Arrays by elite, by island of the place, by island of the run. Solutions are `bytes` apart.
struct Islands {
    // by elite
    std::uint8_t* solutions;
    qapfw_cost* costs;
    std::uint8_t* fresh;  ///< 1: drawn at random or given, not searched from yet

    // by island
    std::uint8_t* best_solutions;  ///< since the run began
    qapfw_cost* best_costs;
    std::uint64_t* best_found;   ///< round
    std::uint32_t* arms;         ///< the island's arm
    std::uint32_t* members;      ///< elites that the arm works with, the first ones of the island
    std::uint64_t* work;         ///< evaluations since the run began
    std::uint64_t* children;     ///< made since the run began; the coordinate of an island's random numbers
    std::uint64_t* idle;         ///< children since one was taken in
    std::uint32_t* strength;     ///< moves of the next mutation
    std::uint64_t* immigration;  ///< children when an elite of another island was taken in
    std::uint64_t* restarts;
    std::uint64_t* rung_begin;  ///< work when the rung began
    RungResult* rung;           ///< what the island has done in this rung
    std::uint64_t* spent;       ///< for each arm: evaluations
    std::uint64_t* won;         ///< for each arm: times that the island's best was lowered

    // by island of the run: what islands show each other
    std::uint8_t* emigrants;
    qapfw_cost* emigrant_costs;
    RungResult* results;

    std::uint64_t bytes;
    std::uint32_t size;          ///< elites of an island
    std::uint32_t islands;       ///< of the run
    std::uint32_t first_island;  ///< number of the place's first one in the run

    std::uint8_t* elite(std::uint64_t k) const { return solutions + k * bytes; }
};

}  // namespace qapfw::memetic
