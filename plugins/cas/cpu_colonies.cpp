// SPDX-License-Identifier: Apache-2.0
// Colonies on CPU threads: one ant per loop index in construction and improvement, a few trail rows in the update.
#include <algorithm>
#include <cstring>

#include "plugins/cas/colonies.hpp"

namespace qapfw::cas {
namespace {

constexpr std::uint64_t kRowsPerTask = 16;

class CpuColonies final : public Colonies {
  public:
    CpuColonies(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                const CasOptions& options)
        : host_(host),
          problem_(problem),
          improvers_(host, problem, improver),
          options_(options),
          state_(options, problem.solution_bytes()),
          marked_(state_),
          children_(state_.solutions.size()),
          child_costs_(options.all_ants()),
          ready_(options.all_ants()),
          scratch_(std::size_t{host.workers()} * 2 * std::max<std::size_t>(1, options.free.size())),
          deposits_(options.ants()) {}

    void sample_randomly(const sdk::Run& run, const std::vector<unsigned char>& warm) override {
        for_each_ant(run, [&](std::uint32_t k, std::uint32_t) { sample_first(options_, problem_, warm, k, child(k)); });
    }

    void update_trail() override {
        for (std::uint32_t c = 0; c < options_.colonies; ++c) {
            const kernels::TrailLimits limits = measure_deposits(c);
            const std::uint64_t rows = options_.free.size();
            host_.parallel_for((rows + kRowsPerTask - 1) / kRowsPerTask, [&](std::uint64_t task, std::uint32_t) {
                const std::uint64_t last = std::min(rows, (task + 1) * kRowsPerTask);
                for (std::uint64_t row = task * kRowsPerTask; row < last; ++row) update_row(c, row, limits);
            });
        }
    }

    void construct(std::uint64_t iteration, const sdk::Run& run) override {
        const kernels::CunningTables tables{options_.free.data(), options_.thresholds.data(),
                                            static_cast<std::uint32_t>(options_.free.size()), options_.values};
        for_each_ant(run, [&](std::uint32_t k, std::uint32_t worker) {
            std::memcpy(child(k), state_.solution(k), state_.bytes);
            std::uint16_t* const order = scratch_.data() + std::size_t{worker} * 2 * options_.free.size();
            kernels::construct_cunning_ant(tables, trail_of(k / options_.ants()),
                                           sdk::permutation_of(const_cast<const void*>(state_.solution(k))),
                                           sdk::permutation_of(child(k)), order, order + options_.free.size(),
                                           {options_.seed, iteration, options_.first_ant() + k});
        });
    }

    void improve(std::uint64_t iteration, const sdk::Run& run) override {
        if (!improvers_ || run.should_stop()) return;
        qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(iteration), kImproverStream);
        request.first_individual = options_.first_ant();
        evaluations_ += improvers_.improve_all({children_.data(), child_costs_.data(), options_.all_ants()}, request);
    }

    void select(std::uint64_t iteration, bool) override {
        for (std::uint32_t k = 0; k < options_.all_ants(); ++k) {
            if (iteration > 0 && child_costs_[k].i >= state_.cost(k)) continue;
            std::memcpy(state_.solution(k), child(k), state_.bytes);
            state_.costs[k] = child_costs_[k];
            state_.found[k] = iteration;
        }
        if (iteration == 0) lay_first_trails();
    }

    void mark() override { marked_ = state_; }
    void revert() override { state_ = marked_; }

    void end_round(std::uint64_t iterations) override {
        mark();
        round_end_ = {leader(), digest(state_, options_, iterations)};
    }
    RoundEnd round_end() override { return std::move(round_end_); }

    Champion leader_of_cut_round(std::uint64_t iteration) override {
        Champion best;
        if (iteration > 0) best = leader();
        for (std::uint32_t k = 0; k < options_.all_ants(); ++k) {
            if (ready_[k] == 0 || (!best.solution.empty() && child_costs_[k].i >= best.cost)) continue;
            const auto* bytes = static_cast<const unsigned char*>(child(k));
            best = {{bytes, bytes + state_.bytes}, child_costs_[k].i, iteration, k};
        }
        return best;
    }

    std::uint64_t evaluations() override { return evaluations_; }
    bool may_go_ahead() const override { return false; }
    void exchange() override { exchange_on_ring(state_, champion(state_, state_.colonies - 1)); }
    void change(const std::function<void(ColonyState&)>& work) override { work(state_); }
    void save(sdk::Writer& writer) override { marked_.save(writer); }
    void load(sdk::Reader& reader) override { state_.load(reader); }

  private:
    Champion leader() const {
        const std::uint32_t best = best_ant(state_.costs.data(), state_.found.data(), 0, options_.all_ants());
        return champion(state_, best / options_.ants());
    }
    void* child(std::uint64_t ant) { return sdk::solution_at(children_.data(), state_.bytes, ant); }
    std::uint64_t* trail_of(std::uint32_t colony) { return state_.trail.data() + colony * options_.trail_size(); }

    /// make(ant, worker) for every c-ant, then its cost. After a stop the ants that are left are passed over, but never
    /// ant 0, so that there is always a solution to report.
    template <class Make>
    void for_each_ant(const sdk::Run& run, const Make& make) {
        std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
        host_.parallel_for(options_.all_ants(), [&](std::uint64_t k, std::uint32_t worker) {
            if (k > 0 && run.should_stop()) return;
            make(static_cast<std::uint32_t>(k), worker);
            problem_.evaluate({child(k), &child_costs_[k], 1});
            ready_[k] = 1;
        });
        evaluations_ += static_cast<std::uint64_t>(std::count(ready_.begin(), ready_.end(), std::uint8_t{1}));
    }

    void lay_first_trails() {
        for (std::uint32_t c = 0; c < options_.colonies; ++c) {
            const auto first = state_.costs.begin() + std::ptrdiff_t{c} * options_.ants();
            const auto [best, worst] = std::minmax_element(
                first, first + options_.ants(), [](const qapfw_cost& a, const qapfw_cost& b) { return a.i < b.i; });
            state_.references[c] =
                kernels::make_reference(options_.rules, cost_bound(problem_.info()), best->i, worst->i);
            std::fill_n(trail_of(c), options_.trail_size(), measure_deposits(c).most);
        }
    }

    kernels::TrailLimits measure_deposits(std::uint32_t colony) {
        std::uint64_t sum = 0;
        for (std::uint32_t k = 0; k < options_.ants(); ++k) {
            deposits_[k] = kernels::deposit(options_.rules, state_.references[colony],
                                            state_.cost(std::uint64_t{colony} * options_.ants() + k));
            sum += deposits_[k];
        }
        return kernels::trail_limits(options_.rules, sum);
    }

    /// Equation 1 for one position, then the limits.
    void update_row(std::uint32_t colony, std::uint64_t row, const kernels::TrailLimits& limits) {
        std::uint64_t* const trail = trail_of(colony) + row * options_.values;
        const std::uint16_t position = options_.free[row];
        for (std::uint32_t v = 0; v < options_.values; ++v) trail[v] = kernels::evaporated(options_.rules, trail[v]);
        for (std::uint32_t k = 0; k < options_.ants(); ++k) {
            const void* const ant = state_.solution(std::uint64_t{colony} * options_.ants() + k);
            trail[sdk::permutation_of(ant)[position]] += deposits_[k];
        }
        for (std::uint32_t v = 0; v < options_.values; ++v) trail[v] = kernels::within(limits, trail[v]);
    }

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ImproverPool improvers_;
    CasOptions options_;
    ColonyState state_, marked_;
    RoundEnd round_end_;
    std::vector<unsigned char> children_;  ///< c-ants
    std::vector<qapfw_cost> child_costs_;
    std::vector<std::uint8_t> ready_;     ///< c-ant k is complete and its cost known
    std::vector<std::uint16_t> scratch_;  ///< per worker: order and pool of a construction
    std::vector<std::uint64_t> deposits_;
    std::uint64_t evaluations_ = 0;
};

}  // namespace

std::unique_ptr<Colonies> make_cpu_colonies(const sdk::Host& host, const sdk::ProblemRef& problem,
                                            const qapfw_improver_ref* improver, const CasOptions& options) {
    return std::make_unique<CpuColonies>(host, problem, improver, options);
}

}  // namespace qapfw::cas
