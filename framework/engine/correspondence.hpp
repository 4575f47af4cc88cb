// SPDX-License-Identifier: Apache-2.0
// What the processes of an asynchronous run tell each other, each at the ends of its own rounds: process 0 whether the
// run goes on, the others what they have done.
#pragma once

#include <cstdint>
#include <vector>

#include "framework/engine/stop_conditions.hpp"
#include "framework/processes/processes.hpp"

namespace qapfw::framework {

/// What a process has done in this session.
struct ProcessReport {
    std::uint64_t rounds = 0;  ///< complete ones
    std::uint64_t evaluations = 0;
    std::uint64_t new_evaluations = 0;         ///< of these, since it was last heard of
    int signal = 0;                            ///< that asked it to stop
    qapfw_round best = {};                     ///< the round that found its best solution, which is `solution`
    std::vector<unsigned char> solution = {};  ///< empty: none
};

class Correspondence {
  public:
    /// What process 0 wants of all.
    struct Order {
        StopReason reason = StopReason::kNone;  ///< that the run ends; else it goes on
        int signal = 0;
        std::uint32_t snapshots = 0;  ///< that all take, each at the end of a round, counted from the start
    };

    /// All processes of the run make one.
    Correspondence(Processes& processes, const CostSpace& costs, std::size_t solution_bytes);
    ~Correspondence() { processes_.end_apart(); }
    Correspondence(const Correspondence&) = delete;
    Correspondence& operator=(const Correspondence&) = delete;

    /// Notes a round of this process.
    void count(const qapfw_round& round);
    /// Tells process 0 what this one has done.
    void report(int signal);
    /// What other processes have done, of those that have told something new.
    std::vector<ProcessReport> news();
    /// Whether each process has told of a complete round.
    bool all_have_begun() const;
    /// Process 0 says it, where it has changed.
    void give(const Order& order);
    /// What process 0 said last.
    Order order();
    /// Together, after the last round: what each other process has done.
    std::vector<ProcessReport> meet();

  private:
    std::string packed() const;
    void hear(std::uint32_t rank, const std::string& message, std::vector<ProcessReport>& heard);

    Processes& processes_;
    const CostSpace& costs_;
    const std::size_t solution_bytes_;
    ProcessReport own_;
    std::vector<ProcessReport> known_;  ///< by rank
    Order order_;
};

}  // namespace qapfw::framework
