// SPDX-License-Identifier: Apache-2.0
// Colonies on GPUs, a contiguous share of them on each. Everything happens on the devices but the exchange between
// several GPUs; the host looks at the best cost once a round, and a thread of it for each GPU calls the improver.
#include <utility>

#include "plugins/cas/colonies.hpp"
#include "plugins/cas/device_share.hpp"
#include "qapfw/sdk/device_shares.hpp"

namespace qapfw::cas {
namespace {

class DeviceColonies final : public Colonies {
  public:
    DeviceColonies(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                   const CasOptions& options, std::span<const qapfw_device* const> devices)
        : problem_(problem),
          options_(options),
          improves_(improver != nullptr),
          state_(options, problem.solution_bytes()),
          shares_(host, devices, options.colonies, problem, improver, options) {}

    void sample_randomly(const sdk::Run&, const std::vector<unsigned char>& warm) override {
        std::uint32_t given = 0;
        for (std::uint32_t k = 0; k < options_.all_ants(); ++k) {
            given += begin_first(problem_, warm, k, state_.solution(k)) ? 1u : 0u;
        }
        for (const auto& share : shares_) share->sample(state_, given);
        constructed_ += options_.all_ants();
    }

    void update_trail() override {
        for (const auto& share : shares_) share->update_trail();
    }
    void construct(std::uint64_t iteration, const sdk::Run&) override {
        for (const auto& share : shares_) share->construct(iteration);
        constructed_ += options_.all_ants();
    }
    void improve(std::uint64_t iteration, const sdk::Run& run) override {
        if (improves_) shares_.side_by_side([&](DeviceShare& share) { share.improve(iteration, run); });
    }

    void select(std::uint64_t iteration, bool exchanges) override {
        const bool exchanges_here = exchanges && shares_.size() == 1;
        if (iteration == 0 || !exchanges_here) {
            for (const auto& share : shares_) share->select(iteration);
        }
        if (iteration == 0) {  // the first trails go by the costs before an exchange
            for (const auto& share : shares_) share->lay_first_trails(problem_.info());
        }
        if (exchanges_here) shares_.front().select_and_exchange(iteration);
    }

    void mark() override {
        for (const auto& share : shares_) share->mark();
    }
    void revert() override {
        for (const auto& share : shares_) share->revert();
    }

    void end_round(std::uint64_t iterations) override {
        for (const auto& share : shares_) share->start_round_end(iterations, true);
    }
    RoundEnd round_end() override {
        RoundEnd end = shares_.front().take_round_end();
        for (std::size_t d = 1; d < shares_.size(); ++d) {
            RoundEnd other = shares_[d].take_round_end();
            end.digest += other.digest;
            if (std::pair(other.leader.cost, other.leader.found) < std::pair(end.leader.cost, end.leader.found)) {
                end.leader = std::move(other.leader);
            }
        }
        return end;
    }

    Champion leader_of_cut_round(std::uint64_t iteration) override {
        Champion best;
        if (iteration > 0) {
            for (const auto& share : shares_) share->start_round_end(iteration, false);
            best = round_end().leader;
        }
        for (const auto& share : shares_) share->download_children(state_);
        shares_.synchronize();
        const std::vector<std::uint64_t> found(options_.all_ants(), iteration);
        const std::uint32_t child = best_ant(state_.costs.data(), found.data(), 0, options_.all_ants());
        if (best.solution.empty() || state_.cost(child) < best.cost) {
            const auto* bytes = static_cast<const unsigned char*>(state_.solution(child));
            best = {{bytes, bytes + state_.bytes}, state_.cost(child), iteration, child};
        }
        return best;
    }

    std::uint64_t evaluations() override { return constructed_ + shares_.sum(&DeviceShare::improver_evaluations); }

    /// Between several GPUs the exchange waits.
    bool may_go_ahead() const override { return shares_.size() == 1 && shares_.front().improver_counts_enqueued(); }

    void exchange() override {
        if (shares_.size() == 1) return;  // made with the selection
        change([](ColonyState& state) { exchange_on_ring(state, champion(state, state.colonies - 1)); });
    }
    void change(const std::function<void(ColonyState&)>& work) override {
        for (const auto& share : shares_) share->download_ants(state_);
        take_costs();
        work(state_);
        for (const auto& share : shares_) share->upload_ants(state_);
        shares_.synchronize();
    }

    void save(sdk::Writer& writer) override {
        for (const auto& share : shares_) share->download_marked(state_);
        take_costs();
        state_.save(writer);
    }
    void load(sdk::Reader& reader) override {
        state_.load(reader);
        for (const auto& share : shares_) {
            share->upload_ants(state_);
            share->upload_trails(state_);
        }
        shares_.synchronize();
    }

  private:
    /// Waits.
    void take_costs() {
        shares_.synchronize();
        for (const auto& share : shares_) share->take_costs(state_);
    }

    sdk::ProblemRef problem_;
    CasOptions options_;
    bool improves_;
    ColonyState state_;  ///< of all shares, as far as it was downloaded last
    sdk::DeviceShares<DeviceShare> shares_;
    std::uint64_t constructed_ = 0;
};

}  // namespace

std::unique_ptr<Colonies> make_device_colonies(const sdk::Host& host, const sdk::ProblemRef& problem,
                                               const qapfw_improver_ref* improver, const CasOptions& options,
                                               std::span<const qapfw_device* const> devices) {
    return std::make_unique<DeviceColonies>(host, problem, improver, options, devices);
}

}  // namespace qapfw::cas
