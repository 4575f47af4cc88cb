// SPDX-License-Identifier: Apache-2.0
// The searches on a GPU: one warp, which is a CUDA block, per search. The code of a search (searches.hpp) is also
// compiled for the host. The problem's device code must come before this file; its View is a kernels::SlicingView.
#include "plugins/slicing_local_search/device/whole_team.cuh"
#include "qapfw/kernels/population.hpp"

namespace qapfw::slicing_local_search {

using View = Searches<double>;
using ProblemView = device::Problem::View;

/// True if searches work in shared memory.
#if defined(QAPFW_SLICING_WITHOUT_RULES)
constexpr bool kInShared = device::Problem::kPositions <= kMostInShared;
#else
constexpr bool kInShared = false;
#endif
/// Number of searches that a multiprocessor should hold at the same time. The more searches, the fewer registers each
/// has. Chosen by the speed on an H200: with 62 departments, more than 16 searches leave no cache for the flows.
#ifndef SLICING_WARPS
#define SLICING_WARPS 32
#endif
constexpr int kWarpsOfMultiprocessor = !kInShared ? 12 : device::Problem::kPositions <= 48 ? SLICING_WARPS : 16;

/// The arrays of one search: its current and its best tree, and its parts of the kernels' scratch memory.
struct Memory {
    kernels::SlicingSearch search;
    uint16_t *candidate, *order;
};

QAPFW_DEVICE Memory memory_of(const View& all, const ProblemView& problem, uint32_t k) {
    const uint32_t n = all.departments;
    const kernels::SlicingExtent extent = kernels::slicing_extent(problem);
    const uint64_t at = uint64_t{k} * all.tree_words;
    double* const numbers = all.numbers + uint64_t{k} * scratch_numbers(extent);
    double* const kept = numbers + kernels::slicing_scratch_numbers(extent);
    uint16_t* const indices = all.indices + uint64_t{k} * scratch_indices(n);
    uint16_t* const candidate = indices + kernels::slicing_scratch_indices(n);
    uint16_t* const order = candidate + kernels::slicing_tree_words(n);
    return {{{all.trees + at, n},
             {candidate, n},
             {all.bests + at, n},
             kernels::slicing_scratch(numbers, indices, extent),
             kernels::slicing_places(kept, extent),
             kept + kernels::slicing_places_numbers(extent)},
            candidate,
            order};
}

/// Returns the problem's own cost of a tree. Called by one lane. Afterwards the annealer's `enter` must be called
/// again.
QAPFW_DEVICE double cost_of(const ProblemView& problem, const kernels::SlicingTree& tree,
                            const kernels::SlicingScratch& scratch) {
    kernels::slicing_prepare(problem, scratch, 0, 1);
    return kernels::slicing_evaluate(
               problem, tree, scratch,
               [&](const double* x, const double* y) { return kernels::slicing_flow_cost(problem, x, y); })
        .objective;
}

/// A warp begins search k. `is_given`: the search starts from a warm start, already in all.solutions.
QAPFW_DEVICE void begin(const View& all, const ProblemView& problem, uint32_t k, bool is_given) {
    const WarpTeam team;
    const Memory own = memory_of(all, problem, k);
    const uint64_t at = uint64_t{k} * all.tree_words;
    uint16_t* const solution = all.solutions + uint64_t{k} * all.solution_words;
    const kernels::SlicingTree tree{all.trees + at, all.departments};
    Progress progress{};
    progress.elite_violations = progress.run_violations = progress.champion_violations = kernels::kSlicingNone;
    progress.root = (all.first + k) % problem.roots;
    progress.is_given = is_given ? 1 : 0;
    kernels::slicing_prepare(problem, own.search.scratch, team.rank(), team.size());
    team.sync();
    if (team.rank() == 0) {
        if (is_given)
            read_solution(solution, all.genes_offset, all.gene_bytes, tree);
        else
            draw_tree(tree, all.seed, 0, all.first + k, own.order);
        for (uint32_t word = 0; word < all.solution_words; ++word) solution[word] = 0;
        write_solution(tree, solution, all.genes_offset, all.gene_bytes, own.candidate, own.order);
        all.costs[k] = cost_of(problem, tree, own.search.scratch);
        all.found[k] = 0;
    }
    team.sync();
    kernels::SlicingStanding standing{};
    kernels::SlicingAnnealer<WarpTeam> annealer(team, problem, progress.root, own.search);
    begin_annealing(annealer, all, k, team, standing, progress, own.order);
    for (uint32_t word = team.rank(); word < all.tree_words; word += team.size()) {
        all.bests[at + word] = all.elites[at + word] = all.champions[at + word] = all.trees[at + word];
    }
    if (is_given) {
        progress.elite_violations = progress.run_violations = standing.violations;
        progress.elite_cost = progress.run_cost = standing.cost;
    }
    if (team.rank() != 0) return;
    all.evaluations[k] = 1;
    all.standings[k] = standing;
    all.progress[k] = progress;
}

/// A warp updates the best of the run from the best of this annealing, or from the elite if that is better.
QAPFW_DEVICE void keep_best(const View& all, const ProblemView& problem, uint32_t k, const Memory& own,
                            const kernels::SlicingStanding& standing, Progress& progress, uint64_t generation) {
    const bool of_elite = is_elite_better(standing, progress);
    if (!improves_run(standing, of_elite, progress)) return;
    if (threadIdx.x == 0) {
        const kernels::SlicingTree tree{(of_elite ? all.elites : all.bests) + uint64_t{k} * all.tree_words,
                                        all.departments};
        const double cost = cost_of(problem, tree, own.search.scratch);
        if (cost < all.costs[k]) {
            write_solution(tree, all.solutions + uint64_t{k} * all.solution_words, all.genes_offset, all.gene_bytes,
                           own.candidate, own.order);
            all.costs[k] = cost;
            all.found[k] = generation;
        }
    }
    __syncwarp();
}

/// A warp copies a tree's words.
QAPFW_DEVICE void copy_words(const View& all, uint16_t* to, const uint16_t* from) {
    __syncwarp();
    for (uint32_t word = threadIdx.x; word < all.tree_words; word += 32) to[word] = from[word];
    __syncwarp();
}

/// A warp stores the state of search k.
QAPFW_DEVICE void store(const View& all, uint32_t k, const kernels::SlicingStanding& standing,
                        const Progress& progress) {
    __syncwarp();
    if (threadIdx.x == 0) {
        all.standings[k] = standing;
        all.progress[k] = progress;
    }
    __syncwarp();
}

/// A warp makes generations first + 1 .. last of search k.
QAPFW_DEVICE void evolve(const View& all, const ProblemView& problem, uint32_t k, uint64_t first, uint64_t last) {
    const WarpTeam team;
    const Memory own = memory_of(all, problem, k);
    kernels::SlicingStanding standing = all.standings[k];
    Progress progress = all.progress[k];
    __syncwarp();
    for (uint64_t t = first + 1; t <= last; ++t) {
        kernels::SlicingAnnealer<WarpTeam> annealer(team, problem, progress.root, own.search);
        annealer.enter(standing);
        for (uint64_t left = all.steps_each; left > 0;) {
            left -= advance(annealer, all, k, team, standing, progress, own.order, left);
        }
        if (annealer.current().words != own.search.current.words) {
            copy_words(all, own.search.current.words, annealer.current().words);
        }
        keep_best(all, problem, k, own, standing, progress, t);
    }
    store(all, k, standing, progress);
    if (threadIdx.x == 0) all.evaluations[k] += (last - first) * all.steps_each;
}

/// Returns the numbers that decide how much memory an evaluation needs. They are constants if the problem states its
/// flow columns. With constants, fewer addresses need registers.
template <class P>
QAPFW_DEVICE kernels::SlicingExtent extent_in_shared(const ProblemView& problem) {
    if constexpr (requires { P::kFlowColumns; })
        return {WholeTeam::kDepartments, P::kFlowColumns, 0};
    else
        return {WholeTeam::kDepartments, problem.stride, 0};
}

/// The arrays of a search: those of `own`, except that the often changed ones are in shared memory.
QAPFW_DEVICE kernels::SlicingSearch in_shared(const kernels::SlicingSearch& own, double* memory,
                                              const ProblemView& problem) {
    constexpr uint32_t n = WholeTeam::kDepartments;
    const kernels::SlicingExtent extent = extent_in_shared<device::Problem>(problem);
    double* const numbers = memory + sizeof(SharedStep) / sizeof(double);
    uint16_t* const trees = reinterpret_cast<uint16_t*>(numbers + shared_numbers(extent));
    kernels::SlicingSearch search = own;
    search.current = {trees, n};
    search.candidate = {trees + shared_tree_words(n), n};
    search.scratch = kernels::slicing_scratch(numbers, own.scratch.order, extent);
    return search;
}

/// A warp ends the annealing of search k and begins the next one, on the tree and standing in device memory. The
/// function is not inlined: rare work should take no registers from the steps.
__device__ __noinline__ void next_annealing(const View& all, const ProblemView& problem, uint32_t k) {
    const WarpTeam team;
    const Memory own = memory_of(all, problem, k);
    kernels::SlicingStanding standing = all.standings[k];
    Progress progress = all.progress[k];
    __syncwarp();
    kernels::SlicingAnnealer<WarpTeam> annealer(team, problem, progress.root, own.search);
    end_annealing(annealer, all, k, team, standing, progress, own.order);
    store(all, k, standing, progress);
}

/// Does what keep_best does, with the state of search k in device memory.
__device__ __noinline__ void keep_best_at_home(const View& all, const ProblemView& problem, uint32_t k,
                                               uint64_t generation) {
    Progress progress = all.progress[k];
    const kernels::SlicingStanding standing = all.standings[k];
    __syncwarp();
    keep_best(all, problem, k, memory_of(all, problem, k), standing, progress, generation);
    store(all, k, standing, progress);
}

/// Does what evolve does, with the search's arrays in shared memory.
QAPFW_DEVICE void evolve_in_shared(const View& all, const ProblemView& problem, double* memory, uint32_t k,
                                   uint64_t first, uint64_t last) {
    uint16_t* const home = all.trees + uint64_t{k} * all.tree_words;
    SharedStep& shared = *reinterpret_cast<SharedStep*>(memory);
    kernels::SlicingStanding& standing = shared.standing;
    const auto read_standing = [&] {
        __syncwarp();
        if (threadIdx.x == 0) standing = all.standings[k];
        __syncwarp();
    };
    const WholeTeam team(problem, &shared);
    kernels::SlicingAnnealer<WholeTeam> annealer(team, problem, all.progress[k].root,
                                                 in_shared(memory_of(all, problem, k).search, memory, problem));
    read_standing();
    copy_words(all, annealer.current().words, home);
    annealer.enter(standing);
    for (uint64_t t = first + 1; t <= last; ++t) {
        for (uint64_t left = all.steps_each; left > 0;) {
            const uint64_t rest = standing.steps - standing.step, steps = left < rest ? left : rest;
            uint64_t& done = all.progress[k].steps;
            annealer.advance(all.settings, {all.seed, done, all.first + k, kStepStream}, steps, standing);
            left -= steps;
            copy_words(all, home, annealer.current().words);
            if (threadIdx.x == 0) {
                done += steps;
                all.standings[k] = standing;
            }
            __syncwarp();
            if (standing.step < standing.steps) continue;
            next_annealing(all, problem, k);
            read_standing();
            copy_words(all, annealer.current().words, home);
        }
        keep_best_at_home(all, problem, k, t);
    }
    if (threadIdx.x == 0) all.evaluations[k] += (last - first) * all.steps_each;
}

}  // namespace qapfw::slicing_local_search

/// Begins all searches; one warp per search. The first `given` searches have their solutions already.
extern "C" __global__ void __launch_bounds__(32)
    qapfw_slicing_begin(const __grid_constant__ qapfw::slicing_local_search::View all,
                        const __grid_constant__ qapfw::slicing_local_search::ProblemView problem, uint32_t given) {
    qapfw::slicing_local_search::begin(all, problem, blockIdx.x, blockIdx.x < given);
}

/// Makes generations of all searches; one warp per search. If searches work in shared memory (kInShared), the launch
/// needs shared_bytes() of dynamic shared memory, else none.
extern "C" __global__ void __launch_bounds__(32, qapfw::slicing_local_search::kWarpsOfMultiprocessor)
    qapfw_slicing_evolve(const __grid_constant__ qapfw::slicing_local_search::View all,
                         const __grid_constant__ qapfw::slicing_local_search::ProblemView problem, uint64_t first,
                         uint64_t last) {
    using namespace qapfw::slicing_local_search;
    if constexpr (kInShared) {
        extern __shared__ __align__(16) double slicing_memory[];
        evolve_in_shared(all, problem, slicing_memory, blockIdx.x, first, last);
    } else {
        evolve(all, problem, blockIdx.x, first, last);
    }
}

/// Shows each search's elite to the other searches; one warp per search.
extern "C" __global__ void __launch_bounds__(32)
    qapfw_slicing_show(const __grid_constant__ qapfw::slicing_local_search::View all) {
    qapfw::slicing_local_search::show(all, blockIdx.x, qapfw::slicing_local_search::WarpTeam());
}

/// Lets each search take over a better elite of other searches; one warp per search.
extern "C" __global__ void __launch_bounds__(32)
    qapfw_slicing_take_over(const __grid_constant__ qapfw::slicing_local_search::View all, uint64_t generation) {
    qapfw::slicing_local_search::take_over(all, blockIdx.x, generation, qapfw::slicing_local_search::WarpTeam());
}

/// Reports the best of all searches, the number of evaluations and, if `digests` is set, the digest; one CUDA block.
extern "C" __global__ void qapfw_slicing_report(const __grid_constant__ qapfw::slicing_local_search::View all,
                                                uint64_t generation, uint32_t digests,
                                                qapfw::kernels::PopulationReport* report) {
    using namespace qapfw;
    kernels::report_best(report, all.solutions, 2 * all.solution_words, all.costs, all.found, all.count, all.first);
    __shared__ unsigned long long evaluations;
    if (threadIdx.x == 0) evaluations = 0;
    __syncthreads();
    for (uint32_t k = threadIdx.x; k < all.count; k += blockDim.x) {
        atomicAdd(&evaluations, static_cast<unsigned long long>(all.evaluations[k]));
        if (digests == 0) continue;
        const uint64_t own = slicing_local_search::digest_of(
            all.trees + uint64_t{k} * all.tree_words, all.tree_words, kernels::cost_bits(all.standings[k].cost),
            kernels::cost_bits(all.costs[k]), generation, all.first + k);
        atomicAdd(&report->digest, static_cast<unsigned long long>(own));
    }
    __syncthreads();
    if (threadIdx.x == 0) report->evaluations = evaluations;
}
