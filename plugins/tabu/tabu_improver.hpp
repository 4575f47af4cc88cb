// SPDX-License-Identifier: Apache-2.0
// Improver "tabu": a short robust tabu search from each solution of a batch. The best solution that a search finds
// replaces the solution at which the search began. Source: section 4.2 and Table 4 of Tsutsui and Fujimoto, MEDAL
// 2011005 (IT_TS = 16n or 4n, T_list-size = n).
#pragma once

#include "plugins/tabu/device_searches.hpp"
#include "plugins/tabu/tabu_parameters.hpp"
#include "qapfw/sdk/improver.hpp"
#include "qapfw/sdk/launch_length.hpp"
#include "qapfw/sdk/neighbourhood_choice.hpp"

namespace qapfw::tabu {

class TabuImprover {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::size("iterations", "16n")
            .range(1, 1e12)
            .unit("iterations")
            .symbol("IT_TS")
            .summary("Number of iterations of the search that improves a solution; each makes one move. More "
                     "iterations take longer and usually find a better solution."),
        kTenure.default_text("n").summary(
            "After min_tenure + int(r^3 T) iterations a facility may return to a location that it has left. T is this "
            "value; r is drawn from 0 to 1 for each facility of a move. A larger value keeps facilities away longer."),
        kMinTenure,
        kLongTerm,
        sdk::size("perturb_after", 0)
            .range(0, 1e12)
            .unit("iterations")
            .summary("After this many iterations of a search without a new best solution, random swaps change its "
                     "solution. 0: never."),
        sdk::size("perturb_swaps", "n/4")
            .range(1, 65536)
            .summary("Number of random swaps that change the solution of a search that finds nothing better. A larger "
                     "number leads further away. If a solution is not one permutation, random moves of any of its "
                     "segments replace the swaps."),
        kPerturbFrom,
        sdk::kNeighbourhood,
        sdk::kAssignment,
        sdk::kPairsPerThread};

    TabuImprover(const sdk::Host& host, const sdk::Parameters& parameters, const sdk::ProblemRef& problem);

    const sdk::ProblemRef& problem() const { return problem_; }
    std::uint64_t iterations() const { return iterations_; }
    sdk::ThreadAssignment assignment() const { return assignment_; }
    bool inserts() const { return inserts_; }
    /// The moves of the improver's kernels.
    KernelMoves moves() const { return kernel_moves(problem_, false, inserts_); }
    /// The options for one call. In generation g, iteration t of the call draws the random numbers of iteration
    /// (g << 32) + t.
    kernels::TabuOptions options(const qapfw_improve_request& request) const;

    class Workspace {
      public:
        explicit Workspace(const TabuImprover& improver);
        Workspace(Workspace&&) noexcept;
        ~Workspace();
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request);

      private:
        struct Search;
        const TabuImprover& improver_;
        std::unique_ptr<Search> search_;
    };

    /// The improver's work on one GPU, for up to `capacity` solutions at the same time.
    class DeviceWorkspace {
      public:
        DeviceWorkspace(const TabuImprover& improver, const qapfw_device* device, std::uint64_t capacity);
        void enqueue(qapfw_stream* stream, const qapfw_device_batch& batch, const qapfw_improve_request& request);
        static std::uint64_t capacity(const TabuImprover& improver, const qapfw_device& device);
        static void announce(const TabuImprover& improver, const qapfw_device& device, std::uint64_t capacity);
        static constexpr bool kCountsEnqueued = true, kCountsEach = true;
        std::uint64_t evaluations() const { return evaluations_; }

      private:
        std::uint64_t work_of_iteration(std::uint64_t searches) const;
        const TabuImprover& improver_;
        const qapfw_device& device_;
        std::uint64_t pairs_;
        TabuKernel kernel_;
        sdk::DeviceBuffer<std::uint16_t> best_;
        sdk::DeviceBuffer<std::int32_t> expiry_;
        sdk::DeviceBuffer<TabuState> states_;
        sdk::DeviceBuffer<unsigned char> workspace_;
        sdk::LaunchLength slices_;  ///< lengths of launches, in evaluations
        std::uint64_t evaluations_ = 0;
    };

  private:
    sdk::ProblemRef problem_;
    std::uint64_t iterations_;
    sdk::ThreadAssignment assignment_;
    bool inserts_;
    kernels::TabuOptions options_{};
};

}  // namespace qapfw::tabu
