// SPDX-License-Identifier: Apache-2.0
// A shard in the host's memory, and the steps of a generation on CPU threads. The trajectory does not depend on which
// thread does which step.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/child_costs.hpp"
#include "qapfw/sdk/population/fields.hpp"
#include "qapfw/sdk/population/offers.hpp"
#include "qapfw/sdk/population/report.hpp"
#include "qapfw/sdk/population/settings.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::sdk {

/// The arrays of a shard in host memory, and what CPU threads need to work on them. Any thread may read. A member whose
/// first argument is a worker may be called by all workers at once, each with its own number. Any other member that
/// changes something may be called by only one thread at a time, while no worker works.
template <class View>
class HostPlace {
  public:
    using Id = typename Fields<View>::Id;  ///< identifies a field

    /// Makes the arrays, fills in first values and constants, and marks the state. All arguments must outlive this
    /// object.
    HostPlace(const PopulationSettings& settings, const Fields<View>& fields, const Shard& shard, const Run& run)
        : settings_(settings),
          run_(run),
          fields_(fields),
          shard_(shard),
          costs_of_children_(settings.problem),
          improvers_(settings.host, settings.problem, settings.improver),
          memory_(fields.size()),
          marked_(fields.size()),
          workers_(settings.host.workers()) {
        for (Id id = 0; id < fields.size(); ++id) {
            const auto& field = fields[id];
            if (!field.options.is_for_device && !field.options.is_for_saving) allocate(id);
        }
        mark();
    }
    HostPlace(const HostPlace&) = delete;
    HostPlace& operator=(const HostPlace&) = delete;

    const PopulationSettings& settings() const { return settings_; }  ///< settings of the run
    const Run& run() const { return run_; }                           ///< seed, limits and services of the run
    const Shard& shard() const { return shard_; }                     ///< the groups of this place
    View& view() { return view_; }                                    ///< points to the arrays of this place
    /// Computes costs of children whose parents' costs are known.
    const ChildCosts& costs_of_children() const { return costs_of_children_; }
    ImproverPool& improvers() { return improvers_; }  ///< empty if no improver is configured

    /// Allocates the memory of all fields with is_for_saving if `holds` is true, else frees it.
    void hold_for_saving(bool holds) {
        for (Id id = 0; id < fields_.size(); ++id) {
            if (!fields_[id].options.is_for_saving) continue;
            if (holds)
                allocate(id);
            else
                std::vector<Unit>().swap(memory_[id]);
        }
    }
    /// Stores a copy of all fields that are state. `revert` goes back to this copy. `mark` and `revert` do nothing
    /// unless PopulationSettings::goes_back is true.
    void mark() {
        if (!settings_.goes_back) return;
        for (Id id = 0; id < fields_.size(); ++id) {
            if (fields_[id].options.is_state) marked_[id] = memory_[id];
        }
    }
    /// Goes back to the state at the last mark.
    void revert() {
        if (!settings_.goes_back) return;
        for (Id id = 0; id < fields_.size(); ++id) {
            if (fields_[id].options.is_state) std::copy(marked_[id].begin(), marked_[id].end(), memory_[id].begin());
        }
    }
    /// Copies the shard's own part of a field to `to`, which has the size of this part. If `marked` is true, copies the
    /// values of the last mark if there is one, else the present values.
    void read(Id id, std::span<unsigned char> to, bool marked) const {
        const auto& from = marked && settings_.goes_back ? marked_[id] : memory_[id];
        if (to.empty()) return;  // a place without groups has no memory
        std::memcpy(to.data(), reinterpret_cast<const unsigned char*>(from.data()) + first_byte(id), to.size());
    }
    /// Sets the shard's own part of a field. `from` must have the size of that part.
    void write(Id id, std::span<const unsigned char> from) {
        if (from.empty()) return;
        std::memcpy(reinterpret_cast<unsigned char*>(memory_[id].data()) + first_byte(id), from.data(), from.size());
    }
    /// Sets a field for all groups of the run, not only for those of the shard. `from` has the size of the whole field.
    void write_all(Id id, std::span<const unsigned char> from) {
        if (from.empty()) return;
        std::memcpy(memory_[id].data(), from.data(), from.size());
    }
    /// Swaps the memory of two fields of equal size, and updates the view's pointers.
    void swap(Id a, Id b) {
        memory_[a].swap(memory_[b]);
        fields_[a].point(view_, memory_[a].data());
        fields_[b].point(view_, memory_[b].data());
    }

    /// Takes note of an evaluated solution. `seen` returns the best solution noted, even if the round is cut short. A
    /// solution that is better than all before is offered to the run.
    void see(std::uint32_t worker, const void* solution, qapfw_cost cost, std::uint64_t generation,
             std::uint64_t number) {
        Worker& own = workers_[worker];
        if (own.best.exists() && !settings_.problem.less()(cost, own.best.cost)) return;
        const auto* bytes = static_cast<const unsigned char*>(solution);
        own.best = {{bytes, bytes + settings_.problem.solution_bytes()}, cost, generation, number};
        offer(solution, cost);
    }
    /// Offers the solution to the run before the round ends, if it is better than all that were offered before. `see`
    /// calls this function. Thread-safe.
    void offer(const void* solution, qapfw_cost cost) {
        if (run_.takes_offers()) offers_.take(run_, settings_.problem.less(), solution, cost);
    }
    /// Adds `evaluations` to the number of candidates that the worker has evaluated.
    void count(std::uint32_t worker, std::uint64_t evaluations) { workers_[worker].evaluations += evaluations; }
    /// Number of candidates evaluated since the place was made, as reported to `count` by all workers.
    std::uint64_t evaluations() const {
        std::uint64_t sum = 0;
        for (const Worker& worker : workers_) sum += worker.evaluations;
        return sum;
    }
    /// Calls evaluate(first, count) for the next `count` of `all` solutions, and counts the evaluations. Returns
    /// first + count. `count` starts at 1 and grows eightfold after each call that takes less than a millisecond.
    template <class Evaluate>
    std::uint64_t in_part(std::uint32_t worker, std::uint64_t first, std::uint64_t all, const Evaluate& evaluate) {
        Worker& own = workers_[worker];
        const std::uint64_t left = all - first;
        if (left <= own.at_a_time) {
            evaluate(first, left);
            count(worker, left);
            return all;
        }
        const auto begin = std::chrono::steady_clock::now();
        const std::uint64_t part = own.at_a_time;
        evaluate(first, part);
        count(worker, part);
        if (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(1)) own.at_a_time *= 8;
        return first + part;
    }
    /// The best solution seen since the last forget_seen.
    Leader seen() const {
        Leader best;
        for (const Worker& worker : workers_) {
            if (worker.best.leads(best, settings_.problem.less())) best = worker.best;
        }
        return best;
    }
    /// Clears what `seen` returns.
    void forget_seen() {
        for (Worker& worker : workers_) worker.best = {};
    }

  private:
    struct alignas(16) Unit {
        std::uint64_t words[2];
    };
    struct alignas(64) Worker {
        Leader best;
        /// `at_a_time`: solutions evaluated between two calls of should_stop.
        std::uint64_t evaluations = 0, at_a_time = 1;
    };
    void allocate(Id id) {
        const auto& field = fields_[id];
        const std::uint64_t bytes = units_of(field, shard_, settings_.shape) * field.bytes_of_each();
        memory_[id].assign((bytes + sizeof(Unit) - 1) / sizeof(Unit), Unit{});
        if (field.options.fresh != 0) std::memset(memory_[id].data(), field.options.fresh, bytes);
        if (!field.content.empty()) std::memcpy(memory_[id].data(), field.content.data(), field.content.size());
        field.point(view_, memory_[id].data());
    }
    std::uint64_t first_byte(Id id) const {
        const auto& field = fields_[id];
        return field.options.of == FieldOf::kRun ? shard_.first_group * field.bytes_of_each() : 0;
    }

    const PopulationSettings& settings_;
    const Run& run_;
    const Fields<View>& fields_;
    Shard shard_;
    View view_{};
    ChildCosts costs_of_children_;
    ImproverPool improvers_;
    std::vector<std::vector<Unit>> memory_, marked_;
    std::vector<Worker> workers_;
    Offers offers_;
};

/// The steps of a generation. An object works either for all groups of a place, on all workers in parallel, or for one
/// group, on the calling worker. Individuals and groups are numbered within the place.
template <class View>
class HostSteps {
  public:
    static constexpr bool kOnDevice = false;  ///< tells templates of a solver whether the steps run on a GPU

    /// Steps of all groups of the place, on all workers.
    explicit HostSteps(HostPlace<View>& place) : place_(place), groups_(place.shard().groups), times_(&own_times_) {}
    /// Steps of one group, on the calling worker.
    HostSteps(HostPlace<View>& place, std::uint32_t group, std::uint32_t worker)
        : place_(place), first_group_(group), groups_(1), worker_(worker), is_alone_(true) {}

    View& view() { return place_.view(); }                                    ///< points to the arrays of the place
    const Shard& shard() const { return place_.shard(); }                     ///< the groups of the place
    const PopulationSettings& settings() const { return place_.settings(); }  ///< settings of the run
    const Run& run() const { return place_.run(); }                           ///< seed, limits and services of the run
    HostPlace<View>& place() { return place_; }                               ///< the place of the groups
    bool improves() const { return static_cast<bool>(place_.improvers()); }   ///< true if there is an improver
    /// True if a step was left out or incomplete. The round is then over; its changes are normally taken back, see
    /// SolverTraits::goes_on_from_cuts.
    bool is_cut() const { return cut_; }
    void cut() { cut_ = true; }  ///< Ends the round.

    /// Calls body(group, worker) for every group, in any order. Does nothing if the round was cut.
    template <class Body>
    void groups(const Body& body) {
        if (cut_) return;
        for_all(groups_, [&](std::uint64_t index, std::uint32_t worker) {
            body(first_group_ + static_cast<std::uint32_t>(index), worker);
        });
    }

    /// Splits each group into parts of at most `most` individuals. Calls body(first, last, worker) for each part: the
    /// individuals from first to last - 1. After a stop, remaining parts are left out. As long as the run has no
    /// solution, the first part is never left out, so that there is a solution to report.
    template <class Body>
    void individuals(std::uint32_t most, const Body& body) {
        const std::uint32_t size = shard().size, parts = (size + most - 1) / most;
        const bool needs_one = settings().needs_a_solution && first_group_ == 0;
        if (cut_ && !needs_one) return;
        for_all(std::uint64_t{groups_} * parts, [&](std::uint64_t index, std::uint32_t worker) {
            if (!(needs_one && index == 0) && (cut_ || run().should_stop())) {
                cut_ = true;
                return;
            }
            const std::uint32_t group = first_group_ + static_cast<std::uint32_t>(index / parts);
            const std::uint32_t first = static_cast<std::uint32_t>(index % parts) * most;
            body(group * size + first, group * size + std::min(size, first + most), worker);
        });
    }

    /// A uniform integer in [0, range). It depends only on the seed, generation t, the individual, the stream (one for
    /// each purpose, below 2^16) and the index (below 2^18).
    std::uint32_t draw(std::uint32_t individual, std::uint64_t t, std::uint32_t stream, std::uint32_t index,
                       std::size_t range) const {
        const std::uint32_t number = shard().first_individual() + individual;
        return kernels::below(kernels::draw(run().seed(), t, number, stream, index), static_cast<std::uint32_t>(range));
    }
    /// Writes an individual's start: its warm start, else the problem's base_solution. `solution` has
    /// the size of the problem's solutions.
    void begin_with(void* solution, std::uint32_t individual) const {
        const std::uint64_t number = std::uint64_t{shard().first_individual()} + individual;
        if (number < settings().warm_count())
            std::memcpy(solution, settings().warm_start(number), settings().bytes());
        else
            base_solution(settings().problem, solution);
    }

    /// Computes the costs of a batch from scratch. `first`: number of the individual of the first solution. If the run
    /// is stopped meanwhile, returns false and cuts the round short. The costs of solutions that were not evaluated by
    /// that time are wrong. The first solution is always evaluated.
    bool evaluate(std::uint32_t worker, const qapfw_batch& batch, std::uint32_t first, std::uint64_t generation) {
        const auto number = [&](std::uint64_t k) { return first + static_cast<std::uint32_t>(k); };
        return evaluate_by(worker, batch, generation, number, [&](std::uint64_t from, std::uint64_t count) {
            settings().problem.evaluate(part_of(batch, from, count));
        });
    }
    /// Fills in costs like the other `evaluate`. individuals[k]: number of the individual of solution k.
    bool evaluate(std::uint32_t worker, const qapfw_batch& batch, std::span<const std::uint32_t> individuals,
                  std::uint64_t generation) {
        const auto number = [&](std::uint64_t k) { return individuals[k]; };
        return evaluate_by(worker, batch, generation, number, [&](std::uint64_t from, std::uint64_t count) {
            settings().problem.evaluate(part_of(batch, from, count));
        });
    }
    /// Fills in costs of children whose parents' costs are known; arguments and result are as in `evaluate`.
    bool evaluate_children(std::uint32_t worker, const qapfw_batch& parents, const qapfw_batch& children,
                           std::uint32_t first, std::uint64_t generation) {
        const auto number = [&](std::uint64_t k) { return first + static_cast<std::uint32_t>(k); };
        return evaluate_by(worker, children, generation, number, [&](std::uint64_t from, std::uint64_t count) {
            place_.costs_of_children().evaluate(part_of(parents, from, count), part_of(children, from, count));
        });
    }
    /// Applies the improver to one solution; does nothing without an improver. `stream`: see qapfw_improve_request.
    void improve(std::uint32_t worker, void* solution, qapfw_cost* cost, std::uint32_t individual,
                 std::uint64_t generation, std::uint32_t stream) {
        if (!improves()) return;
        qapfw_improve_request request = run().improve_request(static_cast<std::uint32_t>(generation), stream);
        request.first_individual = shard().first_individual() + individual;
        place_.count(worker, place_.improvers().improve_one(worker, solution, cost, request));
        place_.see(worker, solution, *cost, generation, request.first_individual);
    }
    /// Applies the improver to every individual of the groups, as DevicePlace::improve_all does. `solutions` and
    /// `costs` are those of the individuals, in order.
    void improve_all(void* solutions, void* costs, std::uint64_t generation, std::uint32_t stream) {
        if (!improves()) return;
        individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
            improve(worker, static_cast<unsigned char*>(solutions) + k * settings().bytes(),
                    static_cast<qapfw_cost*>(costs) + k, k, generation, stream);
        });
    }
    /// Adds a number of candidates that a step has evaluated with code of its own. Candidates that `evaluate`,
    /// `evaluate_children`, `improve` or `improve_all` has evaluated are counted already.
    void count(std::uint32_t worker, std::uint64_t evaluations) { place_.count(worker, evaluations); }

    /// The digest of all individuals of the place, see kernels/digest.hpp. `solutions`: their solutions, one after the
    /// other. best(k): the best cost of individual k's search.
    template <class Best>
    std::uint64_t digest(const void* solutions, const qapfw_cost* costs, std::uint64_t generation, const Best& best) {
        std::vector<std::uint64_t> of_groups(shard().groups);
        settings().host.parallel_for(shard().groups, [&](std::uint64_t group, std::uint32_t) {
            const std::uint64_t first = group * shard().size;
            for (std::uint64_t k = first; k < first + shard().size; ++k) {
                const std::uint64_t solution = settings().digest_of(solutions, k);
                of_groups[group] += kernels::digest_in_round(
                    shard().first_individual() + k,
                    kernels::digest_search(solution, costs[k].i, best(static_cast<std::uint32_t>(k)).i, generation));
            }
        });
        std::uint64_t sum = 0;
        for (const std::uint64_t one : of_groups) sum += one;
        return sum;
    }

    /// The digest of all individuals if each is a search whose current solution is also its best so far.
    std::uint64_t digest(const void* solutions, const qapfw_cost* costs, std::uint64_t generation) {
        return digest(solutions, costs, generation, [&](std::uint32_t k) { return costs[k]; });
    }

    /// Returns the leader among `count` solutions: the solution with the least cost; of equal costs, the one with the
    /// least found[k]; if found[k] is equal too, the first one. found[k]: the generation that made solution k. `first`:
    /// the first solution's number in the run. Returns an empty result if `count` is 0.
    Leader leader(const void* solutions, const qapfw_cost* costs, const std::uint64_t* found, std::uint64_t count,
                  std::uint64_t first) const {
        if (count == 0) return {};
        const CostLess less = settings().problem.less();
        std::uint64_t best = 0;
        for (std::uint64_t k = 1; k < count; ++k) {
            const bool tie = !less(costs[k], costs[best]) && !less(costs[best], costs[k]);
            if (tie ? found[k] < found[best] : less(costs[k], costs[best])) best = k;
        }
        const auto* bytes =
            static_cast<const unsigned char*>(solution_at(solutions, settings().problem.solution_bytes(), best));
        return {{bytes, bytes + settings().problem.solution_bytes()}, costs[best], found[best], first + best};
    }

    /// The leader among all individuals of the place.
    Leader leader(const void* solutions, const qapfw_cost* costs, const std::uint64_t* found) const {
        return leader(solutions, costs, found, shard().individuals(), shard().first_individual());
    }

    /// Does `work` and adds its time to the statistic `name` of the run. Steps of a single group do not measure their
    /// time.
    template <class Work>
    void timed(const char* name, const Work& work) {
        const auto start = std::chrono::steady_clock::now();
        work();
        if (times_ != nullptr) {
            (*times_)[name] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        }
    }
    /// The seconds that `timed` has measured. The key is the statistic's name.
    const std::map<std::string, double>& times() const { return own_times_; }
    /// Makes is_cut() false again, and clears the best solution seen. Must be called before each round.
    void begin_round() {
        cut_ = false;
        place_.forget_seen();
    }

  private:
    template <class Body>
    void for_all(std::uint64_t count, const Body& body) {
        if (is_alone_) {
            for (std::uint64_t index = 0; index < count; ++index) body(index, worker_);
        } else {
            settings().host.parallel_for(count, body);
        }
    }
    qapfw_batch part_of(const qapfw_batch& batch, std::uint64_t from, std::uint64_t count) const {
        return {solution_at(batch.solutions, settings().problem.solution_bytes(), from), batch.costs + from, count};
    }
    /// Evaluates the batch in parts: for each part, fill_in(from, count) computes the costs (see HostPlace::in_part).
    /// False if solutions were left out because the run must stop.
    template <class Number, class FillIn>
    bool evaluate_by(std::uint32_t worker, const qapfw_batch& batch, std::uint64_t generation, const Number& number,
                     const FillIn& fill_in) {
        for (std::uint64_t first = 0, end = 0; first < batch.count; first = end) {
            if (first > 0 && run().should_stop()) {
                std::fill(batch.costs + first, batch.costs + batch.count, batch.costs[0]);
                cut();
                return false;
            }
            end = place_.in_part(worker, first, batch.count, fill_in);
            for (std::uint64_t k = first; k < end; ++k) {
                place_.see(worker, solution_at(batch.solutions, settings().problem.solution_bytes(), k), batch.costs[k],
                           generation, shard().first_individual() + number(k));
            }
        }
        return true;
    }

    HostPlace<View>& place_;
    std::uint32_t first_group_ = 0, groups_ = 1, worker_ = 0;
    bool is_alone_ = false;
    std::atomic<bool> cut_{false};
    std::map<std::string, double> own_times_;
    std::map<std::string, double>* times_ = nullptr;
};

}  // namespace qapfw::sdk
