// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/mapping.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "plugins/mapping/device_searches.hpp"
#include "plugins/mapping/host_searches.hpp"
#include "qapfw/abi/device_encodings.h"
#include "qapfw/sdk/solver_services.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::mapping {
using namespace std::chrono_literals;
namespace {

/// Usual number of proposals that a search makes between two looks at its solution. One core makes them in some
/// hundredths of a second.
constexpr std::uint64_t kLook = std::uint64_t{1} << 20;
/// Least number of rounds between two looks, with one search and with more than one. A look takes as long as several
/// rounds.
constexpr std::uint64_t kLeastRounds = 16, kLeastRoundsOfMany = 64;
/// Evaluations for each position if no limit says how long the main annealing may take.
constexpr std::uint64_t kUsualEvaluations = 2000;
/// The first annealing, before the main annealing, gets this fraction of the rounds. It is cooler, so that it keeps
/// what is good in the first solution.
constexpr double kPolish = 0.08;
/// The lowest temperature of an annealing, in units of a typical weight, before it is multiplied by `heat`.
constexpr double kColdest = 0.4;
/// After this fraction of an annealing's rounds, two swaps whose positions are neighbours exclude each other.
constexpr double kExclusive = 0.8;
/// After this fraction of an annealing's rounds, only improvements are accepted.
constexpr double kDescent = 0.97;

}  // namespace

Mapping::Mapping(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      rounds_wanted_(static_cast<std::uint64_t>(context.parameters.integer("rounds"))),
      constructions_(static_cast<std::uint64_t>(context.parameters.integer("constructions"))),
      seeds_(static_cast<std::uint64_t>(context.parameters.integer("starts"))),
      heat_(context.parameters.real("heat")) {
    if (!problem_.has_integer_costs())
        throw Error(ErrorKind::kUnsupported,
                    "solver mapping works only with whole-number costs; use another solver, such as memetic");
    facts_ = sdk::SampledWalk::facts(problem_);
    const bool automatic = context.parameters.is_auto("searches");
    count_ = automatic ? automatic_searches() : static_cast<std::uint32_t>(context.parameters.integer("searches"));
    if (automatic) host_.resolve("searches", std::int64_t{count_});
    constexpr std::uint64_t kMostPositions = std::uint64_t{1} << 31;
    if (std::uint64_t{count_} * problem_.length() > kMostPositions)
        throw Error(ErrorKind::kUsage,
                    "searches: " + std::to_string(count_) + " searches of " + std::to_string(problem_.length()) +
                        " positions need too much memory; choose " +
                        std::to_string(std::max<std::uint64_t>(1, kMostPositions / problem_.length())) + " or fewer");
    host_.info(
        sdk::SampledWalk::has(problem_)
            ? sparse_sentence()
            : "the problem proposes no swaps itself, so swaps are drawn at random, and each needs a full evaluation");
}

const void* Mapping::get_capability(const char* id) {
    static constexpr qapfw_solver_samples kSamples = {sizeof(qapfw_solver_samples)};
    static constexpr qapfw_device_encodings kEncodings = {sizeof(qapfw_device_encodings), nullptr};
    static constexpr qapfw_solver_processes kProcesses = {sizeof(qapfw_solver_processes)};
    if (id == nullptr) return nullptr;
    if (std::string_view(id) == QAPFW_SOLVER_PROCESSES) return &kProcesses;
    if (std::string_view(id) == QAPFW_COMPONENT_DEVICE_ENCODINGS) return &kEncodings;
    return std::string_view(id) == QAPFW_SOLVER_SAMPLES ? &kSamples : nullptr;
}

void Mapping::run(sdk::Run& run) {
    run_began_ = Clock::now();
    processes_.emplace(run);
    make_searches(run);
    const bool begins = best_.empty();
    if (begins && !begin(run)) return;
    if (!loaded_.empty()) searches_->reset(std::span(loaded_).subspan(range_.first, range_.count));
    loaded_ = {};
    searches_->set_record(best_cost_);
    first_iteration_ = begins ? 0 : iterations_;
    std::uint64_t played = 0, granted = 0;
    while (played == granted) {
        if (round_ == course_.begin + course_.rounds) plan_next();
        granted = run.begin_round(rounds_to_look(run));
        if (granted == 0) break;
        played = play(run, granted);
        report(run, granted, played, played * proposals() * count_);
    }
    if (!is_behind_) return;
    best_ = best_of_all();
    if (run.takes_offers()) run.offer(best_.data(), qapfw_cost{.i = best_cost_});
}

/// A sentence for the log about a problem in sparse form: the numbers of terms and of pairs.
/// docs/decisions/0042-sparse-or-dense.md says when the sparse form is chosen.
std::string Mapping::sparse_sentence() const {
    const std::uint64_t n = problem_.length();
    return "the problem proposes swaps that bring elements near their neighbours, and no table of all pairs is kept. "
           "The cost has " +
           std::to_string(facts_.terms) + " terms; there are " + std::to_string(n * (n - 1) / 2) +
           " pairs of positions";
}

/// Number of searches for "auto": as many as fill the GPUs, if the problem makes proposals itself. For other problems,
/// and in runs without GPUs, one search on the CPU.
std::uint32_t Mapping::automatic_searches() const {
    constexpr std::uint64_t kPositionsOnAGpu = std::uint64_t{1} << 20, kMostOnAGpu = 128;
    const std::uint64_t own = sdk::SampledWalk::has(problem_) ? host_.get()->device_count : 0;
    const std::uint64_t gpus = sdk::sum_over_gpus(host_, own);
    const std::uint64_t on_each = std::clamp<std::uint64_t>(kPositionsOnAGpu / problem_.length(), 1, kMostOnAGpu);
    return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(gpus * on_each, 1, 65535));
}

/// Makes the searches of this process. They are a contiguous part of all searches.
void Mapping::make_searches(sdk::Run& run) {
    on_gpus_ = !run.devices().empty() && sdk::SampledWalk::has(problem_);
    any_gpus_ = processes_->any_of(on_gpus_);
    const std::uint64_t rank = processes_->rank(), all = processes_->count();
    range_.first = static_cast<std::uint32_t>(count_ * rank / all);
    range_.count = static_cast<std::uint32_t>(count_ * (rank + 1) / all) - range_.first;
    if (count_ < all && rank == 0)
        host_.info(
            "there are fewer searches than processes, so some processes have nothing to do; raise algorithm.searches");
    searches_ = new_searches(run);
}

std::unique_ptr<Searches> Mapping::new_searches(sdk::Run& run) const {
    if (on_gpus_) return std::make_unique<DeviceSearches>(run.devices(), problem_, facts_.movers, range_);
    return std::make_unique<HostSearches>(host_, problem_, facts_.movers, range_);
}

/// Makes the first round. The round offers a first solution quickly, then better ones. Returns whether the run
/// continues.
bool Mapping::begin(sdk::Run& run) {
    if (run.begin_round(1) == 0) return false;
    const std::vector<unsigned char> warm = sdk::warm_starts(run, problem_, 1);
    if (!warm.empty()) take_start(run, warm);
    if (!construct_all(run)) return false;  // the framework then takes a simple starting solution as the run's answer
    const bool complete = processes_->all_of(!run.should_stop());
    if (complete) {
        plan_first(run);
        go_on_from_best();
    }
    searches_->set_record(best_cost_);
    if (complete) searches_->look(0);
    report(run, 1, complete ? 1 : 0, 1);
    return complete;
}

/// Measures and returns the rounds per second. If a try takes much longer than planned, its result says little. Then a
/// second try is made, and the better result is returned.
double Mapping::measured_rate(sdk::Run& run, double seconds) {
    const Clock::time_point late = Clock::now() + std::chrono::duration_cast<Clock::duration>(2.5s * seconds);
    const double first = rate_in_try(run, seconds);
    return Clock::now() < late ? first : std::max(first, rate_in_try(run, seconds));
}

/// Returns the rounds per second, measured for about `seconds` from the best solution. The searches must be reset
/// afterwards.
double Mapping::rate_in_try(sdk::Run& run, double seconds) {
    const std::uint64_t in_round = std::uint64_t{proposals()} * std::max(1u, range_.count);
    const std::uint64_t most = on_gpus_ ? 4096 : std::max<std::uint64_t>(1, 20'000 / in_round);
    const RoundOrder order{run.seed(), 0, kColdest * 3 * heat_ * static_cast<double>(facts_.unit), false};
    std::uint64_t played = 0, step = 1;
    double elapsed = 0;
    go_on_from_best();
    Clock::time_point start = Clock::now();
    while (elapsed < seconds && !run.should_stop()) {
        std::vector<RoundOrder> orders(step, order);
        for (std::uint64_t k = 0; k < step; ++k) orders[k].number = played + k;
        searches_->play(orders, run.stop());
        searches_->wait();
        played += step;
        elapsed = std::chrono::duration<double>(Clock::now() - start).count();
        if (step == most || elapsed > seconds / 8) continue;
        step = std::min(2 * step, most);  // measures again: the first calls of play(), with few rounds, are slow
        start = Clock::now();
        played = 0;
    }
    return static_cast<double>(played) / std::max(elapsed, 1e-6);
}

double Mapping::temperature_for(std::uint64_t rounds) const {
    const double each = static_cast<double>(rounds) / 4;
    return std::min(first_temperature(each) * facts_.hotness, most_heat()) * heat_ * static_cast<double>(facts_.unit);
}

/// Returns the highest temperature, in units of a typical weight, at which an annealing does not spoil the best
/// solution. In a hotter annealing, the costs soon rise. Returns infinity (no limit) if the problem proposes no swaps,
/// if the best cost is not above 0, or for hierarchies, where a hot start does little harm.
double Mapping::most_heat() const {
    constexpr double kOfCost = 0.3;
    if (facts_.hotness > 1 || !sdk::SampledWalk::has(problem_) || best_cost_ <= 0) return HUGE_VAL;
    const double weights = static_cast<double>(facts_.movers) * static_cast<double>(facts_.unit);
    return std::max(kOfCost * static_cast<double>(best_cost_) / weights, kColdest);
}

void Mapping::plan_first(sdk::Run& run) {
    // The fraction of the remaining time that is planned. The rest is a reserve, in case other processes slow the run.
    constexpr double kShare = 0.94;
    std::uint64_t rounds = rounds_wanted_;
    const auto at_most = [&rounds](std::uint64_t limit) {
        limit = std::max<std::uint64_t>(limit, 1);
        rounds = rounds == 0 ? limit : std::min(rounds, limit);
    };
    if (rounds_wanted_ == 0) {
        if (run.iterations_left() > 0) at_most(run.iterations_left() - 1);
        if (run.evaluations_left() > 0) at_most(run.evaluations_left() / (std::uint64_t{proposals()} * count_));
        if (least_of_all(run.seconds_left()) > 0) {
            const double rate = measured_rate(run, std::clamp(0.02 * run.seconds_left(), 0.003, 0.15));
            const double used = std::chrono::duration<double>(Clock::now() - run_began_).count();
            at_most(static_cast<std::uint64_t>(rate * kShare * std::max(0.0, run.seconds_left() - used)));
        }
        if (rounds == 0) rounds = 4 * kUsualEvaluations;
        rounds = least_of_all(rounds);
    }
    main_rounds_ = rounds;
    const std::uint64_t polish =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(kPolish * static_cast<double>(rounds)));
    course_ = {0, 0, polish, temperature_for(rounds) / 4};
    run.statistic("annealing_rounds", static_cast<double>(rounds));
    run.statistic("proposals_in_round", static_cast<double>(proposals()));
}

/// Plans the next annealing, which starts from the best solution. The second annealing is the main one. Annealings
/// follow until a limit ends the run. The third has a quarter of the rounds of the first two together, but at least 16.
/// Each later annealing has twice the rounds of the annealing before. From the third on, an annealing begins at half of
/// temperature_for(its rounds).
void Mapping::plan_next() {
    Course next{course_.number + 1, round_, 0, 0};
    if (next.number == 1) {
        next.rounds = std::max<std::uint64_t>(1, main_rounds_ - std::min(main_rounds_ - 1, course_.rounds));
        next.hottest = temperature_for(main_rounds_);
    } else {
        next.rounds = next.number == 2 ? std::max<std::uint64_t>(main_rounds_ / 4, 16) : 2 * course_.rounds;
        next.hottest = temperature_for(next.rounds) / 2;
    }
    course_ = next;
    go_on_from_best();
}

void Mapping::go_on_from_best() {
    searches_->reset(std::span<const std::vector<unsigned char>>(&best_, 1));
}

RoundOrder Mapping::order_of(std::uint64_t round, std::uint64_t seed, const Cooling& cooling,
                             std::uint64_t descent) const {
    const std::uint64_t done = round - course_.begin;
    RoundOrder order;
    order.seed = seed;
    order.number = round;
    order.temperature = done >= descent ? 0 : cooling.at(done, descent);
    order.exclusive = static_cast<double>(done) / static_cast<double>(course_.rounds) >= kExclusive;
    return order;
}

/// Returns the number of rounds until the next look at the solutions, which is also the next report. The next look
/// comes no later than the end of the annealing or the limit on evaluations. The number must not depend on time,
/// because the run's digest is computed from the reports.
std::uint64_t Mapping::rounds_to_look(const sdk::Run& run) const {
    const std::uint64_t least = count_ == 1 ? kLeastRounds : kLeastRoundsOfMany;
    const std::uint64_t usual = std::max(least, kLook / proposals()), done = round_ - course_.begin;
    const std::uint64_t most = std::min(usual - done % usual, course_.rounds - done);
    if (run.evaluations_left() == 0) return most;
    const std::uint64_t each = std::uint64_t{proposals()} * count_;
    const std::uint64_t left = run.evaluations_left() - std::min(run.evaluations_left(), evaluations_);
    return std::min(most, std::max<std::uint64_t>(1, (left + each - 1) / each));
}

/// Plays `granted` rounds, then looks at the solutions. Returns the number of rounds played, which is less than
/// `granted` after an early stop.
std::uint64_t Mapping::play(sdk::Run& run, std::uint64_t granted) {
    const Cooling cooling = cooling_of_course();
    const std::uint64_t descent = descent_of_course();
    std::vector<RoundOrder> orders;
    for (std::uint64_t k = 0; k < granted; ++k) orders.push_back(order_of(round_ + k, run.seed(), cooling, descent));
    const std::uint64_t played = searches_->play(orders, run.stop());
    round_ += played;
    searches_->look(iterations_ + played);
    return played;
}

Cooling Mapping::cooling_of_course() const {
    const double coldest = kColdest * heat_ * static_cast<double>(facts_.unit);
    return {course_.hottest, std::min(coldest, course_.hottest)};
}

/// Returns the number of rounds after which the annealing accepts only improvements.
std::uint64_t Mapping::descent_of_course() const {
    return static_cast<std::uint64_t>(kDescent * static_cast<double>(course_.rounds));
}

void Mapping::save(sdk::Writer& writer) const {
    writer.value<std::uint8_t>(best_.empty() || course_.rounds == 0 ? 0 : 1);
    if (best_.empty() || course_.rounds == 0) return;
    for (const std::uint64_t value : {round_, course_.number, course_.begin, course_.rounds, main_rounds_, iterations_,
                                      best_iteration_, best_search_})
        writer.value(value);
    writer.value(course_.hottest);
    writer.value(best_cost_);
    const std::vector<unsigned char> best = is_behind_ ? best_of_all() : best_;
    writer.bytes(best.data(), best.size());
    const std::uint64_t bytes = best.size();
    std::vector<unsigned char> all(count_ * bytes);
    for (std::uint32_t k = 0; k < range_.count; ++k) searches_->solution(k, all.data() + (range_.first + k) * bytes);
    processes_->gather(all, range_.first * bytes, range_.count * bytes);
    writer.value<std::uint64_t>(count_);
    writer.bytes(all.data(), all.size());
}

void Mapping::load(sdk::Reader& reader) {
    if (reader.value<std::uint8_t>() == 0) return;
    for (std::uint64_t* const value : {&round_, &course_.number, &course_.begin, &course_.rounds, &main_rounds_,
                                       &iterations_, &best_iteration_, &best_search_})
        *value = reader.value<std::uint64_t>();
    course_.hottest = reader.value<double>();
    best_cost_ = reader.value<std::int64_t>();
    if (course_.rounds == 0 || main_rounds_ == 0 || round_ < course_.begin || round_ > course_.begin + course_.rounds ||
        !(course_.hottest > 0))
        throw Error(ErrorKind::kInput, "the saved state is damaged: its annealing has impossible numbers");
    best_.resize(problem_.solution_bytes());
    reader.bytes(best_.data(), best_.size());
    const auto count = reader.value<std::uint64_t>();
    if (count != count_)
        throw Error(ErrorKind::kInput, "the saved state has " + std::to_string(count) + " searches where " +
                                           std::to_string(count_) + " were expected");
    for (std::uint64_t k = 0; k < count; ++k) {
        loaded_.emplace_back(problem_.solution_bytes());
        reader.bytes(loaded_.back().data(), loaded_.back().size());
    }
}

}  // namespace qapfw::mapping
