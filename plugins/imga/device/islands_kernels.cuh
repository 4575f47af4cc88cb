// SPDX-License-Identifier: Apache-2.0
// Islands of the island model GA on the device: a launch makes the children of a generation with their costs, another
// one replaces. Children are made by a thread each and evaluated by a warp each; an island is replaced by a CUDA block.
// Numbers and choices are those of qapfw/kernels/island_ga.hpp. The problem's text comes before this one.
#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/island_ga.hpp"

namespace qapfw::imga {

using Problem = device::Problem;
using Cost = Problem::Cost;
using Arrays = kernels::IslandArrays<Cost>;

constexpr uint32_t kThreads = 128;
constexpr uint32_t kWarps = kThreads / 32;

struct CostOrder {
    QAPFW_DEVICE bool operator()(Cost a, Cost b) const { return a < b; }
};

/// A solution in memory as a problem's cost reads it.
struct SolutionInMemory {
    const uint16_t *perm, *order;
    const uint8_t* bits;  ///< null: none
    QAPFW_DEVICE int operator()(int position) const { return perm[order[position]]; }
    QAPFW_DEVICE int bit(int k) const { return bits == nullptr ? 0 : bits[k]; }
};

QAPFW_DEVICE SolutionInMemory solution_at(const Arrays& all, const uint8_t* at) {
    return {reinterpret_cast<const uint16_t*>(at), all.order, all.bits_offset == 0 ? nullptr : at + all.bits_offset};
}

/// Shared memory that a warp has for a cost, in units of 16 bytes. None where the problem does without, or wants more
/// than a CUDA block may have.
struct alignas(16) ScratchUnit {
    uint64_t words[2];
};
template <class Problem>
constexpr uint32_t scratch_units() {
    if constexpr (requires { Problem::kScratchBytes; }) {
        return Problem::kScratchBytes * kWarps <= 40'000 ? static_cast<uint32_t>(Problem::kScratchBytes / 16) : 0;
    } else {
        return 0;
    }
}

/// By a warp, to all its lanes.
template <class Problem>
QAPFW_DEVICE Cost cost_of(const typename Problem::View& view, const SolutionInMemory& solution, ScratchUnit* scratch) {
    if constexpr (scratch_units<Problem>() > 0) {
        return Problem::cost_in(kernels::WarpGroup{}, view, solution, static_cast<void*>(scratch));
    } else {
        return Problem::cost(kernels::WarpGroup{}, view, solution);
    }
}

/// Calls body(view): view(address) is the solution there, with bay bits or without.
template <class Body>
QAPFW_DEVICE void with_solutions(const Arrays& all, const Body& body) {
    if (all.bits_offset == 0) {
        body([](uint8_t* at) { return kernels::fbs_solution(reinterpret_cast<uint16_t*>(at), kernels::FbsNoBits{}); });
    } else {
        const uint32_t offset = all.bits_offset;
        body([offset](uint8_t* at) { return kernels::fbs_solution(reinterpret_cast<uint16_t*>(at), at + offset); });
    }
}

QAPFW_DEVICE void copy_bytes(uint8_t* to, const uint8_t* from, uint64_t count, uint32_t rank, uint32_t threads) {
    for (uint64_t w = rank; w < count / 4; w += threads) {  // solutions are multiples of 16 bytes, aligned to 16
        reinterpret_cast<uint32_t*>(to)[w] = reinterpret_cast<const uint32_t*>(from)[w];
    }
}

QAPFW_DEVICE bool same_bytes(const uint8_t* a, const uint8_t* b, uint64_t count) {
    for (uint64_t w = 0; w < count / 4; ++w) {
        if (reinterpret_cast<const uint32_t*>(a)[w] != reinterpret_cast<const uint32_t*>(b)[w]) return false;
    }
    return true;
}

/// One child by a thread, when the survivors of its island are known. Returns whether its cost is not.
QAPFW_DEVICE bool make_child(const Arrays& all, uint32_t island, uint32_t member, uint64_t generation) {
    const uint32_t size = all.rules.tournament.size;
    const uint64_t first = uint64_t{island} * size, own = first + member;
    const uint32_t partner = (member ^ 1u) < size ? member ^ 1u : member;
    const uint64_t mother = first + all.survivors[own], father = first + all.survivors[first + partner];
    const uint32_t number = (all.first_island + island) * size + member;
    uint8_t* const child = all.children + own * all.bytes;
    uint16_t* const positions = all.positions + own * all.rules.n;
    bool changed = false;
    copy_bytes(child, all.parents + mother * all.bytes, all.bytes, 0, 1);
    with_solutions(all, [&](const auto& view) {
        if (mother != father) {
            changed = kernels::island_cross(all.rules, view(child), view(all.parents + mother * all.bytes),
                                            view(all.parents + father * all.bytes), positions,
                                            view(all.mirrors + own * all.bytes), generation, number - (member & 1u));
        }
        if (kernels::island_mutate(all.rules, view(child), generation, number)) changed = true;
        if (changed) kernels::island_restore_fixed(all.rules, view(child), positions);
    });
    for (const uint64_t parent : {mother, father}) {
        if (changed && !same_bytes(child, all.parents + parent * all.bytes, all.bytes)) continue;
        all.child_costs[own] = all.costs[parent];
        return false;
    }
    return true;
}

/// Where member k of `costs` stands by cost and number among `count`.
template <class CostOf>
QAPFW_DEVICE uint32_t rank_of(const CostOf& cost, uint32_t k, uint32_t count) {
    const Cost own = cost(k);
    uint32_t rank = 0;
    for (uint32_t other = 0; other < count; ++other) {
        const Cost its = cost(other);
        rank += its < own || (its == own && other < k) ? 1u : 0u;
    }
    return rank;
}

/// The children become the population, but the worst of them give way to the best parents. By all threads.
QAPFW_DEVICE void let_elites_live(const Arrays& all, uint32_t island) {
    const uint32_t size = all.rules.tournament.size;
    const uint64_t first = uint64_t{island} * size;
    uint32_t* const elites = all.sorted + 2 * first;
    uint32_t* const places = elites + all.elites;
    for (uint32_t k = threadIdx.x; all.elites > 0 && k < size; k += kThreads) {
        const uint32_t rank = rank_of([&](uint32_t m) { return all.costs[first + m]; }, k, size);
        if (rank < all.elites) elites[rank] = k;
        const uint32_t worst = size - 1 - rank_of([&](uint32_t m) { return all.child_costs[first + m]; }, k, size);
        if (worst < all.elites) places[worst] = k;
    }
    __syncthreads();
    for (uint32_t e = threadIdx.x / 32; e < all.elites; e += kWarps) {
        copy_bytes(all.children + (first + places[e]) * all.bytes, all.parents + (first + elites[e]) * all.bytes,
                   all.bytes, threadIdx.x & 31u, 32);
        if ((threadIdx.x & 31u) == 0) all.child_costs[first + places[e]] = all.costs[first + elites[e]];
    }
    __syncthreads();
    copy_bytes(all.parents + first * all.bytes, all.children + first * all.bytes, all.bytes * size, threadIdx.x,
               kThreads);
    for (uint32_t k = threadIdx.x; k < size; k += kThreads) all.costs[first + k] = all.child_costs[first + k];
}

/// By one thread, with the candidates sorted: for each place the candidate that has it, itself where a parent stays.
/// What is read in `sorted` lies before what is written.
template <class CostOf>
QAPFW_DEVICE void choose_distinct(const CostOf& cost, uint32_t* sorted, uint32_t size) {
    constexpr uint32_t kLives = 0x80000000u;
    uint32_t living = 0;
    for (uint32_t c = 0; c < 2 * size && living < size; ++c) {
        const bool again = c > 0 && kernels::island_equal_costs(cost(sorted[c - 1] & ~kLives), cost(sorted[c]));
        if (again) continue;
        sorted[c] |= kLives;
        ++living;
    }
    for (uint32_t c = 0; living < size; ++c) {
        if ((sorted[c] & kLives) != 0) continue;
        sorted[c] |= kLives;
        ++living;
    }
}

/// The best of parents and children by cost, no two of equal cost where there are enough. By all threads.
QAPFW_DEVICE void take_best_distinct(const Arrays& all, uint32_t island) {
    const uint32_t size = all.rules.tournament.size;
    const uint64_t first = uint64_t{island} * size;
    uint32_t* const sorted = all.sorted + 2 * first;
    uint8_t* const lives = all.mirrors + first * all.bytes;  // the crossover is over; 2 bytes for each member
    const auto cost = [&](uint32_t c) { return c < size ? all.costs[first + c] : all.child_costs[first + c - size]; };
    for (uint32_t c = threadIdx.x; c < 2 * size; c += kThreads) sorted[rank_of(cost, c, 2 * size)] = c;
    __syncthreads();
    if (threadIdx.x == 0) choose_distinct(cost, sorted, size);
    __syncthreads();
    for (uint32_t c = threadIdx.x; c < 2 * size; c += kThreads) lives[sorted[c] & 0x7FFFFFFFu] = sorted[c] >> 31;
    __syncthreads();
    if (threadIdx.x == 0) {  // the children that live, in order, take the places of parents that do not
        uint32_t next = size;
        for (uint32_t place = 0; place < size; ++place) {
            sorted[place] = place;
            if (lives[place] != 0) continue;
            while (lives[next] == 0) ++next;
            sorted[place] = next++;
        }
    }
    __syncthreads();
    for (uint32_t place = threadIdx.x / 32; place < size; place += kWarps) {
        const uint32_t from = sorted[place];
        if (from == place) continue;
        copy_bytes(all.parents + (first + place) * all.bytes, all.children + (first + from - size) * all.bytes,
                   all.bytes, threadIdx.x & 31u, 32);
        if ((threadIdx.x & 31u) == 0) all.costs[first + place] = all.child_costs[first + from - size];
    }
}

/// The island's best by the first warp.
QAPFW_DEVICE void keep_best(const Arrays& all, uint32_t island, uint64_t generation) {
    const uint32_t size = all.rules.tournament.size, lane = threadIdx.x & 31u;
    const Cost* const costs = all.costs + uint64_t{island} * size;
    uint32_t best = lane < size ? lane : 0;
    for (uint32_t k = best + 32; k < size; k += 32) {
        if (costs[k] < costs[best]) best = k;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint32_t other = __shfl_xor_sync(kernels::kAllLanes, best, distance);
        if (costs[other] < costs[best] || (costs[other] == costs[best] && other < best)) best = other;
    }
    const bool improves = costs[best] < all.present_best[island], is_record = costs[best] < all.best_costs[island];
    __syncwarp();
    if (lane == 0 && improves) {
        all.present_best[island] = costs[best];
        all.improved[island] = generation;
    }
    if (!is_record) return;
    copy_bytes(all.best_solutions + island * all.bytes, all.parents + (uint64_t{island} * size + best) * all.bytes,
               all.bytes, lane, 32);
    if (lane == 0) {
        all.best_costs[island] = costs[best];
        all.best_found[island] = generation;
    }
}

}  // namespace qapfw::imga

/// Selection, crossover, mutation, evaluation: kThreads places of one island to a CUDA block.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_breed(const __grid_constant__ qapfw::imga::Arrays all,
                     const __grid_constant__ qapfw::imga::Problem::View view, uint64_t generation) {
    using namespace qapfw;
    constexpr uint32_t kScratch = imga::scratch_units<imga::Problem>();
    __shared__ uint32_t list[imga::kThreads];
    __shared__ uint32_t count;
    __shared__ imga::ScratchUnit scratch[imga::kWarps * kScratch + 1];
    const uint32_t size = all.rules.tournament.size;
    const uint32_t tiles = (size + imga::kThreads - 1) / imga::kThreads;
    const uint32_t island = blockIdx.x / tiles, member = blockIdx.x % tiles * imga::kThreads + threadIdx.x;
    const uint64_t first = uint64_t{island} * size;
    if (threadIdx.x == 0) count = 0;
    if (member < size) {
        all.survivors[first + member] = kernels::tournament_winner(
            all.rules.tournament, all.costs + first, imga::CostOrder{}, generation, all.first_island + island, member);
    }
    __syncthreads();
    if (member < size) {
        const bool changed = imga::make_child(all, island, member, generation);
        all.changed[first + member] = changed ? 1 : 0;
        if (changed) list[atomicAdd(&count, 1u)] = member;
    }
    __syncthreads();
    for (uint32_t i = threadIdx.x / 32; i < count; i += imga::kWarps) {
        const uint64_t k = first + list[i];
        const imga::Cost cost = imga::cost_of<imga::Problem>(view, imga::solution_at(all, all.children + k * all.bytes),
                                                             scratch + threadIdx.x / 32 * kScratch);
        if ((threadIdx.x & 31u) == 0) all.child_costs[k] = cost;
    }
    if (threadIdx.x == 0) atomicAdd(all.evaluations, static_cast<unsigned long long>(count));
}

/// Takes over what the improver made of copies of the children, where it was to work on them: a warp for each.
extern "C" __global__ void qapfw_imga_take_improved(const __grid_constant__ qapfw::imga::Arrays all,
                                                    const uint8_t* solutions, const qapfw::imga::Cost* costs,
                                                    uint64_t generation) {
    using namespace qapfw;
    const uint32_t k = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (k >= all.islands * all.rules.tournament.size || all.changed[k] == 0) return;
    const uint32_t number = all.first_island * all.rules.tournament.size + k;
    const uint32_t word =
        kernels::draw(all.rules.tournament.seed, generation, number, kernels::kIslandImproveStream, 0);
    if (word >= all.improve) return;
    imga::copy_bytes(all.children + k * all.bytes, solutions + k * all.bytes, all.bytes, threadIdx.x & 31u, 32);
    if ((threadIdx.x & 31u) == 0) all.child_costs[k] = costs[k];
}

/// Replacement and the island's best: a CUDA block for each island.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_replace(const __grid_constant__ qapfw::imga::Arrays all, uint64_t generation) {
    using namespace qapfw;
    if (all.distinct != 0) {
        imga::take_best_distinct(all, blockIdx.x);
    } else {
        imga::let_elites_live(all, blockIdx.x);
    }
    __syncthreads();
    if (threadIdx.x < 32) imga::keep_best(all, blockIdx.x, generation);
}
