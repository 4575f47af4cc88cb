// SPDX-License-Identifier: Apache-2.0
// A leg is the part of a run on one set of devices. CpuLeg is the leg on the CPU, while the run's GPUs are made ready.
// CpuLeg decides when the leg ends, and with which state the run continues on the GPUs. The leg ends between two
// rounds, or cuts a long round short; the GPUs then start this round again.
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
    /// `preparation`: work that makes the GPUs ready; null: the run never moves. `may_cut`: long rounds may be cut
    /// short. `threads`: the run's threads; half of them stand still until the GPUs are ready or unusable, to leave
    /// cores for the compiler. `threads` null: no thread stands still.
    CpuLeg(const GpuPreparation* preparation, bool may_cut, ThreadPool* threads);
    ~CpuLeg() { take_all_threads(); }
    CpuLeg(const CpuLeg&) = delete;
    CpuLeg& operator=(const CpuLeg&) = delete;

    /// True while the run is on the CPU and may still move to the GPUs.
    bool is_open() const { return preparation_ != nullptr && !closed_; }
    /// True if there is nothing to wait for any more: the GPUs are ready or unusable, or the run no longer moves.
    bool is_decided() const { return !is_open() || preparation_->is_finished(); }
    /// True if the run may still move, and GPUs are ready for it.
    bool is_ready() const;
    /// Returns why the run stays on the CPU; empty if the run can move, if this is not known yet, or after `close`.
    std::string why_it_stays() const;
    /// The error that ends the run, if the configuration demands GPUs and they cannot be used. Null: there is no such
    /// error, or it is not known yet. `close` does not clear the error.
    std::exception_ptr failure() const;
    /// From now on the run does not move to the GPUs.
    void close();

    /// Call it if the run was resumed from the saved state `state`. Keeps a copy of the state.
    void restored(const std::vector<std::byte>& state);
    void round_begins();
    /// [thread-safe] True if the present round should end early because the GPUs are ready.
    bool cuts() const;
    /// True if `cuts` has returned true in this round.
    bool has_cut() const { return is_open() && has_cut_; }
    /// Call it after a complete round. If the round was long, a copy of the solver's state is kept. Without this copy
    /// the next round is not cut short.
    void round_ended(const Solver& solver);
    /// True if the state at the end of the last complete round is kept here, or no round has ended yet.
    bool has_state() const { return is_current_; }
    /// Returns the state at the end of the last complete round. If no round has ended, returns the loaded state, or
    /// nothing if none was loaded. A state that is kept here is moved out. `solver`: the solver that works on the CPU.
    std::optional<std::vector<std::byte>> take_state(const Solver& solver);

  private:
    using Clock = std::chrono::steady_clock;
    void take_all_threads();

    const GpuPreparation* preparation_;
    const bool may_cut_;
    ThreadPool* shared_;  ///< thread pool; this leg leaves half of its threads idle. Null: the leg uses all threads
    std::atomic<bool> closed_{false};
    std::optional<std::vector<std::byte>> state_;
    bool is_current_ = true;
    Clock::time_point began_;
    // The earliest time at which a round may be cut, counted from the clock's epoch.
    std::atomic<Clock::rep> cut_after_{Clock::duration::max().count()};
    mutable std::atomic<bool> has_cut_{false};
};

}  // namespace qapfw::framework
