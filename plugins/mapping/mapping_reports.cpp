// SPDX-License-Identifier: Apache-2.0
// Reports that the solver sends to the framework. It sends one each time it has compared the searches (Searches::look).
#include <algorithm>
#include <chrono>

#include "plugins/mapping/mapping.hpp"
#include "qapfw/kernels/digest.hpp"

namespace qapfw::mapping {

void Mapping::report(sdk::Run& run, std::uint64_t wanted, std::uint64_t iterations, std::uint64_t evaluations) {
    iterations_ += iterations;
    evaluations_ += evaluations;
    const bool complete = processes_->all_of(iterations == wanted);
    std::vector<SearchState> states;
    if (complete) states = searches_->states();
    merge_best();
    const Clock::time_point start = Clock::now();
    const bool takes = is_behind_ && (!is_reported_ || is_due(run, complete));
    if (takes) best_ = best_of_all();
    is_behind_ = is_behind_ && !takes;
    qapfw_round round{};
    round.struct_size = sizeof round;
    round.complete = complete ? 1 : 0;
    round.iterations = iterations;
    round.evaluations = evaluations;
    round.digest = complete ? digest_of(states) : 0;
    // A solution that was reported before is left out, to save the framework the time to look at it.
    round.best_solution = takes || !is_reported_ ? best_.data() : nullptr;
    round.best_cost.i = best_cost_;
    round.best_iteration = best_iteration_;
    round.best_search = best_search_;
    is_reported_ = true;
    run.end_round(round);
    if (!takes) return;
    taken_ = Clock::now();
    seconds_of_taking_ = std::chrono::duration<double>(taken_ - start).count();
}

/// True if the next report should contain the best solution. Other reports have no solution. On a GPU the work between
/// two reports takes about a millisecond, but fetching, evaluating and writing a solution of a million positions takes
/// a tenth of a second. So with GPUs solutions are reported only now and then. Nothing else in reports depends on time.
bool Mapping::is_due(const sdk::Run& run, bool complete) const {
    constexpr double kShortest = 0.02, kLongest = 1, kTimes = 10;
    const bool ends = !complete || round_ == course_.begin + course_.rounds || reaches_limit(run);
    if (!any_gpus_ || run.has_target() || ends) return true;
    const double since = std::chrono::duration<double>(Clock::now() - taken_).count();
    const bool is_long_ago = since > std::clamp(kTimes * seconds_of_taking_, kShortest, kLongest);
    return processes_->any_of(is_long_ago || run.should_stop());
}

/// True if nothing is left of a limit on iterations or evaluations.
bool Mapping::reaches_limit(const sdk::Run& run) const {
    const std::uint64_t iterations = iterations_ - first_iteration_;
    return (run.iterations_left() > 0 && iterations >= run.iterations_left()) ||
           (run.evaluations_left() > 0 && evaluations_ >= run.evaluations_left());
}

/// Gives all processes the best cost of all processes. Sets is_behind_ if the searches of any process have found a
/// better solution than the best known.
void Mapping::merge_best() {
    Best best{best_cost_, best_iteration_, best_search_};
    bool is_new = searches_->has_better(best);
    if (!processes_->alone()) {
        const std::vector<Best> all = processes_->gather_values(best);
        const auto least = std::ranges::min_element(all);
        is_new = *least < Best{best_cost_, best_iteration_, best_search_};
        if (is_new) holder_ = static_cast<std::uint32_t>(least - all.begin());
        best = *least;
    }
    is_behind_ = is_behind_ || is_new;
    best_cost_ = best.cost;
    best_iteration_ = best.iteration;
    best_search_ = best.search;
}

/// Returns the best solution that the searches have found, which must be better than `best_`. All processes must call
/// it.
std::vector<unsigned char> Mapping::best_of_all() const {
    std::vector<unsigned char> solution(best_.size());
    const bool holds = processes_->alone() || processes_->rank() == holder_;
    if (holds) searches_->best_solution(solution.data());
    processes_->gather(solution, 0, holds ? solution.size() : 0);
    return solution;
}

std::uint64_t Mapping::digest_of(const std::vector<SearchState>& states) const {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < states.size(); ++k)
        sum += kernels::digest_in_round(
            range_.first + k, kernels::digest_search(states[k].digest, states[k].cost, best_cost_, iterations_));
    std::uint64_t of_all = 0;
    for (const std::uint64_t of_one : processes_->gather_values(sum)) of_all += of_one;
    return of_all;
}

}  // namespace qapfw::mapping
