// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/tsplib.hpp"
#include "problems/qap/reductions/tsplib_distance.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

TspInstance read_tsp(const std::string& text) {
    return read_tsplib(text, "t");
}

/// Three cities whose distances are `numbers`, in the given format.
TspInstance explicit_three(const std::string& format, const std::string& numbers, const std::string& type = "TSP") {
    return read_tsp("TYPE: " + type + "\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: " + format +
                    "\nEDGE_WEIGHT_SECTION\n" + numbers + "\nEOF\n");
}

const std::string kPlane = "TYPE : TSP\nDIMENSION : 3\nEDGE_WEIGHT_TYPE : EUC_2D\n";

}  // namespace

TEST_CASE("the point distances round as TSPLIB does") {
    const Point origin{0, 0}, a{4, 1};
    CHECK(point_distance("EUC_2D")(origin, a) == 4);
    CHECK(point_distance("CEIL_2D")(origin, a) == 5);
    CHECK(point_distance("CEIL_2D")(origin, {3, 4}) == 5);
    CHECK(point_distance("MAN_2D")(origin, a) == 5);
    CHECK(point_distance("MAX_2D")(origin, {-4.4, 4.6}) == 5);
    CHECK(point_distance("ATT")(origin, a) == 2);                          // sqrt(1.7) rounded up
    CHECK(point_distance("ATT")({6734, 1453}, {2233, 10}) == 1495);        // cities 1 and 2 of att48
    CHECK(point_distance("GEO")({38.24, 20.42}, {39.57, 26.15}) == 509);   // cities 1 and 2 of ulysses16
    CHECK(point_distance("GEO")({38.24, 20.42}, {36.08, -5.21}) == 2314);  // cities 1 and 11
    CHECK((point_distance("EXPLICIT") == nullptr));
    CHECK((point_distance("XRAY1") == nullptr));
}

TEST_CASE("cities in the plane are read in any order and spelling of the header") {
    const TspInstance tsp = read_tsp(
        "NAME: three: cities\nCOMMENT : first\nCOMMENT: second\nTYPE:TSP\nDIMENSION :3\nEDGE_WEIGHT_TYPE : EUC_2D\n"
        "DISPLAY_DATA_TYPE: COORD_DISPLAY\nNODE_COORD_SECTION\n 2 3.0e0 4\n1 0 0\r\n3 +6 -8.0\nEOF\n");
    CHECK(tsp.n == 3);
    CHECK(tsp.symmetric);
    CHECK(tsp.metric == "EUC_2D");
    CHECK(tsp.distance == std::vector<int64_t>{0, 5, 10, 5, 0, 12, 10, 12, 0});
    const std::vector<uint32_t> tour = {2, 0, 1};
    CHECK(tsp.length(tour) == 27);
    CHECK(to_tsplib_tour("three", tour, 27) ==
          "NAME : three.tour\nCOMMENT : length 27\nTYPE : TOUR\nDIMENSION : 3\nTOUR_SECTION\n1\n2\n3\n-1\nEOF\n");
}

TEST_CASE("explicit matrices are read in all formats, diagonals without use") {
    const std::vector<int64_t> wanted{0, 4, 5, 4, 0, 6, 5, 6, 0};
    CHECK(explicit_three("FULL_MATRIX", "9999 4 5\n4 9999 6\n5 6 9999").distance == wanted);
    CHECK(explicit_three("UPPER_ROW", "4 5 6").distance == wanted);
    CHECK(explicit_three("LOWER_ROW", "4\n5 6").distance == wanted);
    CHECK(explicit_three("UPPER_DIAG_ROW", "0 4 5\n7 6\n0").distance == wanted);
    CHECK(explicit_three("LOWER_DIAG_ROW", "0\n4 0\n5 6 0").distance == wanted);
    CHECK(explicit_three("UPPER_COL", "4 5 6").distance == wanted);
    CHECK(explicit_three("LOWER_COL", "4 5 6").distance == wanted);
    CHECK(explicit_three("UPPER_DIAG_COL", "0\n4 0\n5 6 0").distance == wanted);
    CHECK(explicit_three("LOWER_DIAG_COL", "0 4 5 0 6 0").distance == wanted);
    const TspInstance one_way = explicit_three("FULL_MATRIX", "9 1 2\n3 9 4\n5 6 9", "ATSP");
    CHECK_FALSE(one_way.symmetric);
    CHECK(one_way.distance == std::vector<int64_t>{0, 1, 2, 3, 0, 4, 5, 6, 0});
    CHECK(one_way.length(std::vector<uint32_t>{0, 1, 2}) == 10);
    CHECK(one_way.length(std::vector<uint32_t>{2, 1, 0}) == 11);
}

TEST_CASE("coordinates for display beside an explicit matrix are read over") {
    const TspInstance tsp = read_tsp(
        "TYPE: TSP\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
        "DISPLAY_DATA_TYPE: TWOD_DISPLAY\nEDGE_WEIGHT_SECTION\n7\nDISPLAY_DATA_SECTION\n1 0 0\n2 1 1\n");
    CHECK(tsp.distance == std::vector<int64_t>{0, 7, 7, 0});
}

TEST_CASE("wrong or unsupported headers are refused with their position") {
    CHECK_REFUSED(read_tsp(""), "t:1:1: ", "the text is empty");
    CHECK_REFUSED(read_tsp("hello\n"), "t:1:1: ", "a keyword with a colon and a value, or a section, was wanted");
    CHECK_REFUSED(read_tsp("hello\n"), "t:1:1: ", "there is no colon after \"hello\"");
    CHECK_REFUSED(read_tsp("TYPE: CVRP\n"), "t:1:7: ", "TYPE is \"CVRP\", supported are TSP, ATSP");
    CHECK_REFUSED(read_tsp("TYPE: TSP\nTYPE: TSP\n"), "t:2:1: ", "\"TYPE\" comes a second time");
    CHECK_REFUSED(read_tsp("\n : 3\n"), "t:2:2: ", "a keyword was wanted before the colon");
    CHECK_REFUSED(read_tsp("TYPE:\n"), "t:1:1: ", "one value was wanted after TYPE, but there are 0");
    CHECK_REFUSED(read_tsp("CAPACITY : 3\n"), "t:1:1: ", "\"CAPACITY\" is unknown or not supported");
    CHECK_REFUSED(read_tsp("DIMENSION : many\n"),
                  "t:1:13: ", "DIMENSION was wanted here, but \"many\" is not a number");
    CHECK_REFUSED(read_tsp("DIMENSION : 20000\n"), "t:1:13: ", "from 1 to 16384");
    CHECK_REFUSED(read_tsp("DIMENSION: 0\n"), "t:1:12: ", "from 1 to 16384");
    CHECK_REFUSED(read_tsp("EDGE_WEIGHT_TYPE: XRAY1\n"), "t:1:19: ", "supported are EUC_2D, EUC_3D");
    CHECK_REFUSED(read_tsp("EDGE_WEIGHT_FORMAT: FULL\n"), "t:1:21: ", "supported are FULL_MATRIX");
    CHECK_REFUSED(read_tsp("NODE_COORD_TYPE: FOUR_COORDS\n"), "t:1:18: ", "NODE_COORD_TYPE is");
    CHECK_REFUSED(read_tsp("TOUR_SECTION\n"), "t:1:1: ", "\"TOUR_SECTION\" is not supported");
    CHECK_REFUSED(read_tsp("NODE_COORD_SECTION\n"), "t:1:1: ", "DIMENSION was wanted before");
    CHECK_REFUSED(read_tsp("DIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\n"), "t:3:1: ", "ends without TYPE");
    CHECK_REFUSED(read_tsp(kPlane), "t:4:1: ", "ends without NODE_COORD_SECTION");
    CHECK_REFUSED(read_tsp("TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\n"), "t:4:1: ", "EDGE_WEIGHT_SECTION");
}

TEST_CASE("wrong cities are refused with their place") {
    const auto cities = [](const std::string& lines) { return read_tsp(kPlane + "NODE_COORD_SECTION\n" + lines); };
    CHECK_REFUSED(cities("1 0 0\n2 1 1\n"),
                  "t:7:1: ", "city 3 of 3 in NODE_COORD_SECTION was wanted, but the text ends");
    CHECK_REFUSED(cities("1 0 0\n2 1"), "t:6:4: ", "a coordinate was wanted, but the text ends");
    CHECK_REFUSED(cities("1 0 0\n4 1 1\n3 0 0\n"), "t:6:1: ", "from 1 to 3");
    CHECK_REFUSED(cities("1 0 0\n1 1 1\n3 0 0\n"), "t:6:1: ", "city 1 is listed a second time");
    CHECK_REFUSED(cities("1 0 0\nEOF\n"), "t:6:1: ", "\"EOF\" is not a number");
    CHECK_REFUSED(cities("1 0 north\n"), "t:5:5: ", "not \"north\"");
    CHECK_REFUSED(cities("1 0 nan\n"), "t:5:5: ", "not \"nan\"");
    CHECK_REFUSED(cities("1 0 1e300\n"), "t:5:5: ", "from -1e+12 to 1e+12");
    CHECK_REFUSED(cities("1 0 0\n2 1 1\n3 2 2\n4 3 3\nEOF\n"), "t:8:1: ", "not \"4\"");
    CHECK(cities("1 0 0\n2 1 1\n3 2 2\nEOF\n4\n").n == 3);
}

TEST_CASE("wrong matrices are refused with their place") {
    CHECK_REFUSED(explicit_three("UPPER_ROW", "4 5"),
                  "t:7:1: ", "the distance from city 2 to city 3 was wanted here, but \"EOF\" is not a number");
    CHECK_REFUSED(explicit_three("UPPER_ROW", "4 5 6 7"), "t:6:7: ", "not \"7\"");
    CHECK(explicit_three("UPPER_ROW", "4 5.5 6").divisor == 10);
    CHECK(explicit_three("UPPER_ROW", "4 5.5 6").between(0, 2) == 55);
    CHECK_REFUSED(explicit_three("UPPER_ROW", "4 5.0000000001 6"), "t:6:1: ", "10 decimals");
    CHECK_REFUSED(explicit_three("UPPER_ROW", "4 5 99999999999999999999"), "t:6:5: ", "it must be from");
    CHECK_REFUSED(explicit_three("FULL_MATRIX", "0 4 5\n4 0 6\n5 7 0"), "t:8:3: ",
                  "the distance from city 3 to city 2 is 7, but 6 the other way; if both distances are right, TYPE "
                  "must be ATSP");
    CHECK_REFUSED(explicit_three("UPPER_ROW", "4 5 6", "ATSP"), "t:5:1: ", "TYPE ATSP wants FULL_MATRIX");
    CHECK_REFUSED(read_tsp(kPlane + "EDGE_WEIGHT_SECTION\n4 5 6\n"),
                  "t:4:1: ", "EDGE_WEIGHT_TYPE : EXPLICIT was wanted before EDGE_WEIGHT_SECTION");
    CHECK_REFUSED(read_tsp("TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_SECTION\n"),
                  "t:4:1: ", "EDGE_WEIGHT_FORMAT was wanted before");
    const std::string untyped = "DIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n";
    CHECK_REFUSED(read_tsp(untyped + "EDGE_WEIGHT_SECTION\n3\nTYPE: ATSP\nEOF\n"), "t:4:1: ", "TYPE was wanted before");
    CHECK_REFUSED(read_tsp("TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: FUNCTION\n"
                           "EDGE_WEIGHT_SECTION\n"),
                  "t:5:1: ", "FUNCTION and EDGE_WEIGHT_SECTION exclude each other");
}
