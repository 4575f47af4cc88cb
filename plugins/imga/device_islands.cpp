// SPDX-License-Identifier: Apache-2.0
// The islands on GPUs, a contiguous share of them on each. Individuals come to the host only to be saved; emigrants do
// where there are several GPUs or processes. The host's threads drive a GPU each.
#include <algorithm>

#include "plugins/imga/device_share.hpp"
#include "qapfw/sdk/device_shares.hpp"
#include "qapfw/sdk/launch_length.hpp"

namespace qapfw::imga {
namespace {

class DeviceIslands final : public Islands {
  public:
    DeviceIslands(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                  const ImgaOptions& options, IslandState state, std::span<const qapfw_device* const> devices)
        : Islands(std::move(state)),
          problem_(problem),
          options_(options),
          improves_(improver != nullptr),
          shares_(host, devices, options.islands, problem, improver, options),
          emigrants_(0, 0),
          queue_(sdk::LaunchLength::of_generations(improves_)) {
        if (shares_.size() > 1 && options.migrate_every > 0) {
            emigrants_ = Travellers(std::uint64_t{options.islands} *
                                        kernels::island_emigrants(options.topology, options.islands, options.migrants),
                                    problem.solution_bytes());
        }
        if (!populated()) return;
        shares_.side_by_side([&](DeviceShare& share) {
            share.upload(state_);
            share.synchronize();
        });
    }

    void migrate(const sdk::Run& run) override {
        if (options_.islands > 1) move_emigrants();
        if (!has_other_processes(run)) return;
        Travellers leaving(options_.migrants, problem_.solution_bytes()), arriving = leaving;
        shares_.back().send(leaving);
        synchronize();
        swap_with_processes(run, leaving, arriving);
        shares_.front().receive(arriving, generation());
        synchronize();
    }

    /// Improvements only get later, so that GPUs need not be asked while one is known to be late enough.
    bool idle_since(std::uint64_t generation) override {
        if (improved_ > generation) return false;
        fetch_reports(false);
        return improved_ <= generation;
    }

    void mark() override {
        marked_ = state_;
        for (const auto& share : shares_) share->mark();
    }
    void revert() override {
        static_cast<IslandCounters&>(state_) = marked_;
        improved_ = 0;
        for (const auto& share : shares_) share->revert();
    }

    IslandsReport report(bool with_digest) override {
        fetch_reports(with_digest);
        const sdk::CostLess less = problem_.less();
        IslandsReport all;
        for (const auto& share : shares_) {
            const kernels::IslandReport own = share->report();
            const qapfw_cost cost{own.cost};
            const bool is_tie = !less(cost, all.cost) && !less(all.cost, cost);
            if (all.best.empty() || less(cost, all.cost) || (is_tie && own.found < all.found)) {
                all.best = share->best_solution();
                all.cost = cost;
                all.found = own.found;
                all.island = share->first() + own.leader;
            }
            all.digest += own.digest;
            all.evaluations += own.evaluations + share->improver_evaluations();
        }
        return all;
    }

    void save(sdk::Writer& writer) override {
        if (populated()) {
            for (const auto& share : shares_) share->download(state_);
            synchronize();
        }
        state_.save(writer);
    }

  protected:
    bool fill(const std::vector<unsigned char>& warm, const sdk::Run& run) override {
        shares_.side_by_side([&](DeviceShare& share) { share.fill(warm, generation(), run); });
        improved_ = generation();
        return !improves_ || !run.should_stop();
    }

    /// Generations wait on the GPUs without the host, but so few that a stop is seen soon.
    bool produce(std::uint64_t last, const sdk::Run& run) override {
        for (std::uint64_t at = generation(); at < last;) {
            const std::uint64_t to = std::min(last, at + queue_.value() - queued_);
            if (queued_ == 0) queue_.start();
            shares_.side_by_side([&](DeviceShare& share) { share.evolve(at, to, run); });
            queued_ += to - at;
            at = to;
            if (queued_ < queue_.value()) continue;
            synchronize();
            if (run.should_stop() && (improves_ || at < last)) return false;
        }
        return true;
    }

  private:
    void synchronize() {
        shares_.synchronize();
        if (queued_ > 0) queue_.finish(queued_);
        queued_ = 0;
    }

    void move_emigrants() {
        for (const auto& share : shares_) share->emigrate(generation());
        if (shares_.size() > 1) {
            shares_.side_by_side([&](DeviceShare& share) {
                share.download_emigrants(emigrants_);
                share.synchronize();
            });
            shares_.side_by_side([&](DeviceShare& share) { share.upload_emigrants(emigrants_); });
        }
        for (const auto& share : shares_) share->immigrate(generation());
        if (shares_.size() > 1) synchronize();  // before the host's copies change
    }

    void fetch_reports(bool with_digest) {
        for (const auto& share : shares_) share->start_report(generation(), with_digest);
        synchronize();
        improved_ = 0;
        for (const auto& share : shares_) improved_ = std::max(improved_, share->report().improved);
    }

    sdk::ProblemRef problem_;
    ImgaOptions options_;
    bool improves_;
    IslandCounters marked_;
    sdk::DeviceShares<DeviceShare> shares_;
    Travellers emigrants_;        ///< of all islands, on their way from GPU to GPU
    sdk::LaunchLength queue_;     ///< generations that may wait on the GPUs
    std::uint64_t queued_ = 0;    ///< and that do
    std::uint64_t improved_ = 0;  ///< generation in which an island last improved, as far as known
};

}  // namespace

std::unique_ptr<Islands> make_device_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                             const qapfw_improver_ref* improver, const ImgaOptions& options,
                                             IslandState state, std::span<const qapfw_device* const> devices) {
    return std::make_unique<DeviceIslands>(host, problem, improver, options, std::move(state), devices);
}

}  // namespace qapfw::imga
