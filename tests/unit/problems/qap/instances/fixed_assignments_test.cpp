// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/fixed_assignments.hpp"

#include <string>
#include <vector>

#include "problems/qap/qap_problem.hpp"
#include "tests/support/test_host.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

FixedAssignments parse(const std::vector<std::string>& entries, uint32_t n = 4) {
    return parse_fixed_assignments(entries, n, "fixed");
}

}  // namespace

TEST_CASE("fixed facilities keep their locations and the others fill up in order") {
    const FixedAssignments fixed = parse({"3->1", " 1 -> 4 "});
    CHECK(fixed.count == 2);
    CHECK(fixed.mask == std::vector<uint8_t>{1, 0, 1, 0});
    CHECK(fixed.completion == std::vector<uint16_t>{3, 1, 0, 2});
    CHECK(fixed.is_fixed(2));
    CHECK(fixed.location(2) == 0);
}

TEST_CASE("no entry and all entries are lists too") {
    CHECK(parse({}).count == 0);
    CHECK(parse({}).completion == std::vector<uint16_t>{0, 1, 2, 3});
    CHECK(parse({"1->2", "2->1"}, 2).completion == std::vector<uint16_t>{1, 0});
    CHECK(parse({"1->1"}, 1).completion == std::vector<uint16_t>{0});
}

TEST_CASE("bad entries are refused at their place") {
    CHECK_REFUSED(parse({"1->1", "2"}), "fixed:2:1: ", "\"3->7\", not \"2\"");
    CHECK_REFUSED(parse({""}), "fixed:1:1: ", "was wanted");
    CHECK_REFUSED(parse({"0->1"}), "fixed:1:1: ", "a facility from 1 to 4 was wanted, not \"0\"");
    CHECK_REFUSED(parse({"5->1"}), "fixed:1:1: ", "a facility from 1 to 4");
    CHECK_REFUSED(parse({"1->5"}), "fixed:1:4: ", "a location from 1 to 4 was wanted, not \"5\"");
    CHECK_REFUSED(parse({"1-> x"}), "fixed:1:5: ", "not \"x\"");
    CHECK_REFUSED(parse({"->1"}), "fixed:1:1: ", "not \"\"");
    CHECK_REFUSED(parse({"1->2->3"}), "fixed:1:4: ", "not \"2->3\"");
    CHECK_REFUSED(parse({"2->1", "2->3"}), "fixed:2:1: ", "facility 2 is fixed twice, first at location 1");
    CHECK_REFUSED(parse({"2->1", "3->1"}), "fixed:2:4: ", "location 1 is already taken by facility 2");
}

TEST_CASE("the best known value of an instance does not count where facilities are fixed") {
    const qapfw::test::TemporaryFolder folder;
    const qapfw::test::TestHost host;
    const auto has_best_known = [&](const std::string& fixed) {
        const qapfw::test::TestProblem<QapProblem> problem(host, {{"instance", "tai12a"}, {"fixed_file", fixed}});
        CHECK((problem.ref().info().encoding.fixed != nullptr) == !fixed.empty());
        return problem.ref().info().has_best_known != 0;
    };
    CHECK(has_best_known(""));
    CHECK_FALSE(has_best_known(folder.write("fixed.txt", "3->7\n")));
}
