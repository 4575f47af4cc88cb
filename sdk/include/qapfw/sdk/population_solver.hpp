// SPDX-License-Identifier: Apache-2.0
// The population engine runs a solver over groups of individuals on CPU threads, GPUs and several processes at once.
// The solver declares its fields and its steps. The engine does the rest: memory, shards, warm starts, the loop over
// rounds, rounds that are cut short, rounds that begin before the last report has arrived, reports, saving and loading.
// population/contract.hpp lists the required and optional members.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "qapfw/abi/device_encodings.h"
#include "qapfw/abi/solver.h"
#include "qapfw/sdk/population/contract.hpp"
#include "qapfw/sdk/population/population.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::sdk {

/// Copies into the fields the state that the algorithm keeps elsewhere. Does nothing if there is no such state.
template <class Algorithm, class Steps>
void put_kept_state(Algorithm& algorithm, Steps& steps) {
    if constexpr (KeepsState<Algorithm, Steps>) algorithm.put_state(steps);
}
/// Reverses put_kept_state: copies the kept state from the fields back into the algorithm.
template <class Algorithm, class Steps>
void take_kept_state(Algorithm& algorithm, Steps& steps) {
    if constexpr (KeepsState<Algorithm, Steps>) algorithm.take_state(steps);
}

/// State of a run between two rounds or slices, except its fields.
struct PopulationProgress {
    std::uint64_t generation = 0;  ///< number of complete generations
    std::uint64_t started = 0;     ///< 1: the first individuals exist
    std::uint64_t left = 0;        ///< number of remaining generations of the present round; 0: between rounds
    std::uint64_t budget = 0;      ///< limit on evaluations when the number of groups was chosen; 0: there was no limit
};

namespace detail {

inline constexpr const char* kNothingAuto[] = {nullptr};
template <class Algorithm>
constexpr auto& auto_by_gpus() {
    if constexpr (requires { Algorithm::kAutoByGpus[0]; }) {
        return Algorithm::kAutoByGpus;
    } else {
        return kNothingAuto;
    }
}

/// Carries out the rounds of one run. The population may be on the host or on GPUs.
class PopulationRounds {
  public:
    virtual ~PopulationRounds() = default;
    virtual void begin() = 0;
    /// Number of generations wanted for the next round.
    virtual std::uint64_t wanted() const = 0;
    /// Makes a round of at most `granted` generations.
    virtual void round(std::uint64_t granted) = 0;
    /// Saves the state as it was at the end of the last complete round or slice.
    virtual void save(Writer& writer) = 0;
};

template <class Algorithm, class Population>
class RoundsAt final : public PopulationRounds {
    using Clock = std::chrono::steady_clock;

  public:
    RoundsAt(Algorithm& algorithm, PopulationSettings& settings, const Fields<typename Algorithm::View>& fields,
             const PopulationProgress& progress, Run& run, Clock::duration quick_round)
        : algorithm_(algorithm),
          settings_(settings),
          population_(algorithm, settings, fields, run),
          run_(run),
          generation_(progress.generation),
          done_(progress.generation),
          left_(progress.left),
          budget_(progress.budget),
          started_(progress.started != 0),
          started_before_round_(started_),
          quick_round_(quick_round) {
        settings_.needs_a_solution = !started_;
    }

    void load(Reader& reader) {
        if constexpr (KeepsValues<Algorithm>) algorithm_.load(reader);
        population_.hold_for_saving(true);
        population_.load(reader);
        population_.each([&](auto& steps) { take_kept_state(algorithm_, steps); });
        population_.hold_for_saving(false);
    }

    void begin() override { looked_ = Clock::now(); }

    std::uint64_t wanted() const override { return left_ > 0 ? left_ : algorithm_.round_wanted(done_); }

    void round(std::uint64_t granted) override {
        const bool begun = is_ahead_ && generation_ == done_ + granted;
        if (is_ahead_ && !begun) go_back();  // the round was begun for a number of generations other than `granted`
        if (!begun) population_.begin_round();
        is_ahead_ = false;
        const std::uint64_t whole = wanted();
        is_slice_ = granted < whole && run_.is_slice();
        bool complete = true;
        if (!started_ && run_.most_evaluations() > 0) {
            complete = start();
            if (complete && starts_in_vain()) return;
        }
        if (complete && (begun || advance(granted, is_slice_ ? whole : granted))) {
            end_round(whole);
        } else if constexpr (traits_of<Algorithm>().goes_on_from_cuts) {
            pause_round();
        } else {
            end_cut_round();
        }
    }

    void save(Writer& writer) override {
        writer.value(PopulationProgress{done_, started_before_round_ ? 1u : 0u, left_, budget_});
        if (!started_before_round_) return;
        if constexpr (KeepsValues<Algorithm>) algorithm_.save(writer);
        population_.hold_for_saving(true);
        population_.each([&](auto& steps) { put_kept_state(algorithm_, steps); });
        population_.save(writer, true);
        population_.hold_for_saving(false);
    }

  private:
    bool in_all(bool complete) const { return population_.processes().all_of(complete); }

    /// Makes generation 0. Returns false if a stop cut the work short.
    bool start() {
        const bool complete = population_.each([&](auto& steps) { algorithm_.start(steps); });
        if (!in_all(complete && !(settings_.improver != nullptr && run_.should_stop()))) return false;
        population_.mark();
        started_ = started_before_round_ = true;
        settings_.needs_a_solution = false;
        return true;
    }

    /// True if generation 0 used up the limit on evaluations. Then this function also reports the best solution; the
    /// run ends.
    bool starts_in_vain() {
        population_.start_report(algorithm_, generation_, false);
        const RoundReport report = population_.take_report();
        if (report.evaluations < run_.most_evaluations()) return false;
        evaluations_ = report.evaluations;
        tell(0, report.leader, 0, false);
        return true;
    }

    /// Makes `generations` generations of a round that has `whole` generations left; fewer if the algorithm ends the
    /// round early. Returns false if a stop cut the work short. All processes return the same, so that they make the
    /// same number of exchanges.
    bool advance(std::uint64_t generations, std::uint64_t whole) {
        const std::uint64_t last = generation_ + generations, end = generation_ + whole;
        if (!started_ && !start()) return false;
        while (generation_ < last) {
            const std::uint64_t meeting = next_meeting(end), to = std::min(meeting, last);
            const std::optional<std::uint64_t> reached = evolve(to);
            if (!in_all(reached.has_value())) return false;
            generation_ = *reached;
            if (generation_ < to) {  // the algorithm ends the round early
                is_slice_ = false;
                return true;
            }
            if constexpr (HasMeetings<Algorithm, Population>) {
                if (generation_ == meeting && !in_all(algorithm_.meet(population_, generation_))) return false;
            }
        }
        return true;
    }
    std::uint64_t next_meeting(std::uint64_t last) const {
        if constexpr (HasMeetings<Algorithm, Population>) return algorithm_.next_meeting(generation_, last);
        return last;
    }
    std::optional<std::uint64_t> evolve(std::uint64_t to) {
        if constexpr (EvolvesItself<Algorithm, Population>) {
            return algorithm_.evolve(population_, generation_, to);
        } else {
            if (!population_.evolve(algorithm_, generation_, to)) return std::nullopt;
            return to;
        }
    }

    /// Ends the round or slice. `whole`: generations that the round still lacked when this slice began.
    void end_round(std::uint64_t whole) {
        population_.start_report(algorithm_, generation_, true);
        if constexpr (!Population::kOnDevice) population_.mark();
        const std::uint64_t generations = generation_ - done_;
        left_ = is_slice_ ? whole - generations : 0;
        const bool goes_ahead = !is_slice_ && may_go_ahead();
        if (goes_ahead) go_ahead();
        const RoundReport report = population_.take_report();
        if (!goes_ahead) close_round(report.evaluations - in_vain_);
        const Clock::time_point now = Clock::now();
        last_round_ = now - std::exchange(looked_, now);
        tell(generations, report.leader, report.digest, !is_slice_, is_slice_);
    }

    /// Reports the best solution so far in a round that was cut short. The next round, if there is one, continues from
    /// the present state.
    void pause_round() {
        population_.start_report(algorithm_, generation_, false);
        const RoundReport report = population_.take_report();
        evaluations_ = report.evaluations;
        generation_ = done_;
        tell(0, report.leader, 0, false);
    }

    /// Reports the best solution so far after a round was cut short, and goes back to the state before the round.
    void end_cut_round() {
        population_.start_report(algorithm_, generation_, false);
        RoundReport report = population_.take_report();
        const std::uint64_t evaluations = report.evaluations - in_vain_;
        go_back();
        evaluations_ = evaluations;
        in_vain_ = report.evaluations - evaluations_;
        if (started_) {
            population_.start_report(algorithm_, done_, true);
            Leader before = population_.take_report().leader;
            if (!report.leader.leads(before, settings_.problem.less())) report.leader = std::move(before);
        }
        tell(0, report.leader, 0, false);
    }

    /// Notes that a round ends with the present state. go_back returns to this state.
    void close_round(std::uint64_t evaluations) {
        done_ = generation_;
        started_before_round_ = started_;
        evaluations_ = evaluations;
    }

    /// True if the next round may begin before the report of the last round has arrived. This pays if rounds are so
    /// short that waiting for the report takes a large part of their time.
    bool may_go_ahead() const {
        return traits_of<Algorithm>().goes_ahead && last_round_ < quick_round_ && population_.may_go_ahead();
    }
    void go_ahead() {
        close_round(population_.evaluations() - in_vain_);
        is_ahead_ = true;
        const std::uint64_t next = algorithm_.round_wanted(done_);
        if (advance(next, next)) return;
        go_back();
        is_ahead_ = false;
    }
    /// Goes back to the end of the last round. The evaluations since then are not counted.
    void go_back() {
        in_vain_ = population_.evaluations() - evaluations_;
        population_.revert();
        generation_ = done_;
        started_ = started_before_round_;
    }

    void tell(std::uint64_t generations, const Leader& leader, std::uint64_t digest, bool complete,
              bool is_slice = false) {
        if constexpr (TellsStatistics<Algorithm, Population>) algorithm_.tell(run_, population_);
        run_.end_round({sizeof(qapfw_round),
                        complete ? 1u : 0u,
                        generations,
                        evaluations_ - std::exchange(reported_, evaluations_),
                        digest,
                        leader.solution.data(),
                        leader.cost,
                        leader.found,
                        leader.number,
                        0,
                        {},
                        is_slice ? 1u : 0u});
    }

    Algorithm& algorithm_;
    PopulationSettings& settings_;
    Population population_;
    Run& run_;
    std::uint64_t generation_;  ///< number of complete generations, including those of a round that is not granted yet
    std::uint64_t done_;        ///< number of generations in complete rounds and slices
    std::uint64_t left_;        ///< number of remaining generations of the present round; 0: between rounds
    std::uint64_t budget_;      ///< see PopulationProgress
    bool is_slice_ = false;     ///< the present round is a slice
    bool started_;              ///< the first individuals exist
    bool started_before_round_;
    bool is_ahead_ = false;          ///< true if the next round was begun before it is granted
    std::uint64_t evaluations_ = 0;  ///< number of evaluations of all rounds so far, also of rounds cut short
    std::uint64_t reported_ = 0;     ///< number of evaluations that were reported
    std::uint64_t in_vain_ = 0;      ///< number of evaluations in rounds that were begun but not granted
    Clock::time_point looked_;       ///< time when the last round ended; at first, when the run began
    Clock::duration last_round_ = Clock::duration::max();
    Clock::duration quick_round_;
};

}  // namespace detail

/// The solver for sdk::solver_component, made of an algorithm with the members in population/contract.hpp.
template <class AlgorithmType>
class PopulationSolver {
  public:
    using Algorithm = AlgorithmType;                              ///< the algorithm's class
    static constexpr auto& kParameters = Algorithm::kParameters;  ///< the algorithm's parameters

    /// Names of the parameters whose value "auto" depends on the GPUs. The list is the algorithm's own kAutoByGpus, or
    /// empty. This member also tells the SDK that runs may move from the CPU to GPUs, since the state is the same on
    /// both.
    static constexpr auto& kAutoByGpus = detail::auto_by_gpus<Algorithm>();

    /// Makes the algorithm; throws the errors of its constructor. The context's objects must outlive the solver.
    explicit PopulationSolver(const SolverContext& context)
        : settings_{context.host,
                    context.problem,
                    traits_of<Algorithm>().has_own_improvers ? nullptr : context.improver,
                    {},
                    {},
                    true,
                    true},
          algorithm_(context) {
        settings_.shape = algorithm_.shape();
        settings_.goes_back = !traits_of<Algorithm>().goes_on_from_cuts;
    }

    /// Makes the whole run. Throws Error(kUnsupported) for GPUs if the algorithm has no device code.
    void run(Run& run) {
        if (progress_.started == 0) progress_.budget = run.most_evaluations();
        if constexpr (KeepsToBudget<Algorithm>) {
            if (progress_.budget > 0) algorithm_.keep_to(progress_.budget);
            settings_.shape = algorithm_.shape();
        }
        settings_.warm = warm_starts(run, settings_.problem, settings_.shape.individuals());
        algorithm_.declare(fields_, run);
        rounds_ = make_rounds(run);
        rounds_->begin();
        while (const std::uint64_t granted = run.begin_round(rounds_->wanted())) rounds_->round(granted);
    }
    /// Returns the table of capability `id`, or null. The solver splits its work among processes and supports slices of
    /// rounds. The algorithm may add capabilities in a member `get_capability`.
    static const void* get_capability(const char* id) {
        static constexpr qapfw_solver_processes kShares{sizeof(qapfw_solver_processes)};
        if (id != nullptr && std::string_view(id) == QAPFW_SOLVER_PROCESSES) return &kShares;
        static constexpr qapfw_solver_slices kSlices{sizeof(qapfw_solver_slices)};
        if (id != nullptr && std::string_view(id) == QAPFW_SOLVER_SLICES) return &kSlices;
        if constexpr (requires { Algorithm::kDeviceEncodings; }) {
            static constexpr qapfw_device_encodings kEncodings{sizeof(qapfw_device_encodings),
                                                               Algorithm::kDeviceEncodings};
            if (id != nullptr && std::string_view(id) == QAPFW_COMPONENT_DEVICE_ENCODINGS) return &kEncodings;
        }
        if constexpr (requires { Algorithm::get_capability(id); }) return Algorithm::get_capability(id);
        return nullptr;
    }
    /// Writes the state at the end of the last complete round or slice.
    void save(Writer& writer) const {
        if (rounds_) return rounds_->save(writer);
        writer.value(progress_);
        writer.bytes(saved_.data(), saved_.size());
    }
    /// Reads what `save` wrote. Must be called before `run`. `load` or `run` throws Error(kInput) if the state does not
    /// fit.
    void load(Reader& reader) {
        progress_ = reader.value<PopulationProgress>();
        if (progress_.started > 1) {
            throw Error(ErrorKind::kInput,
                        "the saved state was not written by this version's population engine: start a new run");
        }
        saved_ = reader.rest();
    }

  protected:
    Algorithm& algorithm() { return algorithm_; }  ///< the algorithm that this solver runs
    /// Limit for quick rounds, used with the trait goes_ahead. If the last round was shorter than this limit, a GPU may
    /// begin the next round before the report of the present round has arrived.
    std::chrono::steady_clock::duration quick_round_ = std::chrono::milliseconds(5);

  private:
    std::unique_ptr<detail::PopulationRounds> make_rounds(Run& run) {
        if (run.devices().empty()) {
            return rounds_at<PopulationOnHost<typename Algorithm::View>>(run);
        } else if constexpr (HasDeviceCode<Algorithm>) {
            return rounds_at<PopulationOnDevices<typename Algorithm::View>>(run);
        }
        throw Error(ErrorKind::kUnsupported, "this algorithm does not run on GPUs: choose device.backend = \"cpu\"");
    }
    template <class Population>
    std::unique_ptr<detail::PopulationRounds> rounds_at(Run& run) {
        auto rounds = std::make_unique<detail::RoundsAt<Algorithm, Population>>(algorithm_, settings_, fields_,
                                                                                progress_, run, quick_round_);
        if (progress_.started != 0) {
            MemoryReader state(std::exchange(saved_, {}));
            rounds->load(state.reader());
        }
        return rounds;
    }

    PopulationSettings settings_;
    Algorithm algorithm_;
    Fields<typename Algorithm::View> fields_;
    PopulationProgress progress_;
    std::vector<unsigned char> saved_;  ///< fields that `load` read from a saved state; empty once `run` has used them
    std::unique_ptr<detail::PopulationRounds> rounds_;
};

}  // namespace qapfw::sdk
