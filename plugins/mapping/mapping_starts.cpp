// SPDX-License-Identifier: Apache-2.0
// The start of annealing: the cheapest of some constructions. A short descent improves the constructions before they
// are compared, except if there is only one construction or the instance is large.
#include <algorithm>
#include <chrono>
#include <mutex>

#include "plugins/mapping/host_searches.hpp"
#include "plugins/mapping/mapping.hpp"
#include "qapfw/sdk/solver_services.hpp"

namespace qapfw::mapping {
namespace {

/// Seconds that each of the first two constructions usually takes for each term of the cost. Each further one takes
/// kLongTimes times as long.
constexpr double kSecondsForTerm = 3e-6, kLongTimes = 100;
constexpr std::uint64_t kQuickWays = 2;
/// After this fraction of a time limit, all constructions except the first two are given up.
constexpr double kShare = 0.45;

/// The moment at which constructions must end, if the run does not end earlier.
struct Deadline {
    const sdk::Run* run;
    std::chrono::steady_clock::time_point at;

    /// The returned question keeps a pointer to this object.
    sdk::StopQuestion question() const { return {has_passed, const_cast<Deadline*>(this)}; }
    static std::int32_t has_passed(void* self) {
        const Deadline& own = *static_cast<const Deadline*>(self);
        return own.run->should_stop() || std::chrono::steady_clock::now() >= own.at ? 1 : 0;
    }
};

}  // namespace

/// Takes a solution as the start if it costs less than the present start, and offers it to the framework. Returns
/// whether it was taken.
bool Mapping::take_start(sdk::Run& run, const std::vector<unsigned char>& solution) {
    std::vector<unsigned char> copy = solution;
    const qapfw_cost cost = problem_.evaluate_one(copy.data());
    if (!best_.empty() && cost.i >= best_cost_) return false;
    best_ = std::move(copy);
    best_cost_ = cost.i;
    if (run.takes_offers()) run.offer(best_.data(), cost);
    return true;
}

/// Gives all processes the best start that any process has. `place`: the number of the construction that made this
/// process's start. Of equally good starts, the one with the least number is taken.
void Mapping::share_best(std::uint64_t place) {
    if (processes_->alone()) return;
    struct Told {
        std::int64_t cost;
        std::uint64_t place;
    };
    const std::vector<Told> all = processes_->gather_values(Told{best_cost_, place});
    std::uint32_t leader = 0;
    for (std::uint32_t k = 1; k < all.size(); ++k) {
        if (std::pair(all[k].cost, all[k].place) < std::pair(all[leader].cost, all[leader].place)) leader = k;
    }
    std::vector<unsigned char> solution = best_;
    processes_->gather(solution, 0, processes_->rank() == leader ? solution.size() : 0);
    best_ = std::move(solution);
    best_cost_ = all[leader].cost;
}

/// Returns the number of constructions to try besides the quickest one: so few that usually more than half of a time
/// limit is left. The number follows from the estimate kSecondsForTerm, not from a measured speed.
std::uint64_t Mapping::ways_to_try(const sdk::Run& run) const {
    const std::uint64_t all = facts_.starts - 1;
    if (constructions_ > 0) return std::min(all, constructions_);
    const double seconds = least_of_all(run.seconds_left());
    if (seconds == 0 || all == 0) return all;
    const double each = kSecondsForTerm * static_cast<double>(std::max<std::uint64_t>(1, facts_.terms));
    double left = kShare * seconds / each - 1;
    std::uint64_t ways = 1;
    for (; ways < all && left >= 1; ++ways) left -= ways < kQuickWays ? 1 : kLongTimes;
    return left < 0 && ways > 1 ? ways - 1 : ways;
}

std::uint64_t Mapping::seeds_to_try() const {
    constexpr std::uint64_t kSeeds = 4, kMostTerms = 5000;
    if (seeds_ > 0) return seeds_;
    return facts_.hotness > 1 && facts_.terms <= kMostTerms ? kSeeds : 1;
}

/// Makes the quickest construction first, so that there is an answer. Then makes the other constructions side by side;
/// the best solution becomes the start. If the user has given a solution, it is the start, and nothing is constructed.
/// Returns false in all processes if the run must stop before the quickest construction is finished.
bool Mapping::construct_all(sdk::Run& run) {
    if (!best_.empty()) return true;
    std::vector<unsigned char> solution(problem_.solution_bytes());
    bool is_made = true;
    try {
        sdk::SampledWalk::construct(problem_, 0, run.seed(), run.stop(), solution.data());
    } catch (const sdk::Stopped&) {
        is_made = false;
    }
    if (!processes_->all_of(is_made)) return false;
    take_start(run, solution);
    std::uint64_t ways = ways_to_try(run), seeds = seeds_to_try();
    std::vector<std::vector<unsigned char>> made = constructed(run, ways, seeds);
    const std::uint64_t finished = finished_of_all(made);
    const bool is_slow = finished < made.size();
    // Keeps only those solutions that another run can make with parameters `constructions` and `starts`: the solutions
    // of all constructions with the first few seeds, or of the first few constructions with one seed.
    if (is_slow && finished < ways) {
        ways = std::max<std::uint64_t>(finished, 1);
        seeds = 1;
    } else if (is_slow) {
        seeds = finished / ways;
    }
    run.statistic("constructions", static_cast<double>(ways));
    run.statistic("starts", static_cast<double>(seeds));
    made.resize(std::min<std::uint64_t>(made.size(), ways * seeds));
    for (std::vector<unsigned char>& one : made) {
        if (made.size() > 1 && !one.empty()) descend(run, one);
    }
    std::uint64_t place = 0;  // the construction that made the best start; 0: the quickest, which all processes make
    for (std::uint64_t k = 0; k < made.size(); ++k) {
        if (!made[k].empty() && take_start(run, made[k])) place = k + 1;
    }
    if (is_slow) offer_descended(run);
    share_best(place);
    return true;
}

/// Makes solutions: all constructions with the first seed, then all constructions with the next seed, and so on. A
/// solution stays empty if another process makes it, or if its construction is stopped. The end of the run stops all
/// constructions. If parameter `constructions` is 0, all but the first must end within kShare of the time limit.
std::vector<std::vector<unsigned char>> Mapping::constructed(sdk::Run& run, std::uint64_t ways, std::uint64_t seeds) {
    const double seconds = constructions_ > 0 ? 0 : least_of_all(run.seconds_left());
    const Deadline deadline{&run, run_began_ + std::chrono::duration_cast<Clock::duration>(
                                                   std::chrono::duration<double>(kShare * seconds))};
    std::vector<std::vector<unsigned char>> made(ways * seeds);
    std::mutex mutex;
    std::int64_t least = best_cost_;
    host_.parallel_for(made.size(), [&](std::uint64_t k, std::uint32_t) {
        const sdk::StopQuestion stop = k == 0 || seconds == 0 ? run.stop() : deadline.question();
        if (stop() || k % processes_->count() != processes_->rank()) return;
        std::vector<unsigned char> own(problem_.solution_bytes());
        try {
            sdk::SampledWalk::construct(problem_, static_cast<std::uint32_t>(1 + k % ways),
                                        run.seed() + 1000 * (k / ways), stop, own.data());
        } catch (const sdk::Stopped&) {
            return;
        }
        const qapfw_cost cost = problem_.evaluate_one(own.data());
        const std::lock_guard lock(mutex);
        if (run.takes_offers() && cost.i < least) run.offer(own.data(), cost);
        least = std::min(least, cost.i);
        made[k] = std::move(own);
    });
    return made;
}

/// Returns the number of constructions before the first one that no process has finished.
std::uint64_t Mapping::finished_of_all(const std::vector<std::vector<unsigned char>>& made) const {
    std::uint64_t k = processes_->rank();
    while (k < made.size() && !made[k].empty()) k += processes_->count();
    return least_of_all(std::min<std::uint64_t>(k, made.size()));
}

/// Improves a copy of the best start by a descent and offers it to the framework. This helps on a machine that is too
/// slow for the constructions, since annealing may not come far there either. The search does not use this solution.
void Mapping::offer_descended(sdk::Run& run) const {
    if (!run.takes_offers()) return;
    std::vector<unsigned char> solution = best_;
    descend(run, solution);
    const qapfw_cost cost = problem_.evaluate_one(solution.data());
    if (cost.i < best_cost_) run.offer(solution.data(), cost);
}

/// Makes some rounds that accept only improvements. A construction from a drawing of the graph is good as a whole but
/// bad in detail. A construction by bisection is bad as a whole but good in detail. Annealing mends details later. So
/// constructions are compared after these rounds, which mend the details.
void Mapping::descend(sdk::Run& run, std::vector<unsigned char>& solution) const {
    constexpr std::uint64_t kRounds = 128;
    constexpr std::uint32_t kMostPositions = 200'000;  // with more positions the rounds would take seconds
    if (problem_.length() > kMostPositions) return;
    HostSearches one(host_, problem_, facts_.movers, {0, 1});
    one.reset(std::span<const std::vector<unsigned char>>(&solution, 1));
    std::vector<RoundOrder> orders(kRounds, {run.seed(), 0, 0, true});
    for (std::uint64_t k = 0; k < kRounds; ++k) orders[k].number = k;
    one.play(orders, run.stop());
    one.solution(0, solution.data());
}

}  // namespace qapfw::mapping
