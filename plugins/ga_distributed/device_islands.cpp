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
          launch_(sdk::LaunchLength::of_generations(improves_)) {}

    bool start(const sdk::Run& run) override {
        const std::vector<unsigned char> warm = sdk::warm_starts(run, problem_, options_.individuals());
        shares_.side_by_side([&](DeviceShare& share) { share.begin(warm, run); });
        evaluations_ += options_.individuals();
        return !run.should_stop();
    }

    bool evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) override {
        for (std::uint64_t at = first; at < last;) {
            const std::uint64_t to = std::min(last, at + launch_.value());
            launch_.start();
            shares_.side_by_side([&](DeviceShare& share) { share.evolve(at, to, run); });
            shares_.synchronize();
            launch_.finish(to - at);
            evaluations_ += (to - at) * options_.individuals();
            at = to;
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

    Champion leader() override {
        for (const auto& share : shares_) share->start_bests();
        shares_.synchronize();
        const sdk::CostLess less = problem_.less();
        const IslandBest* best = shares_.front().bests().data();
        for (const auto& share : shares_) {
            for (const IslandBest& other : share->bests()) {
                const bool equal = !less(other.cost, best->cost) && !less(best->cost, other.cost);
                if (equal ? other.found < best->found : less(other.cost, best->cost)) best = &other;
            }
        }
        const std::size_t stride = state_.solutions.size() / state_.costs.size();
        Champion champion{std::vector<std::uint16_t>(stride), best->cost, best->found, best->individual};
        for (const auto& share : shares_) {
            if (share->holds(best->individual)) share->download_solution(best->individual, champion.solution);
        }
        shares_.synchronize();
        return champion;
    }

    std::uint64_t digest(std::uint64_t generation) override {
        for (const auto& share : shares_) share->start_digest(generation);
        shares_.synchronize();
        return shares_.sum(&DeviceShare::digest);
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
    void upload() {
        for (const auto& share : shares_) share->upload(state_);
        shares_.synchronize();
    }
    void download() {
        for (const auto& share : shares_) share->download(state_);
        shares_.synchronize();
    }

    sdk::ProblemRef problem_;
    IslandOptions options_;
    bool improves_;
    Individuals state_;  ///< of all shares, as far as it was downloaded last
    sdk::DeviceShares<DeviceShare> shares_;
    sdk::LaunchLength launch_;       ///< generations
    std::uint64_t evaluations_ = 0;  ///< without the improver's
};

}  // namespace

std::unique_ptr<Islands> make_device_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                             const qapfw_improver_ref* improver, const IslandOptions& options,
                                             std::span<const qapfw_device* const> devices) {
    return std::make_unique<DeviceIslands>(host, problem, improver, options, devices);
}

}  // namespace qapfw::ga_distributed
