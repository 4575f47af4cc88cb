// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/qaplib_reader.hpp"

#include <algorithm>
#include <string>

#include "tests/support/sanitized.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

const std::string kTwoWithBlanks = "2\n\n0 1\n2 0\n\n0 3\n-4 5\n";

ReadMatrices read_matrices(const std::string& text) {
    return read_qaplib_text(text, "t");
}

}  // namespace

TEST_CASE("any line breaking gives the same matrices") {
    const std::string one_line = "2 0 1 2 0 0 3 -4 5";
    std::string one_each = one_line;
    std::replace(one_each.begin(), one_each.end(), ' ', '\n');
    std::string crlf;
    for (const char c : kTwoWithBlanks) crlf += c == '\n' ? std::string("\r\n") : std::string(1, c);
    for (const std::string& text : {kTwoWithBlanks, one_line, one_each, crlf, "\xef\xbb\xbf" + kTwoWithBlanks,
                                    "\n\n" + kTwoWithBlanks + "\n \t\n"}) {
        CAPTURE(text);
        const ReadMatrices out = read_matrices(text);
        CHECK(out.b.rows() == 2);
        CHECK(out.a.rows() == 2);
        CHECK(out.a.values() == std::vector<double>{0, 1, 2, 0});
        CHECK(out.b.values() == std::vector<double>{0, 3, -4, 5});
        CHECK_FALSE(out.stated_best.has_value());
    }
}

TEST_CASE("n = 1 and n = 2 are instances") {
    const ReadMatrices one = read_matrices("1\n7\n-3\n");
    CHECK(one.a.values() == std::vector<double>{7});
    CHECK(one.b.values() == std::vector<double>{-3});
    CHECK(read_matrices(kTwoWithBlanks).b.rows() == 2);
}

TEST_CASE("a thousand facilities are read and written back") {
    constexpr uint32_t n = qapfw::kSanitized ? 100 : 1000;  // with sanitizers, 100 are enough to run all code
    QapMatrices big{n, std::vector<int64_t>(size_t{n} * n), std::vector<int64_t>(size_t{n} * n)};
    for (std::size_t k = 0; k < big.a.size(); ++k) {
        big.a[k] = static_cast<int64_t>(k % 101) - 50;
        big.b[k] = static_cast<int64_t>(k * 7919 % 1009);
    }
    const ReadMatrices out = read_matrices(to_qaplib_text(big));
    CHECK(out.b.rows() == n);
    CHECK(out.a.times_power_of_ten(0) == big.a);
    CHECK(out.b.times_power_of_ten(0) == big.b);
}

TEST_CASE("an empty text is refused") {
    CHECK_REFUSED(read_matrices(""), "t:1:1: ", "empty");
    CHECK_REFUSED(read_matrices(" \n\n  "), "t:3:3: ", "empty");
}

TEST_CASE("a truncated text is refused at its end") {
    CHECK_REFUSED(read_matrices("2\n0 1\n2 0\n0 3\n-4"), "t:5:3: ", "after 7 of the 8 entries");
    CHECK_REFUSED(read_matrices("2"), "t:1:2: ", "after 0 of the 8 entries");
    CHECK_REFUSED(read_matrices("16384 1 2 3"), "t:1:12: ", "after 3 of the 536870912 entries");
}

TEST_CASE("non-numeric text is refused at its place, in short texts too") {
    CHECK_REFUSED(read_matrices("2\n0 1\nx 0\n0 3\n-4 5"), "t:3:1: ", "a number was wanted, found \"x\"");
    CHECK_REFUSED(read_matrices("2\n0 1\n2 0\n0 3\n-4 nan"), "t:5:4: ", "\"nan\" of matrix B is not a number");
    CHECK_REFUSED(read_matrices("2\n0 1\n2 0x1"), "t:3:3: ", "\"0x1\"");
    CHECK_REFUSED(read_matrices("two\n0 1"), "t:1:1: ", "\"two\" is not a number");
    CHECK_REFUSED(read_matrices(std::string("2\n0 1\n\x80\0 0", 11)), "t:3:1: ", "\\x80");
    CHECK_REFUSED(read_matrices("2\n0 1 2,0 0 0 3 -4 5"), "t:2:5: ", "\"2,0\"");
}

TEST_CASE("trailing data is refused at its first token") {
    CHECK_REFUSED(read_matrices(kTwoWithBlanks + "6 7"), "t:8:1: ", "trailing data: \"6\"");
    CHECK_REFUSED(read_matrices(kTwoWithBlanks + "EOF"), "t:8:1: ", "a number was wanted, found \"EOF\"");
    CHECK_REFUSED(read_matrices("2\n" + kTwoWithBlanks), "t:8:4: ", "trailing data");
}

TEST_CASE("a size that is zero, negative, huge or not whole is refused") {
    CHECK_REFUSED(read_matrices("0\n"), "t:1:1: ", "from 1 to 16384");
    CHECK_REFUSED(read_matrices("-3\n1 2 3"), "t:1:1: ", "\"-3\", it must be from 1");
    CHECK_REFUSED(read_matrices("16385\n0 0"), "t:1:1: ", "from 1 to 16384");
    CHECK_REFUSED(read_matrices("4294967298\n0 0"), "t:1:1: ", "from 1 to 16384");
    CHECK_REFUSED(read_matrices("99999999999999999999999\n0 0"), "t:1:1: ", "from 1 to 16384");
    CHECK_REFUSED(read_matrices("2.5\n0 0"), "t:1:1: ", "is not an integer");
}

TEST_CASE("numbers of any size are read, but not those beyond the range of doubles") {
    CHECK(read_matrices("1 9223372036854775807 1").a.times_power_of_ten(0) == std::vector<int64_t>{INT64_MAX});
    CHECK_FALSE(read_matrices("1 9223372036854775808 1").a.decimals().has_value());
    CHECK(read_matrices("1 9223372036854775808 1e308").b.values() == std::vector<double>{1e308});
    CHECK(read_matrices("1 -4.9e-324 1").a.values() == std::vector<double>{-4.9e-324});
    CHECK(read_matrices("1 1e-999 1").a.values() == std::vector<double>{0});
    CHECK_REFUSED(read_matrices("1 1 1e309"), "t:1:5: ", "\"1e309\" of matrix B is beyond the largest number");
    CHECK_REFUSED(read_matrices("1 -inf 1"), "t:1:3: ", "\"-inf\" of matrix A is infinite");
}

TEST_CASE("Taillard's header with a best value is recognised by the count") {
    const ReadMatrices out = read_matrices("2 37\n0 1\n2 0\n0 3\n-4 5\n");
    CHECK(out.stated_best == "37");
    CHECK(out.a.values() == std::vector<double>{0, 1, 2, 0});
    CHECK(out.b.values() == std::vector<double>{0, 3, -4, 5});
    CHECK_REFUSED(read_matrices("2 37 0 1 2 0 0 3 -4 5"), "t:1:21: ", "trailing data");
}

TEST_CASE("there may be fewer facilities than locations") {
    const ReadMatrices out = read_matrices("2 3\n1 2\n3 4\n\n1 2 3\n4 5 6\n7 8 9");
    CHECK(out.a.rows() == 2);
    CHECK(out.b.rows() == 3);
    CHECK(out.a.values() == std::vector<double>{1, 2, 3, 4});
    CHECK(out.b.values() == std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, 9});
}
