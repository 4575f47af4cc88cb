// SPDX-License-Identifier: Apache-2.0
// Solver "imga": the island model genetic algorithm. Source: X. Sun, P. Chou, C.-C. Wu, L.-R. Chen, "Quality-oriented
// study on mapping island model genetic algorithm onto CUDA GPU", Symmetry 2019, 11(3), 318, sections 2.3 and 3.
#pragma once

#include <algorithm>

#include "plugins/imga/device/child_steps.hpp"
#include "plugins/imga/imga_options.hpp"
#include "plugins/imga/imga_parameters.hpp"
#include "qapfw/sdk/population_solver.hpp"
#include "qapfw/sdk/segments.hpp"

namespace qapfw::imga {

class Imga {
  public:
    static constexpr auto& kParameters = imga::kParameters;
    static constexpr sdk::SolverTraits kTraits{.leader_is_group = true};
    using View = Islands<qapfw_cost>;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;

    static constexpr const char* kDeviceEncodings = nullptr;  ///< encodings that GPUs support; null: all

    explicit Imga(const sdk::SolverContext& context);

    // The algorithm of the paper's section 2.3.

    /// Makes new individuals on all islands, for the start or a restart.
    template <class Steps>
    void populate(Steps& steps, std::uint64_t t) {
        draw(steps, t);
        improve_drawn(steps, t);
        begin(steps, t);
    }
    /// Makes one generation of each island. Tournament winners are crossed in pairs; the children are mutated and
    /// evaluated. Then children and parents compete for survival.
    template <class Steps>
    void generation(Steps& steps, std::uint64_t t) {
        breed(steps, t);
        if (t % options_.improve_every == 0) improve(steps, t);
        replace(steps, t);
    }
    /// At a migration, the best individuals of each island replace the worst individuals of other islands. If no island
    /// has improved for `restart_after` generations, all islands restart. Returns false after an early stop.
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        if (migration_due(t) && shape().groups > 1) {
            population.each([&](auto& steps) { show_emigrants(steps); });
            population.share({emigrants_, emigrant_costs_});
            population.each([&](auto& steps) { take_immigrants(steps, t); });
        }
        if (!may_restart(t) || !is_idle(population, t)) return true;
        const bool complete = population.each([&](auto& steps) { populate(steps, t); });
        return complete && (context_.improver == nullptr || !population.run().should_stop());
    }

    // The steps of the algorithm on CPU threads (imga_host.cpp) and on GPUs (imga_device.cpp).

    void start(auto& steps) { populate(steps, 0); }
    void draw(Host& steps, std::uint64_t t);
    void draw(Device& place, std::uint64_t t);
    void improve_drawn(Host& steps, std::uint64_t t);
    void improve_drawn(Device& place, std::uint64_t t);
    void begin(Host& steps, std::uint64_t t);
    void begin(Device& place, std::uint64_t t);
    void breed(Host& steps, std::uint64_t t);
    void breed(Device& place, std::uint64_t t);
    void improve(Host& steps, std::uint64_t t);
    void improve(Device& place, std::uint64_t t);
    void replace(Host& steps, std::uint64_t t);
    void replace(Device& place, std::uint64_t t);
    void show_emigrants(Host& steps);
    void show_emigrants(Device& place);
    void take_immigrants(Host& steps, std::uint64_t t);
    void take_immigrants(Device& place, std::uint64_t t);

    // Members that the population engine asks for.

    sdk::PopulationShape shape() const { return options_.shape; }
    void keep_to(std::uint64_t evaluations) { imga::keep_to(evaluations, context_.parameters, options_); }
    void declare(sdk::Fields<View>& fields, sdk::Run& run);
    void prepare(Host& steps) const;
    void prepare(Device& place) const;
    std::uint64_t round_wanted(std::uint64_t t) const { return round_ - t % round_; }
    std::uint64_t next_meeting(std::uint64_t t, std::uint64_t last) const;
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t) const;
    void report(Device& place, std::uint64_t t, bool complete);
    sdk::KernelRequest kernel_request(const sdk::KernelName& name, const qapfw_device& gpu, const sdk::Shard&) const;
    std::vector<sdk::KernelName> kernels() const;
    std::uint32_t places_on_gpu() const;
    sdk::LaunchLength launches() const { return sdk::LaunchLength::of_generations(context_.improver != nullptr); }
    void tell(sdk::Run& run, auto& population) const {
        std::uint64_t count = 0;
        for (auto& place : population.places()) count = std::max(count, restarts(*place));
        run.statistic("restarts", static_cast<double>(count));
    }

  private:
    using Id = sdk::Fields<View>::Id;
    static constexpr std::uint32_t kImproverStream = 64;       ///< improver of children: streams 64 and 65
    static constexpr std::uint32_t kStartImproverStream = 68;  ///< improver of random individuals: streams 68 and 69

    void declare_individuals(sdk::Fields<View>& fields);
    void declare_islands(sdk::Fields<View>& fields);
    void declare_chosen(sdk::Fields<View>& fields);
    void declare_constants(sdk::Fields<View>& fields, const std::vector<std::uint16_t>& fixed);

    /// Number of places on a GPU if the improver's searches differ in length. Measured: with two places a GPU was idle
    /// more often; eight gained nothing.
    static constexpr std::uint32_t kPlacesWithImprover = 4;

    /// Memory of one worker.
    struct Scratch {
        std::vector<ChildPlan> plans;  ///< plans of the children in the worker's Part
        std::vector<std::uint16_t> positions;
        std::vector<std::uint8_t> mirror;  ///< a mirrored solution
        std::vector<std::uint8_t> batch;   ///< children to evaluate
        std::vector<qapfw_cost> batch_costs;
        std::vector<std::uint32_t> batch_children;  ///< numbers of the children in the batch
    };
    struct Part;

    bool migration_due(std::uint64_t t) const {
        return options_.migration.every > 0 && t % options_.migration.every == 0;
    }
    bool may_restart(std::uint64_t t) const {
        return options_.restart_after > 0 && t >= options_.restart_after &&
               (options_.migration.every == 0 || migration_due(t));
    }
    /// True if no island of the run has improved for `restart_after` generations. If the last reports of the GPUs show
    /// a recent improvement, the answer is false, and the GPUs need not report again.
    template <class Population>
    bool is_idle(Population& population, std::uint64_t t) {
        const auto is_idle_as_known = [&] {
            return std::all_of(population.places().begin(), population.places().end(),
                               [&](const auto& place) { return improved(*place) + options_.restart_after <= t; });
        };
        if constexpr (Population::kOnDevice) {
            if (is_idle_as_known()) population.renew_reports(*this, t);
        }
        return population.processes().all_of(is_idle_as_known());
    }
    static std::uint64_t most(const std::uint64_t* of_islands, sdk::HostPlace<View>& place) {
        const std::uint32_t count = place.shard().groups;
        return count == 0 ? 0 : *std::max_element(of_islands, of_islands + count);
    }
    static std::uint64_t improved(sdk::HostPlace<View>& place) { return most(place.view().improved, place); }
    static std::uint64_t improved(Device& place) { return place.report().told[kToldImproved]; }
    static std::uint64_t restarts(sdk::HostPlace<View>& place) { return most(place.view().restarts, place); }
    static std::uint64_t restarts(Device& place) { return place.report().told[kToldRestarts]; }
    void set_values(View& all, const sdk::Shard& shard) const;
    static void evaluate(Host& steps, const Part& part, std::uint32_t worker, std::uint64_t t);
    std::uint32_t work_bytes(const qapfw_device& gpu) const;

    sdk::SolverContext context_;
    ImgaOptions options_;
    sdk::SegmentArrays segments_;  ///< empty if solutions are permutations or layouts
    std::uint64_t round_;
    mutable std::vector<Scratch> scratch_;  ///< scratch memory of each worker
    Id parents_{}, costs_{}, children_{}, child_costs_{}, emigrants_{}, emigrant_costs_{}, count_of_chosen_{};
};

}  // namespace qapfw::imga
