// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/slicing_tree.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "qapfw/kernels/slicing_moves.hpp"

using namespace qapfw::kernels;

namespace {

using Words = std::vector<std::uint16_t>;

struct TreeCode {
    Words perm, genes;
    bool operator==(const TreeCode&) const = default;
};

Words random_order(std::uint32_t n, std::uint64_t seed) {
    Words order(n);
    std::iota(order.begin(), order.end(), std::uint16_t{0});
    for (std::uint32_t k = n - 1; k > 0; --k) std::swap(order[k], order[below(draw(seed, 0, 0, 1, k), k + 1)]);
    return order;
}

TreeCode random_code(std::uint32_t n, std::uint64_t seed) {
    TreeCode code{random_order(n, seed), Words(n - 1)};
    for (std::uint32_t k = 1; k < n; ++k) {
        code.genes[k - 1] = static_cast<std::uint16_t>(below(draw(seed, 0, 0, 2, k), slicing_gene_values(k)));
    }
    return code;
}

Words decoded(const TreeCode& code) {
    Words words(slicing_tree_words(static_cast<std::uint32_t>(code.perm.size())));
    slicing_decode(code.perm, code.genes, SlicingTree{words.data(), static_cast<std::uint32_t>(code.perm.size())});
    return words;
}

TreeCode encoded(Words words, const Words& perm) {
    TreeCode code{perm, Words(perm.size() - 1)};
    Words numbers(2 * perm.size() - 1);
    slicing_encode(SlicingTree{words.data(), static_cast<std::uint32_t>(perm.size())}, perm, code.genes, numbers);
    return code;
}

/// The tree as text. The numbers of its inner nodes do not matter.
std::string text_of(const SlicingTree& tree, std::uint32_t node) {
    if (tree.is_leaf(node)) return std::to_string(node);
    return "(" + text_of(tree, tree.child(node, 0)) + (tree.cut(node) == kSlicingCutWidth ? "|" : "/") +
           text_of(tree, tree.child(node, 1)) + ")";
}
std::string text_of(Words words, std::uint32_t n) {
    const SlicingTree tree{words.data(), n};
    return text_of(tree, tree.root());
}

/// True if every child names its parent, and every node is reached exactly once from the root.
bool is_whole(Words words, std::uint32_t n) {
    const SlicingTree tree{words.data(), n};
    std::vector<std::uint32_t> stack{tree.root()};
    std::set<std::uint32_t> seen;
    if (tree.parent(tree.root()) != kSlicingNone) return false;
    while (!stack.empty()) {
        const std::uint32_t node = stack.back();
        stack.pop_back();
        if (node >= tree.nodes() || !seen.insert(node).second) return false;
        if (tree.is_leaf(node)) continue;
        if (tree.cut(node) > 1) return false;
        for (std::uint32_t which = 0; which < 2; ++which) {
            if (tree.parent(tree.child(node, which)) != node) return false;
            stack.push_back(tree.child(node, which));
        }
    }
    return seen.size() == tree.nodes();
}

}  // namespace

TEST_CASE("a tree of grafts worked by hand") {
    // The tree starts with leaf 2. Then 0 goes to the right of 2, 1 above 2, and 3 below the whole tree.
    const TreeCode code{{2, 0, 1, 3}, {0 << 2 | 0 | 1, 0 << 2 | 2 | 0, 1 << 2 | 0 | 0}};
    CHECK(text_of(decoded(code), 4) == "(((1/2)|0)/3)");
}

TEST_CASE("every code of four departments gives a different tree, and every tree has a code") {
    // The number of trees with ordered children, two kinds of cut and labelled leaves:
    // n! * Catalan(n - 1) * 2^(n - 1).
    std::set<std::string> trees;
    std::size_t codes = 0;
    const Words perm{0, 1, 2, 3};
    TreeCode code{perm, Words(3)};
    for (code.genes[0] = 0; code.genes[0] < 4; ++code.genes[0]) {
        for (code.genes[1] = 0; code.genes[1] < 12; ++code.genes[1]) {
            for (code.genes[2] = 0; code.genes[2] < 20; ++code.genes[2], ++codes) {
                trees.insert(text_of(decoded(code), 4));
            }
        }
    }
    CHECK(codes == 4 * 12 * 20);
    CHECK(trees.size() == codes);
    CHECK(trees.size() == 24 * 5 * 8);
}

TEST_CASE("decoding and encoding are inverse, with any order of entry") {
    for (std::uint64_t seed = 0; seed < 10'000; ++seed) {
        const std::uint32_t n = 2 + static_cast<std::uint32_t>(seed % 61);
        const TreeCode code = random_code(n, seed);
        const Words tree = decoded(code);
        REQUIRE(encoded(tree, code.perm) == code);
        const TreeCode rebased = encoded(tree, random_order(n, seed + 1'000'000));
        for (std::uint32_t k = 1; k < n; ++k) REQUIRE(rebased.genes[k - 1] < slicing_gene_values(k));
        if (seed % 10 == 0) REQUIRE(text_of(decoded(rebased), n) == text_of(tree, n));
    }
}

TEST_CASE("every kind of move gives whole trees, and a compound move gives the tree that it names") {
    for (std::uint32_t kind = 0; kind < kSlicingMoveKinds; ++kind) {
        SlicingMoveLimits limits{};
        for (std::uint32_t k = kind; k < kSlicingMoveKinds; ++k) limits.limit[k] = 0xFFFFFFFFu;
        std::uint32_t made = 0;
        for (std::uint64_t seed = 0; seed < 300; ++seed) {
            const std::uint32_t n = 2 + static_cast<std::uint32_t>(seed % 12);
            Words words = decoded(random_code(n, seed));
            const Words spaces{0, 1};
            const Words before = words;
            const SlicingTree tree{words.data(), n};
            const std::uint32_t top = slicing_random_move(tree, draw4(seed, 1, 0, 3, 0), limits, spaces, 2);
            REQUIRE(is_whole(words, n));
            Words again = before;
            const bool without_top = slicing_random_move<false>(SlicingTree{again.data(), n}, draw4(seed, 1, 0, 3, 0),
                                                                limits, spaces, 2) != kSlicingNone;
            REQUIRE(again == words);
            REQUIRE(without_top == (top != kSlicingNone));
            if (top == kSlicingNone) {
                REQUIRE(words == before);
                continue;
            }
            ++made;
            REQUIRE_FALSE(tree.is_leaf(top));
            for (std::uint32_t node = tree.parent(top); node != kSlicingNone; node = tree.parent(node)) {
                REQUIRE(tree.cut(node) == before[3 * n - 3 + node]);  // the move changes no node above `top`
                REQUIRE(tree.child(node, 0) == before[2 * node - 1]);
            }
        }
        CHECK(made > 30);
    }
    const TreeCode crossed = {{0, 1, 2, 3}, {0 << 2 | 0, 0 << 2 | 1, 2 << 2 | 1}};  // (0|2)/(1|3)
    Words words = decoded(crossed);
    SlicingTree tree{words.data(), 4};
    REQUIRE(text_of(words, 4) == "((0|2)/(1|3))");
    CHECK(slicing_cross(tree, tree.root()));
    CHECK(text_of(words, 4) == "((0/1)|(2/3))");
    CHECK_FALSE(slicing_rotate(tree, tree.root(), 0));
    slicing_turn(tree, tree.root(), 2);
    CHECK(text_of(words, 4) == "((0|1)/(2|3))");
    slicing_turn(tree, tree.root(), 1);
    CHECK(text_of(words, 4) == "((1|0)/(3|2))");
    tree.cut(tree.child(tree.root(), 0)) = 0;
    CHECK(slicing_rotate(tree, tree.root(), 0));
    CHECK(text_of(words, 4) == "(1/(0/(3|2)))");
}

TEST_CASE("moves reach every tree of three departments") {
    SlicingMoveLimits limits{};
    for (std::uint32_t k = 0; k < kSlicingMoveKinds; ++k) limits.limit[k] = (k + 1) * (0xFFFFFFFFu / kSlicingMoveKinds);
    Words words = decoded(random_code(3, 1));
    std::set<std::string> seen;
    for (std::uint64_t step = 0; step < 4000; ++step) {
        slicing_random_move(SlicingTree{words.data(), 3}, draw4(1, step, 0, 3, 0), limits, Words{}, 0);
        seen.insert(text_of(words, 3));
    }
    CHECK(seen.size() == 6 * 2 * 4);
}
