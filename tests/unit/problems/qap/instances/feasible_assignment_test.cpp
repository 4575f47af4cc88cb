// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/feasible_assignment.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

bool is_feasible(const std::vector<uint8_t>& forbidden, uint32_t n, const std::vector<uint16_t>& p) {
    std::vector<uint8_t> seen(n, 0);
    for (uint32_t i = 0; i < n; ++i) {
        if (seen[p[i]]++ != 0 || forbidden[i * n + p[i]] != 0) return false;
    }
    return true;
}

/// True if a feasible assignment exists. Tries all permutations.
bool exists(const std::vector<uint8_t>& forbidden, uint32_t n) {
    std::vector<uint16_t> p(n);
    std::iota(p.begin(), p.end(), uint16_t{0});
    do {
        if (is_feasible(forbidden, n, p)) return true;
    } while (std::next_permutation(p.begin(), p.end()));
    return false;
}

}  // namespace

TEST_CASE("an assignment is found exactly where one exists") {
    std::mt19937_64 random(1);
    int found = 0, none = 0;
    for (int k = 0; k < 300; ++k) {
        const uint32_t n = 1 + static_cast<uint32_t>(k) % 6;
        std::vector<uint8_t> forbidden(n * n);
        for (auto& f : forbidden) f = random() % 100 < 55 ? 1 : 0;
        try {
            const std::vector<uint16_t> p = feasible_assignment(forbidden, n, {}, "t");
            CHECK(is_feasible(forbidden, n, p));
            ++found;
        } catch (const qapfw::Error&) {
            CHECK_FALSE(exists(forbidden, n));
            ++none;
        }
    }
    CHECK(found > 50);
    CHECK(none > 50);
}

TEST_CASE("one long chain of moved facilities is found") {
    constexpr uint32_t n = 2000;  // facility i may be at location i or i + 1, the last facility only at location 0
    std::vector<uint8_t> forbidden(n * n, 1);
    for (uint32_t i = 0; i < n; ++i) forbidden[i * n + (i + 1) % n] = 0;
    for (uint32_t i = 0; i + 1 < n; ++i) forbidden[i * n + i] = 0;
    CHECK(is_feasible(forbidden, n, feasible_assignment(forbidden, n, {}, "t")));
}

TEST_CASE("facilities with too few locations between them are named") {
    const uint32_t n = 4;
    std::vector<uint8_t> forbidden(n * n, 0);
    for (const uint32_t i : {0u, 1u, 3u}) {
        for (const uint32_t l : {2u, 3u}) forbidden[i * n + l] = 1;
    }
    CHECK_REFUSED(feasible_assignment(forbidden, n, {}, "f.csv"),
                  "f.csv: ", "facilities 1, 2 and 4 have only 2 locations between them");
    std::fill(forbidden.begin() + 8, forbidden.begin() + 12, 1);
    CHECK_REFUSED(feasible_assignment(forbidden, n, {}, "f.csv"), "f.csv: ", "facilit");
    const std::vector<std::string> entries{"1->3"};
    CHECK_REFUSED(feasible_assignment(forbidden, n, parse_fixed_assignments(entries, n, "x"), "f.csv"),
                  "f.csv: ", "facility 1 is fixed at location 3, which is forbidden to it");
}

TEST_CASE("an assignment keeps what is allowed of the one that it starts from") {
    const uint32_t n = 6;
    std::vector<uint8_t> forbidden(n * n, 0);
    const std::vector<uint16_t> start{5, 4, 3, 2, 1, 0};
    CHECK(feasible_assignment(forbidden, n, {}, "t", start) == start);
    forbidden[0 * n + 5] = 1;
    forbidden[0 * n + 3] = 1;
    const std::vector<uint16_t> p = feasible_assignment(forbidden, n, {}, "t", start);
    CHECK(is_feasible(forbidden, n, p));
    int kept = 0;
    for (uint32_t i = 0; i < n; ++i) kept += p[i] == start[i] ? 1 : 0;
    CHECK(kept == 4);
}

TEST_CASE("fixed facilities keep their locations, and others cannot have them") {
    const uint32_t n = 3;
    std::vector<uint8_t> forbidden(n * n, 0);
    const std::vector<std::string> entries{"2->1"};
    const FixedAssignments fixed = parse_fixed_assignments(entries, n, "x");
    CHECK(feasible_assignment(forbidden, n, fixed, "t")[1] == 0);
    forbidden[1] = forbidden[2] = 1;  // facility 1 may be only at location 1, which facility 2 has
    CHECK_REFUSED(feasible_assignment(forbidden, n, fixed, "t"), "t: ", "facility");
}
