// SPDX-License-Identifier: Apache-2.0
// Checks the reader of instances, the values of orders, and the optimum of random12.lop. Dynamic programming over
// subsets finds the optimum.
// Usage: linear_ordering_test random12.lop
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <vector>

#include "instance.hpp"
#include "qapfw/error.hpp"

namespace {

int failures = 0;

void expect(bool right, const std::string& claim) {
    std::printf("%s: %s\n", right ? "ok" : "FAILED", claim.c_str());
    failures += right ? 0 : 1;
}

/// The greatest value of any order. best[S]: the greatest value of an order of only the items in the set S. O(2^n n^2).
std::int64_t optimum(const linear_ordering::Instance& instance) {
    const std::uint32_t n = instance.n;
    std::vector<std::int64_t> best(std::size_t{1} << n, -1'000'000'000);
    best[0] = 0;
    for (std::size_t set = 0; set < best.size(); ++set) {
        for (std::uint32_t next = 0; next < n; ++next) {
            if ((set >> next & 1) != 0) continue;
            std::int64_t value = best[set];
            for (std::uint32_t i = 0; i < n; ++i) {
                if ((set >> i & 1) != 0) value += instance.matrix[i * n + next];
            }
            std::int64_t& with = best[set | std::size_t{1} << next];
            with = std::max(with, value);
        }
    }
    return best.back();
}

std::string refusal(const std::string& text) {
    try {
        linear_ordering::parse_instance(text, "file");
    } catch (const qapfw::Error& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const linear_ordering::Instance instance = linear_ordering::read_instance(argv[1]);
    expect(instance.n == 12, "the instance has 12 items");
    expect(optimum(instance) == 3695, "the instance's optimum is 3695, as the configurations say");

    const linear_ordering::Instance small = linear_ordering::parse_instance("3\n0 5 1\n2 0 7\n4 3 0\n", "small");
    std::vector<std::uint16_t> order(3);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    expect(linear_ordering::value_of(small, order.data()) == 5 + 1 + 7,
           "the identity's value is the sum above the diagonal");
    std::int64_t greatest = 0;
    do {
        greatest = std::max(greatest, linear_ordering::value_of(small, order.data()));
    } while (std::next_permutation(order.begin(), order.end()));
    expect(greatest == optimum(small), "enumeration and dynamic programming agree");

    expect(refusal("") == "file:1: wanted the number of items, found the end of the file", "an empty file is refused");
    expect(refusal("2\n1 2\n3 x\n") == "file:3: wanted a matrix entry, found 'x'",
           "a word is refused, and its line is named");
    expect(refusal("1\n5\n6\n") == "file:3: wanted the end of the file, found '6'", "trailing data is refused");
    expect(refusal("0\n").find("from 1 to 5000, found 0") != std::string::npos, "n = 0 is refused");
    return failures == 0 ? 0 : 1;
}
