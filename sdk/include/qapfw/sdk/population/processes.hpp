// SPDX-License-Identifier: Apache-2.0
// The processes of a run; each works on some of the run's groups. A run of one process exchanges nothing.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "qapfw/sdk/population/fields.hpp"
#include "qapfw/sdk/population/report.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::sdk {

/// The processes of a run, as seen by one process. Only the main thread may use the class. All processes must call
/// gathering functions equally often. These functions wait for all processes, and throw StatusError on failure.
class Processes {
  public:
    explicit Processes(const Run& run) : exchange_(run.exchange()) {}  ///< The run must outlive this object.

    /// Number of this process, from 0.
    std::uint32_t rank() const { return exchange_ == nullptr ? 0 : exchange_->rank; }
    /// Number of processes of the run, at least 1.
    std::uint32_t count() const { return exchange_ == nullptr ? 1 : exchange_->size; }
    bool alone() const { return count() == 1; }  ///< true if this is the only process

    /// The groups of this process: a contiguous part of all groups, which may be empty.
    Shard share_of(const PopulationShape& shape) const {
        return part_of({0, shape.groups, shape.size}, rank(), count());
    }

    /// Fills `all` with the bytes of all processes, in the order of ranks without gaps. `all` has the same length in
    /// all processes. Before the call, each process puts its own `bytes` bytes into `all` from `first` on.
    void gather(std::vector<unsigned char>& all, std::uint64_t first, std::uint64_t bytes) const {
        if (alone()) return;
        check(exchange_->all_gather(exchange_->context, all.data() + first, bytes, all.data(), all.size()),
              "exchange: all_gather");
    }
    /// The value of each process, by rank; T is trivially copyable.
    template <class T>
    std::vector<T> gather_values(const T& own) const {
        std::vector<unsigned char> all(count() * sizeof(T));
        std::memcpy(all.data() + rank() * sizeof(T), &own, sizeof(T));
        gather(all, rank() * sizeof(T), sizeof(T));
        std::vector<T> values(count());
        std::memcpy(values.data(), all.data(), all.size());
        return values;
    }
    /// True if `own` is true in all processes.
    bool all_of(bool own) const {
        if (alone()) return own;
        for (const std::uint8_t value : gather_values(static_cast<std::uint8_t>(own ? 1 : 0))) {
            if (value == 0) return false;
        }
        return true;
    }
    /// True if `own` is true in at least one process.
    bool any_of(bool own) const { return !all_of(!own); }

  private:
    const qapfw_exchange* exchange_;
};

/// Merges the reports of all processes: sums digests and evaluations, and takes the best leader.
inline RoundReport merged(const Processes& processes, const ProblemRef& problem, RoundReport own) {
    if (processes.alone()) return own;
    const std::uint64_t bytes = problem.solution_bytes();
    struct Told {
        std::uint64_t digest, evaluations, exists, found, number;
        qapfw_cost cost;
    };
    const Leader& leader = own.leader;
    const auto told = processes.gather_values(
        Told{own.digest, own.evaluations, leader.exists() ? 1u : 0u, leader.found, leader.number, leader.cost});
    std::vector<unsigned char> solutions(processes.count() * bytes);
    const std::uint64_t first = processes.rank() * bytes;
    std::copy(leader.solution.begin(), leader.solution.end(), solutions.data() + first);
    processes.gather(solutions, first, bytes);
    RoundReport all;
    for (std::size_t p = 0; p < told.size(); ++p) {
        all.digest += told[p].digest;
        all.evaluations += told[p].evaluations;
        if (told[p].exists == 0) continue;
        const unsigned char* const at = solutions.data() + p * bytes;
        Leader one{{at, at + bytes}, told[p].cost, told[p].found, told[p].number};
        if (one.leads(all.leader, problem.less())) all.leader = std::move(one);
    }
    return all;
}

}  // namespace qapfw::sdk
