// SPDX-License-Identifier: Apache-2.0
// Compares the bound of every neighbour with its full evaluation.
#include "problems/uaflp/neighbour_bounds.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "plugins/fbs_local_search/device/fbs_neighbourhood.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw;
using namespace qapfw::uaflp;
using uaflp::test::random_solution;
using uaflp::test::Solution;

namespace {

UaflpInstance instance_of(unsigned n, Metric metric, double aspect, double density = 0.25) {
    GeneratorOptions options;
    options.size = n;
    options.density = density;
    options.max_aspect_ratio = aspect;
    UaflpInstance instance = generate_instance(options);
    instance.height = 2 * instance.height;  // not square, so both orientations are tried
    for (Department& d : instance.departments) d.area *= 2;
    instance.metric = metric;
    return instance;
}

/// A solution in the form that NeighbourBounds reads.
std::vector<std::uint16_t> packed(const Solution& s) {
    std::vector<std::uint16_t> bytes(s.perm);
    bytes.resize(s.perm.size() + (s.bits.size() + 1) / 2, 0);
    std::memcpy(bytes.data() + s.perm.size(), s.bits.data(), s.bits.size());
    return bytes;
}

/// Checks every neighbour of `s` and returns the number of neighbours. A neighbour must be kept if the limit is just
/// above its cost. If `tight` is true, it must be left out if the limit is just below its cost.
unsigned check_neighbours(const Evaluator& evaluator, NeighbourBounds& bounds, Solution s, bool tight) {
    const auto n = static_cast<std::uint32_t>(s.perm.size());
    const auto view = [&](Solution& of) { return kernels::fbs_solution(of.perm.data(), of.bits.data()); };
    bounds.reset(packed(s).data());
    const kernels::FbsBorders borders = kernels::fbs_borders(view(s), n);
    unsigned count = 0;
    for (std::uint32_t kind = 0; kind < kernels::kFbsMoveKinds; ++kind) {
        for (std::uint32_t index = 0; index < kernels::fbs_move_count(kind, n); ++index) {
            const kernels::FbsMove move = kernels::fbs_move_at(kind, index, n);
            if (!kernels::fbs_is_move(view(s), n, borders, move)) continue;
            ++count;
            Solution neighbour = s;
            kernels::fbs_apply_move(view(neighbour), n, move);
            const double cost = evaluator.evaluate(neighbour.perm, neighbour.bits).objective;
            const qapfw_bay_move one[] = {{move.kind, move.first, move.second, move.variant}};
            CAPTURE(kind);
            CAPTURE(move.first);
            CAPTURE(move.second);
            CAPTURE(move.variant);
            const qapfw_cost above{.f = std::nextafter(cost, std::numeric_limits<double>::infinity())};
            CHECK(bounds.first_promising(one, above) == 0);
            const qapfw_cost below{.f = cost * (1 - 1e-6)};
            if (tight) CHECK(bounds.first_promising(one, below) == 1);
        }
    }
    return count;
}

}  // namespace

TEST_CASE("a neighbour is left out only if its cost is not below the limit, and near misses are left out") {
    for (const Penalty penalty : {Penalty::kFeasibleFirst, Penalty::kPower, Penalty::kAdaptive, Penalty::kNone}) {
        for (const Metric metric : {Metric::kRectilinear, Metric::kEuclidean}) {
            for (const unsigned n : {2u, 7u, 13u}) {
                const UaflpInstance instance = instance_of(n, metric, 4);
                EvaluationOptions options;
                options.penalty = penalty;
                Evaluator evaluator(instance, options);
                evaluator.set_adaptive_gap(1000);
                const FlowRows flows(evaluator.view());
                NeighbourBounds bounds(evaluator, flows, 2 * n);
                for (std::uint64_t seed = 0; seed < 6; ++seed) {
                    CAPTURE(n);
                    CAPTURE(seed);
                    const bool tight = metric == Metric::kRectilinear;
                    CHECK(check_neighbours(evaluator, bounds, random_solution(n, seed), tight) > 0);
                }
            }
        }
    }
}

TEST_CASE("bounds are as good where few departments have flow") {
    for (const double density : {0.02, 0.05, 0.9}) {
        const UaflpInstance instance = instance_of(17, Metric::kRectilinear, 1000, density);
        const Evaluator evaluator(instance);
        const FlowRows flows(evaluator.view());
        CHECK(flows.are_sparse() == (density < 0.1));
        NeighbourBounds bounds(evaluator, flows, 34);
        CHECK(check_neighbours(evaluator, bounds, random_solution(17, 2), true) > 0);
    }
}

TEST_CASE("the first promising neighbour of several is returned, or their number if none is promising") {
    const UaflpInstance instance = instance_of(12, Metric::kRectilinear, 1000);
    const Evaluator evaluator(instance);
    const FlowRows flows(evaluator.view());
    NeighbourBounds bounds(evaluator, flows, 24);
    const Solution s = random_solution(12, 3);
    bounds.reset(packed(s).data());
    std::vector<qapfw_bay_move> moves;
    std::vector<double> costs;
    for (std::uint32_t second = 1; second < 12; ++second) {
        Solution neighbour = s;
        std::swap(neighbour.perm[0], neighbour.perm[second]);
        moves.push_back({QAPFW_BAY_MOVE_SWAP, 0, second, 0});
        costs.push_back(evaluator.evaluate(neighbour.perm, neighbour.bits).objective);
    }
    const auto least = std::min_element(costs.begin(), costs.end());
    const qapfw_cost above{.f = *least * 1.000001}, below{.f = *least * 0.999999};
    CHECK(bounds.first_promising(moves, above) == static_cast<std::uint64_t>(least - costs.begin()));
    CHECK(bounds.first_promising(moves, below) == moves.size());
}
