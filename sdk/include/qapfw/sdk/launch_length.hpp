// SPDX-License-Identifier: Apache-2.0
// Chooses the length of launches, for solvers on GPUs. The solver's trajectory must not depend on this length.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace qapfw::sdk {

/// Chooses the amount of work of each launch, in iterations, generations or the like, so that a launch takes about
/// 20 ms (or `seconds`). The least amount is 1, even if it takes longer. Between launches the solver asks should_stop.
/// The amount is adapted after each launch and at most doubled.
class LaunchLength {
  public:
    static constexpr double kSeconds = 0.02;  ///< planned time of a launch

    /// `first`: work of the first launch; `most`: largest work of any launch. Both are at least 1.
    LaunchLength(std::uint64_t first, std::uint64_t most, double seconds = kSeconds)
        : length_(std::min(first, most)), most_(most), seconds_(seconds) {}

    /// The launch length of a population on the GPU, counted in generations. `improved`: there is an improver. Then a
    /// launch has only one generation, since each generation waits for the improver.
    static LaunchLength of_generations(bool improved) { return {4, improved ? 1u : 500u}; }

    /// Work for the next launch, from 1 to `most`.
    std::uint64_t value() const { return length_; }

    /// Call it when a launch is about to start.
    void start() { started_ = Clock::now(); }
    /// Call it when the launch has ended. `amount`: work done since `start`, at least 1.
    void finish(std::uint64_t amount) { took(amount, std::chrono::duration<double>(Clock::now() - started_).count()); }

    /// Call it instead of `finish` with a time that the caller measured. `amount`: work done in `seconds`, at least 1.
    void took(std::uint64_t amount, double seconds) {
        const double wanted = static_cast<double>(amount) * seconds_ / std::max(seconds, kShortest);
        const std::uint64_t upper = std::min(most_, 2 * length_);
        length_ = wanted >= static_cast<double>(upper) ? upper
                                                       : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(wanted));
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr double kShortest = 1e-5;  ///< seconds; shorter times count as this

    std::uint64_t length_, most_;
    double seconds_;
    Clock::time_point started_;
};

}  // namespace qapfw::sdk
