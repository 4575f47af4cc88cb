// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/csv_reader.hpp"

#include <string>

#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

ReadMatrices pair(const std::string& a, const std::string& b) {
    return read_csv_pair({a, "a"}, {b, "b"});
}

ReadMatrices stacked(const std::string& both) {
    return read_csv_stacked({both, "c"});
}

const std::vector<double> kA{0, 1, 2, 0};
const std::vector<double> kB{0, 3, -4, 5};

}  // namespace

TEST_CASE("commas, semicolons, tabs and blanks separate fields") {
    for (const char* separator : {",", ";", "\t", " ", " , ", "  ", ";\t"}) {
        CAPTURE(separator);
        const std::string s = separator;
        const ReadMatrices out = pair("0" + s + "1\n2" + s + "0", "\n 0" + s + "3 \r\n\r\n-4" + s + "5\r\n");
        CHECK(out.b.rows() == 2);
        CHECK(out.a.rows() == 2);
        CHECK(out.a.values() == kA);
        CHECK(out.b.values() == kB);
    }
}

TEST_CASE("one file may hold A above B") {
    const ReadMatrices out = stacked(
        "\xef\xbb\xbf"
        "0,1\n2,0\n\n0,3\n-4,5\n");
    CHECK(out.a.values() == kA);
    CHECK(out.b.values() == kB);
    const ReadMatrices padded = stacked("7\n0,3\n-4,5\n");
    CHECK(padded.a.rows() == 1);
    CHECK(padded.a.values() == std::vector<double>{7});
    CHECK(stacked("5\n6").b.values() == std::vector<double>{6});
}

TEST_CASE("matrix A may be smaller than matrix B, not larger") {
    const ReadMatrices out = pair("1,2\n3,4", "1,2,3\n4,5,6\n7,8,9");
    CHECK(out.a.rows() == 2);
    CHECK(out.b.rows() == 3);
    CHECK(out.a.values() == std::vector<double>{1, 2, 3, 4});
    CHECK_REFUSED(pair("1,2\n3,4", "5"), "a:1:1: ", "2 facilities (matrix A), but only 1 locations");
}

TEST_CASE("rows and columns must agree") {
    CHECK_REFUSED(pair("0,1\n2", "0,1\n1,0"), "a:2:2: ", "has 1 entries, but its first row has 2");
    CHECK_REFUSED(pair("0,1\n2,3,4", "0,1\n1,0"), "a:2:5: ", "has 3 entries, but its first row has 2");
    CHECK_REFUSED(pair("0,1", "0,1\n1,0"), "a:1:4: ", "ends after 1 rows");
    CHECK_REFUSED(pair("0,1\n2,3", "0,1\n1,0\n\n1,0"), "b:4:1: ", "trailing data");
    CHECK_REFUSED(stacked("0,1\n2,3"), "c:2:4: ", "matrix B must start in row 3 of the numbers");
    CHECK_REFUSED(stacked("0,1\n2,3\n4,5"), "c:3:4: ", "matrix B ends after 1 rows");
}

TEST_CASE("points that may separate thousands are refused where semicolons separate cells") {
    const auto refusal = [](const std::string& text) {
        try {
            pair(text, "0;1\n2;0");
        } catch (const std::exception& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(refusal("0;1.234\n850;0")
              .find("a:1:3: cell B1, \"1.234\": the point may separate thousands or decimals; write "
                    "1234, or 1.2340") != std::string::npos);
    for (const char* sure : {"0;1.234\n0;0", "0;1.234\n8.5;0", "0;1.234\n8500;0", "0,1.234\n850,0", "0;0.234\n850;0"}) {
        CAPTURE(sure);
        CHECK(refusal(sure).find("thousands") == std::string::npos);
    }
}

TEST_CASE("a comma between thousands that looks like a separator is told") {
    CHECK_REFUSED(pair("0,1\n1,000,0", "0,1\n1,0"), "a:2:7: ", "has 2; if 1,000 is one number, write 1000");
    CHECK_REFUSED(pair("name,A,B\nA,0,5\nB,12,500,0", "0,1\n1,0"), "a:3:10: ", "if 12,500 is one number, write 12500");
    CHECK_REFUSED(pair("0,1,000\n1,0", "0,1\n1,0"), "a:2:4: ", "has 3; if 1,000 is one number, write 1000");
    CHECK_REFUSED(pair("0,1\n-1,000,000,0", "0,1\n1,0"), "a:2:8: ", "if -1,000,000 is one number, write -1000000");
    CHECK_REFUSED(pair("0,1\n5,123,456", "0,1\n1,0"), "a:2:7: ", "if 5,123 is one number, write 5123");
    CHECK_REFUSED(pair("0,1\n0,123,4", "0,1\n1,0"), "a:2:7: ", "has 3 entries, but its first row has 2");
    CHECK_REFUSED(pair("0;1\n1;000;0", "0;1\n1;0"), "a:2:7: ", "has 3 entries, but its first row has 2");
}

TEST_CASE("empty texts, empty fields and words are refused at their place") {
    CHECK_REFUSED(pair("", "1"), "a:1:1: ", "empty");
    CHECK_REFUSED(pair("1", " \n"), "b:1:1: ", "empty");
    CHECK_REFUSED(pair("0,1\n2,", "0,1\n1,0"), "a:2:3: ", "cell B2: the cell is empty");
    CHECK_REFUSED(pair("0,,1\n1,2,3\n4,5,6", "0"), "a:1:3: ", "cell B1: the cell is empty");
    CHECK_REFUSED(pair("0,,1\n1,2,3\n4,5,6", "0,1,2\n1,2,3\n4,5,6"), "a:1:3: ", "the cell is empty");
    CHECK_REFUSED(pair("first,second\n1,2\n3,x", "0,1\n1,0"), "a:3:3: ", "cell B3: a number was wanted, found \"x\"");
    CHECK_REFUSED(pair("0,1\n 1, x2", "0,1\n1,0"), "a:2:5: ", "\"x2\"");
    CHECK(pair("0;1\n1;0,5", "0;1\n1;0").a.values() == std::vector<double>{0, 1, 1, 0.5});
}

TEST_CASE("fractions are read as they are written") {
    const ReadMatrices out = pair("0,0.5\n1e-1,0", "0,3\n-4,5");
    CHECK(out.a.values() == std::vector<double>{0, 0.5, 0.1, 0});
    CHECK(out.a.decimals() == 1);
    CHECK(out.b.decimals() == 0);
}

TEST_CASE("more columns than the largest size are refused before memory is taken") {
    std::string wide = "1";
    for (uint32_t k = 0; k < kMaxSize; ++k) wide += ",1";
    CHECK_REFUSED(pair(wide, "1"), "a:1:1: ", "at most 16384");
}

TEST_CASE("long names in quotes, some with quotes of their own, are kept as they are") {
    const std::string first = "Ward 3, \"the long corridor\"", second = "Operating theatre, second floor";
    const std::string text = R"(,"Ward 3, ""the long corridor""","Operating theatre, second floor")"
                             "\n"
                             R"("Ward 3, ""the long corridor""",0,1)"
                             "\n"
                             R"("Operating theatre, second floor",2,0)"
                             "\n";
    const ReadMatrices out = pair(text, "0,3\n-4,5\n");
    CHECK(out.a.values() == kA);
    REQUIRE(out.facility_names.size() == 2);
    CHECK(out.facility_names[0] == first);
    CHECK(out.facility_names[1] == second);
}

TEST_CASE("a matrix whose locations are called x, y and z is not a list of points") {
    const ReadMatrices out = pair("0,1\n2,0\n", ",x,y\nx,0,3\ny,-4,5\n");
    CHECK(out.b.values() == kB);
    CHECK(out.location_names == std::vector<std::string>{"x", "y"});
    CHECK(pair("0,1\n2,0\n", "name,x,y\na,0,3\nb,4,0\n").b.values() == std::vector<double>{0, 5, 5, 0});
}
