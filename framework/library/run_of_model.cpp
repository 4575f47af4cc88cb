// SPDX-License-Identifier: Apache-2.0
#include "framework/library/run_of_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "framework/engine/engine.hpp"
#include "framework/engine/run_observer.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Where no limit is given.
constexpr const char* kUsualTime = "60s";
constexpr const char* kLimits[] = {"run.time_limit", "run.iterations", "run.evaluations", "run.target",
                                   "run.stagnation"};
/// Least time between two calls of the caller's function where nothing has improved.
constexpr double kProgressPause = 0.01;  // seconds

bool has_key(const Options& options, std::string_view key) {
    return std::ranges::any_of(options, [&](const auto& option) { return option.first == key; });
}

std::vector<std::int64_t> assignment_of(const LibraryModel& model, const SolutionValues& values) {
    const std::vector<std::uint32_t>& permutation = values.at(0);
    const std::size_t shown = std::min<std::size_t>(permutation.size(), model.facilities());
    return {permutation.begin(), permutation.begin() + static_cast<std::ptrdiff_t>(shown)};
}

/// Ends the run where the caller wants that, and tells the caller how it stands.
class AnswerListener final : public RunObserver {
  public:
    AnswerListener(const LibraryModel& model, const SearchOptions& options, const CostSpace& costs)
        : model_(model), options_(options), costs_(costs) {}

    bool wants_end() const noexcept override {
        return ended_.load(std::memory_order_relaxed) || model_.session().is_closing() ||
               (options_.cancel != nullptr && options_.cancel->set.load(std::memory_order_relaxed));
    }
    void round_ended(const RunState& state, const CostedSolution* improved) override {
        if (!options_.progress || ended_) return;
        if (improved == nullptr && state.seconds - last_ < kProgressPause) return;
        last_ = state.seconds;
        std::vector<std::int64_t> assignment;
        if (improved != nullptr) assignment = assignment_of(model_, improved->values);
        qapfw_progress progress{};
        progress.struct_size = sizeof progress;
        progress.improved = improved != nullptr ? 1 : 0;
        progress.cost = state.best ? costs_.shown(*state.best) : std::numeric_limits<double>::quiet_NaN();
        progress.seconds = state.seconds;
        progress.evaluations = state.evaluations;
        progress.assignment = improved != nullptr ? assignment.data() : nullptr;
        progress.size = assignment.size();
        if (!options_.progress(progress)) ended_ = true;
    }

  private:
    const LibraryModel& model_;
    const SearchOptions& options_;
    const CostSpace& costs_;
    double last_ = -1;
    std::atomic<bool> ended_{false};
};

Options completed(const LibraryModel& model, const SearchOptions& search) {
    Options options = search.options;
    const auto set_unless_given = [&](const char* key, const std::string& value) {
        if (!has_key(options, key)) options.emplace_back(key, value);
    };
    if (std::ranges::none_of(kLimits, [&](const char* key) { return has_key(options, key); })) {
        options.emplace_back("run.time_limit", kUsualTime);
    }
    if (!has_key(options, "run.iterations")) set_unless_given("run.stop_at_optimum", "true");
    const bool wants_record =
        std::ranges::any_of(options, [](const auto& option) { return option.first.starts_with("output."); });
    if (!wants_record) options.emplace_back("output.record", "false");
    if (search.alone) {
        set_unless_given("run.threads", "1");
        set_unless_given("device.backend", "cpu");
    } else if (model.session().threads() != 0) {
        set_unless_given("run.threads", std::to_string(model.session().threads()));
    }
    return options;
}

/// The text of a warm start: locations of the facilities, counted from 1; the model's dummies follow in any order.
std::string initial_text(const LibraryModel& model, const std::vector<std::int64_t>& initial) {
    const std::uint64_t n = model.facilities(), m = model.locations();
    if (initial.size() != n) {
        throw Error(
            ErrorKind::kInput,
            fmt::format("initial has {} entries; one for each of the {} facilities was wanted", initial.size(), n));
    }
    std::vector<bool> taken(m, false);
    std::string text;
    for (std::uint64_t i = 0; i < n; ++i) {
        const auto location = static_cast<std::uint64_t>(initial[i]);
        if (initial[i] < 0 || location >= m) {
            throw Error(ErrorKind::kInput,
                        fmt::format("initial[{}] is {}; a location from 0 to {} was wanted", i, initial[i], m - 1));
        }
        if (taken[location]) {
            throw Error(ErrorKind::kInput,
                        fmt::format("initial[{}] is {}, which an earlier facility has", i, location));
        }
        taken[location] = true;
        text += fmt::format("{} ", location + 1);
    }
    for (std::uint64_t k = 0; k < m; ++k) {
        if (!taken[k]) text += fmt::format("{} ", k + 1);
    }
    return fmt::format("{} 0\n{}\n", m, text);
}

}  // namespace

Config configuration_of(const LibraryModel& model, const Options& options) {
    Overrides overrides;
    overrides.set = model.options();
    overrides.set.insert(overrides.set.end(), options.begin(), options.end());
    for (const auto& [key, value] : overrides.set) overrides.spelled.emplace(key, key);
    ConfigDocument document = ConfigDocument::parse({{}, "options", {}}, overrides);
    document.check_settings();
    return document.check(*model.session().registry());
}

Answer search(const LibraryModel& model, const SearchOptions& options) {
    const LibrarySession::Visit visit(model.session());
    const auto start = std::chrono::steady_clock::now();
    EngineOptions engine_options;
    engine_options.data_paths = model.session().data_paths();
    engine_options.arrays = &model.arrays();
    engine_options.joins_threads = true;
    engine_options.program_start = start;
    if (!options.initial.empty()) engine_options.initial = initial_text(model, options.initial);
    CostSpace costs;
    AnswerListener listener(model, options, costs);
    engine_options.observer = &listener;
    engine_options.on_problem = [&costs](const Problem& problem) { costs = problem.costs(); };
    Engine engine(configuration_of(model, completed(model, options)), std::move(engine_options));
    EngineOutcome outcome = engine.run();
    close_log_file();
    if (outcome.summary.runs.empty() || !best_of(outcome.summary).best) {
        if (outcome.failure) std::rethrow_exception(outcome.failure);
        throw Error(ErrorKind::kInternal, "the search ended without a solution");
    }
    Answer answer;
    answer.json = to_json(outcome.summary);
    answer.result = best_of(outcome.summary);
    for (const CostedSolution& solution : answer.result.solutions) {
        answer.assignments.push_back(assignment_of(model, solution.values));
        answer.costs.push_back(answer.result.costs.shown(solution.cost));
    }
    return answer;
}

}  // namespace qapfw::framework
