// SPDX-License-Identifier: Apache-2.0
// Tells whether a run must end for a reason from outside: a signal, another process of the run, or the program that
// calls the engine.
#pragma once

#include "framework/engine/run_observer.hpp"
#include "framework/host/signal_watch.hpp"
#include "framework/processes/processes.hpp"

namespace qapfw::framework {

/// Tells whether something outside the solver wants the run to end. [thread-safe] Each member function makes only a few
/// atomic reads.
class Interruption {
  public:
    /// `signals`, `observer`: null if there is none. All outlive this object.
    Interruption(const SignalWatch* signals, const RunObserver* observer, const Processes& processes)
        : signals_(signals), observer_(observer), others_(processes.watch()) {}

    /// The signal that asked this process or another one to stop, or 0.
    int signal() const {
        if (const int told = others_.stop_signal(); told != 0) return told;
        return signals_ != nullptr ? signals_->received() : 0;
    }
    /// True if the program that calls the engine wants the run to end.
    bool is_cancelled() const { return observer_ != nullptr && observer_->wants_end(); }
    /// True if a signal or the calling program asked for the end, so somebody waits. The run then skips work that only
    /// refines the answer.
    bool is_hurried() const { return signal() != 0 || is_cancelled(); }
    /// True if the run must end at once for a reason from outside.
    bool is_wanted() const { return is_hurried() || others_.has_ended(); }

  private:
    const SignalWatch* signals_;
    const RunObserver* observer_;
    const Watch& others_;
};

}  // namespace qapfw::framework
