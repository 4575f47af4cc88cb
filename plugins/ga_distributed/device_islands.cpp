// SPDX-License-Identifier: Apache-2.0
// The subpopulations on GPUs, a contiguous share of them on each. Everything happens on the devices, except that an
// exchange between several GPUs goes through the host's memory. The host's threads drive a GPU each.
#include <algorithm>

#include "plugins/ga_distributed/device_share.hpp"
#include "qapfw/sdk/device_shares.hpp"
#include "qapfw/sdk/launch_length.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::ga_distributed {
namespace {

class DeviceIslands final : public Islands {
  public:
    DeviceIslands(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                  const IslandOptions& options, std::span<const qapfw_device* const> devices)
        : problem_(problem),
          options_(options),
          improves_(improver != nullptr),
          state_(options, problem.solution_bytes() / sizeof(std::uint16_t)),
          shares_(host, devices, options.islands, problem, improver, options),
          queue_(sdk::LaunchLength::of_generations(improves_)) {}

    bool start(const sdk::Run& run) override {
        const std::vector<unsigned char> warm = sdk::warm_starts(run, problem_, options_.individuals());
        shares_.side_by_side([&](DeviceShare& share) { share.begin(warm, run); });
        evaluations_ += options_.individuals();
        return !run.should_stop();
    }

    /// Generations wait on the GPUs without the host, but so few that a stop is seen soon.
    bool evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) override {
        for (std::uint64_t at = first; at < last;) {
            const std::uint64_t to = std::min(last, at + queue_.value() - queued_);
            if (queued_ == 0) queue_.start();
            shares_.side_by_side([&](DeviceShare& share) { share.evolve(at, to, run); });
            queued_ += to - at;
            evaluations_ += (to - at) * options_.individuals();
            at = to;
            if (queued_ < queue_.value()) continue;
            synchronize();
            if (run.should_stop() && (improves_ || at < last)) return false;
        }
        return true;
    }

    void exchange(std::uint64_t generation, std::uint32_t moved) override {
        if (shares_.size() == 1) {
            shares_.front().exchange(generation, moved);
            return;
        }
        download();
        const Individuals before = state_;
        ga_distributed::exchange(before, state_, options_, generation, moved);
        upload();
    }

    void mark() override {
        for (const auto& share : shares_) share->mark();
    }
    void revert() override {
        for (const auto& share : shares_) share->revert();
    }

    IslandsReport report(std::uint64_t generation, bool with_digest) override {
        for (const auto& share : shares_) share->start_report(generation, with_digest);
        synchronize();
        const sdk::CostLess less = problem_.less();
        IslandsReport all{};
        for (const auto& share : shares_) {
            const kernels::GaReport<qapfw_cost> own = share->report().header();
            all.digest += own.digest;
            const bool is_tie = !less(own.cost, all.best.cost) && !less(all.best.cost, own.cost);
            if (!all.best.solution.empty() && !(is_tie ? own.found < all.best.found : less(own.cost, all.best.cost))) {
                continue;
            }
            all.best = {share->report().solution<std::uint16_t>(), own.cost, own.found, own.best};
        }
        return all;
    }

    std::uint64_t evaluations() const override {
        return evaluations_ + shares_.sum(&DeviceShare::improver_evaluations);
    }
    void save(sdk::Writer& writer) override {
        download();
        state_.save(writer);
    }
    void load(sdk::Reader& reader) override {
        state_.load(reader);
        upload();
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
    void download() {
        for (const auto& share : shares_) share->download(state_);
        synchronize();
    }

    sdk::ProblemRef problem_;
    IslandOptions options_;
    bool improves_;
    Individuals state_;  ///< of all shares, as far as it was downloaded last
    sdk::DeviceShares<DeviceShare> shares_;
    sdk::LaunchLength queue_;        ///< generations that may wait on the GPUs
    std::uint64_t queued_ = 0;       ///< and that do
    std::uint64_t evaluations_ = 0;  ///< without the improver's
};

}  // namespace

std::unique_ptr<Islands> make_device_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                             const qapfw_improver_ref* improver, const IslandOptions& options,
                                             std::span<const qapfw_device* const> devices) {
    return std::make_unique<DeviceIslands>(host, problem, improver, options, devices);
}

}  // namespace qapfw::ga_distributed
