// SPDX-License-Identifier: Apache-2.0
// The part of a run that is done on the CPU while its GPUs are made ready: when it is over, and with which state the
// run goes on there. It ends between two rounds, or cuts a long round short, which then starts again on the GPUs.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "framework/engine/algorithm.hpp"
#include "framework/engine/gpu_preparation.hpp"
#include "framework/host/thread_pool.hpp"

namespace qapfw::framework {

class CpuLeg {
  public:
    /// `preparation`: of the GPUs; null: there is no such leg. `may_cut`: long rounds need not end. `threads`: of the
    /// run, of which half are left to the compiler until the GPUs are ready; may be null.
    CpuLeg(const GpuPreparation* preparation, bool may_cut, ThreadPool* threads);
    ~CpuLeg() { take_all_threads(); }
    CpuLeg(const CpuLeg&) = delete;
    CpuLeg& operator=(const CpuLeg&) = delete;

    /// The run is on the CPU and may still move.
    bool is_open() const { return preparation_ != nullptr && !closed_; }
    /// Nothing is waited for any more.
    bool has_settled() const { return !is_open() || preparation_->has_settled(); }
    /// There are GPUs to go on with, and they are ready.
    bool is_ready() const;
    /// Why it stays where it is; empty: it does not, or that is not known yet.
    std::string why_it_stays() const;
    /// The error that made GPUs unusable which the configuration demands; it ends the run. Null: there is none, or it
    /// is not known yet. Closing the leg does not change that.
    std::exception_ptr failure() const;
    /// The run stays where it is from now on.
    void close();

    /// The run goes on from a saved state, of which this is a copy.
    void restored(const std::vector<std::byte>& state);
    void round_begins();
    /// [thread-safe] Whether the round is to be cut short since the GPUs are ready.
    bool cuts() const;
    /// True if `cuts` has said so in this round.
    bool has_cut() const { return is_open() && has_cut_; }
    /// After a complete round: where rounds are long the state is kept, so that the next one can be cut.
    void round_ended(const Solver& solver);
    /// True if the state at the end of the last complete round is known without the solver.
    bool has_state() const { return is_current_; }
    /// The state at that time; nothing: the run has not begun. `solver`: the one that works on the CPU.
    std::optional<std::vector<std::byte>> take_state(const Solver& solver);

  private:
    using Clock = std::chrono::steady_clock;
    void take_all_threads();

    const GpuPreparation* preparation_;
    const bool may_cut_;
    ThreadPool* shared_;  ///< half of its threads work; null: all do
    std::atomic<bool> closed_{false};
    std::optional<std::vector<std::byte>> state_;
    bool is_current_ = true;
    Clock::time_point began_;
    std::atomic<Clock::rep> cut_after_{Clock::duration::max().count()};  // since the clock's epoch
    mutable std::atomic<bool> has_cut_{false};
};

}  // namespace qapfw::framework
