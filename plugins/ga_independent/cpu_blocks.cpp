// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_independent/cpu_blocks.hpp"

#include <algorithm>
#include <numeric>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::ga_independent {
namespace {

constexpr std::uint32_t kBatch = 32;  ///< children made and evaluated between two looks at should_stop

/// Elements first..first+count-1 of `to` become those of `from`.
template <class T>
void copy_part(std::vector<T>& to, const std::vector<T>& from, std::uint64_t first, std::uint64_t count) {
    std::copy_n(from.data() + first, count, to.data() + first);
}

void lower(std::atomic<std::uint64_t>& value, std::uint64_t bound) {
    std::uint64_t seen = value;
    while (bound < seen && !value.compare_exchange_weak(seen, bound)) {
    }
}

}  // namespace

CpuBlocks::CpuBlocks(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                     const BlockOptions& options)
    : host_(host),
      problem_(problem),
      costs_of_children_(problem),
      improvers_(host, problem, improver),
      options_(options),
      stride_(problem.solution_bytes() / sizeof(std::uint16_t)),
      now_(options, stride_),
      marked_(now_),
      base_(stride_),
      children_(stride_ * options.individuals()),
      child_costs_(options.individuals()),
      ready_(options.individuals()),
      taken_(std::size_t{host.workers()} * options.rules.values),
      where_(taken_.size()),
      at_(options.blocks),
      evaluations_(options.individuals()) {
    sdk::base_solution(problem_, base_.data());
}

kernels::GaPools<qapfw_cost> CpuBlocks::pools() {
    return {now_.solutions.data(), children_.data(),  now_.costs.data(),
            child_costs_.data(),   now_.found.data(), stride_};
}

kernels::GaScratch<> CpuBlocks::scratch(std::uint32_t worker) {
    const std::size_t first = std::size_t{worker} * options_.rules.values;
    return {taken_.data() + first, where_.data() + first};
}

bool CpuBlocks::start(const sdk::Run& run) {
    const std::vector<std::uint64_t> warm = sdk::warm_start_order(run, problem_, options_.individuals());
    std::fill(now_.best_found.begin(), now_.best_found.end(), kNotFound);
    std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
    host_.parallel_for(options_.individuals(), [&](std::uint64_t index, std::uint32_t worker) {
        if (index > 0 && run.should_stop()) return;
        const auto k = static_cast<std::uint32_t>(index);
        if (k < warm.size()) {
            const void* from = sdk::solution_at(run.initial().solutions, problem_.solution_bytes(), warm[k]);
            std::copy_n(sdk::permutation_of(from), stride_, pools().parent(k));
        } else {
            kernels::ga_draw(options_.rules, options_.free.data(), base_.data(), pools().parent(k), k, 0);
        }
        settle_individual(k, 0, worker, run);
        ready_[k] = 1;
    });
    bool complete = !(improvers_ && run.should_stop());
    for (std::uint32_t k = 0; k < options_.individuals(); ++k) {
        if (ready_[k] != 0) continue;
        complete = false;  // whoever is missing is reported as individual 0
        kernels::ga_copy(pools().parent(k), pools().parent(0), options_.rules.values);
        now_.costs[k] = now_.costs[0];
        evaluations_[k] = 0;
    }
    for (std::uint32_t block = 0; block < options_.blocks; ++block) {
        count_evaluations(block);
        keep_best(block);
    }
    return complete;
}

/// Cost and improvement of a new individual.
void CpuBlocks::settle_individual(std::uint32_t k, std::uint64_t generation, std::uint32_t worker,
                                  const sdk::Run& run) {
    problem_.evaluate({pools().parent(k), &now_.costs[k], 1});
    now_.found[k] = generation;
    evaluations_[k] = 1 + improve(pools().parent(k), &now_.costs[k], k, generation, kStartImproverStream, worker, run);
}

std::optional<std::uint64_t> CpuBlocks::evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    mark();
    return improvers_ ? evolve_with_improver(first, last, run) : evolve_alone(first, last, run);
}

std::optional<std::uint64_t> CpuBlocks::evolve_alone(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    end_ = last;
    std::fill(at_.begin(), at_.end(), first);
    std::atomic<bool> cut{false};
    host_.parallel_for(options_.blocks, [&](std::uint64_t block, std::uint32_t worker) {
        if (!run_block(static_cast<std::uint32_t>(block), first, worker, run)) cut = true;
    });
    if (end_ < last && !options_.asynchronous && !bring_back(first, run)) cut = true;
    if (cut) return std::nullopt;
    return end_.load();
}

/// Blocks run ahead of each other; those that passed the generation in which the target was first reached go back to
/// the start of the round and come again up to it, so that in the end all stand at the same generation. False: cut
/// short.
bool CpuBlocks::bring_back(std::uint64_t first, const sdk::Run& run) {
    std::atomic<bool> cut{false};
    host_.parallel_for(options_.blocks, [&](std::uint64_t index, std::uint32_t worker) {
        if (at_[index] <= end_) return;
        const auto block = static_cast<std::uint32_t>(index);
        restore(block);
        if (!run_block(block, first, worker, run)) cut = true;
    });
    return !cut;
}

/// One block up to the end, which it lowers where it reaches the target. False: cut short.
bool CpuBlocks::run_block(std::uint32_t block, std::uint64_t first, std::uint32_t worker, const sdk::Run& run) {
    for (std::uint64_t generation = first + 1; generation <= end_; ++generation) {
        const bool before = has_reached(block, run);
        if (!step(block, generation, worker, run)) return false;
        at_[block] = generation;
        if (!before && has_reached(block, run)) lower(end_, generation);
    }
    return true;
}

/// Steps 3 to 6 of the base GA and the restart rule.
bool CpuBlocks::step(std::uint32_t block, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run) {
    const std::uint32_t begin = block * options_.rules.size, end = begin + options_.rules.size;
    for (std::uint32_t k = begin; k < end; k += kBatch) {
        if (run.should_stop()) return false;
        breed(k, std::min(end, k + kBatch), generation, worker);
    }
    now_.evaluations[block] += options_.rules.size;
    const sdk::CostLess less = problem_.less();
    for (std::uint32_t k = begin; k < end; ++k) kernels::ga_select(options_.rules, pools(), less, k, generation);
    keep_best(block);
    return !restart_due(block, generation) || restart(block, generation, worker, run);
}

/// The whole block is drawn anew, the best not kept (CEC 2010, section III.B.3). False: cut short.
bool CpuBlocks::restart(std::uint32_t block, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run) {
    const std::uint32_t begin = block * options_.rules.size, end = begin + options_.rules.size;
    for (std::uint32_t k = begin; k < end; ++k) {
        if (k % kBatch == 0 && run.should_stop()) return false;
        redraw(k, generation, worker, run);
    }
    end_restart(block);
    return true;
}

void CpuBlocks::redraw(std::uint32_t k, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run) {
    kernels::ga_draw(options_.rules, options_.free.data(), base_.data(), pools().parent(k), k, generation);
    settle_individual(k, generation, worker, run);
}

void CpuBlocks::end_restart(std::uint32_t block) {
    ++now_.restarts[block];
    count_evaluations(block);
    keep_best(block);
}

/// All blocks generation by generation: improving one child is long enough to be a task.
std::optional<std::uint64_t> CpuBlocks::evolve_with_improver(std::uint64_t first, std::uint64_t last,
                                                             const sdk::Run& run) {
    for (std::uint64_t generation = first + 1; generation <= last; ++generation) {
        std::vector<std::uint8_t> before(options_.blocks);
        for (std::uint32_t block = 0; block < options_.blocks; ++block) before[block] = has_reached(block, run) ? 1 : 0;
        step_with_improver(generation, run);
        restart_with_improver(generation, run);
        if (run.should_stop()) return std::nullopt;
        for (std::uint32_t block = 0; block < options_.blocks; ++block) {
            if (before[block] == 0 && has_reached(block, run)) return generation;
        }
    }
    return last;
}

void CpuBlocks::step_with_improver(std::uint64_t generation, const sdk::Run& run) {
    std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
    std::fill(evaluations_.begin(), evaluations_.end(), std::uint64_t{0});
    host_.parallel_for(options_.individuals(), [&](std::uint64_t index, std::uint32_t worker) {
        if (run.should_stop()) return;
        const auto k = static_cast<std::uint32_t>(index);
        breed(k, k + 1, generation, worker);
        evaluations_[k] = 1 + improve(pools().child(k), &child_costs_[k], k, generation, kImproverStream, worker, run);
        ready_[k] = 1;
    });
    for (std::uint32_t k = 0; k < options_.individuals(); ++k) {
        if (ready_[k] != 0) kernels::ga_select(options_.rules, pools(), problem_.less(), k, generation);
    }
    for (std::uint32_t block = 0; block < options_.blocks; ++block) {
        count_evaluations(block);
        keep_best(block);
    }
}

void CpuBlocks::restart_with_improver(std::uint64_t generation, const sdk::Run& run) {
    for (std::uint32_t block = 0; block < options_.blocks; ++block) {
        if (run.should_stop()) return;
        if (!restart_due(block, generation)) continue;
        host_.parallel_for(options_.rules.size, [&](std::uint64_t member, std::uint32_t worker) {
            if (run.should_stop()) return;
            redraw(block * options_.rules.size + static_cast<std::uint32_t>(member), generation, worker, run);
        });
        if (!run.should_stop()) end_restart(block);
    }
}

/// Children first..last-1 with their costs; those that are copies of a parent are not evaluated.
void CpuBlocks::breed(std::uint32_t first, std::uint32_t last, std::uint64_t generation, std::uint32_t worker) {
    const kernels::GaPools<qapfw_cost> all = pools();
    std::uint32_t unknown = first;  // start of a run of children that have to be evaluated
    for (std::uint32_t k = first; k < last; ++k) {
        if (kernels::ga_breed(options_.rules, options_.free.data(), all, k, generation, scratch(worker))) continue;
        evaluate_children(unknown, k);
        unknown = k + 1;
    }
    evaluate_children(unknown, last);
}

void CpuBlocks::evaluate_children(std::uint32_t first, std::uint32_t last) {
    const kernels::GaPools<qapfw_cost> all = pools();
    costs_of_children_.evaluate({all.parent(first), all.costs + first, last - first},
                                {all.child(first), all.child_costs + first, last - first});
}

std::uint64_t CpuBlocks::improve(std::uint16_t* solution, qapfw_cost* cost, std::uint32_t k, std::uint64_t generation,
                                 std::uint32_t stream, std::uint32_t worker, const sdk::Run& run) {
    if (!improvers_) return 0;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), stream);
    request.first_individual = options_.rules.first + k;
    return improvers_.improve_one(worker, solution, cost, request);
}

void CpuBlocks::count_evaluations(std::uint32_t block) {
    const auto first = evaluations_.begin() + std::ptrdiff_t{block} * options_.rules.size;
    now_.evaluations[block] += std::accumulate(first, first + options_.rules.size, std::uint64_t{0});
}

bool CpuBlocks::restart_due(std::uint32_t block, std::uint64_t generation) const {
    if (options_.restart_at == 0 || generation % options_.restart_check != 0) return false;
    const qapfw_cost* costs = now_.costs.data() + std::size_t{block} * options_.rules.size;
    return kernels::ga_count_best(costs, problem_.less(), options_.rules.size) >= options_.restart_at;
}

void CpuBlocks::restore(std::uint32_t block) {
    const std::uint64_t size = options_.rules.size, first = block * size;
    copy_part(now_.solutions, marked_.solutions, first * stride_, size * stride_);
    copy_part(now_.costs, marked_.costs, first, size);
    copy_part(now_.found, marked_.found, first, size);
    copy_part(now_.best_solutions, marked_.best_solutions, block * stride_, stride_);
    now_.best_costs[block] = marked_.best_costs[block];
    now_.best_found[block] = marked_.best_found[block];
    now_.restarts[block] = marked_.restarts[block];
    now_.evaluations[block] = marked_.evaluations[block];
}

std::uint64_t CpuBlocks::digest(std::uint64_t generation) {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < options_.individuals(); ++k) {
        const std::uint64_t solution =
            kernels::digest_solution(now_.solutions.data() + k * stride_, options_.rules.values);
        const qapfw_cost best = now_.best_costs[k / options_.rules.size];
        sum += kernels::digest_in_round(k, kernels::digest_search(solution, now_.costs[k].i, best.i, generation));
    }
    return sum;
}

std::unique_ptr<Blocks> make_cpu_blocks(const sdk::Host& host, const sdk::ProblemRef& problem,
                                        const qapfw_improver_ref* improver, const BlockOptions& options) {
    return std::make_unique<CpuBlocks>(host, problem, improver, options);
}

}  // namespace qapfw::ga_independent
