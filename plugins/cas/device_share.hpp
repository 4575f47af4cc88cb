// SPDX-License-Identifier: Apache-2.0
// The colonies that live on one GPU: buffers, kernels, the improver's workspace. Calls enqueue and return; those that
// move data say which host memory must stay until synchronize.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "plugins/cas/colonies.hpp"
#include "plugins/cas/colony_state.hpp"
#include "qapfw/sdk/device_improver.hpp"

namespace qapfw::cas {

/// What an exchange works on, device pointers; device/cas_selection.cuh has the same struct.
struct ExchangeView {
    std::uint64_t champions, ends;
};
static_assert(sizeof(ExchangeView) == 16, "as in device/cas_selection.cuh");
constexpr std::uint64_t kEndsBytes = 32;  ///< of a colony's ends there

/// What the kernels get by value; device/cas_colonies.cuh has the same struct over device pointers.
struct DeviceView {
    kernels::TrailRules rules;
    std::uint64_t free, thresholds;
    std::uint32_t free_count, values;
    std::uint64_t order, references, trail, ants, children, costs, child_costs, found, scratch, seed;
    std::uint32_t all_ants, stride, scratch_bytes, rows_at_a_time, first_ant, first_here;
};
static_assert(sizeof(DeviceView) == 160, "as in device/cas_colonies.cuh");

/// What a round's end copies, device pointers; device/cas_kernels.cuh has the same struct.
struct MarkingView {
    std::uint64_t from, to, pieces;
};
static_assert(sizeof(MarkingView) == 24, "as in device/cas_kernels.cuh");

/// What the host learns at a round's end; device/cas_kernels.cuh has the same struct.
struct RoundReport {
    std::uint64_t digests;  ///< sum over all rounds since the run's start
    std::int64_t cost;      ///< of the best ant
    std::uint64_t found, ant;
};
static_assert(sizeof(RoundReport) == 32, "as in device/cas_kernels.cuh");

using sdk::DeviceImprover;

class DeviceShare {
  public:
    /// `colonies` of the process' colonies from `first` on.
    DeviceShare(const qapfw_device& device, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                const CasOptions& options, std::uint32_t first, std::uint32_t colonies);

    /// The c-ants of iteration 0: these solutions, of which all after the first `given` ones are shuffled. `first` must
    /// stay until synchronize.
    void sample(const ColonyState& first, std::uint32_t given);
    void update_trail();
    void construct(std::uint64_t iteration);
    /// Waits where the improver does.
    void improve(std::uint64_t iteration, const sdk::Run& run);
    void select(std::uint64_t iteration);
    /// Selection, but in iteration 0, and the ring's exchange, where this share has all colonies of it.
    void select_and_exchange(std::uint64_t iteration);
    /// By the costs of iteration 0.
    void lay_first_trails(const qapfw_problem_info& problem);
    void mark();
    void revert();
    /// With `marks` this state is the marked one then.
    void start_round_end(std::uint64_t iterations, bool marks);
    /// Comes once. Waits for what start_round_end began.
    RoundEnd take_round_end();
    std::uint64_t improver_evaluations() const { return improver_.evaluations(); }
    bool improver_counts_enqueued() const { return improver_.counts_enqueued(); }

    /// This share's part of the state to and from the host. Costs come with take_costs, after synchronize.
    void download_ants(ColonyState& state);
    void download_marked(ColonyState& state);
    void take_costs(ColonyState& state) const;
    /// The c-ants and their costs, in place of the ants.
    void download_children(ColonyState& state);
    void upload_ants(const ColonyState& state);
    void upload_trails(const ColonyState& state);
    void synchronize() { stream_.synchronize(); }

  private:
    /// What a round changes, in one piece, so that one copy keeps it: costs, iterations of the finds, references of
    /// deposits, trails, solutions.
    struct Population {
        Population(const qapfw_device& device, const CasOptions& share, std::uint64_t bytes);
        std::uint64_t costs_at, found_at, references_at, trail_at, solutions_at;  ///< bytes from the beginning
        sdk::DeviceBuffer<unsigned char> all;
    };

    void upload_constants();
    void download_ants_of(const Population& population, ColonyState& state);
    DeviceView make_view() const;
    /// Dynamic shared memory of a construction.
    std::uint32_t construction_bytes() const { return scratch_.size() == 0 ? view_.scratch_bytes : 0; }

    sdk::Stream stream_;
    CasOptions options_;  ///< of this share: its number of colonies
    std::uint64_t bytes_;
    std::uint32_t first_colony_, first_ant_, ants_;  ///< within this process
    Population now_, marked_;
    sdk::DeviceBuffer<unsigned char> children_;
    sdk::DeviceBuffer<qapfw_cost> child_costs_;
    sdk::DeviceBuffer<unsigned char> champions_, ends_;
    sdk::DeviceBuffer<std::uint16_t> free_, order_;
    sdk::DeviceBuffer<unsigned char> scratch_;
    sdk::DeviceBuffer<std::uint32_t> thresholds_;
    sdk::DeviceBuffer<unsigned char> report_;  ///< a RoundReport and the best ant
    sdk::ProblemView problem_view_;
    DeviceImprover improver_;
    sdk::Kernel sample_, lay_first_trails_, update_trail_, construct_, select_, select_and_exchange_, end_round_;
    DeviceView view_;
    std::vector<std::uint64_t> costs_found_;  ///< as they lie in a Population
    std::vector<unsigned char> reported_;     ///< as on the device
    std::uint64_t digests_ = 0;               ///< of the rounds before
};

}  // namespace qapfw::cas
