// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/general_terms.hpp"

#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

TEST_CASE("linear costs have a row for each facility, and another shape is told with its place") {
    const NumberMatrix read = parse_linear("# cost\n1,2;3\n\n 4.5\t-5 6\r\n", "l", 2, 3);
    CHECK(read.values() == std::vector<double>{1, 2, 3, 4.5, -5, 6});
    CHECK_REFUSED(parse_linear("1,2\n3,4\n5,6", "l", 2, 2), "l:3:1: ", "2 facilities, but this is row 3");
    CHECK_REFUSED(parse_linear("1,2\n", "l", 2, 2), "l:1:4: ", "end after 1 rows, but there are 2 facilities");
    CHECK_REFUSED(parse_linear("1,2\n3,4,5", "l", 2, 2), "l:2:5: ", "has 3 entries, but there are 2 locations");
    CHECK_REFUSED(parse_linear("1,2\n3", "l", 2, 2), "l:2:2: ", "has 1 entries, but there are 2 locations");
    CHECK_REFUSED(parse_linear("1,x\n3,4", "l", 2, 2), "l:1:3: ", "\"x\" of the linear costs is not a number");
    CHECK_REFUSED(parse_linear("1,nan\n3,4", "l", 2, 2), "l:1:3: ", "not a number");
    CHECK_REFUSED(parse_linear("\n#\n", "l", 2, 2), "l:1:1: ", "empty");
}

TEST_CASE("forbidden pairs are listed, or a matrix of 0 and 1") {
    const std::vector<uint8_t> wanted{0, 0, 1, 1, 0, 0};
    CHECK(parse_forbidden("1,3\n2;1\n", "f", 2, 3) == wanted);
    CHECK(parse_forbidden("0 0 1\n1 0 0\n", "f", 2, 3) == wanted);
    CHECK(parse_forbidden("1,1\n1,1\n", "f", 2, 2) == std::vector<uint8_t>{1, 0, 0, 0});
    CHECK(parse_forbidden("1,0\n1,1\n", "f", 2, 2) == std::vector<uint8_t>{1, 0, 1, 1});
    CHECK_REFUSED(parse_forbidden("1,4\n", "f", 2, 3), "f:1:3: ", "a location from 1 to 3 was wanted");
    CHECK_REFUSED(parse_forbidden("1,1\n3,1\n", "f", 2, 3), "f:2:1: ", "a facility from 1 to 2 was wanted");
    CHECK_REFUSED(parse_forbidden("1,1\n1,2,3\n", "f", 2, 3), "f:2:1: ", "this line has 3 entries");
}
