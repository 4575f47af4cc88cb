// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "framework/host/console.hpp"
#include "framework/host/quantities.hpp"

namespace qapfw::framework {
namespace {

constexpr double kLiveInterval = 0.1;   // seconds between redraws
constexpr double kPlainInterval = 1;    // seconds between plain lines that report an improvement
constexpr double kPlainHeartbeat = 10;  // seconds between plain lines if there is no improvement

std::optional<double> least(std::optional<double> a, std::optional<double> b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
}

/// Seconds until a counter reaches its limit at the present rate; nothing: there is no limit, or the rate is unknown.
std::optional<double> time_for(std::optional<std::uint64_t> limit, std::uint64_t done, double seconds) {
    if (!limit || done == 0 || seconds <= 0) return std::nullopt;
    const double left = static_cast<double>(*limit - std::min(*limit, done));
    return left * seconds / static_cast<double>(done);
}

}  // namespace

Progress::Progress(ProgressStyle style, const StopConditions& conditions, std::optional<qapfw_cost> best_known,
                   std::string label, bool verbose)
    : style_(style), conditions_(conditions), best_known_(best_known), label_(std::move(label)), verbose_(verbose) {}

Progress::~Progress() {
    if (style_ == ProgressStyle::kLive) console_end_live();
}

void Progress::update(const RunState& state, bool improved) {
    if (style_ == ProgressStyle::kNone) return;
    unshown_improvement_ = unshown_improvement_ || improved;
    if (!due(state, unshown_improvement_)) return;
    last_shown_ = state.seconds;
    unshown_improvement_ = false;
    if (style_ == ProgressStyle::kLive) {
        console_live(line(state));
    } else {
        console_line(line(state));
    }
}

bool Progress::due(const RunState& state, bool improved) const {
    if (last_shown_ < 0) return true;
    const double since = state.seconds - last_shown_;
    if (style_ == ProgressStyle::kLive) return since >= kLiveInterval;
    // The longer the run, the rarer the lines: at most about a hundred while the time grows tenfold.
    const double thinning = state.seconds / 50;
    return since >= std::max(thinning, improved ? kPlainInterval : kPlainHeartbeat);
}

std::optional<double> Progress::remaining(const RunState& state) const {
    std::optional<double> left;
    if (conditions_.time_limit) left = std::max(0.0, *conditions_.time_limit - state.seconds);
    left = least(left, time_for(conditions_.iterations, state.iterations, state.seconds));
    return least(left, time_for(conditions_.evaluations, state.evaluations, state.seconds));
}

std::string Progress::line(const RunState& state) const {
    std::string text =
        label_.empty() ? format_duration(state.seconds) : fmt::format("{}  {}", label_, format_duration(state.seconds));
    if (state.best) {
        const CostSpace& costs = conditions_.costs;
        text += fmt::format("  cost {}", costs.shown_text(*state.best));
        const auto gap = best_known_ ? costs.gap(*state.best, *best_known_) : std::nullopt;
        if (gap)
            text +=
                fmt::format(", {:.3f} % {} than the best known", 100 * std::abs(*gap), *gap < 0 ? "better" : "worse");
    }
    if (verbose_ && state.seconds > 0 && state.iterations > 0) {
        text += fmt::format("  {} it/s  {} ev/s", format_count(static_cast<double>(state.iterations) / state.seconds),
                            format_count(static_cast<double>(state.evaluations) / state.seconds));
    }
    if (verbose_ && !words_.empty()) text += "  " + words_;
    if (const auto left = remaining(state)) text += fmt::format("  {} left", format_duration(*left));
    return text;
}

}  // namespace qapfw::framework
