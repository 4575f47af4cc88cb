// SPDX-License-Identifier: Apache-2.0
#include "plugins/imga/cpu_islands.hpp"

#include <algorithm>
#include <cstring>

#include "qapfw/sdk/free_positions.hpp"

namespace qapfw::imga {

FixedElements::FixedElements(const sdk::ProblemRef& problem) : base(problem.solution_bytes()) {
    sdk::base_solution(problem, base.data());
    const std::uint8_t* const mask = problem.encoding().fixed;
    for (std::uint32_t k = 0; mask != nullptr && k < problem.length(); ++k) {
        if (mask[k] != 0) positions.push_back(static_cast<std::uint16_t>(k));
    }
}

CpuIslands::CpuIslands(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                       const ImgaOptions& options, IslandState state)
    : Islands(std::move(state)),
      host_(host),
      problem_(problem),
      improvers_(host, problem, improver),
      options_(options),
      bytes_(problem.solution_bytes()),
      fixed_(problem),
      children_(bytes_ * options.individuals()),
      child_costs_(options.individuals()),
      survivors_(options.individuals()),
      changed_(options.individuals()),
      ready_(options.individuals()),
      scratch_(host.workers()) {
    options_.rules.fixed_count = static_cast<std::uint32_t>(fixed_.positions.size());
    options_.rules.fixed_positions = fixed_.positions.data();
    options_.rules.fixed_solution = sdk::permutation_of(fixed_.base.data());
    for (Scratch& scratch : scratch_) {
        scratch.positions.resize(options_.rules.n);
        scratch.mirror.resize(bytes_);
        scratch.batch.resize(bytes_ * kBatch);
        scratch.batch_costs.resize(kBatch);
    }
}

bool CpuIslands::produce(std::uint64_t last, const sdk::Run& run) {
    const std::uint32_t workers = host_.workers();  // by island where that leaves few of them idle at the end
    const bool many = !improvers_ && (options_.islands % workers == 0 || options_.islands >= 4 * workers);
    return many ? produce_by_island(last, run) : produce_by_generation(last, run);
}

bool CpuIslands::produce_by_island(std::uint64_t last, const sdk::Run& run) {
    std::atomic<bool> complete{true};
    host_.parallel_for(options_.islands, [&](std::uint64_t index, std::uint32_t worker) {
        const auto island = static_cast<std::uint32_t>(index);
        for (std::uint64_t generation = state_.generation + 1; generation <= last; ++generation) {
            for (std::uint32_t first = 0; first < options_.size(); first += kBatch) {
                if (run.should_stop()) {
                    complete = false;
                    return;
                }
                make_children({island, first, std::min(options_.size(), first + kBatch)}, generation, worker, run);
            }
            replace(island, generation);
        }
    });
    return complete;
}

bool CpuIslands::produce_by_generation(std::uint64_t last, const sdk::Run& run) {
    for (std::uint64_t generation = state_.generation + 1; generation <= last; ++generation) {
        std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
        const bool complete = for_all_parts(
            run, [&](const Part& part, std::uint32_t worker) { make_children(part, generation, worker, run); });
        if (!complete) {
            keep_best_of_children(generation);
            return false;
        }
        host_.parallel_for(options_.islands, [&](std::uint64_t island, std::uint32_t) {
            replace(static_cast<std::uint32_t>(island), generation);
        });
    }
    return true;
}

/// The steps of a generation up to the children's costs.
void CpuIslands::make_children(const Part& part, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run) {
    Scratch& scratch = scratch_[worker];
    select(part, generation);
    cross(part, generation, scratch);
    mutate(part, generation, scratch);
    recognise_copies(part);
    evaluate(part, scratch);
    if (improvers_) improve(part, generation, worker, run);
    std::fill_n(ready_.begin() + static_cast<std::ptrdiff_t>(number(part.island, part.first)), part.last - part.first,
                std::uint8_t{1});
}

void CpuIslands::select(const Part& part, std::uint64_t generation) {
    const qapfw_cost* const costs = state_.costs.data() + number(part.island, 0);
    const sdk::CostLess less = problem_.less();
    for (std::uint32_t k = part.first; k < part.last; ++k) {
        survivors_[number(part.island, k)] = kernels::tournament_winner(options_.rules.tournament, costs, less,
                                                                        generation, island_number(part.island), k);
    }
}

/// Survivors k and k + 1, k even, have two children; a last odd one is copied.
void CpuIslands::cross(const Part& part, std::uint64_t generation, Scratch& scratch) {
    with_solutions([&](const auto& view) {
        for (std::uint32_t k = part.first; k < part.last; ++k) {
            const std::uint64_t own = number(part.island, k);
            const std::uint32_t partner = (k ^ 1u) < options_.size() ? k ^ 1u : k;
            const std::uint64_t mother = number(part.island, survivors_[own]);
            const std::uint64_t father = number(part.island, survivors_[number(part.island, partner)]);
            const kernels::IslandCrossing crossing =
                kernels::island_draw_crossing(options_.rules, generation, individual(number(part.island, k & ~1u)));
            changed_[own] = mother != father && crossing.happens;
            if (changed_[own] != 0) {
                kernels::island_cross(options_.rules, view(child(own)), view(parent(mother)), view(parent(father)),
                                      scratch.positions.data(), view(scratch.mirror.data()), crossing.segment);
            } else {
                std::memcpy(child(own), parent(mother), bytes_);
            }
        }
    });
}

void CpuIslands::mutate(const Part& part, std::uint64_t generation, Scratch& scratch) {
    with_solutions([&](const auto& view) {
        for (std::uint64_t k = number(part.island, part.first); k < number(part.island, part.last); ++k) {
            const kernels::IslandMutation mutation =
                kernels::island_draw_mutation(options_.rules, generation, individual(k));
            kernels::island_mutate(options_.rules, view(child(k)), mutation, generation, individual(k));
            if (mutation.moves > 0) changed_[k] = 1;
            if (changed_[k] != 0) {
                kernels::island_restore_fixed(options_.rules, view(child(k)), scratch.positions.data());
            }
        }
    });
}

/// A child equal to one of its parents has that one's cost: the usual case in a population that has converged.
void CpuIslands::recognise_copies(const Part& part) {
    for (std::uint32_t k = part.first; k < part.last; ++k) {
        const std::uint64_t own = number(part.island, k);
        const std::uint32_t partner = (k ^ 1u) < options_.size() ? k ^ 1u : k;
        for (const std::uint32_t of : {k, partner}) {
            const std::uint64_t p = number(part.island, survivors_[number(part.island, of)]);
            if (changed_[own] != 0 && std::memcmp(child(own), parent(p), bytes_) != 0) continue;
            changed_[own] = 0;
            child_costs_[own] = state_.costs[p];
            break;
        }
    }
}

/// One batch of all children whose cost is not known.
void CpuIslands::evaluate(const Part& part, Scratch& scratch) {
    scratch.batch_members.clear();
    for (std::uint64_t k = number(part.island, part.first); k < number(part.island, part.last); ++k) {
        if (changed_[k] == 0) continue;
        std::memcpy(scratch.batch.data() + scratch.batch_members.size() * bytes_, child(k), bytes_);
        scratch.batch_members.push_back(k);
    }
    if (scratch.batch_members.empty()) return;
    problem_.evaluate({scratch.batch.data(), scratch.batch_costs.data(), scratch.batch_members.size()});
    for (std::size_t b = 0; b < scratch.batch_members.size(); ++b) {
        child_costs_[scratch.batch_members[b]] = scratch.batch_costs[b];
    }
    scratch.evaluations += scratch.batch_members.size();
}

/// The improver on new children, each with probability improve_rate.
void CpuIslands::improve(const Part& part, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run) {
    if (generation % options_.improve_every != 0) return;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), kImproverStream);
    for (std::uint64_t k = number(part.island, part.first); k < number(part.island, part.last); ++k) {
        request.first_individual = individual(k);
        const std::uint32_t word =
            kernels::draw(run.seed(), generation, individual(k), kernels::kIslandImproveStream, 0);
        if (changed_[k] == 0 || word >= options_.improve) continue;
        scratch_[worker].evaluations += improvers_.improve_one(worker, child(k), &child_costs_[k], request);
    }
}

void CpuIslands::replace(std::uint32_t island, std::uint64_t generation) {
    if (options_.distinct)
        take_best_distinct(island);
    else
        let_elites_live(island);
    keep_best(island, generation);
}

std::unique_ptr<Islands> make_cpu_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                          const qapfw_improver_ref* improver, const ImgaOptions& options,
                                          IslandState state) {
    return std::make_unique<CpuIslands>(host, problem, improver, options, std::move(state));
}

}  // namespace qapfw::imga
