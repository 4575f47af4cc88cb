// SPDX-License-Identifier: Apache-2.0
// The cost that device code computes on an emulated warp must equal the host's cost in every bit.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "problems/uaflp/evaluator.hpp"
#include "tests/support/emulated_intrinsics.hpp"
#include "uaflp_test_data.hpp"

#include "qapfw/kernels/device_team.hpp"
#include "qapfw/kernels/fbs_cost.hpp"

#define UAFLP_N 37
#define UAFLP_BITS_OFFSET 80
#define UAFLP_REAL double
#define UAFLP_EUCLIDEAN view.euclidean  // the metric is chosen at run time
#include "problems/uaflp/device/uaflp_problem.cuh"

using namespace qapfw;
using namespace qapfw::uaflp;
using device::Problem;
using qapfw::test::EmulatedBlock;
using uaflp::test::random_solution;
using uaflp::test::Solution;

namespace {

UaflpInstance instance_of(Metric metric) {
    GeneratorOptions options;
    options.size = UAFLP_N;
    options.max_aspect_ratio = 4;
    UaflpInstance instance = generate_instance(options);
    instance.height = 2 * instance.height;  // the floor is not square, so both orientations are tried
    for (Department& d : instance.departments) d.area *= 2;
    instance.metric = metric;
    return instance;
}

/// A solution with positions i and j swapped, in the form that a search passes to a cost function.
struct Exchanged {
    const Solution& solution;
    int i, j;
    int operator()(int position) const { return solution.perm[position == i ? j : position == j ? i : position]; }
    int bit(int k) const { return solution.bits[k]; }
};

/// The result of `cost` in each lane of a warp.
template <class Cost>
std::vector<double> by_lanes(Cost cost) {
    std::vector<double> costs(32);
    EmulatedBlock::run_grid({1, 1, 1}, {32, 1, 1}, [&] { costs[threadIdx.x] = cost(); });
    return costs;
}

}  // namespace

TEST_CASE("a thread and a warp find the cost that the host finds, to the last bit") {
    for (const Metric metric : {Metric::kRectilinear, Metric::kEuclidean}) {
        const UaflpInstance instance = instance_of(metric);
        for (const Penalty penalty : {Penalty::kFeasibleFirst, Penalty::kPower, Penalty::kAdaptive}) {
            EvaluationOptions options;
            options.penalty = penalty;
            Evaluator evaluator(instance, options);
            evaluator.set_adaptive_gap(1234.5);
            for (std::uint64_t seed = 0; seed < 4; ++seed) {
                const Solution s = random_solution(UAFLP_N, seed);
                const double expected = evaluator.evaluate(s.perm, s.bits).objective;
                const Exchanged solution{s, 0, 0};
                CHECK(Problem::cost(kernels::ThreadGroup{}, evaluator.view(), solution) == expected);
                alignas(16) unsigned char scratch[Problem::kScratchBytes];
                std::memset(scratch, 0xA5, sizeof scratch);
                const std::vector<double> everywhere(32, expected);
                CHECK(by_lanes([&] { return Problem::cost(kernels::WarpGroup{}, evaluator.view(), solution); }) ==
                      everywhere);
                CHECK(by_lanes([&] {
                          return Problem::cost_in(kernels::WarpGroup{}, evaluator.view(), solution, scratch);
                      }) == everywhere);
            }
        }
    }
}

TEST_CASE("a warp in float finds what the host finds in float") {
    for (const Metric metric : {Metric::kRectilinear, Metric::kEuclidean}) {
        const FloatEvaluator evaluator(instance_of(metric));
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            const Solution s = random_solution(UAFLP_N, seed);
            const auto layout = kernels::fbs_solution(s.perm.data(), s.bits.data());
            alignas(16) unsigned char memory[kernels::fbs_warp_scratch_bytes<float>(UAFLP_N)];
            const auto scratch = kernels::fbs_warp_scratch<float>(memory, UAFLP_N);
            const double expected = static_cast<double>(evaluator.evaluate(s.perm, s.bits).objective);
            CHECK(by_lanes([&] {
                      return kernels::fbs_evaluate_warp(evaluator.view(), layout, scratch, threadIdx.x).objective;
                  }) == std::vector<double>(32, expected));
        }
    }
}

TEST_CASE("the cost of two exchanged departments is that of the solution in which they are") {
    const UaflpInstance instance = instance_of(Metric::kRectilinear);
    const Evaluator evaluator(instance);
    Solution s = random_solution(UAFLP_N, 9);
    const Solution before = s;
    std::swap(s.perm[3], s.perm[30]);
    const Exchanged exchanged{before, 3, 30};
    CHECK(Problem::cost(kernels::ThreadGroup{}, evaluator.view(), exchanged) ==
          evaluator.evaluate(s.perm, s.bits).objective);
}
