// SPDX-License-Identifier: Apache-2.0
// The groups of a run that belong to this process: in the host's memory (PopulationOnHost), or on its GPUs
// (PopulationOnDevices). Both classes have
//
//   each(body)               calls body(steps) at every place
//   share(fields)            exchanges fields of the run: each group's part becomes known to all groups
//   evolve(algorithm, a, b)  makes generations a+1 .. b of all groups; false: a stop cut this short
//   mark(), revert()         store a copy of the state between two rounds, and go back to this copy
//   start_report(algorithm, generation, complete), take_report(): begin the report of a round, and return it
//   merge(report)            merges the reports of all processes
//   save(writer), load(reader): save and load the state of all groups, which does not depend on places or processes
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "qapfw/sdk/population/contract.hpp"
#include "qapfw/sdk/population/device_place.hpp"
#include "qapfw/sdk/population/field_transfer.hpp"
#include "qapfw/sdk/population/host_place.hpp"
#include "qapfw/sdk/population/processes.hpp"

namespace qapfw::sdk {

/// The groups of this process in host memory. One place, a HostPlace, holds all their data. The class also has shard(),
/// settings(), run(), processes(), share(), values(), merge(), save() and load(); see the head of this file. Only the
/// main thread may use the class.
template <class View>
class PopulationOnHost : public detail::FieldTransfer<View, PopulationOnHost<View>> {
    using Base = detail::FieldTransfer<View, PopulationOnHost<View>>;

  public:
    /// Tells templates of a solver whether the population is on GPUs.
    static constexpr bool kOnDevice = false;

    /// Makes the place and lets the algorithm prepare it. All arguments must outlive this object.
    template <class Algorithm>
    PopulationOnHost(const Algorithm& algorithm, const PopulationSettings& settings, const Fields<View>& fields,
                     const Run& run)
        : Base(settings, fields, run) {
        places_.push_back(std::make_unique<HostPlace<View>>(settings, fields, Base::shard_, run));
        steps_ = std::make_unique<HostSteps<View>>(*places_.front());
        if constexpr (requires { algorithm.prepare(*steps_); }) algorithm.prepare(*steps_);
    }

    auto& places() { return places_; }            ///< pointers to the places; on the host there is one
    HostSteps<View>& steps() { return *steps_; }  ///< the operations of a generation, for all groups at once
    /// Takes work off the count, such as repeated work: sets evaluations() back to `evaluations`, its value before the
    /// work. Call this function after the work.
    void discount(std::uint64_t evaluations) { discounted_ += this->evaluations() - evaluations; }
    /// Calls body(steps) once, for all groups. Returns false if a stop cut the work short.
    template <class Body>
    bool each(const Body& body) {
        body(*steps_);
        return !steps_->is_cut();
    }
    void synchronize() {}  ///< Does nothing: nothing is enqueued on the host.
    /// Allocates the memory of all fields with is_for_saving if `holds` is true, else frees it.
    void hold_for_saving(bool holds) { places_.front()->hold_for_saving(holds); }
    void mark() { places_.front()->mark(); }       ///< Stores a copy of the state.
    void revert() { places_.front()->revert(); }   ///< Goes back to the state at the last mark.
    void begin_round() { steps_->begin_round(); }  ///< See HostSteps::begin_round.

    /// Makes generations first + 1 to last of all groups. Returns false if a stop cut the work short.
    template <class Algorithm>
    bool evolve(Algorithm& algorithm, std::uint64_t first, std::uint64_t last) {
        if (steps_->is_cut()) return false;
        if (!by_groups()) {
            for (std::uint64_t t = first + 1; t <= last && !steps_->is_cut(); ++t) {
                algorithm.generation(*steps_, t);
                if (steps_->improves() && steps_->run().should_stop()) steps_->cut();
            }
            return !steps_->is_cut();
        }
        Base::settings_.host.parallel_for(Base::shard_.groups, [&](std::uint64_t group, std::uint32_t worker) {
            HostSteps<View> steps(*places_.front(), static_cast<std::uint32_t>(group), worker);
            for (std::uint64_t t = first + 1; t <= last && !steps.is_cut(); ++t) algorithm.generation(steps, t);
            if (steps.is_cut()) steps_->cut();
        });
        return !steps_->is_cut();
    }

    /// Makes the report that take_report returns, merged over all processes. If the round is incomplete, the leader is
    /// the best solution seen in this round, unless the solver makes reports itself (see Looks).
    template <class Algorithm>
    void start_report(Algorithm& algorithm, std::uint64_t generation, bool complete) {
        RoundReport own;
        if constexpr (Looks<Algorithm, HostSteps<View>>) {
            own = algorithm.look(*steps_, generation, complete);
        } else if (complete) {
            own.leader = algorithm.leader(*steps_);
        } else {
            own.leader = places_.front()->seen();
            if constexpr (traits_of<Algorithm>().leader_is_group) own.leader.number /= Base::settings_.shape.size;
        }
        own.evaluations = evaluations();
        if constexpr (traits_of<Algorithm>().digests_need_leader) {
            report_ = Base::merge(std::move(own));
            if (complete) report_.digest = add_up(algorithm.digest(*steps_, generation, report_.leader.cost));
        } else {
            if constexpr (!Looks<Algorithm, HostSteps<View>>) {
                if (complete) own.digest = algorithm.digest(*steps_, generation);
            }
            report_ = Base::merge(std::move(own));
        }
    }
    /// Returns the report of the last start_report. Call take_report once after each start_report.
    RoundReport take_report() { return std::move(report_); }
    /// Number of candidates evaluated in this process, without those that discount() took off.
    std::uint64_t evaluations() const { return places_.front()->evaluations() - discounted_; }
    bool may_go_ahead() const { return false; }  ///< the host enqueues no work: each call works at once

  private:
    /// True if each worker should take whole groups: if there is no improver, and few workers would be idle at the
    /// end.
    bool by_groups() const {
        const std::uint32_t workers = Base::settings_.host.workers(), groups = Base::shard_.groups;
        return !steps_->improves() && (groups % workers == 0 || groups >= 4 * workers);
    }
    std::uint64_t add_up(std::uint64_t digest) const {
        const std::vector<std::uint64_t> all = Base::processes_.gather_values(digest);
        return std::accumulate(all.begin(), all.end(), std::uint64_t{0});
    }

    std::vector<std::unique_ptr<HostPlace<View>>> places_;
    std::unique_ptr<HostSteps<View>> steps_;
    RoundReport report_;
    std::uint64_t discounted_ = 0;
};

/// The groups of this process on its GPUs, with one or several places on each GPU. The class also has the members that
/// PopulationOnHost names. Only the main thread may use the class.
template <class View>
class PopulationOnDevices : public detail::FieldTransfer<View, PopulationOnDevices<View>> {
    using Base = detail::FieldTransfer<View, PopulationOnDevices<View>>;

  public:
    /// Tells templates of a solver whether the population is on GPUs.
    static constexpr bool kOnDevice = true;

    /// Distributes the groups over the places. GPUs that would get no group stay idle.
    template <class Algorithm>
    PopulationOnDevices(const Algorithm& algorithm, const PopulationSettings& settings, const Fields<View>& fields,
                        const Run& run)
        : Base(settings, fields, run) {
        const std::uint64_t gpus = run.devices().size();
        const std::uint64_t used = std::min<std::uint64_t>(gpus * of_gpu(algorithm, gpus), Base::shard_.groups);
        for (std::uint64_t k = 0; k < used; ++k) {
            const std::uint64_t gpu = k * gpus / used;
            places_.push_back(std::make_unique<DevicePlace<View>>(
                settings, fields, *run.devices()[gpu], part_of(Base::shard_, k, used), individuals_on(gpu, gpus, used),
                run,
                [&algorithm](const KernelName& name, const qapfw_device& device, const Shard& shard) {
                    return algorithm.kernel_request(name, device, shard);
                },
                algorithm.kernels(), algorithm.launches()));
            algorithm.prepare(*places_.back());
        }
    }

    auto& places() { return places_; }  ///< pointers to the places
    /// Calls body(place) for all places, in several host threads because an improver may wait for its GPU. Returns true
    /// when all calls have returned.
    template <class Body>
    bool each(const Body& body) {
        if (places_.size() == 1) {
            body(*places_.front());
        } else {
            Base::settings_.host.parallel_for(places_.size(),
                                              [&](std::uint64_t d, std::uint32_t) { body(*places_[d]); });
        }
        return true;
    }
    /// Waits until all enqueued work is done.
    void synchronize() {
        for (auto& place : places_) place->synchronize();
    }
    void hold_for_saving(bool) {}  ///< Does nothing: on GPUs all fields always have memory.
    /// Stores a copy of the state.
    void mark() {
        for (auto& place : places_) place->mark();
    }
    /// Goes back to the state at the last mark.
    void revert() {
        for (auto& place : places_) place->revert();
    }
    void begin_round() {}  ///< Does nothing: only steps on the host need a call before each round.

    /// Makes generations first + 1 to last of all groups. Returns false if a stop cut the work short. A place never
    /// waits for another place's slowest group.
    template <class Algorithm>
    bool evolve(Algorithm& algorithm, std::uint64_t first, std::uint64_t last) {
        std::atomic<bool> complete{true};
        each([&](DevicePlace<View>& place) {
            const bool ends = place.evolve(first, last, [&](std::uint64_t from, std::uint64_t to) {
                if constexpr (HasGenerations<Algorithm, DevicePlace<View>>) {
                    algorithm.generations(place, from, to);
                } else {
                    for (std::uint64_t t = from + 1; t <= to; ++t) algorithm.generation(place, t);
                }
            });
            if (!ends) complete = false;
        });
        return complete;
    }

    /// Updates DevicePlace::report of all places. Waits for the reports.
    template <class Algorithm>
    void renew_reports(Algorithm& algorithm, std::uint64_t generation) {
        for (auto& place : places_) {
            algorithm.report(*place, generation, false);
            place->start_report();
        }
        merge_own();
    }

    /// Begins the report that take_report returns. After a complete round this call also marks the state, unless the
    /// solver makes reports itself (see Looks).
    template <class Algorithm>
    void start_report(Algorithm& algorithm, std::uint64_t generation, bool complete) {
        if constexpr (Looks<Algorithm, DevicePlace<View>>) {
            looked_ = look(algorithm, generation, complete);
        } else {
            start_reports(algorithm, generation, complete);
        }
    }
    /// Returns the merged report of all processes. Call take_report once after each start_report. Does not wait for
    /// work that was enqueued after start_report.
    RoundReport take_report() { return Base::merge(looked_ ? *std::exchange(looked_, std::nullopt) : merge_own()); }

    /// Number of candidates evaluated in this process, without those that discount() took off.
    std::uint64_t evaluations() const {
        std::uint64_t sum = 0;
        for (const auto& place : places_) sum += place->evaluations();
        return sum - discounted_;
    }
    /// Takes work off the count, such as repeated work: sets evaluations() back to `evaluations`, its value before the
    /// work. Call this function after the work.
    void discount(std::uint64_t evaluations) { discounted_ += this->evaluations() - evaluations; }
    /// True if calls only enqueue work, and `evaluations` includes the enqueued work. False with several places or
    /// processes: then calls may wait for exchanges between groups.
    bool may_go_ahead() const {
        return places_.size() == 1 && Base::processes_.alone() && places_.front()->improver().counts_enqueued();
    }

  private:
    /// Number of places on each of `gpus` GPUs: the algorithm's places_on_gpu(), but at most the host threads per GPU,
    /// and at least 1. With more places than threads, the places of the first GPUs would keep the places of the other
    /// GPUs waiting.
    template <class Algorithm>
    std::uint64_t of_gpu(const Algorithm& algorithm, std::uint64_t gpus) const {
        if constexpr (HasPlacesOnGpu<Algorithm>) {
            const std::uint64_t threads = Base::settings_.host.workers() / gpus;
            return std::clamp<std::uint64_t>(threads, 1, algorithm.places_on_gpu());
        }
        return 1;
    }
    /// Number of individuals of all places on GPU `gpu`, with `gpus` GPUs and `places` places in total.
    std::uint32_t individuals_on(std::uint64_t gpu, std::uint64_t gpus, std::uint64_t places) const {
        std::uint32_t sum = 0;
        for (std::uint64_t k = 0; k < places; ++k) {
            if (k * gpus / places == gpu) sum += part_of(Base::shard_, k, places).individuals();
        }
        return sum;
    }
    /// Returns the report of this process, joined from the reports of its places. Used if the solver makes the reports
    /// of places itself, by its member `look`.
    template <class Algorithm>
    RoundReport look(Algorithm& algorithm, std::uint64_t generation, bool complete) {
        RoundReport own;
        for (auto& place : places_) {
            RoundReport one = algorithm.look(*place, generation, complete);
            own.digest += one.digest;
            if (one.leader.leads(own.leader, Base::settings_.problem.less())) own.leader = std::move(one.leader);
            place->end_queue();
        }
        own.evaluations = evaluations();
        return own;
    }
    template <class Algorithm>
    void start_reports(Algorithm& algorithm, std::uint64_t generation, bool complete) {
        for (auto& place : places_) {
            algorithm.report(*place, generation, complete);
            place->start_report();
        }
        if constexpr (traits_of<Algorithm>().digests_need_leader) {
            const RoundReport first = Base::merge(merge_own());
            if (complete) {
                for (auto& place : places_) {
                    algorithm.digest(*place, generation, first.leader.cost);
                    place->start_report();
                }
            }
        }
        if (complete) mark();
    }
    /// Waits for the reports of this process's places and merges them.
    RoundReport merge_own() {
        const CostLess less = Base::settings_.problem.less();
        RoundReport own;
        for (auto& place : places_) {
            Leader leader;
            own.digest += place->take_report(leader).digest;
            if (leader.leads(own.leader, less)) own.leader = std::move(leader);
            place->end_queue();
        }
        own.evaluations = evaluations();
        return own;
    }

    std::vector<std::unique_ptr<DevicePlace<View>>> places_;
    std::optional<RoundReport> looked_;  ///< report that the solver's own `look` made; empty: it made none
    std::uint64_t discounted_ = 0;
};

}  // namespace qapfw::sdk
