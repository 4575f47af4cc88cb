// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/tsp.hpp"

#include "brute_force.hpp"

using namespace qapfw::qap;

namespace {

TspInstance random_instance(uint32_t n, bool symmetric) {
    TspInstance out;
    out.n = n;
    out.symmetric = symmetric;
    out.metric = "EXPLICIT";
    out.distance.assign(std::size_t{n} * n, 0);
    uint32_t state = symmetric ? 7 : 8;
    for (uint32_t i = 0; i < n; ++i) {
        for (uint32_t j = 0; j < n; ++j) {
            state = state * 1664525u + 1013904223u;
            if (i == j || (symmetric && j < i)) continue;
            out.distance[i * n + j] = state >> 25;
            if (symmetric) out.distance[j * n + i] = out.distance[i * n + j];
        }
    }
    return out;
}

/// Length of the shortest tour, by Held and Karp 1962. best[set * n + last]: length of the shortest path from city 0
/// through all cities of the set to `last`.
int64_t shortest_tour(const TspInstance& tsp) {
    const uint32_t n = tsp.n;
    const std::size_t sets = std::size_t{1} << n;
    std::vector<int64_t> best(sets * n, INT64_MAX / 2);
    best[1 * n + 0] = 0;
    for (std::size_t set = 1; set < sets; ++set) {
        for (uint32_t last = 0; last < n; ++last) {
            for (uint32_t next = 0; next < n; ++next) {
                if ((set >> next & 1) != 0) continue;
                int64_t& entry = best[(set | std::size_t{1} << next) * n + next];
                entry = std::min(entry, best[set * n + last] + tsp.between(last, next));
            }
        }
    }
    int64_t least = INT64_MAX;
    for (uint32_t last = 0; last < n; ++last) {
        least = std::min(least, best[(sets - 1) * n + last] + (n > 1 ? tsp.between(last, 0) : 0));
    }
    return least;
}

}  // namespace

TEST_CASE("the QAP's cost is the length of the tour, and its optimum the shortest tour's") {
    for (const bool symmetric : {true, false}) {
        for (const uint32_t n : {1u, 2u, 3u, 7u}) {
            CAPTURE(symmetric);
            CAPTURE(n);
            const TspInstance tsp = random_instance(n, symmetric);
            CHECK(test::least_cost(TspReduction("r", tsp)) == shortest_tour(tsp));
        }
    }
}

TEST_CASE("a tour is shown with its length and written from city 1 on") {
    TspInstance tsp = random_instance(4, true);
    tsp.distance = {0, 1, 9, 1, 1, 0, 1, 9, 9, 1, 0, 1, 1, 9, 1, 0};
    const TspReduction reduction("square", tsp);
    const test::Permutation p = {2, 3, 0, 1};
    CHECK(reduction.recount(p) == 4);
    CHECK(reduction.describe(p) == "tour of length 4 through 4 cities:\n  3 4 1 2\n");
    const AnswerFile file = reduction.file(p);
    CHECK(file.name == "square.tour");
    CHECK(test::contains(file.text, "TOUR_SECTION\n1\n2\n3\n4\n-1\nEOF\n"));
    CHECK_NOTHROW(check_answer(reduction, p, 4));
    CHECK_REFUSED(check_answer(reduction, p, 5), "the cost recounted from the answer",
                  "is 4, but the QAP\'s cost is 5");
}
