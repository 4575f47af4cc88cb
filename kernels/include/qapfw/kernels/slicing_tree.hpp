// SPDX-License-Identifier: Apache-2.0
// Slicing trees, and how a solution encodes them. A leaf is a department. An inner node cuts its rectangle into the
// rectangles of its two children. The tree of n departments has the nodes 0..n-1 (leaves, by department) and n..2n-2
// (inner nodes).
//
// The code is a permutation p of the departments and n - 1 genes. p[0] alone is the first tree. Then slot k = 1..n-1
// grafts p[k] beside an existing node v: a new inner node replaces v and gets v and p[k] as children. Gene k - 1
// describes slot k and has 4 * (2k - 1) values. Bit 0 of the gene is the cut, bit 1 the order (1: p[k] comes first).
// The other bits give v: an even number 2j is leaf p[j], an odd number 2s - 1 is the inner node that slot s made. Every
// such code is valid. For a fixed permutation, every tree has exactly one code.
#pragma once

#include "qapfw/kernels/platform.hpp"

namespace qapfw::kernels {

/// Stands for "no node", for example as the root's parent.
constexpr uint32_t kSlicingNone = 0xFFFFu;
/// Greatest number of departments of a tree. With this number every gene fits 16 bits.
constexpr uint32_t kSlicingMost = 8192;

/// Cuts of an inner node.
enum SlicingCut : uint32_t {
    kSlicingCutHeight = 0,  ///< the first child lies above the second
    kSlicingCutWidth = 1    ///< the first child lies left of the second
};

/// Number of 16-bit words for a tree of n departments. Copying the words copies the tree.
QAPFW_HD constexpr uint32_t slicing_tree_words(uint32_t n) {
    return (2 * n - 1) + 3 * (n - 1) + 1;
}

/// Access to a tree in slicing_tree_words(n) words. The caller owns the words.
struct SlicingTree {
    uint16_t* words;
    uint32_t n;

    QAPFW_HD uint16_t& parent(uint32_t node) const { return words[node]; }
    /// Child 0 or 1 of an inner node.
    QAPFW_HD uint16_t& child(uint32_t node, uint32_t which) const { return words[2 * node - 1 + which]; }
    QAPFW_HD uint16_t& cut(uint32_t node) const { return words[3 * n - 3 + node]; }
    QAPFW_HD uint16_t& root() const { return words[5 * n - 4]; }
    QAPFW_HD bool is_leaf(uint32_t node) const { return node < n; }
    QAPFW_HD uint32_t nodes() const { return 2 * n - 1; }
    /// The other child of the node's parent. The node must not be the root.
    QAPFW_HD uint32_t sibling(uint32_t node) const {
        const uint32_t above = parent(node);
        return child(above, child(above, 0) == node ? 1 : 0);
    }
    /// Puts `node` where `old` is, under old's parent or as the root.
    QAPFW_HD void replace(uint32_t old, uint32_t node) const {
        const uint32_t above = parent(old);
        parent(node) = static_cast<uint16_t>(above);
        if (above == kSlicingNone) {
            root() = static_cast<uint16_t>(node);
        } else {
            child(above, child(above, 0) == old ? 0 : 1) = static_cast<uint16_t>(node);
        }
    }
    /// Makes `first` child 0 and `second` child 1 of the inner node `node`.
    QAPFW_HD void hang(uint32_t node, uint32_t first, uint32_t second) const {
        child(node, 0) = static_cast<uint16_t>(first);
        child(node, 1) = static_cast<uint16_t>(second);
        parent(first) = parent(second) = static_cast<uint16_t>(node);
    }
    /// Removes `node` and its parent: the sibling replaces the parent. The node must not be the root.
    QAPFW_HD void detach(uint32_t node) const {
        const uint32_t other = sibling(node);
        replace(parent(node), other);
    }
    /// Puts the free inner node `above` where `beside` is, with `node` and `beside` as its children.
    QAPFW_HD void graft(uint32_t node, uint32_t above, uint32_t beside, bool node_first, uint32_t cut_of_above) const {
        replace(beside, above);
        hang(above, node_first ? node : beside, node_first ? beside : node);
        cut(above) = static_cast<uint16_t>(cut_of_above);
    }
};

/// The number of possible values of gene k - 1, which belongs to slot k (1..n-1); see the top of this file.
QAPFW_HD constexpr uint32_t slicing_gene_values(uint32_t k) {
    return 4 * (2 * k - 1);
}

/// Builds the tree that `perm` (n entries) and `genes` (n - 1 entries) encode. O(n).
template <class Perm, class Genes>
QAPFW_HD void slicing_decode(const Perm& perm, const Genes& genes, const SlicingTree& tree) {
    tree.root() = static_cast<uint16_t>(perm[0]);
    tree.parent(perm[0]) = static_cast<uint16_t>(kSlicingNone);
    for (uint32_t k = 1; k < tree.n; ++k) {
        const uint32_t gene = genes[k - 1];
        const uint32_t c = gene >> 2;
        const uint32_t beside = c % 2 == 0 ? static_cast<uint32_t>(perm[c / 2]) : tree.n - 1 + (c + 1) / 2;
        tree.graft(perm[k], tree.n - 1 + k, beside, (gene & 2u) != 0, gene & 1u);
    }
}

/// Writes the genes that encode a tree together with the permutation `perm`. Destroys the tree. `numbers` is scratch of
/// 2n - 1 entries. O(n).
template <class Perm, class Genes, class Numbers>
QAPFW_HD void slicing_encode(const SlicingTree& tree, const Perm& perm, Genes& genes, Numbers& numbers) {
    for (uint32_t k = 0; k < tree.n; ++k) numbers[perm[k]] = static_cast<uint16_t>(2 * k);
    for (uint32_t k = tree.n - 1; k > 0; --k) {
        const uint32_t node = perm[k], above = tree.parent(node), beside = tree.sibling(node);
        const uint32_t first = tree.child(above, 0) == node ? 1u : 0u;
        numbers[above] = static_cast<uint16_t>(2 * k - 1);
        tree.detach(node);
        // Until the second loop, the gene is only the node `beside`, and child 0 of `above` holds the gene's low bits.
        // The second loop replaces the node by its number and adds the low bits.
        genes[k - 1] = static_cast<uint16_t>(beside);
        tree.child(above, 0) = static_cast<uint16_t>(tree.cut(above) | first << 1);
    }
    for (uint32_t k = 1; k < tree.n; ++k) {
        const uint32_t above = tree.parent(perm[k]);
        genes[k - 1] = static_cast<uint16_t>(uint32_t{numbers[genes[k - 1]]} << 2 | tree.child(above, 0));
    }
}

}  // namespace qapfw::kernels
