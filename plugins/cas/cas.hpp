// SPDX-License-Identifier: Apache-2.0
// Solver "cas": the cunning ant system with an improver, in one or several colonies. Source: S. Tsutsui and N.
// Fujimoto, "ACO with tabu search on a GPU for solving QAPs using move-cost adjusted thread assignment", MEDAL Report
// 2011005, section 3, Fig. 2 and Table 4.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <optional>

#include "plugins/cas/cas_options.hpp"
#include "plugins/cas/cas_parameters.hpp"
#include "plugins/cas/device/colonies.hpp"
#include "plugins/cas/segment_ants.hpp"
#include "qapfw/sdk/population_solver.hpp"

namespace qapfw::cas {

constexpr std::uint32_t kImproverStream = 64;  ///< random draws of the improver: streams 64 and 65

class Cas {
  public:
    static constexpr auto& kParameters = cas::kParameters;
    static constexpr sdk::SolverTraits kTraits{.goes_ahead = true};
    static constexpr const char* kDeviceEncodings = nullptr;  ///< encodings that GPUs support; null: all
    using View = cas::View;
    using Host = sdk::HostSteps<View>;
    using Device = sdk::DevicePlace<View>;

    explicit Cas(const sdk::SolverContext& context);

    // The algorithm (the paper's Fig. 2). Iterations count from 0; iteration 0 makes the first solutions.

    template <class Steps>
    void start(Steps& steps) {
        steps.timed("construction", [&] { sample_randomly(steps); });
        steps.timed("improvement", [&] { improve(steps, 0); });
        select(steps, 0);
        lay_first_trails(steps);
    }
    template <class Steps>
    void generation(Steps& steps, std::uint64_t t) {
        const std::uint64_t iteration = t - 1;
        if (iteration > 0) {
            steps.timed("trail", [&] { update_trail(steps); });
            steps.timed("construction", [&] { construct(steps, iteration); });
            steps.timed("improvement", [&] { improve(steps, iteration); });
        }
        select_and_maybe_exchange(steps, iteration);
    }
    /// Makes the iterations of a round. On CPU threads, a step handles all colonies at once. On GPUs rounds are so
    /// short that they are enqueued as a whole. Returns `last`, or nullopt after an early stop.
    template <class Population>
    std::optional<std::uint64_t> evolve(Population& population, std::uint64_t first, std::uint64_t last) {
        std::atomic<bool> complete{true};
        const bool goes_on = population.each([&](auto& steps) {
            for (std::uint64_t t = first + 1; t <= last && complete; ++t) {
                generation(steps, t);
                if (is_over(steps)) complete = false;
            }
        });
        return goes_on && complete ? std::optional(last) : std::nullopt;
    }
    /// Makes an exchange if it is due and no kernel has made it. Offers each colony's best ant, as it was before the
    /// exchange, to the next colony on the ring (see immigrate). Always returns true.
    template <class Population>
    bool meet(Population& population, std::uint64_t t) {
        if (!exchange_is_due(t) || exchanges_in_kernel(*population.places().front())) return true;
        population.each([&](auto& steps) { show_champions(steps); });
        population.share({champions_, ends_});
        population.each([&](auto& steps) { immigrate(steps); });
        return true;
    }

    // The steps.

    void sample_randomly(Host& steps);
    void sample_randomly(Device& place);
    void update_trail(Host& steps);
    void update_trail(Device& place);
    void construct(Host& steps, std::uint64_t iteration);
    void construct(Device& place, std::uint64_t iteration);
    /// Applies the improver to the new ants (steps 4 and 7 of the paper's Fig. 2).
    template <class Steps>
    void improve(Steps& steps, std::uint64_t iteration) {
        steps.improve_all(steps.view().children, steps.view().child_costs, iteration, kImproverStream);
    }
    /// Each cunning ant replaces its donor if the cunning ant costs less. In iteration 0, all donors are replaced.
    void select(Host& steps, std::uint64_t iteration);
    void select(Device& place, std::uint64_t iteration);
    void lay_first_trails(Host& steps);
    void lay_first_trails(Device& place);
    void show_champions(Host& steps);
    void show_champions(Device& place);
    void immigrate(Host& steps);
    void immigrate(Device& place);

    // Members that the population engine asks for.

    sdk::PopulationShape shape() const { return {options_.colonies, options_.ants()}; }
    void declare(sdk::Fields<View>& fields, const sdk::Run& run);
    template <class Steps>
    void prepare(Steps& steps) const {
        View& view = steps.view();
        view.rules = options_.rules;
        view.tables.free_count = static_cast<std::uint32_t>(options_.free.size());
        view.tables.values = options_.values;
        segments_.set(view.trails.list);
        view.trails.size = rows_.trail_size();
        view.seed = seed_;
        view.all_ants = steps.shard().individuals();
        view.stride = static_cast<std::uint32_t>(steps.settings().stride());
        view.first_ant = steps.shard().first_individual();
        view.first_colony = steps.shard().first_group;
        view.bay_moves = options_.bay_moves;
        prepare_scratch(steps);
    }
    /// Number of iterations of the next round. Rounds end at multiples of the round length, also after a resume.
    std::uint64_t round_wanted(std::uint64_t t) const { return round_ - t % round_; }
    std::uint64_t next_meeting(std::uint64_t t, std::uint64_t last) const {
        return exchange_every_ == 0 ? last : std::min(last, t + exchange_every_ - t % exchange_every_);
    }
    sdk::Leader leader(Host& steps) const;
    std::uint64_t digest(Host& steps, std::uint64_t t) const;
    void report(Device& place, std::uint64_t t, bool complete);
    template <class Population>
    void tell(sdk::Run& run, Population& population) const {
        if constexpr (!Population::kOnDevice) tell_shares(run, population.steps().times());
    }
    sdk::KernelRequest kernel_request(const sdk::KernelName& name, const qapfw_device&, const sdk::Shard&) const;
    std::vector<sdk::KernelName> kernels() const;
    sdk::LaunchLength launches() const { return sdk::LaunchLength::of_generations(context_.improver != nullptr); }

  private:
    /// True if the round is cut short. On CPU threads with an improver, a request to stop cuts the round short here.
    static bool is_over(Host& steps) {
        if (steps.improves() && steps.run().should_stop()) steps.cut();
        return steps.is_cut();
    }
    static bool is_over(const Device& place) { return place.run().should_stop(); }
    bool exchange_is_due(std::uint64_t t) const {
        return exchange_every_ != 0 && options_.colonies > 1 && t % exchange_every_ == 0;
    }
    /// True if one GPU has all colonies. Then one kernel both selects ants and exchanges them between colonies.
    bool exchanges_in_kernel(const Device& place) const { return place.shard().groups == options_.colonies; }
    bool exchanges_in_kernel(const sdk::HostPlace<View>&) const { return false; }
    void select_and_maybe_exchange(Host& steps, std::uint64_t iteration) {
        if (iteration > 0) select(steps, iteration);
    }
    void select_and_maybe_exchange(Device& place, std::uint64_t iteration);
    void prepare_scratch(Host& steps) const;
    void prepare_scratch(Device& place) const;
    std::uint8_t* bits_of(std::uint16_t* solution) const {
        return reinterpret_cast<std::uint8_t*>(solution) + options_.shape.bits_offset;
    }
    /// Returns an integer that compares as the cost does. A real-valued cost comes as the bits of a double.
    std::int64_t rank(std::int64_t cost) const { return options_.has_real_costs ? kernels::order_of_real(cost) : cost; }
    std::uint64_t deposit(const kernels::DepositReference& reference, std::int64_t cost) const;
    kernels::TrailLimits measure_deposits(Host& steps, std::uint32_t colony);
    void update_row(Host& steps, std::uint32_t colony, std::uint64_t row, const kernels::TrailLimits& limits) const;
    std::uint32_t best_ant(Host& steps, std::uint32_t first, std::uint32_t count) const;
    void tell_shares(sdk::Run& run, const std::map<std::string, double>& times) const;

    void construct_segments(const View& view, const std::uint64_t* trail, std::uint16_t* child, std::uint32_t worker,
                            const kernels::AntDraws& draws) const;
    void update_segment_row(const View& view, std::uint32_t colony, const TrailRow& row,
                            const kernels::TrailLimits& limits) const;

    sdk::SolverContext context_;
    sdk::SegmentArrays segments_;  ///< empty if solutions are permutations or layouts
    SegmentRows rows_;
    CasOptions options_;
    std::uint64_t exchange_every_, round_;
    std::uint64_t seed_ = 0;
    sdk::Fields<View>::Id champions_{}, ends_{};
    std::vector<std::uint64_t> deposits_;               ///< deposits of the ants of one colony
    mutable std::vector<std::uint16_t> constructions_;  ///< per worker: order and pool of a construction
    mutable std::vector<std::uint32_t> pools_;          ///< per worker: scratch for segments, see SegmentScratch
};

}  // namespace qapfw::cas
