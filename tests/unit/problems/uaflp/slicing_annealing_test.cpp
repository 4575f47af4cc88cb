// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/slicing_annealing.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "one_search.hpp"
#include "problems/uaflp/slicing_evaluator.hpp"
#include "uaflp_test_data.hpp"

using namespace qapfw;
using namespace qapfw::uaflp;

TEST_CASE("the logarithm of annealing is right where it is drawn often and rarely") {
    for (const std::uint32_t word : {0u, 1u, 7u, 1000u, 0x7FFFFFFFu, 0x80000000u, 0xC0000000u, 0xFFFFFFFFu}) {
        const double u = (word + 0.5) / 4294967296.0;
        CHECK(kernels::slicing_minus_log(word) == doctest::Approx(-std::log(u)).epsilon(1e-5));
    }
}

TEST_CASE("an annealing that evaluates parts of trees stands at the cost of the whole tree, bit for bit") {
    UaflpInstance instance = generate_f(24, 5);
    for (std::size_t d = 0; d < instance.size(); ++d) {
        instance.departments[d].rule = d % 6 == 5 ? ShapeRule{} : ShapeRule{3, 0};
        instance.departments[d].dummy = d % 6 == 5;
        for (std::size_t other = 0; other < 24 && d % 6 == 5; ++other) {
            instance.flow[d * 24 + other] = instance.flow[other * 24 + d] = 0;
        }
    }
    const SlicingEvaluator evaluator(instance);
    REQUIRE(evaluator.spaces().size() == 4);
    OneSearch search(evaluator), check(evaluator);
    std::vector<std::uint16_t> order(24), genes(23, 1);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    kernels::slicing_decode(order, genes, search.current.view());
    kernels::SlicingAnnealing settings{0.4, 0.1, {}};
    for (std::uint32_t k = 0; k < kernels::kSlicingMoveKinds; ++k) {
        settings.limits.limit[k] = (k + 1) * (0xFFFFFFFFu / kernels::kSlicingMoveKinds);
    }
    kernels::SlicingStanding standing{}, seen{};
    search.annealer.enter(standing);
    const double first = standing.cost;
    search.annealer.begin(settings, 0.02, 0.99, 20000, standing);
    std::uint32_t moved = 0;
    for (std::uint64_t t = 0; t < 400; ++t) {
        search.annealer.advance(settings, {3, 7 * t, 0, 5}, 7, standing);
        std::copy_n(search.annealer.current().words, kernels::slicing_tree_words(24), check.annealer.current().words);
        check.annealer.enter(seen);
        REQUIRE(seen.cost == standing.cost);
        REQUIRE(seen.excess == standing.excess);
        REQUIRE(seen.violations == standing.violations);
        moved += standing.cost != first ? 1 : 0;
    }
    CHECK(moved > 300);
    CHECK(standing.best_violations < 24);
    const Evaluation best = evaluator.evaluate(search.best.view(), search.workspace);
    CHECK(best.cost == standing.best_cost);
    CHECK(best.violations == standing.best_violations);
}
