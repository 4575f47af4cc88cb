// SPDX-License-Identifier: Apache-2.0
#include "framework/engine/run/seed_run.hpp"

#include <fmt/core.h>

#include <utility>

#include "framework/answers/evaluated.hpp"
#include "framework/answers/feasibility.hpp"
#include "framework/engine/run_folders.hpp"
#include "framework/engine/shared_session.hpp"
#include "framework/host/log.hpp"
#include "framework/record/trace.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::framework {
namespace {

/// Returns the first defect that the problem finds in the solutions; empty if it finds none.
std::string defect_of(const Problem& problem, const std::vector<CostedSolution>& solutions) {
    for (const CostedSolution& solution : solutions) {
        const Evaluated evaluated = evaluate(problem, solution);
        if (!evaluated.defect.empty()) return evaluated.defect;
    }
    return {};
}

/// Reads the sound parts of result.json; returns what is wrong with it, or an empty text.
std::string read_result(const Folder& folder, const std::string& where, const Problem& problem,
                        EarlierSession& earlier) {
    const std::string json = folder.read("result.json");
    RunResult result = parse_unchecked_result(json, where, [&](const std::string& name) { return folder.read(name); });
    const bool same_data = result.identity.fingerprint == problem.info().fingerprint;
    std::string defect = checksum_defect(json);
    if (same_data && defect.empty()) defect = defect_of(problem, result.solutions);
    if (same_data && result.best) {
        const Evaluated best = evaluate(problem, *result.best);
        if (best.cost) earlier.best = CostedSolution{*best.cost, result.best->values};
        if (defect.empty()) defect = best.defect;
    }
    if (defect.empty()) earlier.result = std::move(result);
    return defect;
}

/// Warns if a solution file lies in the record of a run whose data differ from the problem's data.
void tell_other_data(const std::filesystem::path& file, const Problem& problem) {
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    std::error_code error;
    if (!std::filesystem::exists(folder / "result.json", error)) return;
    const std::string where = (folder / "result.json").string();
    try {
        const RunIdentity recorded = parse_result(read_file(folder / "result.json"), where).identity;
        const qapfw_problem_info& info = problem.info();
        if (recorded.fingerprint == info.fingerprint) return;
        log_warning(
            "{}: the record is of {} with the data fingerprint {:016x}, but this run is of {} with the data "
            "fingerprint {:016x}; the solution is taken, and its cost is computed again",
            file.string(), recorded.instance, recorded.fingerprint, info.instance, info.fingerprint);
    } catch (const Error&) {
        // The record cannot be read, so its data are unknown: there is nothing to warn of.
    }
}

/// While an object of this class exists, plugins can ask whether to stop, and a run can end although its solver does
/// not return.
class Watched {
  public:
    using OnAbandon = std::function<void(const RunResult&)>;
    Watched(const Session& session, const Rounds& rounds, RunBook& book, const OnAbandon& on_abandon)
        : session_(session), book_(book), on_abandon_(on_abandon), ask_([&rounds] { return rounds.should_end(); }) {
        session_.host.set_stop(&ask_);
        if (session_.options.signals == nullptr) return;
        if (!session_.processes.leads()) {
            answer_signals_with(false);  // this process ends when the leading process ends
            return;
        }
        session_.options.signals->set_abandon([this](int signal) { return abandon(signal); });
        session_.processes.watch().set_rescue([this] { abandon(0); });
    }
    ~Watched() {
        session_.host.set_stop(nullptr);
        if (session_.options.signals == nullptr) return;
        answer_signals_with(false);  // the program ends by itself soon: only the result remains to be shown
        session_.processes.watch().set_rescue({});
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

  private:
    bool abandon(int signal) {
        const std::optional<RunResult> result = book_.abandon(signal);
        if (result && on_abandon_) on_abandon_(*result);
        if (result && !session_.processes.alone() && signal != 0) session_.processes.watch().end_all(128 + signal);
        return result.has_value();
    }
    void answer_signals_with(bool answer) {
        session_.options.signals->set_abandon([answer](int) { return answer; });
    }

    const Session& session_;
    RunBook& book_;
    const OnAbandon& on_abandon_;
    const std::function<bool()> ask_;
};

}  // namespace

std::vector<SolutionBuffer> read_warm_starts(const Session& session) {
    const Problem& problem = session.problem;
    std::vector<SolutionBuffer> all;
    const auto add = [&all](std::vector<SolutionBuffer> more) {
        for (SolutionBuffer& one : more) all.push_back(std::move(one));
    };
    for (const std::string& text : session.options.initial) all.push_back(problem.read_solution(text));
    if (!all.empty()) return all;
    for (std::filesystem::path file : session.config.initial) {
        std::error_code unknown;
        const bool record = std::filesystem::is_directory(file, unknown);
        if (record) file /= "result.json";
        std::string text;
        if (session.processes.leads()) {
            text = read_file(file);
            tell_other_data(file, problem);
        }
        text = session.processes.share(text);
        try {
            add(record ? best_solutions(parse_result(text, "result.json"), problem.info().encoding)
                       : problem.read_solutions(text));
        } catch (const Error& error) {
            throw Error(error.kind(), fmt::format("{}: {}", file.string(), error.what()));
        }
    }
    return all;
}

EarlierSession read_earlier_session(const Folder& folder, const Problem& problem) {
    EarlierSession earlier;
    const std::uint64_t fingerprint = problem.info().fingerprint;
    LoadedCheckpoint loaded = load_checkpoint(folder, [&](const Checkpoint& checkpoint) {
        // Checks the solutions only if the data is the same. Other data is refused later, with a diff.
        const bool same_data = checkpoint.identity.fingerprint == fingerprint;
        return same_data ? defect_of(problem, checkpoint.solutions) : std::string();
    });
    for (const std::string& warning : loaded.warnings) log_warning("{}", warning);
    earlier.checkpoint = std::move(loaded.checkpoint);
    earlier.last_checkpoint_is_good = loaded.warnings.empty();

    const std::string where = (folder.path() / "result.json").string();
    std::string defect;
    try {
        defect = read_result(folder, where, problem, earlier);
        if (!defect.empty()) defect = fmt::format("{}: {}", where, defect);
    } catch (const Error& error) {
        defect = error.what();
    }
    const bool begun = earlier.checkpoint || folder.exists("result.json") || folder.exists("trace.jsonl");
    if (!defect.empty() && begun) {
        log_warning("{}; {}", defect,
                    earlier.checkpoint ? "the run goes on from the checkpoint"
                                       : "there is no checkpoint, so the run starts from the beginning");
    }
    return earlier;
}

bool is_finished(const RunResult& result, const StopConditions& conditions) {
    if (!result.finished) return false;
    const auto ended_by = [&](StopReason reason) { return result.stop_reason == name_of(reason); };
    // These two conditions cannot be checked again, since a result lacks the numbers for such a check.
    if (ended_by(StopReason::kSolver) || ended_by(StopReason::kStagnation)) return true;
    if (ended_by(StopReason::kOptimal)) return true;  // more work cannot find a better solution
    RunState state{result.counters.iterations, result.counters.evaluations, 0, result.seconds, 0, {}, 0};
    if (result.best) state.best = result.best->cost;
    return conditions.check(state) != StopReason::kNone;
}

SeedRun::SeedRun(const Session& session, std::uint64_t seed, std::shared_ptr<RecordFolder> folder)
    : session_(session), seed_(seed), folder_(std::move(folder)), earlier_(read_earlier()) {}

EarlierSession SeedRun::read_earlier() const {
    EarlierSession earlier;
    if (!session_.resuming) return earlier;
    if (folder_) earlier = read_earlier_session(folder_->files, session_.problem);
    return share_earlier_session(session_.processes, std::move(earlier));
}

bool SeedRun::was_finished() const {
    return earlier_.result && is_finished(*earlier_.result, session_.conditions);
}

RunOutcome SeedRun::run(const std::function<void(const RunResult&)>& on_abandon) {
    Itinerary itinerary(session_.config, session_.host, session_.problem, session_.processes, session_.place);
    const Interruption interruption(session_.options.signals, session_.options.observer, session_.processes);
    const auto& info = session_.problem.info();
    const auto best_known = info.has_best_known != 0 ? std::optional(info.best_known) : std::nullopt;
    const bool names_seed = session_.options.verbose || session_.config.run.runs > 1;
    Progress progress(session_.options.progress, session_.conditions, best_known,
                      names_seed ? fmt::format("seed {}", seed_) : std::string(), session_.options.verbose);
    BookParts parts = book_parts(itinerary.leg(), interruption, progress);
    check_same_as_earlier(parts.known, parts.trajectory);
    check_same_on_all(session_.processes, parts.known.identity, parts.trajectory);
    open_record(parts.known);
    parts.takes_snapshots = session_.processes.any_of(record_.enabled()) && itinerary.leg().solver().resumable();
    RunBook book(std::move(parts));
    SearchTask task = prepare(itinerary, book);
    Rounds rounds(session_.conditions, interruption, session_.processes, itinerary.cpu(), book);
    const Watched watched(session_, rounds, book, on_abandon);
    search(itinerary, task, rounds, book);
    RunOutcome outcome = book.conclude(rounds.is_resumable() ? itinerary.solver() : nullptr);
    if (session_.processes.alone()) session_.place.run_ended();
    return outcome;
}

/// Runs the legs one after the other. If only one solution exists, takes it instead.
void SeedRun::search(Itinerary& itinerary, SearchTask& task, Rounds& rounds, RunBook& book) const {
    try {
        book.open();
        const std::jthread rescuer = book.start_rescuer();
        if (has_one_solution(session_.problem.info().encoding)) {
            book.take_only_solution();
        } else {
            for (Leg* leg = &itinerary.leg(); leg != nullptr;)
                leg = itinerary.next(leg->run(task, rounds, itinerary.cpu(), book), book);
        }
        book.search_ended();
    } catch (const std::exception&) {
        book.fail(std::current_exception());
    }
}

void SeedRun::check_same_as_earlier(const RunResult& known, const std::string& trajectory) const {
    if (earlier_.checkpoint) {
        check_same_run(*earlier_.checkpoint, to_compare(known.identity, earlier_.checkpoint->identity), trajectory);
    } else if (earlier_.result) {
        check_same_run(*earlier_.result, to_compare(known.identity, earlier_.result->identity), seed_);
    }
}

BookParts SeedRun::book_parts(const Leg& leg, const Interruption& interruption, Progress& progress) {
    BookParts parts{session_.problem, session_.conditions, interruption, session_.processes, record_, progress};
    parts.observer = session_.options.observer;
    parts.known = known_result();
    parts.alternatives = alternatives_order();
    parts.trajectory = trajectory_of(session_.config, seed_);
    parts.solver = leg.solver().owner();
    parts.checkpoint_interval = session_.config.output.checkpoint_interval;
    parts.program_start = session_.options.program_start;
    return parts;
}

AlternativesOrder SeedRun::alternatives_order() const {
    const RunSettings& run = session_.config.run;
    const qapfw_encoding& encoding = session_.problem.info().encoding;
    if (run.alternatives > 1 && !sdk::is_permutation_16(encoding)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("run.alternatives = {}: alternatives need solutions of the form permutation or "
                                "permutation+bays; the solutions of {} have the form {}",
                                run.alternatives, session_.problem.owner(), encoding_pattern(encoding)));
    }
    return {run.alternatives, run.alternatives_distance, seed_};
}

RunResult SeedRun::known_result() const {
    const Config& config = session_.config;
    const qapfw_problem_info& info = session_.problem.info();
    RunResult known;
    known.problem = config.problem.component->descriptor->id;
    known.algorithm = config.algorithm.component->descriptor->id;
    if (config.improver) known.improver = config.improver->component->descriptor->id;
    known.n = info.n;
    known.encoding = encoding_pattern(info.encoding);
    known.identity = identity_of(config, info, session_.place.devices().backend);
    known.costs = session_.problem.costs();
    known.seed = seed_;
    known.backend = session_.place.devices().backend;
    known.backend_reason = session_.place.devices().reason;
    for (const auto& device : session_.place.devices().devices) known.devices.push_back(device->description());
    known.threads = session_.host.pool().worker_count();
    for (const auto& path : session_.options.data_paths) known.data_paths.push_back(path.string());
    if (info.has_best_known != 0) known.best_known = info.best_known;
    if (info.has_lower_bound != 0) known.lower_bound = info.lower_bound;
    known.best_known_is_optimal = info.has_best_known != 0 && info.best_known_is_optimal != 0;
    if (info.best_known_source != nullptr) known.best_known_source = info.best_known_source;
    if (earlier_.result) {
        known.resumes = earlier_.result->resumes + 1;
    } else if (earlier_.checkpoint) {
        known.resumes = earlier_.checkpoint->resumes + 1;
    }
    if (folder_) known.folder = folder_->files.path().string();
    return known;
}

/// Returns `found` with the recorded backend, so that a run may be resumed on other devices. If GPUs round costs,
/// returns `found` unchanged.
RunIdentity SeedRun::to_compare(RunIdentity found, const RunIdentity& recorded) const {
    if (!session_.problem.has_approximate_device()) found.backend = recorded.backend;
    return found;
}

RunResult SeedRun::finished() const {
    RunResult result = *earlier_.result;
    const RunResult known = known_result();
    check_same_run(result, to_compare(known.identity, result.identity), seed_);
    result.costs = known.costs;
    result.best_known = known.best_known;
    result.best_known_source = known.best_known_source;
    result.lower_bound = known.lower_bound;
    result.folder = known.folder;
    return result;
}

void SeedRun::open_record(const RunResult& known) {
    if (!folder_) return;
    record_.open(folder_);
    if (!earlier_.last_checkpoint_is_good) record_.drop_last_checkpoint();
    if (earlier_.result) {  // from here on, a killed run leaves a record that says "not finished"
        RunResult running = *earlier_.result;
        running.stop_reason = "running";
        running.finished = false;
        record_.write_result(running, Durability::kProcess);
    }
    const bool resumed = earlier_.checkpoint.has_value();
    const bool whole = record_.open_trace(resumed ? earlier_.checkpoint->trace_bytes : 0,
                                          resumed ? earlier_.checkpoint->trace_hash : std::nullopt, trace_head(known));
    if (resumed && !whole) {
        log_warning("{}: its lines have changed since the checkpoint was written; the trace is incomplete",
                    (folder_->files.path() / "trace.jsonl").string());
    }
    record_.write_config(recorded_config(session_.config, seed_, 1));
}

/// Loads the start of a run into solver and book: an earlier session's checkpoint, else warm starts, else a feasible
/// solution that the problem knows, else nothing.
SearchTask SeedRun::prepare(Itinerary& itinerary, RunBook& book) const {
    SearchTask task{seed_, session_.conditions, session_.processes};
    if (earlier_.best) book.keep(*earlier_.best, earlier_.result ? earlier_.result->found : BestFound{});
    if (earlier_.checkpoint) {
        itinerary.leg().load(earlier_.checkpoint->state);
        itinerary.cpu().restored(earlier_.checkpoint->state);
        book.restore(*earlier_.checkpoint);
        log_info("resumed after {} iterations", earlier_.checkpoint->counters.iterations);
        return task;
    }
    if (session_.resuming) log_info("there is no checkpoint: the run starts from the beginning");
    std::vector<SolutionBuffer> starts = read_warm_starts(session_);
    if (starts.empty()) {
        if (auto start = feasible_start(session_.problem)) starts.push_back(std::move(*start));
    }
    task.warm_starts = WarmStarts(session_.problem, starts);
    book.begin_with(task.warm_starts);
    return task;
}

}  // namespace qapfw::framework
