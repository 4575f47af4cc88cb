// SPDX-License-Identifier: Apache-2.0
#include "plugins/local_search/random_restart.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/random_permutation.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/population/processes.hpp"
#include "qapfw/sdk/population/settings.hpp"
#include "qapfw/sdk/segments.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::local_search {
namespace {

constexpr std::uint32_t kStartStream = 80;
constexpr std::uint32_t kBitsStream = 81;
constexpr std::uint32_t kImproverStream = 64;

/// This process's part of the batches of a run.
class Batches {
  public:
    Batches(const sdk::SolverContext& context, std::uint32_t batch, RandomRestart::State& state, sdk::Run& run);
    void round();

  private:
    /// True if this process must draw the run's first solution even if the run is to stop: a run needs a result.
    bool needs_one() const { return !state_.best.exists() && shard_.first_group == 0 && shard_.groups > 0; }
    bool draw();
    void draw_solution(std::uint32_t k);
    void draw_bits(void* solution, std::uint32_t individual) const;
    bool improve();
    sdk::Leader best_of_batch() const;
    std::uint64_t digest() const;
    void tell(sdk::RoundReport report, bool complete);

    const sdk::ProblemRef& problem() const { return settings_.problem; }

    RandomRestart::State& state_;
    sdk::Run& run_;
    sdk::PopulationSettings settings_;
    sdk::Processes processes_;
    sdk::Shard shard_;
    sdk::ImproverPool improvers_;
    std::vector<std::uint16_t> free_;
    sdk::SegmentArrays segments_;  ///< empty if solutions are permutations or layouts
    // Address space for the solutions of a whole batch. A page takes real memory only once a solution in it is drawn.
    std::unique_ptr<unsigned char[]> solutions_;
    std::unique_ptr<qapfw_cost[]> costs_;
    std::vector<std::uint8_t> drawn_;  ///< 1: the solution was drawn in the present batch
    std::uint64_t evaluations_ = 0, told_ = 0;
};

Batches::Batches(const sdk::SolverContext& context, std::uint32_t batch, RandomRestart::State& state, sdk::Run& run)
    : state_(state),
      run_(run),
      settings_{context.host, context.problem, context.improver, {batch, 1}, {}, true, false},
      processes_(run),
      shard_(processes_.share_of(settings_.shape)),
      improvers_(settings_.host, settings_.problem, settings_.improver),
      free_(sdk::free_positions(settings_.problem)),
      segments_(settings_.problem, 0, 0),
      solutions_(std::make_unique_for_overwrite<unsigned char[]>(settings_.bytes() * shard_.individuals())),
      costs_(std::make_unique_for_overwrite<qapfw_cost[]>(shard_.individuals())),
      drawn_(shard_.individuals(), 0) {
    settings_.warm = sdk::warm_starts(run, problem(), batch);
    improvers_.prepare(drawn_.size());
}

void Batches::round() {
    if (!processes_.all_of(draw() && improve())) {
        if (needs_one() && drawn_[0] == 0) {
            draw_solution(0);
            ++evaluations_;
        }
        sdk::Leader seen = best_of_batch();
        return tell({state_.best.leads(seen, problem().less()) ? state_.best : std::move(seen)}, false);
    }
    sdk::RoundReport best = merged(processes_, problem(), {best_of_batch()});
    if (best.leader.leads(state_.best, problem().less())) state_.best = std::move(best.leader);
    const std::uint64_t own = digest();
    ++state_.batches;
    tell({state_.best, own}, true);
}

/// Draws and evaluates the solutions of a batch. Returns whether all were drawn. A stop ends the drawing early, since a
/// large batch may take minutes.
bool Batches::draw() {
    const bool needs_first = needs_one();
    std::atomic<std::uint64_t> drawn{0};
    settings_.host.parallel_for(drawn_.size(), [&](std::uint64_t k, std::uint32_t) {
        drawn_[k] = 0;
        if (!(k == 0 && needs_first) && run_.should_stop()) return;
        draw_solution(static_cast<std::uint32_t>(k));
        drawn.fetch_add(1, std::memory_order_relaxed);
    });
    evaluations_ += drawn;
    return drawn == drawn_.size();
}

void Batches::draw_solution(std::uint32_t k) {
    const std::uint32_t number = shard_.first_individual() + k;
    void* const solution = sdk::solution_at(solutions_.get(), settings_.bytes(), k);
    if (state_.batches == 0 && number < settings_.warm_count()) {
        std::copy_n(settings_.warm_start(number), settings_.bytes(), static_cast<unsigned char*>(solution));
    } else if (segments_) {
        sdk::base_solution(problem(), solution);
        kernels::draw_segments(segments_.list(), static_cast<std::uint8_t*>(solution), run_.seed(), state_.batches,
                               number);
    } else {
        sdk::base_solution(problem(), solution);
        kernels::shuffle(sdk::permutation_of(solution), free_.data(), static_cast<std::uint32_t>(free_.size()),
                         run_.seed(), state_.batches, number, kStartStream);
        draw_bits(solution, number);
    }
    problem().evaluate({solution, &costs_[k], 1});
    drawn_[k] = 1;
}

/// Sets random bits. The expected number of ones is drawn for each solution, from 0 to about 2 sqrt(n), because the
/// number of bays of a layout of n departments usually lies between 1 and a few times sqrt(n). Improvers that only make
/// swaps never change the bits.
void Batches::draw_bits(void* solution, std::uint32_t individual) const {
    for (std::uint32_t s = 1; s < problem().encoding().segment_count; ++s) {
        const qapfw_segment& segment = problem().encoding().segments[s];
        auto* bits = static_cast<std::uint8_t*>(solution) + segment.offset;
        const auto word = [&](std::uint32_t slot) {
            return kernels::draw(run_.seed(), state_.batches, individual, kBitsStream + s - 1, slot);
        };
        std::uint32_t root = 1;
        while (root * root < segment.length + 1) ++root;
        const std::uint32_t ones = kernels::below(word(segment.length), 2 * root);
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            bits[k] = kernels::below(word(k), segment.length + 1) < ones ? 1 : 0;
        }
    }
}

/// Improves the solutions of a batch. Returns false if the run must stop; then some solutions may not be improved.
bool Batches::improve() {
    if (improvers_) {
        qapfw_improve_request request =
            run_.improve_request(static_cast<std::uint32_t>(state_.batches), kImproverStream);
        request.first_individual = shard_.first_individual();
        evaluations_ += improvers_.improve_all({solutions_.get(), costs_.get(), drawn_.size()}, request);
    }
    return !run_.should_stop();
}

sdk::Leader Batches::best_of_batch() const {
    const sdk::CostLess less = problem().less();
    std::size_t best = drawn_.size();
    for (std::size_t k = 0; k < drawn_.size(); ++k) {
        if (drawn_[k] == 0) continue;
        if (best == drawn_.size() || less(costs_[k], costs_[best])) best = k;
    }
    if (best == drawn_.size()) return {};
    const auto* at = static_cast<const unsigned char*>(
        sdk::solution_at(static_cast<const void*>(solutions_.get()), settings_.bytes(), best));
    return {{at, at + settings_.bytes()}, costs_[best], state_.batches, shard_.first_individual() + best};
}

std::uint64_t Batches::digest() const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < drawn_.size(); ++k) {
        const std::uint64_t elements = settings_.digest_of(solutions_.get(), k);
        sum +=
            kernels::digest_in_round(shard_.first_individual() + k,
                                     kernels::digest_search(elements, costs_[k].i, state_.best.cost.i, state_.batches));
    }
    return sum;
}

/// Reports what all processes have done since the last report.
void Batches::tell(sdk::RoundReport report, bool complete) {
    report.evaluations = evaluations_;
    const sdk::RoundReport all = merged(processes_, problem(), std::move(report));
    const sdk::Leader& best = all.leader;
    qapfw_round round{};
    round.struct_size = sizeof round;
    round.complete = complete ? 1 : 0;
    round.iterations = complete ? 1 : 0;
    round.evaluations = all.evaluations - std::exchange(told_, all.evaluations);
    round.digest = all.digest;
    round.best_solution = best.solution.data();
    round.best_cost = best.cost;
    round.best_iteration = best.found;
    round.best_search = best.number;
    run_.end_round(round);
}

}  // namespace

RandomRestart::RandomRestart(const sdk::SolverContext& context)
    : context_(context), batch_(static_cast<std::uint32_t>(context.parameters.integer("batch"))) {}

void RandomRestart::run(sdk::Run& run) {
    Batches batches(context_, batch_, state_, run);
    while (run.begin_round(1) > 0) batches.round();
}

void RandomRestart::save(sdk::Writer& writer) const {
    writer.value(state_.batches);
    state_.best.save(writer);
}

void RandomRestart::load(sdk::Reader& reader) {
    state_.batches = reader.value<std::uint64_t>();
    state_.best.load(reader, context_.problem);
}

const void* RandomRestart::get_capability(const char* id) {
    static constexpr qapfw_solver_processes kShares{sizeof(qapfw_solver_processes)};
    return std::string_view(id == nullptr ? "" : id) == QAPFW_SOLVER_PROCESSES ? &kShares : nullptr;
}

}  // namespace qapfw::local_search
