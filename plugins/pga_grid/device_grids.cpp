// SPDX-License-Identifier: Apache-2.0
// Grids on GPUs, a contiguous share of them on each. Everything happens on the devices; on the ring the last grid of
// one GPU hands its best to the first of the next one through the host. The host's threads call the improver for a GPU
// each.
#include <algorithm>

#include "plugins/pga_grid/device_share.hpp"
#include "qapfw/sdk/device_shares.hpp"
#include "qapfw/sdk/launch_length.hpp"

namespace qapfw::pga_grid {
namespace {

class DeviceGrids final : public Grids {
  public:
    DeviceGrids(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                const GridOptions& options, const GridState& state, std::span<const qapfw_device* const> devices)
        : problem_(problem),
          options_(options),
          improves_(improver != nullptr),
          state_(state),
          marked_best_(state.best),
          shares_(host, devices, options.grids, problem, improver, options),
          queue_(sdk::LaunchLength::of_generations(improves_)) {
        state_.solutions.resize(problem.solution_bytes() * options.cells());
        state_.costs.resize(options.cells());
        if (state_.populated) upload();
    }

    void populate(const std::vector<unsigned char>& warm, const sdk::Run&) override {
        for (const auto& share : shares_) share->populate(warm);
        state_.populated = true;
    }
    void select(std::uint64_t generation) override {
        for (const auto& share : shares_) share->select(generation);
    }
    void cross(std::uint64_t generation, const sdk::Run&) override {
        for (const auto& share : shares_) share->cross(generation);
    }
    void remember_best() override {
        for (const auto& share : shares_) share->remember_best();
    }
    /// The remembered ones do not even leave their cells: mutation, transposition and costs are one step.
    void mutate(std::uint64_t generation) override {
        for (const auto& share : shares_) share->change(generation);
    }
    void transpose(std::uint64_t) override {}
    void reincorporate_best() override {}
    void evaluate(const sdk::Run&) override {}
    void improve(std::uint64_t generation, const sdk::Run& run) override {
        if (improves_) shares_.side_by_side([&](DeviceShare& share) { share.improve(generation, run); });
    }
    void keep_best(std::uint64_t generation) override {
        for (const auto& share : shares_) share->keep_best(generation);
        if (queued_ == 0) queue_.start();
        if (++queued_ >= queue_.value()) synchronize();
    }

    void migrate(const SwapWithProcesses& swap_with_processes) override {
        std::vector<Champion> emigrants(shares_.size());
        for (std::size_t d = 0; d < shares_.size(); ++d) shares_[d].emigrate(emigrants[d]);
        synchronize();
        const Champion newcomer = swap_with_processes(emigrants.back());
        shares_.front().immigrate(newcomer);
        for (std::size_t d = 1; d < shares_.size(); ++d) shares_[d].immigrate(emigrants[d - 1]);
        synchronize();
    }

    void mark() override {
        for (const auto& share : shares_) share->mark();
        marked_best_ = state_.best;
        marked_generation_ = state_.generation;
        marked_populated_ = state_.populated;
    }
    void revert() override {
        for (const auto& share : shares_) share->revert();
        state_.best = marked_best_;
        state_.generation = marked_generation_;
        state_.populated = marked_populated_;
    }
    bool populated() const override { return state_.populated; }
    std::uint64_t generation() const override { return state_.generation; }
    void complete(std::uint64_t generation) override { state_.generation = generation; }

    const Champion& best() override {
        for (const auto& share : shares_) share->start_bests();
        synchronize();
        for (const auto& share : shares_) share->merge_bests(problem_.less(), state_.best);
        return state_.best;
    }
    std::uint64_t digest() override {
        for (const auto& share : shares_) share->start_digest(state_.best.cost, state_.generation);
        synchronize();
        return shares_.sum(&DeviceShare::digest);
    }
    std::uint64_t evaluations() override { return shares_.sum(&DeviceShare::evaluations); }
    void save(sdk::Writer& writer) override {
        if (state_.populated) {
            for (const auto& share : shares_) share->download(state_);
            best();
        }
        state_.save(writer);
    }

  private:
    void synchronize() {
        shares_.synchronize();
        if (queued_ > 0) queue_.finish(queued_);
        queued_ = 0;
    }
    void upload() {
        for (const auto& share : shares_) share->upload(state_);
        synchronize();
    }

    sdk::ProblemRef problem_;
    GridOptions options_;
    bool improves_;
    GridState state_;  ///< solutions and costs as far as they were downloaded last
    Champion marked_best_;
    std::uint64_t marked_generation_ = 0;
    bool marked_populated_ = false;
    sdk::DeviceShares<DeviceShare> shares_;
    sdk::LaunchLength queue_;   ///< generations that may wait on the GPUs
    std::uint64_t queued_ = 0;  ///< and that do
};

}  // namespace

std::unique_ptr<Grids> make_device_grids(const sdk::Host& host, const sdk::ProblemRef& problem,
                                         const qapfw_improver_ref* improver, const GridOptions& options,
                                         const GridState& state, std::span<const qapfw_device* const> devices) {
    return std::make_unique<DeviceGrids>(host, problem, improver, options, state, devices);
}

}  // namespace qapfw::pga_grid
