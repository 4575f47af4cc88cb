// SPDX-License-Identifier: Apache-2.0
// Swaps that a problem proposes itself (qapfw/abi/sampled_neighbourhood.h): the problem's side. Solvers use
// sdk/sampled_walk.hpp.
//
// A problem class that proposes swaps has:
//
//     qapfw_sampled_facts sampled_facts() const;
//     void construct(std::uint32_t way, std::uint64_t seed, const sdk::StopQuestion&, void* solution) const;
//     class SampledWalk {
//         explicit SampledWalk(const Problem&);
//         void reset(const void* solution);
//         void solution(void* solution) const;
//         std::int64_t cost() const;
//         void propose(std::uint64_t count, const std::uint32_t* positions, const std::uint64_t* draws,
//                      std::uint32_t* partners, std::int64_t* deltas) const;
//         qapfw_sampled_neighbours neighbours(std::uint32_t position) const;
//         void exchange(std::uint32_t a, std::uint32_t b);
//     };
#pragma once

#include <cstdint>

#include "qapfw/abi/sampled_neighbourhood.h"
#include "qapfw/sdk/problem_objects.hpp"

namespace qapfw::sdk {

/// The C functions of a problem class's SampledWalk. `Handle` has the members `host` and `object`.
template <class Handle, class Walk>
struct SampledNeighbourhoodTable {
    /// C functions of walks.
    using Walks = ProblemObjects<qapfw_sampled_walk, Handle, Walk>;
    /// Returns the handle to which the C pointer `p` points.
    static Handle* problem(qapfw_problem* p) { return reinterpret_cast<Handle*>(p); }
    /// The C table.
    static constexpr qapfw_sampled_neighbourhood table = {
        sizeof(qapfw_sampled_neighbourhood),
        [](qapfw_problem* p, qapfw_sampled_facts* out) {
            return guarded(problem(p)->host, [&] { *out = problem(p)->object.sampled_facts(); });
        },
        Walks::create,
        Walks::destroy,
        [](qapfw_sampled_walk* w, const void* solution) {
            return Walks::call(w, [&](Walk& walk) { walk.reset(solution); });
        },
        [](qapfw_sampled_walk* w, void* solution) {
            return Walks::call(w, [&](const Walk& walk) { walk.solution(solution); });
        },
        [](qapfw_sampled_walk* w, qapfw_cost* out) {
            return Walks::call(w, [&](const Walk& walk) { out->i = walk.cost(); });
        },
        [](qapfw_sampled_walk* w, std::uint64_t count, const std::uint32_t* positions, const std::uint64_t* draws,
           std::uint32_t* partners,
           std::int64_t* deltas) { Walks::object(w).propose(count, positions, draws, partners, deltas); },
        [](qapfw_sampled_walk* w, std::uint32_t position) { return Walks::object(w).neighbours(position); },
        [](qapfw_sampled_walk* w, std::uint32_t a, std::uint32_t b) { Walks::object(w).exchange(a, b); },
        [](qapfw_problem* p, std::uint32_t way, std::uint64_t seed, std::int32_t (*should_stop)(void*), void* context,
           void* solution) {
            return guarded(problem(p)->host, [&] {
                problem(p)->object.construct(way, seed, StopQuestion{should_stop, context}, solution);
            });
        }};
};

}  // namespace qapfw::sdk
