// SPDX-License-Identifier: Apache-2.0
// The ends of a run from outside: a signal, another process of the run, the program around the engine.
#pragma once

#include "framework/engine/run_observer.hpp"
#include "framework/host/signal_watch.hpp"
#include "framework/processes/processes.hpp"

namespace qapfw::framework {

/// [thread-safe] Everything costs a few atomic reads.
class Interruption {
  public:
    /// `signals`, `observer`: null where nobody interrupts. All outlive this.
    Interruption(const SignalWatch* signals, const RunObserver* observer, const Processes& processes)
        : signals_(signals), observer_(observer), others_(processes.watch()) {}

    /// The signal that asked this process or another one to stop, or 0.
    int signal() const {
        if (const int told = others_.stop_signal(); told != 0) return told;
        return signals_ != nullptr ? signals_->received() : 0;
    }
    /// The program around the engine wants the run to end.
    bool is_cancelled() const { return observer_ != nullptr && observer_->wants_end(); }
    /// Somebody waits for the end: what only makes the answer finer is left out.
    bool is_hurried() const { return signal() != 0 || is_cancelled(); }
    /// The run is to end at once, for any reason.
    bool is_wanted() const { return is_hurried() || others_.has_ended(); }

  private:
    const SignalWatch* signals_;
    const RunObserver* observer_;
    const Watch& others_;
};

}  // namespace qapfw::framework
