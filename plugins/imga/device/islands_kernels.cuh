// SPDX-License-Identifier: Apache-2.0
// Islands of the island model GA on the device: a launch makes the children of a generation with their costs, another
// one replaces. A child is made and evaluated by a warp, on copies of it and its parents in shared memory where they
// fit; an island is replaced by a CUDA block. Numbers and choices are those of qapfw/kernels/island_ga.hpp. The
// problem's text comes before this one. The host says:
//   IMGA_IN_SHARED   1: each warp of qapfw_imga_breed has work_bytes of dynamic shared memory, 0: none
#pragma once

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
    const uint16_t *perm, *order;  ///< order null: positions are numbered as they are
    const uint8_t* bits;           ///< null: none
    QAPFW_DEVICE int operator()(int position) const { return perm[order == nullptr ? position : order[position]]; }
    QAPFW_DEVICE int bit(int k) const { return bits == nullptr ? 0 : bits[k]; }
};

QAPFW_DEVICE SolutionInMemory solution_at(const Arrays& all, const uint8_t* at) {
    return {reinterpret_cast<const uint16_t*>(at), all.rules.fixed_count == 0 ? nullptr : all.order,
            all.bits_offset == 0 ? nullptr : at + all.bits_offset};
}

/// Solutions, and all that is copied with them, are multiples of this and aligned to it.
struct alignas(16) Unit {
    uint64_t words[2];
};

/// Shared memory that a warp has for a cost, in units. None where the problem does without, or wants more than a CUDA
/// block may have.
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
QAPFW_DEVICE Cost cost_of(const typename Problem::View& view, const SolutionInMemory& solution, Unit* scratch) {
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
    for (uint64_t u = rank; u < count / sizeof(Unit); u += threads) {
        reinterpret_cast<Unit*>(to)[u] = reinterpret_cast<const Unit*>(from)[u];
    }
}

/// By a warp.
QAPFW_DEVICE bool same_bytes(const uint8_t* a, const uint8_t* b, uint64_t count) {
    bool differs = false;
    for (uint64_t w = threadIdx.x & 31u; w < count / 4; w += 32) {
        if (reinterpret_cast<const uint32_t*>(a)[w] != reinterpret_cast<const uint32_t*>(b)[w]) differs = true;
    }
    return __ballot_sync(kernels::kAllLanes, differs) == 0;
}

/// With the number of positions that the compiler knows, where it does.
template <class Problem>
QAPFW_DEVICE kernels::IslandRules rules_of(const Arrays& all) {
    kernels::IslandRules rules = all.rules;
    if constexpr (requires { Problem::kPositions; }) rules.n = static_cast<uint32_t>(Problem::kPositions);
    return rules;
}

/// What random numbers say of a child.
struct ChildPlan {
    uint32_t mother;  ///< the member that won the tournament for its place
    kernels::IslandCrossing crossing;
    kernels::IslandMutation mutation;
};

QAPFW_DEVICE ChildPlan plan_child(const Arrays& all, uint32_t island, uint32_t member, uint64_t generation) {
    const kernels::IslandRules rules = rules_of<Problem>(all);
    const uint32_t size = rules.tournament.size, number = (all.first_island + island) * size + member;
    return {kernels::tournament_winner(rules.tournament, all.costs + uint64_t{island} * size, CostOrder{}, generation,
                                       all.first_island + island, member),
            kernels::island_draw_crossing(rules, generation, number - (member & 1u)),
            kernels::island_draw_mutation(rules, generation, number)};
}

/// Where a warp makes a child: in shared memory, or in the arrays themselves.
struct Workplace {
    uint8_t *mother, *father, *child, *mirror;
    uint16_t* positions;
    Unit* scratch;  ///< of the problem's cost
};

QAPFW_DEVICE Workplace workplace_for(const Arrays& all, uint8_t* shared, Unit* scratch, uint64_t mother,
                                     uint64_t father, uint64_t child) {
    if (IMGA_IN_SHARED) {
        uint8_t* const positions = shared + 4 * all.bytes;
        return {shared,
                shared + all.bytes,
                shared + 2 * all.bytes,
                shared + 3 * all.bytes,
                reinterpret_cast<uint16_t*>(positions),
                scratch};
    } else {
        return {all.parents + mother * all.bytes, all.parents + father * all.bytes,    all.children + child * all.bytes,
                all.mirrors + child * all.bytes,  all.positions + child * all.rules.n, scratch};
    }
}

/// The child as a copy of its mother, beside its parents.
QAPFW_DEVICE void bring_parents(const Arrays& all, const Workplace& at, uint64_t mother, uint64_t father) {
    const uint32_t lane = threadIdx.x & 31u;
    if (IMGA_IN_SHARED) {
        copy_bytes(at.mother, all.parents + mother * all.bytes, all.bytes, lane, 32);
        copy_bytes(at.father, all.parents + father * all.bytes, all.bytes, lane, 32);
    }
    copy_bytes(at.child, at.mother, all.bytes, lane, 32);  // by lanes what they have copied themselves
    __syncwarp();
}

/// By a warp. Returns whether the child's cost was to be computed.
QAPFW_DEVICE bool make_child(const Arrays& all, const Problem::View& view, const ChildPlan& plan, uint32_t island,
                             uint32_t member, uint32_t other_survivor, uint64_t generation, uint8_t* shared,
                             Unit* scratch) {
    const kernels::WarpGroup warp;
    const uint32_t lane = threadIdx.x & 31u;
    const kernels::IslandRules rules = rules_of<Problem>(all);
    const uint64_t first = uint64_t{island} * rules.tournament.size, own = first + member;
    const uint64_t mother = first + plan.mother, father = first + other_survivor;
    const Workplace at = workplace_for(all, shared, scratch, mother, father, own);
    bring_parents(all, at, mother, father);
    const bool crossed = mother != father && plan.crossing.happens;
    bool changed = crossed || plan.mutation.moves > 0;
    with_solutions(all, [&](const auto& solution) {
        if (crossed) {
            kernels::island_cross(rules, solution(at.child), solution(at.mother), solution(at.father), at.positions,
                                  solution(at.mirror), plan.crossing.segment, warp);
        }
        kernels::island_mutate(rules, solution(at.child), plan.mutation, generation,
                               (all.first_island + island) * rules.tournament.size + member, warp);
        if (changed) kernels::island_restore_fixed(rules, solution(at.child), at.positions, warp);
    });
    uint64_t like = mother;  // the parent whose cost it has
    if (changed && same_bytes(at.child, at.mother, all.bytes)) changed = false;
    if (changed && same_bytes(at.child, at.father, all.bytes)) {
        changed = false;
        like = father;
    }
    if (IMGA_IN_SHARED) copy_bytes(all.children + own * all.bytes, at.child, all.bytes, lane, 32);
    const Cost cost = changed ? cost_of<Problem>(view, solution_at(all, at.child), at.scratch) : all.costs[like];
    if (lane == 0) {
        all.child_costs[own] = cost;
        all.changed[own] = changed ? 1 : 0;
    }
    __syncwarp();  // the memory is the next child's from here on
    return changed;
}

constexpr uint32_t kNobody = 0xFFFFFFFFu;

/// By a warp: the member of an island that comes after `last` by cost and number, or from the worst on by both; the
/// first where `last` is nobody.
template <bool kFromWorst>
QAPFW_DEVICE uint32_t next_in_rank(const Cost* costs, uint32_t size, uint32_t last) {
    const auto comes_first = [](Cost a, uint32_t number_a, Cost b, uint32_t number_b) {
        return (a < b || (a == b && number_a < number_b)) != kFromWorst;
    };
    const Cost last_cost = costs[last == kNobody ? 0 : last];
    uint32_t next = kNobody;
    Cost next_cost = last_cost;
    for (uint32_t k = threadIdx.x & 31u; k < size; k += 32) {
        const Cost cost = costs[k];
        if (k == last || (last != kNobody && comes_first(cost, k, last_cost, last))) continue;
        if (next != kNobody && !comes_first(cost, k, next_cost, next)) continue;
        next = k;
        next_cost = cost;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        const uint32_t other = __shfl_xor_sync(kernels::kAllLanes, next, distance);
        const Cost other_cost = __shfl_xor_sync(kernels::kAllLanes, next_cost, distance);
        if (other == kNobody || other == next) continue;
        if (next != kNobody && !comes_first(other_cost, other, next_cost, next)) continue;
        next = other;
        next_cost = other_cost;
    }
    return next;
}

/// The worst children give way to the best parents, then the children are the population. By all threads.
QAPFW_DEVICE void let_elites_live(const Arrays& all, uint32_t island) {
    const uint32_t size = all.rules.tournament.size, warp = threadIdx.x / 32, lane = threadIdx.x & 31u;
    const uint64_t first = uint64_t{island} * size;
    uint32_t* const elites = all.sorted + 2 * first;
    uint32_t* const places = elites + all.elites;
    uint32_t next = kNobody;
    for (uint32_t e = 0; warp < 2 && e < all.elites; ++e) {
        next = warp == 0 ? next_in_rank<false>(all.costs + first, size, next)
                         : next_in_rank<true>(all.child_costs + first, size, next);
        if (lane == 0) (warp == 0 ? elites : places)[e] = next;
    }
    __syncthreads();
    for (uint32_t e = warp; e < all.elites; e += kWarps) {
        copy_bytes(all.children + (first + places[e]) * all.bytes, all.parents + (first + elites[e]) * all.bytes,
                   all.bytes, lane, 32);
        if (lane == 0) all.child_costs[first + places[e]] = all.costs[first + elites[e]];
    }
}

/// Where candidate k of `count` stands by cost and number.
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

/// The island's best among `solutions`, the population from now on. By a warp.
QAPFW_DEVICE void keep_best(const Arrays& all, const uint8_t* solutions, const Cost* costs, uint32_t island,
                            uint64_t generation) {
    const uint32_t size = all.rules.tournament.size, lane = threadIdx.x & 31u;
    const uint64_t best = uint64_t{island} * size + next_in_rank<false>(costs + uint64_t{island} * size, size, kNobody);
    const Cost cost = costs[best];
    const bool improves = cost < all.present_best[island], is_record = cost < all.best_costs[island];
    __syncwarp();
    if (lane == 0 && improves) {
        all.present_best[island] = cost;
        all.improved[island] = generation;
    }
    if (!is_record) return;
    copy_bytes(all.best_solutions + island * all.bytes, solutions + best * all.bytes, all.bytes, lane, 32);
    if (lane == 0) {
        all.best_costs[island] = cost;
        all.best_found[island] = generation;
    }
}

}  // namespace qapfw::imga

/// Selection, crossover, mutation, evaluation. As many CUDA blocks for each island as share it out in even parts of at
/// most kThreads children.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_breed(const __grid_constant__ qapfw::imga::Arrays all,
                     const __grid_constant__ qapfw::imga::Problem::View view, uint64_t generation,
                     uint32_t work_bytes) {
    using namespace qapfw;
    constexpr uint32_t kScratch = imga::scratch_units<imga::Problem>();
    extern __shared__ imga::Unit imga_memory[];
    __shared__ imga::Unit scratch[imga::kWarps * kScratch + 1];
    __shared__ imga::ChildPlan plans[imga::kThreads];
    const uint32_t size = all.rules.tournament.size, blocks = gridDim.x / all.islands;
    const uint32_t part = ((size + blocks - 1) / blocks + 1) / 2 * 2;
    const uint32_t island = blockIdx.x / blocks, first = blockIdx.x % blocks * part;
    const uint32_t count = first >= size ? 0 : size - first < part ? size - first : part;
    if (threadIdx.x < count) plans[threadIdx.x] = imga::plan_child(all, island, first + threadIdx.x, generation);
    __syncthreads();
    const uint32_t warp = threadIdx.x / 32;
    uint8_t* const shared = reinterpret_cast<uint8_t*>(imga_memory) + warp * work_bytes;
    uint32_t evaluated = 0;
    for (uint32_t k = warp; k < count; k += imga::kWarps) {
        const uint32_t partner = (k ^ 1u) < count ? k ^ 1u : k;
        const bool changed = imga::make_child(all, view, plans[k], island, first + k, plans[partner].mother, generation,
                                              shared, scratch + warp * kScratch);
        evaluated += changed ? 1u : 0u;
    }
    if ((threadIdx.x & 31u) == 0 && evaluated > 0) {
        atomicAdd(all.evaluations, static_cast<unsigned long long>(evaluated));
    }
}

/// Replacement and the island's best: a CUDA block for each island. Where not `distinct`, the children are then the
/// population, and the host exchanges the arrays.
extern "C" __global__ void __launch_bounds__(qapfw::imga::kThreads)
    qapfw_imga_replace(const __grid_constant__ qapfw::imga::Arrays all, uint64_t generation) {
    using namespace qapfw;
    const bool distinct = all.distinct != 0;
    if (distinct) {
        imga::take_best_distinct(all, blockIdx.x);
    } else {
        imga::let_elites_live(all, blockIdx.x);
    }
    __syncthreads();
    if (threadIdx.x >= 32) return;
    imga::keep_best(all, distinct ? all.parents : all.children, distinct ? all.costs : all.child_costs, blockIdx.x,
                    generation);
}
