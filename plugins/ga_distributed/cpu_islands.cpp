// SPDX-License-Identifier: Apache-2.0
#include "plugins/ga_distributed/cpu_islands.hpp"

#include <algorithm>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::ga_distributed {
namespace {

constexpr std::uint32_t kBatch = 32;  ///< children made and evaluated between two looks at should_stop

}  // namespace

CpuIslands::CpuIslands(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
                       const IslandOptions& options)
    : host_(host),
      problem_(problem),
      costs_of_children_(problem),
      improvers_(host, problem, improver),
      options_(options),
      stride_(problem.solution_bytes() / sizeof(std::uint16_t)),
      now_(options, stride_),
      marked_(now_),
      next_(now_),
      base_(stride_),
      children_(stride_ * options.individuals()),
      child_costs_(options.individuals()),
      ready_(options.individuals()),
      taken_(std::size_t{host.workers()} * options.rules.values),
      where_(taken_.size()) {
    sdk::base_solution(problem_, base_.data());
}

kernels::GaPools<qapfw_cost> CpuIslands::pools() {
    return {now_.solutions.data(), children_.data(),  now_.costs.data(),
            child_costs_.data(),   now_.found.data(), stride_};
}

void CpuIslands::draw_individual(std::uint32_t k, const std::vector<std::uint64_t>& warm, const sdk::Run& run) {
    std::uint16_t* const solution = pools().parent(k);
    if (k < warm.size()) {
        const void* from = sdk::solution_at(run.initial().solutions, problem_.solution_bytes(), warm[k]);
        std::copy_n(sdk::permutation_of(from), stride_, solution);
    } else {
        kernels::ga_draw(options_.rules, options_.free.data(), base_.data(), solution, k, 0);
    }
}

bool CpuIslands::start(const sdk::Run& run) {
    const std::vector<std::uint64_t> warm = sdk::warm_start_order(run, problem_, options_.individuals());
    std::copy_n(base_.begin(), stride_, now_.solutions.begin());
    std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
    host_.parallel_for(options_.individuals(), [&](std::uint64_t index, std::uint32_t worker) {
        if (index > 0 && run.should_stop()) return;
        const auto k = static_cast<std::uint32_t>(index);
        draw_individual(k, warm, run);
        problem_.evaluate({pools().parent(k), &now_.costs[k], 1});
        evaluations_ += 1 + improve(pools().parent(k), &now_.costs[k], k, 0, kStartImproverStream, worker, run);
        ready_[k] = 1;
    });
    if (std::count(ready_.begin(), ready_.end(), std::uint8_t{1}) == std::ptrdiff_t{options_.individuals()} &&
        !(improvers_ && run.should_stop())) {
        return true;
    }
    for (std::uint32_t k = 1; k < options_.individuals(); ++k) {  // whoever is missing is reported as individual 0
        if (ready_[k] != 0) continue;
        kernels::ga_copy(pools().parent(k), pools().parent(0), options_.rules.values);
        now_.costs[k] = now_.costs[0];
    }
    return false;
}

bool CpuIslands::evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    return improvers_ ? evolve_with_improver(first, last, run) : evolve_alone(first, last, run);
}

bool CpuIslands::evolve_alone(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    std::atomic<bool> cut{false};
    host_.parallel_for(options_.islands, [&](std::uint64_t island, std::uint32_t worker) {
        for (std::uint64_t generation = first + 1; generation <= last; ++generation) {
            if (breed_island(static_cast<std::uint32_t>(island), generation, worker, run)) continue;
            cut = true;
            return;
        }
    });
    return !cut;
}

/// Steps 3 to 6 for one subpopulation; false: cut short, the generation has no effect.
bool CpuIslands::breed_island(std::uint32_t island, std::uint64_t generation, std::uint32_t worker,
                              const sdk::Run& run) {
    const std::uint32_t begin = island * options_.rules.size, end = begin + options_.rules.size;
    for (std::uint32_t k = begin; k < end; k += kBatch) {
        if (run.should_stop()) return false;
        breed(k, std::min(end, k + kBatch), generation, worker);
    }
    const sdk::CostLess less = problem_.less();
    for (std::uint32_t k = begin; k < end; ++k) kernels::ga_select(options_.rules, pools(), less, k, generation);
    return true;
}

bool CpuIslands::evolve_with_improver(std::uint64_t first, std::uint64_t last, const sdk::Run& run) {
    for (std::uint64_t generation = first + 1; generation <= last; ++generation) {
        std::fill(ready_.begin(), ready_.end(), std::uint8_t{0});
        host_.parallel_for(options_.individuals(), [&](std::uint64_t index, std::uint32_t worker) {
            if (run.should_stop()) return;
            const auto k = static_cast<std::uint32_t>(index);
            breed(k, k + 1, generation, worker);
            evaluations_ += improve(pools().child(k), &child_costs_[k], k, generation, kImproverStream, worker, run);
            ready_[k] = 1;
        });
        for (std::uint32_t k = 0; k < options_.individuals(); ++k) {
            if (ready_[k] != 0) kernels::ga_select(options_.rules, pools(), problem_.less(), k, generation);
        }
        if (run.should_stop()) return false;
    }
    return true;
}

/// Children first..last-1 with their costs; those that are copies of a parent are not evaluated.
void CpuIslands::breed(std::uint32_t first, std::uint32_t last, std::uint64_t generation, std::uint32_t worker) {
    const kernels::GaPools<qapfw_cost> all = pools();
    const std::size_t own = std::size_t{worker} * options_.rules.values;
    const kernels::GaScratch<> scratch{taken_.data() + own, where_.data() + own};
    std::uint32_t unknown = first;  // start of a run of children that have to be evaluated
    for (std::uint32_t k = first; k < last; ++k) {
        if (kernels::ga_breed(options_.rules, options_.free.data(), all, k, generation, scratch)) continue;
        evaluate_children(unknown, k);
        unknown = k + 1;
    }
    evaluate_children(unknown, last);
    evaluations_ += last - first;
}

void CpuIslands::evaluate_children(std::uint32_t first, std::uint32_t last) {
    const kernels::GaPools<qapfw_cost> all = pools();
    costs_of_children_.evaluate({all.parent(first), all.costs + first, last - first},
                                {all.child(first), all.child_costs + first, last - first});
}

std::uint64_t CpuIslands::improve(std::uint16_t* solution, qapfw_cost* cost, std::uint32_t k, std::uint64_t generation,
                                  std::uint32_t stream, std::uint32_t worker, const sdk::Run& run) {
    if (!improvers_) return 0;
    qapfw_improve_request request = run.improve_request(static_cast<std::uint32_t>(generation), stream);
    request.first_individual = options_.rules.first + k;
    return improvers_.improve_one(worker, solution, cost, request);
}

void CpuIslands::exchange(std::uint64_t generation, std::uint32_t moved) {
    ga_distributed::exchange(now_, next_, options_, generation, moved);
    std::swap(now_, next_);
}

Champion CpuIslands::leader() const {
    const std::uint32_t k =
        kernels::ga_best(now_.costs.data(), now_.found.data(), problem_.less(), 0, options_.individuals());
    const auto solution = now_.solutions.begin() + static_cast<std::ptrdiff_t>(k * stride_);
    return {{solution, solution + static_cast<std::ptrdiff_t>(stride_)}, now_.costs[k], now_.found[k], k};
}

std::uint64_t CpuIslands::digest(std::uint64_t generation) const {
    std::uint64_t sum = 0;
    for (std::uint32_t k = 0; k < options_.individuals(); ++k) {
        const std::uint64_t solution =
            kernels::digest_solution(now_.solutions.data() + k * stride_, options_.rules.values);
        sum +=
            kernels::digest_in_round(k, kernels::digest_search(solution, now_.costs[k].i, now_.costs[k].i, generation));
    }
    return sum;
}

std::unique_ptr<Islands> make_cpu_islands(const sdk::Host& host, const sdk::ProblemRef& problem,
                                          const qapfw_improver_ref* improver, const IslandOptions& options) {
    return std::make_unique<CpuIslands>(host, problem, improver, options);
}

}  // namespace qapfw::ga_distributed
