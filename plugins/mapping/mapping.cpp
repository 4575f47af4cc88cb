// SPDX-License-Identifier: Apache-2.0
#include "plugins/mapping/mapping.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <string_view>

#include "qapfw/abi/device_encodings.h"
#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::mapping {
namespace {

/// Proposals between two reports, some hundredths of a second; of large instances 16 rounds, as a report takes as long
/// as several.
constexpr std::uint64_t kReport = std::uint64_t{1} << 20;
/// Evaluations for each position where no limit says how long the first annealing may take.
constexpr std::uint64_t kUsualEvaluations = 2000;
/// Share of the rounds for an annealing before the main one that is hardly hot: it keeps what is good about the start.
constexpr double kPolish = 0.08;
/// The lowest temperature, in units of a typical weight.
constexpr double kColdest = 0.4;
/// Share of an annealing after which exchanges with a common neighbour exclude each other.
constexpr double kExclusive = 0.8;
/// Share of an annealing after which only improvements are accepted.
constexpr double kDescent = 0.97;
/// Seconds that a construction usually takes for each term of the cost, but for the quickest one.
constexpr double kSecondsForTerm = 3e-6;

}  // namespace

Mapping::Mapping(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      rounds_wanted_(static_cast<std::uint64_t>(context.parameters.integer("rounds"))),
      constructions_(static_cast<std::uint64_t>(context.parameters.integer("constructions"))),
      seeds_(static_cast<std::uint64_t>(context.parameters.integer("starts"))),
      heat_(context.parameters.real("heat")),
      team_(host_) {
    if (!problem_.has_integer_costs())
        throw Error(ErrorKind::kUsage,
                    "solver mapping needs costs that are whole numbers; choose another one, such as memetic");
    facts_ = sdk::SampledWalk::facts(problem_);
    host_.info(
        sdk::SampledWalk::has(problem_)
            ? "sparse: exchanges are drawn near neighbours, one by one; no table of all pairs is kept"
            : "the problem proposes no exchanges itself: they are drawn at random, and each one takes an evaluation");
}

const void* Mapping::get_capability(const char* id) {
    static constexpr qapfw_solver_samples kSamples = {sizeof(qapfw_solver_samples)};
    static constexpr qapfw_device_encodings kEncodings = {sizeof(qapfw_device_encodings), nullptr};
    if (id == nullptr) return nullptr;
    if (std::string_view(id) == QAPFW_COMPONENT_DEVICE_ENCODINGS) return &kEncodings;
    return std::string_view(id) == QAPFW_SOLVER_SAMPLES ? &kSamples : nullptr;
}

void Mapping::run(sdk::Run& run) {
    run_began_ = Clock::now();
    walk_.emplace(problem_);
    rounds_ = std::make_unique<Rounds>(*walk_, problem_.length(), facts_.movers);
    // Other problems propose nothing themselves: their generic exchanges are drawn on the CPU.
    if (!run.devices().empty() && sdk::SampledWalk::has(problem_))
        gpu_ = std::make_unique<DeviceRounds>(*run.devices().front(), problem_.length(), facts_.movers);
    if (best_.empty() && !begin(run)) return;
    go_on_from(current_);
    while (true) {
        if (round_ == course_.begin + course_.rounds) plan_next();
        const std::uint64_t granted = run.begin_round(rounds_to_report(run));
        if (granted == 0) return;
        const std::uint64_t played = play(run, granted);
        report(run, granted, played, played * rounds_->proposals());
        if (played < granted) return;
    }
}

/// The first round: a solution at once, then better ones. Returns whether the run goes on.
bool Mapping::begin(sdk::Run& run) {
    if (run.begin_round(1) == 0) return false;
    const std::vector<unsigned char> warm = sdk::warm_starts(run, problem_, 1);
    if (!warm.empty()) take_start(run, warm);
    construct_all(run);
    const bool complete = !run.should_stop();
    current_ = best_;
    cost_ = best_cost_;
    if (complete) plan_first(run);
    report(run, 1, complete ? 1 : 0, 1);
    return complete;
}

void Mapping::take_start(sdk::Run& run, const std::vector<unsigned char>& solution) {
    std::vector<unsigned char> copy = solution;
    const qapfw_cost cost = problem_.evaluate_one(copy.data());
    if (!best_.empty() && cost.i >= best_cost_) return;
    best_ = std::move(copy);
    best_cost_ = cost.i;
    if (run.takes_offers()) run.offer(best_.data(), cost);
}

/// So many that more than half of a time limit is left, by what they usually take; one at least. It does not depend on
/// the machine's present speed.
std::uint64_t Mapping::ways_to_try(const sdk::Run& run) const {
    constexpr double kShare = 0.45;
    const std::uint64_t all = facts_.starts - 1;
    if (constructions_ > 0) return std::min(all, constructions_);
    if (run.seconds_left() == 0 || all == 0) return all;
    const double each = kSecondsForTerm * static_cast<double>(std::max<std::uint64_t>(1, facts_.terms));
    const double fit = kShare * run.seconds_left() / each;
    return fit >= static_cast<double>(all) ? all : std::max<std::uint64_t>(1, static_cast<std::uint64_t>(fit));
}

std::uint64_t Mapping::seeds_to_try() const {
    constexpr std::uint64_t kSeeds = 4, kMostTerms = 5000;
    if (seeds_ > 0) return seeds_;
    return facts_.hotness > 1 && facts_.terms <= kMostTerms ? kSeeds : 1;
}

/// The quickest construction first, so that there is an answer; the others side by side, in an order that does not
/// matter. With a solution of the user's own nothing is constructed: it is refined.
void Mapping::construct_all(sdk::Run& run) {
    if (!best_.empty()) return;
    std::vector<unsigned char> solution(problem_.solution_bytes());
    sdk::SampledWalk::construct(problem_, 0, run.seed(), {}, solution.data());
    take_start(run, solution);
    const std::uint64_t ways = ways_to_try(run), seeds = seeds_to_try(), count = ways * seeds;
    run.statistic("constructions", static_cast<double>(ways));
    run.statistic("starts", static_cast<double>(seeds));
    if (count == 0) return;
    std::vector<std::vector<unsigned char>> made(count);
    std::mutex mutex;
    std::int64_t least = best_cost_;
    host_.parallel_for(count, [&](std::uint64_t k, std::uint32_t) {
        if (run.should_stop()) return;
        std::vector<unsigned char> own(problem_.solution_bytes());
        try {
            sdk::SampledWalk::construct(problem_, static_cast<std::uint32_t>(1 + k % ways),
                                        run.seed() + 1000 * (k / ways), run.stop(), own.data());
        } catch (const sdk::Stopped&) {
            return;
        }
        const qapfw_cost cost = problem_.evaluate_one(own.data());
        const std::lock_guard lock(mutex);
        if (run.takes_offers() && cost.i < least) run.offer(own.data(), cost);
        least = std::min(least, cost.i);
        made[k] = std::move(own);
    });
    for (const std::vector<unsigned char>& start : made) {
        if (!start.empty()) take_start(run, start);
    }
}

/// Rounds a second, all threads together, in a try that leaves no trace.
double Mapping::measured_rate(sdk::Run& run, double seconds) {
    if (gpu_ != nullptr) return measured_gpu_rate(run, seconds);
    walk_->reset(current_.data());
    const std::uint64_t most = std::max<std::uint64_t>(1, 20'000 / rounds_->proposals());
    double rate = 0;
    team_.gather([&] {
        RoundOrder order{run.seed(), 0, kColdest * 3 * heat_ * static_cast<double>(facts_.unit), false};
        std::uint64_t played = 0, step = 1;
        double elapsed = 0;
        Clock::time_point start = Clock::now();
        while (elapsed < seconds && !run.should_stop()) {
            for (std::uint64_t k = 0; k < step; ++k, ++order.number) rounds_->play(order, team_);
            played += step;
            elapsed = std::chrono::duration<double>(Clock::now() - start).count();
            if (step == most || elapsed > seconds / 8) continue;
            step = std::min(2 * step, most);  // what is slow at first does not count
            start = Clock::now();
            played = 0;
        }
        rate = static_cast<double>(played) / std::max(elapsed, 1e-6);
    });
    rounds_ = std::make_unique<Rounds>(*walk_, problem_.length(), facts_.movers);
    return rate;
}

double Mapping::measured_gpu_rate(sdk::Run& run, double seconds) {
    go_on_from(current_);
    const RoundOrder order{run.seed(), 0, kColdest * 3 * heat_ * static_cast<double>(facts_.unit), false};
    const std::vector<RoundOrder> orders(64, order);
    gpu_->play(orders);  // what is slow at first does not count
    std::uint64_t played = 0;
    double elapsed = 0;
    const Clock::time_point start = Clock::now();
    while (elapsed < seconds && !run.should_stop()) {
        gpu_->play(orders);
        played += orders.size();
        elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    }
    gpu_ = std::make_unique<DeviceRounds>(*run.devices().front(), problem_.length(), facts_.movers);
    return static_cast<double>(played) / std::max(elapsed, 1e-6);
}

double Mapping::temperature_for(std::uint64_t rounds) const {
    const double each = static_cast<double>(rounds) / 4;
    return first_temperature(each) * heat_ * facts_.hotness * static_cast<double>(facts_.unit);
}

void Mapping::plan_first(sdk::Run& run) {
    constexpr double kShare = 0.94;  // of the time that is left: the rest is for what a busy machine takes longer
    std::uint64_t rounds = rounds_wanted_;
    const auto at_most = [&rounds](std::uint64_t limit) {
        limit = std::max<std::uint64_t>(limit, 1);
        rounds = rounds == 0 ? limit : std::min(rounds, limit);
    };
    if (rounds_wanted_ == 0) {
        if (run.iterations_left() > 0) at_most(run.iterations_left() - 1);
        if (run.evaluations_left() > 0) at_most(run.evaluations_left() / rounds_->proposals());
        if (run.seconds_left() > 0) {
            const double rate = measured_rate(run, std::clamp(0.02 * run.seconds_left(), 0.003, 0.15));
            const double used = std::chrono::duration<double>(Clock::now() - run_began_).count();
            at_most(static_cast<std::uint64_t>(rate * kShare * std::max(0.0, run.seconds_left() - used)));
        }
        if (rounds == 0) rounds = 4 * kUsualEvaluations;
    }
    main_rounds_ = rounds;
    const std::uint64_t polish =
        std::max<std::uint64_t>(1, static_cast<std::uint64_t>(kPolish * static_cast<double>(rounds)));
    course_ = {0, 0, polish, temperature_for(rounds) / 4};
    run.statistic("annealing_rounds", static_cast<double>(rounds));
    run.statistic("proposals_in_round", static_cast<double>(rounds_->proposals()));
}

/// The second annealing is the main one and starts from the best solution. Later ones are for what is left of a limit:
/// less hot, the first of them a quarter as long as the main one, each later one twice as long as the one before.
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
    current_ = best_;
    cost_ = best_cost_;
    go_on_from(current_);
}

/// The walk, and the GPU where there is one.
void Mapping::go_on_from(const std::vector<unsigned char>& solution) {
    walk_->reset(solution.data());
    if (gpu_ == nullptr) return;
    std::vector<std::uint32_t> location_of(problem_.length());
    for (std::uint32_t u = 0; u < problem_.length(); ++u)
        location_of[u] = sdk::element_at(problem_.encoding().segments[0], solution.data(), u);
    gpu_->reset(location_of);
}

RoundOrder Mapping::order_of(std::uint64_t round, std::uint64_t seed) const {
    const double share = static_cast<double>(round - course_.begin) / static_cast<double>(course_.rounds);
    RoundOrder order;
    order.seed = seed;
    order.number = round;
    order.exclusive = share >= kExclusive;
    return order;
}

/// A fixed number, or what is left of the annealing or of the limit on evaluations.
std::uint64_t Mapping::rounds_to_report(const sdk::Run& run) const {
    const std::uint64_t usual = std::max<std::uint64_t>(16, kReport / rounds_->proposals());
    const std::uint64_t most = std::min(usual, course_.begin + course_.rounds - round_);
    if (run.evaluations_left() == 0) return most;
    const std::uint64_t each = rounds_->proposals();
    const std::uint64_t left = run.evaluations_left() - std::min(run.evaluations_left(), evaluations_);
    return std::min(most, std::max<std::uint64_t>(1, (left + each - 1) / each));
}

RoundOrder Mapping::next_order(std::uint64_t seed, const Cooling& cooling, std::uint64_t descent) const {
    RoundOrder order = order_of(round_, seed);
    const std::uint64_t done = round_ - course_.begin;
    order.temperature = done >= descent ? 0 : cooling.at(done, descent);
    return order;
}

/// Returns how many rounds were played before the run was to stop.
std::uint64_t Mapping::play(sdk::Run& run, std::uint64_t granted) {
    if (gpu_ != nullptr) return play_on_gpu(run, granted);
    std::uint64_t played = 0;
    const Cooling cooling = cooling_of_course();
    const std::uint64_t descent = descent_of_course();
    team_.gather([&] {
        while (played < granted && !run.should_stop()) {
            rounds_->play(next_order(run.seed(), cooling, descent), team_);
            ++round_;
            ++played;
        }
    });
    walk_->solution(current_.data());
    cost_ = walk_->cost();
    return played;
}

/// The same rounds, some at a time: a GPU that is told to stop finishes those that it was given.
std::uint64_t Mapping::play_on_gpu(sdk::Run& run, std::uint64_t granted) {
    constexpr std::uint64_t kAtATime = 64;
    std::uint64_t played = 0;
    const Cooling cooling = cooling_of_course();
    const std::uint64_t descent = descent_of_course();
    std::vector<RoundOrder> orders;
    while (played < granted && !run.should_stop()) {
        orders.clear();
        while (orders.size() < kAtATime && played < granted) {
            orders.push_back(next_order(run.seed(), cooling, descent));
            ++round_;
            ++played;
        }
        gpu_->play(orders);
    }
    const std::vector<std::uint32_t> location_of = gpu_->solution();
    for (std::uint32_t u = 0; u < problem_.length(); ++u)
        sdk::set_element(problem_.encoding().segments[0], current_.data(), u, location_of[u]);
    walk_->reset(current_.data());
    cost_ = walk_->cost();
    return played;
}

Cooling Mapping::cooling_of_course() const {
    const double coldest = kColdest * heat_ * static_cast<double>(facts_.unit);
    return {course_.hottest, std::min(coldest, course_.hottest)};
}

/// Rounds of the annealing after which only improvements are accepted.
std::uint64_t Mapping::descent_of_course() const {
    return static_cast<std::uint64_t>(kDescent * static_cast<double>(course_.rounds));
}

void Mapping::report(sdk::Run& run, std::uint64_t wanted, std::uint64_t iterations, std::uint64_t evaluations) {
    iterations_ += iterations;
    evaluations_ += evaluations;
    if (cost_ < best_cost_) {
        best_cost_ = cost_;
        best_ = current_;
        best_iteration_ = iterations_;
    }
    qapfw_round round{};
    round.struct_size = sizeof round;
    round.complete = iterations == wanted ? 1 : 0;
    round.iterations = iterations;
    round.evaluations = evaluations;
    round.digest = digest();
    round.best_solution = best_.data();
    round.best_cost.i = best_cost_;
    round.best_iteration = best_iteration_;
    run.end_round(round);
}

std::uint64_t Mapping::digest() const {
    std::uint64_t of_solution = 0;
    for (std::uint32_t k = 0; k < problem_.length(); ++k)
        of_solution += kernels::digest_element(k, sdk::element_at(problem_.encoding().segments[0], current_.data(), k));
    return kernels::digest_in_round(0, kernels::digest_search(of_solution, cost_, best_cost_, iterations_));
}

void Mapping::save(sdk::Writer& writer) const {
    writer.value<std::uint8_t>(best_.empty() ? 0 : 1);
    if (best_.empty()) return;
    for (const std::uint64_t value :
         {round_, course_.number, course_.begin, course_.rounds, main_rounds_, iterations_, best_iteration_})
        writer.value(value);
    writer.value(course_.hottest);
    writer.value(cost_);
    writer.value(best_cost_);
    writer.bytes(current_.data(), current_.size());
    writer.bytes(best_.data(), best_.size());
}

void Mapping::load(sdk::Reader& reader) {
    if (reader.value<std::uint8_t>() == 0) return;
    for (std::uint64_t* const value :
         {&round_, &course_.number, &course_.begin, &course_.rounds, &main_rounds_, &iterations_, &best_iteration_})
        *value = reader.value<std::uint64_t>();
    course_.hottest = reader.value<double>();
    cost_ = reader.value<std::int64_t>();
    best_cost_ = reader.value<std::int64_t>();
    if (course_.rounds == 0 || main_rounds_ == 0 || round_ < course_.begin || round_ > course_.begin + course_.rounds ||
        !(course_.hottest > 0))
        throw Error(ErrorKind::kInput, "the saved state has an annealing that cannot be");
    for (std::vector<unsigned char>* const solution : {&current_, &best_}) {
        solution->resize(problem_.solution_bytes());
        reader.bytes(solution->data(), solution->size());
    }
}

}  // namespace qapfw::mapping
