// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/checkpointer.hpp"

#include <utility>

namespace qapfw::framework {
namespace {

constexpr int kPause = 100;                      // after a snapshot that took t seconds, the next waits 100 t seconds
constexpr std::chrono::milliseconds kFirst{50};  // time of search before the first snapshot

}  // namespace

Checkpointer::Checkpointer(RunRecord& record, double interval_seconds, bool enabled)
    : record_(record),
      interval_(interval_seconds),
      enabled_(enabled),
      next_snapshot_(Clock::now()),
      last_write_(Clock::now()) {}

void Checkpointer::search_begins() {
    if (interval_.count() > 0) next_snapshot_ = Clock::now() + kFirst;
}

void Checkpointer::round_ended(bool due, const Solver& solver, const std::function<Checkpoint()>& describe) {
    if (!enabled_) return;
    if (due) {
        const Clock::time_point start = Clock::now();
        take_snapshot(solver, describe);
        const Clock::time_point end = Clock::now();
        next_snapshot_ = end + kPause * (end - start);
    }
    if (write_is_due()) write_last();
}

void Checkpointer::run_ended(const Solver& solver, const std::function<Checkpoint()>& describe) {
    if (enabled_) take_snapshot(solver, describe);
}

void Checkpointer::take_snapshot(const Solver& solver, const std::function<Checkpoint()>& describe) {
    Checkpoint taken = describe();
    taken.state.reserve(snapshot_.state.size());
    solver.save(taken.state);
    snapshot_ = std::move(taken);  // replaces the last snapshot only once this one is complete
    unwritten_ = true;
}

void Checkpointer::write_last() {
    if (!unwritten_) return;
    record_.write_checkpoint(snapshot_);
    unwritten_ = false;
    last_write_ = Clock::now();
}

}  // namespace qapfw::framework
