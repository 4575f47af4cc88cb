// SPDX-License-Identifier: Apache-2.0
#include "framework/library/run_of_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <mutex>
#include <optional>
#include <utility>

#include "framework/engine/engine.hpp"
#include "framework/engine/run_observer.hpp"
#include "framework/problem/assignment.hpp"
#include "framework/problem/problem_recognition.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Time limit of a run if no limit of any kind is given.
constexpr const char* kUsualTime = "60s";
constexpr const char* kLimits[] = {"run.time_limit", "run.iterations", "run.evaluations", "run.target",
                                   "run.stagnation"};
/// Least time in seconds between two calls of the progress function while the best cost does not improve.
constexpr double kProgressPause = 0.01;

bool has_key(const Options& options, std::string_view key) {
    return std::ranges::any_of(options, [&](const auto& option) { return option.first == key; });
}

std::vector<std::int64_t> assignment_of(const LibraryModel& model, const SolutionValues& values) {
    const std::vector<std::uint32_t>& permutation = values.at(0);
    const std::size_t shown = std::min<std::size_t>(permutation.size(), model.facilities());
    return {permutation.begin(), permutation.begin() + static_cast<std::ptrdiff_t>(shown)};
}

/// Reports progress to the caller, and ends the run if the caller wants that.
class AnswerListener final : public RunObserver {
  public:
    AnswerListener(const LibraryModel& model, const SearchOptions& options, const CostSpace& costs)
        : model_(model), options_(options), costs_(costs) {}

    bool wants_end() const noexcept override {
        return ended_.load(std::memory_order_relaxed) || model_.session().is_closing() ||
               (options_.cancel != nullptr && options_.cancel->set.load(std::memory_order_relaxed));
    }
    void round_ended(const RunState& state, const CostedSolution* improved) override {
        if (improved != nullptr && state.best) {
            trace_.push_back({state.seconds, costs_.shown(*state.best), state.evaluations});
        }
        if (options_.progress) tell(state, improved);
    }
    void offered(const RunState& state, const CostedSolution& solution) override {
        if (options_.progress) tell(state, &solution);
    }
    /// Hands over the improvements, in the order in which they were found.
    std::vector<qapfw_trace_point> take_trace() { return std::move(trace_); }

  private:
    /// Calls the progress function of the library's user, one thread at a time. A solution that was offered within a
    /// round is not reported again at the end of the round.
    void tell(const RunState& state, const CostedSolution* solution) {
        const std::lock_guard lock(telling_);
        if (ended_) return;
        const bool improved = solution != nullptr && (!told_ || costs_.less(solution->cost, *told_));
        if (!improved && state.seconds - last_ < kProgressPause) return;
        if (improved) told_ = solution->cost;
        last_ = state.seconds;
        std::vector<std::int64_t> assignment;
        if (improved) assignment = assignment_of(model_, solution->values);
        qapfw_progress progress{};
        progress.struct_size = sizeof progress;
        progress.improved = improved ? 1 : 0;
        progress.cost = told_ ? costs_.shown(*told_) : std::numeric_limits<double>::quiet_NaN();
        progress.seconds = state.seconds;
        progress.evaluations = state.evaluations;
        progress.assignment = improved ? assignment.data() : nullptr;
        progress.size = assignment.size();
        if (!options_.progress(progress)) ended_ = true;
    }

    const LibraryModel& model_;
    const SearchOptions& options_;
    const CostSpace& costs_;
    std::mutex telling_;  // guards told_ and last_
    std::optional<qapfw_cost> told_;
    std::vector<qapfw_trace_point> trace_;
    double last_ = -1;
    std::atomic<bool> ended_{false};
};

/// Adds options for a model without a configuration. Sets run.time_limit if no limit is set. Sets run.stop_at_optimum
/// if neither this key nor run.iterations is set. Sets output.record = false if no output key is set.
void complete_for_arrays(Options& options) {
    if (std::ranges::none_of(kLimits, [&](const char* key) { return has_key(options, key); })) {
        options.emplace_back("run.time_limit", kUsualTime);
    }
    if (!has_key(options, "run.iterations") && !has_key(options, "run.stop_at_optimum")) {
        options.emplace_back("run.stop_at_optimum", "true");
    }
    const bool wants_record =
        std::ranges::any_of(options, [](const auto& option) { return option.first.starts_with("output."); });
    if (!wants_record) options.emplace_back("output.record", "false");
}

Options completed(const LibraryModel& model, const SearchOptions& search) {
    Options options = search.options;
    const auto set_unless_given = [&](const char* key, const std::string& value) {
        if (!has_key(options, key)) options.emplace_back(key, value);
    };
    if (!model.is_configuration()) complete_for_arrays(options);
    if (search.alone) {
        set_unless_given("run.threads", "1");
        set_unless_given("device.backend", "cpu");
    } else if (model.session().threads() != 0) {
        set_unless_given("run.threads", std::to_string(model.session().threads()));
    }
    return options;
}

/// Checks a start assignment; `what` names it in messages.
void check_initial(const LibraryModel& model, const std::vector<std::int64_t>& initial, const std::string& what) {
    const std::uint64_t m = model.locations();
    std::vector<bool> taken(m, false);
    for (std::size_t i = 0; i < initial.size(); ++i) {
        if (initial[i] == -1) continue;
        const auto location = static_cast<std::uint64_t>(initial[i]);
        if (initial[i] < 0 || location >= m) {
            throw Error(
                ErrorKind::kInput,
                fmt::format(
                    "{}[{}] is {}; a location from 0 to {} was wanted, or -1 for a facility without a start location",
                    what, i, initial[i], m - 1));
        }
        if (taken[location]) {
            throw Error(ErrorKind::kInput,
                        fmt::format("{}[{}] is {}, the location of an earlier facility; each facility needs its own",
                                    what, i, location));
        }
        taken[location] = true;
    }
}

/// Returns the locations of the facilities as text, counted from 1, then all other locations. The other locations hold
/// the model's dummy facilities.
std::string permutation_text(const LibraryModel& model, const std::vector<std::int64_t>& initial) {
    std::vector<bool> taken(model.locations(), false);
    std::string text;
    for (const std::int64_t location : initial) {
        taken[static_cast<std::size_t>(location)] = true;
        text += fmt::format("{} ", location + 1);
    }
    for (std::uint64_t k = 0; k < model.locations(); ++k) {
        if (!taken[k]) text += fmt::format("{} ", k + 1);
    }
    return text;
}

/// The texts of warm starts. Each text is a permutation. If a facility has no start location (-1), the text has lines
/// "facility,location" instead.
std::vector<std::string> initial_texts(const LibraryModel& model,
                                       const std::vector<std::vector<std::int64_t>>& initial) {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < initial.size(); ++k) {
        check_initial(model, initial[k], initial.size() == 1 ? "initial" : fmt::format("initial[{}]", k));
        if (std::ranges::find(initial[k], -1) == initial[k].end()) {
            texts.push_back(fmt::format("{} 0\n{}\n", model.locations(), permutation_text(model, initial[k])));
            continue;
        }
        std::vector<AssignedPair> pairs;
        for (std::uint32_t i = 0; i < initial[k].size(); ++i) {
            if (initial[k][i] == -1) continue;
            const auto location = static_cast<std::uint32_t>(initial[k][i]);
            std::string facility = model.arrays().text("facility_names", i);
            if (facility.empty()) facility = model.arrays().text("vertex_names", i);
            pairs.push_back({i, location, std::move(facility), model.arrays().text("location_names", location)});
        }
        texts.push_back(assignment_csv(pairs));
    }
    return texts;
}

}  // namespace

Config configuration_of(const LibraryModel& model, const Options& options) {
    Overrides overrides;
    overrides.set = model.options();
    overrides.set.insert(overrides.set.end(), options.begin(), options.end());
    for (const auto& [key, value] : overrides.set) overrides.spelled.emplace(key, key);
    ConfigDocument document = ConfigDocument::parse(model.text(), overrides);
    document.check_settings();
    if (const std::optional<std::string> instance = document.instance_without_plugin()) {
        const RecognisedInstance found = recognise_instance(*instance, *model.session().registry(), model.data_paths());
        document.complete_problem(found.problem, found.parameters, *instance);
    }
    return document.check(*model.session().registry());
}

Answer search(const LibraryModel& model, const SearchOptions& options) {
    const LibrarySession::Visit visit(model.session());
    const auto start = std::chrono::steady_clock::now();
    EngineOptions engine_options;
    engine_options.data_paths = model.data_paths();
    if (!model.record().empty()) {
        engine_options.resume = RecordFolder::open(model.record());
        engine_options.limits_changed = !options.options.empty();
    }
    engine_options.arrays = &model.arrays();
    engine_options.joins_threads = true;
    engine_options.program_start = start;
    engine_options.initial = initial_texts(model, options.initial);
    CostSpace costs;
    AnswerListener listener(model, options, costs);
    engine_options.observer = &listener;
    engine_options.on_problem = [&costs](const Problem& problem) { costs = problem.costs(); };
    Engine engine(configuration_of(model, completed(model, options)), std::move(engine_options));
    EngineOutcome outcome = engine.run();
    close_log_file();
    if (outcome.summary.runs.empty() || !best_of(outcome.summary).best) {
        if (outcome.failure) std::rethrow_exception(outcome.failure);
        if (listener.wants_end())
            throw Cancelled(ErrorKind::kInternal, "the search was cancelled before it had a solution");
        throw Error(ErrorKind::kInternal, "the search ended without a solution");
    }
    Answer answer;
    answer.summary = std::move(outcome.summary);
    const RunResult& result = answer.result();
    answer.registry = engine.config().registry;
    answer.problem = engine.config().problem;
    for (const CostedSolution& solution : result.solutions) {
        answer.assignments.push_back(assignment_of(model, solution.values));
        answer.costs.push_back(result.costs.shown(solution.cost));
    }
    answer.trace = listener.take_trace();
    const double cost = result.costs.shown(result.best->cost);
    if (answer.trace.empty() || answer.trace.back().cost != cost) {
        answer.trace.push_back({result.seconds, cost, result.counters.evaluations});
    }
    answer.failure = outcome.failure ? result.error : outcome.record_failure;
    return answer;
}

std::vector<Artefact> files_of(const LibraryModel& model, const Answer& answer) {
    const LibrarySession::Visit visit(model.session());
    Choice choice = answer.problem;
    Host host(1, model.data_paths());
    host.set_arrays(&model.arrays());
    const Problem problem(host, choice);
    return problem.artefacts(solution_of(problem.info().encoding, answer.result().best->values).data());
}

}  // namespace qapfw::framework
