// SPDX-License-Identifier: Apache-2.0
// Exchanges that a problem proposes itself, on both sides of the contract: qapfw/abi/sampled_neighbourhood.h.
//
// A problem class that has them:
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
#include <cstring>
#include <memory>
#include <utility>

#include "qapfw/abi/sampled_neighbourhood.h"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// The C functions of a problem class's SampledWalk. `Handle` has the members `host` and `object`.
template <class Handle, class Walk>
struct SampledNeighbourhoodTable {
    /// A walk with the host it reports to.
    struct Object {
        const qapfw_host* host;  ///< of the problem
        Walk walk;               ///< the class's own
    };
    /// The problem behind its C form.
    static Handle* problem(qapfw_problem* p) { return reinterpret_cast<Handle*>(p); }
    /// The walk behind its C form.
    static Object* cast(qapfw_sampled_walk* w) { return reinterpret_cast<Object*>(w); }

    /// The C table.
    static constexpr qapfw_sampled_neighbourhood table = {
        sizeof(qapfw_sampled_neighbourhood),
        [](qapfw_problem* p, qapfw_sampled_facts* out) {
            return guarded(problem(p)->host, [&] { *out = problem(p)->object.sampled_facts(); });
        },
        [](qapfw_problem* p, qapfw_sampled_walk** out) {
            return guarded(problem(p)->host, [&] {
                *out = reinterpret_cast<qapfw_sampled_walk*>(new Object{problem(p)->host, Walk(problem(p)->object)});
            });
        },
        [](qapfw_sampled_walk* w) { delete cast(w); },
        [](qapfw_sampled_walk* w, const void* solution) {
            return guarded(cast(w)->host, [&] { cast(w)->walk.reset(solution); });
        },
        [](qapfw_sampled_walk* w, void* solution) {
            return guarded(cast(w)->host, [&] { cast(w)->walk.solution(solution); });
        },
        [](qapfw_sampled_walk* w, qapfw_cost* out) {
            return guarded(cast(w)->host, [&] { out->i = cast(w)->walk.cost(); });
        },
        [](qapfw_sampled_walk* w, std::uint64_t count, const std::uint32_t* positions, const std::uint64_t* draws,
           std::uint32_t* partners, std::int64_t* deltas) {
            cast(w)->walk.propose(count, positions, draws, partners, deltas);
        },
        [](qapfw_sampled_walk* w, std::uint32_t position) { return cast(w)->walk.neighbours(position); },
        [](qapfw_sampled_walk* w, std::uint32_t a, std::uint32_t b) { cast(w)->walk.exchange(a, b); },
        [](qapfw_problem* p, std::uint32_t way, std::uint64_t seed, std::int32_t (*should_stop)(void*), void* context,
           void* solution) {
            return guarded(problem(p)->host, [&] {
                problem(p)->object.construct(way, seed, StopQuestion{should_stop, context}, solution);
            });
        }};
};

/// One solution of a problem that proposes exchanges. The problem must outlive it; has() comes first.
class SampledWalk {
  public:
    /// Whether the problem proposes exchanges itself.
    static bool has(const ProblemRef& problem) { return table_of(problem) != nullptr; }
    /// What a solver must know; throws StatusError.
    static qapfw_sampled_facts facts(const ProblemRef& problem) {
        qapfw_sampled_facts facts{};
        check(table_of(problem)->facts(problem.get()->problem, &facts), "sampled_neighbourhood.facts");
        return facts;
    }
    /// Writes a start; throws StatusError, or Stopped where `stop` said so.
    static void construct(const ProblemRef& problem, std::uint32_t way, std::uint64_t seed, const StopQuestion& stop,
                          void* solution) {
        check(table_of(problem)->construct(problem.get()->problem, way, seed, stop.should_stop, stop.context, solution),
              "sampled_neighbourhood.construct");
    }

    /// An empty walk; throws StatusError.
    explicit SampledWalk(const ProblemRef& problem) : table_(table_of(problem)) {
        check(table_->create(problem.get()->problem, &walk_), "sampled_neighbourhood.create");
    }
    ~SampledWalk() {
        if (walk_ != nullptr) table_->destroy(walk_);
    }
    SampledWalk(const SampledWalk&) = delete;
    SampledWalk& operator=(const SampledWalk&) = delete;

    /// Goes on from this solution.
    void reset(const void* solution) { check(table_->reset(walk_, solution), "sampled_neighbourhood.reset"); }
    /// Writes its solution.
    void solution(void* to) const { check(table_->solution(walk_, to), "sampled_neighbourhood.solution"); }
    /// Its exact cost, from scratch.
    std::int64_t cost() const {
        qapfw_cost cost{};
        check(table_->cost(walk_, &cost), "sampled_neighbourhood.cost");
        return cost.i;
    }
    /// See qapfw_sampled_neighbourhood.propose.
    void propose(std::uint64_t count, const std::uint32_t* positions, const std::uint64_t* draws,
                 std::uint32_t* partners, std::int64_t* deltas) const {
        table_->propose(walk_, count, positions, draws, partners, deltas);
    }
    /// Calls body(neighbour) until it returns false; returns whether it never did.
    template <class Body>
    bool all_neighbours(std::uint32_t position, Body&& body) const {
        const qapfw_sampled_neighbours all = table_->neighbours(walk_, position);
        const auto* at = static_cast<const unsigned char*>(all.first);
        for (std::uint32_t k = 0; k < all.count; ++k, at += all.stride) {
            std::uint32_t neighbour = 0;
            std::memcpy(&neighbour, at, sizeof neighbour);
            if (!body(neighbour)) return false;
        }
        return true;
    }
    /// Exchanges the elements of two positions.
    void exchange(std::uint32_t a, std::uint32_t b) { table_->exchange(walk_, a, b); }

  private:
    static const qapfw_sampled_neighbourhood* table_of(const ProblemRef& problem) {
        return problem.capability<qapfw_sampled_neighbourhood>(QAPFW_PROBLEM_SAMPLED_NEIGHBOURHOOD);
    }
    const qapfw_sampled_neighbourhood* table_;
    qapfw_sampled_walk* walk_ = nullptr;
};

}  // namespace qapfw::sdk
