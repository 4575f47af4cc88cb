// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_independent/ga_independent_solver.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::ga_independent {
namespace {

constexpr std::uint64_t kMostIndividuals = 100'000'000;

BlockOptions read_options(const sdk::SolverContext& context) {
    const sdk::Parameters& p = context.parameters;
    BlockOptions options;
    options.free = sdk::free_positions(context.problem);
    options.blocks = static_cast<std::uint32_t>(p.integer("blocks"));
    options.rules.size = static_cast<std::uint32_t>(p.integer("size"));
    options.rules.n = static_cast<std::uint32_t>(options.free.size());
    options.rules.values = context.problem.length();
    options.rules.crossover = p.choice("crossover") == 0 ? kernels::kGaPmx : kernels::kGaOx;
    options.rules.mutation = kernels::probability_threshold(p.real("mutation_rate"));
    options.rules.mutates = p.choice("mutation_per") == 0 ? kernels::kGaByString : kernels::kGaByPosition;
    options.restart_at = restart_threshold(p.real("restart_share"), options.rules.size);
    options.restart_check = static_cast<std::uint64_t>(p.integer("restart_check"));
    options.asynchronous = p.choice("found_flag") == 1;
    if (std::uint64_t{options.blocks} * options.rules.size > kMostIndividuals) {
        throw Error(ErrorKind::kUsage, "ga_independent: blocks * size must be at most " +
                                           std::to_string(kMostIndividuals) + ", found " +
                                           std::to_string(options.blocks) + " * " + std::to_string(options.rules.size));
    }
    return options;
}

/// About 20 ms on one core, but enough generations for a GPU to have something to do where that takes a core no more
/// than 2 s.
std::uint64_t default_round(std::uint64_t work) {
    return std::clamp<std::uint64_t>(20'000'000 / work, std::clamp<std::uint64_t>(2'000'000'000 / work, 1, 100), 500);
}

std::uint64_t resolve_round(const sdk::SolverContext& context, const BlockOptions& options) {
    if (!context.parameters.is_auto("round")) return static_cast<std::uint64_t>(context.parameters.integer("round"));
    const std::uint64_t work = std::uint64_t{options.individuals()} * options.rules.values * options.rules.values;
    const std::uint64_t round = context.improver != nullptr ? 1 : default_round(work);
    context.host.resolve("round", static_cast<std::int64_t>(round));
    return round;
}

}  // namespace

std::uint32_t restart_threshold(double share, std::uint32_t size) {
    return static_cast<std::uint32_t>(std::ceil(share * size - 1e-9));  // 0.55 * 100 is a little more than 55
}

GaIndependent::GaIndependent(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      improver_(context.improver),
      options_(read_options(context)),
      round_length_(resolve_round(context, options_)) {
    if (!options_.asynchronous) return;
    host_.warn("ga_independent: with found_flag = \"asynchronous\" a run that reaches its target is not reproducible");
}

void GaIndependent::run(sdk::Run& run) {
    settle(run);
    while (const std::uint64_t generations = run.begin_round(round_length_ - generation_ % round_length_)) {
        const std::uint64_t first = generation_;
        if (const std::optional<std::uint64_t> last = advance(generations, run)) {
            generation_ = *last;
            report(run, generation_ - first, true);
        } else {
            report(run, 0, false);
        }
    }
}

void GaIndependent::settle(const sdk::Run& run) {
    options_.rules.seed = run.seed();
    options_.rules.first = run.exchange() == nullptr ? 0 : run.exchange()->rank * options_.individuals();
    blocks_ = run.devices().empty() ? make_cpu_blocks(host_, problem_, improver_, options_)
                                    : make_device_blocks(host_, problem_, improver_, options_, run.devices());
    if (!started_) return;
    sdk::MemoryReader state(std::exchange(saved_, {}));
    blocks_->load(state.reader());
}

/// The generation at which all blocks stand after this round; nothing: cut short. The first round begins with the first
/// individuals, generation 0, and ends there if one of them reaches the target.
std::optional<std::uint64_t> GaIndependent::advance(std::uint64_t generations, const sdk::Run& run) {
    if (!started_) {
        if (!blocks_->start(run)) return std::nullopt;
        started_ = true;
        if (blocks_->reached(blocks_->leader(problem_.less()), run, problem_.less())) return generation_;
    }
    return blocks_->evolve(generation_, generation_ + generations, run);
}

void GaIndependent::report(sdk::Run& run, std::uint64_t generations, bool complete) {
    const std::uint32_t best = blocks_->leader(problem_.less());
    const auto* bytes = static_cast<const unsigned char*>(blocks_->best_solution(best));
    const std::vector<unsigned char> solution(bytes, bytes + problem_.solution_bytes());
    const std::uint64_t evaluations = blocks_->evaluations();
    const qapfw_round round{sizeof(qapfw_round),
                            complete ? 1u : 0u,
                            generations,
                            evaluations - reported_,
                            complete ? blocks_->digest(generation_) : 0,
                            solution.data(),
                            blocks_->bests().best_costs[best],
                            blocks_->bests().best_found[best],
                            best};
    name_winner(run);
    if (!complete) blocks_->revert();  // a round cut short is reported, but leaves no trace in the saved state
    reported_ = blocks_->evaluations();
    run.end_round(round);
}

/// The winner is the lowest (generation, block) that reached the target: all blocks stand at its generation.
void GaIndependent::name_winner(sdk::Run& run) const {
    if (options_.asynchronous) run.statistic("reproducible", 0);
    run.statistic("restarts", static_cast<double>(blocks_->restarts()));
    const BlockBests& state = blocks_->bests();
    const std::uint32_t none = options_.blocks;
    std::uint32_t winner = none;
    for (std::uint32_t block = 0; block < options_.blocks; ++block) {
        if (!blocks_->reached(block, run, problem_.less())) continue;
        if (winner == none || state.best_found[block] < state.best_found[winner]) winner = block;
    }
    if (winner == none) return;
    run.statistic("winner_block", winner);
    run.statistic("winner_generation", static_cast<double>(state.best_found[winner]));
}

void GaIndependent::save(sdk::Writer& writer) const {
    writer.value(generation_);
    writer.value(started_);
    if (started_) blocks_->save(writer);
}

void GaIndependent::load(sdk::Reader& reader) {
    generation_ = reader.value<std::uint64_t>();
    started_ = reader.value<bool>();
    saved_ = reader.rest();
}

}  // namespace qapfw::ga_independent
