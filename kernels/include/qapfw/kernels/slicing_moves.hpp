// SPDX-License-Identifier: Apache-2.0
// Random moves of slicing trees, for a local search. Every move gives a valid tree.
#pragma once

#include "qapfw/kernels/philox.hpp"
#include "qapfw/kernels/slicing_tree.hpp"

namespace qapfw::kernels {

/// Kinds of moves.
enum SlicingMove : uint32_t {
    kSlicingSwapLeaves = 0,
    kSlicingGraftLeaf,
    kSlicingSwapSubtrees,
    kSlicingGraftSubtree,
    kSlicingFlipCut,
    kSlicingSwapChildren,
    kSlicingTurnSubtree,  ///< mirrors a subtree along one side of the plant, or swaps the directions of its cuts
    kSlicingCross,        ///< (a | b) / (c | d) becomes (a / c) | (b / d)
    kSlicingRotate,       ///< (a | b) | c becomes a | (b | c), or the reverse
    kSlicingFlipTwo,      ///< flips the cuts of a node and of its child
    kSlicingMoveSpace,    ///< moves a leaf of empty space: half the time beside another such leaf, else beside any node
    kSlicingMoveKinds
};

/// True if `node` lies in the subtree of `top`. O(depth).
QAPFW_HD bool slicing_is_below(const SlicingTree& tree, uint32_t node, uint32_t top) {
    while (node != top && node != kSlicingNone) node = tree.parent(node);
    return node == top;
}

/// The lowest node whose subtree has both nodes. O(depth).
QAPFW_HD uint32_t slicing_meet(const SlicingTree& tree, uint32_t a, uint32_t b) {
    int32_t deeper = 0;  // number of levels by which a is deeper than b
    for (uint32_t node = a; node != kSlicingNone; node = tree.parent(node)) ++deeper;
    for (uint32_t node = b; node != kSlicingNone; node = tree.parent(node)) --deeper;
    for (; deeper > 0; --deeper) a = tree.parent(a);
    for (; deeper < 0; ++deeper) b = tree.parent(b);
    while (a != b) {
        a = tree.parent(a);
        b = tree.parent(b);
    }
    return a;
}

/// Swaps two subtrees, neither of which lies in the other.
QAPFW_HD void slicing_swap(const SlicingTree& tree, uint32_t a, uint32_t b) {
    const uint32_t above_a = tree.parent(a), above_b = tree.parent(b);
    const uint32_t which_a = tree.child(above_a, 0) == a ? 0 : 1, which_b = tree.child(above_b, 0) == b ? 0 : 1;
    tree.child(above_a, which_a) = static_cast<uint16_t>(b);
    tree.child(above_b, which_b) = static_cast<uint16_t>(a);
    tree.parent(a) = static_cast<uint16_t>(above_b);
    tree.parent(b) = static_cast<uint16_t>(above_a);
}

/// Moves the subtree of `node`: takes it out and grafts it beside `beside`. Returns a node whose subtree contains all
/// changes: the root, or a node that did not move. If kFindsTop is false, the returned node says only that there was a
/// move. Returns kSlicingNone, and moves nothing, if `node` is the root or `beside` lies in its subtree.
template <bool kFindsTop = true>
QAPFW_HD uint32_t slicing_regraft(const SlicingTree& tree, uint32_t node, uint32_t beside, bool node_first,
                                  uint32_t cut) {
    const uint32_t above = tree.parent(node);
    if (above == kSlicingNone || slicing_is_below(tree, beside, node)) return kSlicingNone;
    const uint32_t sibling = tree.sibling(node);
    if (beside == above) beside = sibling;
    tree.detach(node);
    tree.graft(node, above, beside, node_first, cut);
    if (!kFindsTop) return above;
    const uint32_t top = slicing_meet(tree, sibling, above);
    const uint32_t higher = tree.parent(top);
    return higher == kSlicingNone ? top : higher;
}

/// Calls visit(node) for the inner nodes of a subtree, each after those below it. Needs no memory. O(size).
template <class Visit>
QAPFW_HD void slicing_visit(const SlicingTree& tree, uint32_t top, Visit visit) {
    uint32_t node = top;
    while (!tree.is_leaf(node)) node = tree.child(node, 0);
    while (node != top) {  // the walk comes back up to a node when it has visited both subtrees
        const uint32_t above = tree.parent(node);
        if (tree.child(above, 0) == node) {
            node = tree.child(above, 1);
            while (!tree.is_leaf(node)) node = tree.child(node, 0);
        } else {
            node = above;
            visit(above);
        }
    }
}

QAPFW_HD void slicing_swap_children(const SlicingTree& tree, uint32_t node) {
    const uint16_t first = tree.child(node, 0);
    tree.child(node, 0) = tree.child(node, 1);
    tree.child(node, 1) = first;
}

/// Turns a subtree. Variant 0 swaps the children of each inner node with cut 0, variant 1 those of each inner node with
/// cut 1. Variants 2 and 3 change the cuts of all inner nodes.
QAPFW_HD void slicing_turn(const SlicingTree& tree, uint32_t top, uint32_t variant) {
    // slicing_visit visits both subtrees of a node before the node itself. So swapping the subtrees is safe.
    slicing_visit(tree, top, [&](uint32_t node) {
        if (variant >= 2) {
            tree.cut(node) ^= 1u;
        } else if (tree.cut(node) == variant) {
            slicing_swap_children(tree, node);
        }
    });
}

/// Turns (a | b) / (c | d) at `node` into (a / c) | (b / d), or back. Returns false if the node has neither form.
QAPFW_HD bool slicing_cross(const SlicingTree& tree, uint32_t node) {
    const uint32_t first = tree.child(node, 0), second = tree.child(node, 1);
    if (tree.is_leaf(first) || tree.is_leaf(second)) return false;
    if (tree.cut(first) == tree.cut(node) || tree.cut(second) == tree.cut(node)) return false;
    const uint32_t b = tree.child(first, 1), c = tree.child(second, 0);
    tree.hang(first, tree.child(first, 0), c);
    tree.hang(second, b, tree.child(second, 1));
    tree.cut(node) ^= 1u;
    tree.cut(first) ^= 1u;
    tree.cut(second) ^= 1u;
    return true;
}

/// Regroups a node and its child `which`, whose cuts have the same direction (see kSlicingRotate). Returns false if the
/// child is a leaf or the directions differ.
QAPFW_HD bool slicing_rotate(const SlicingTree& tree, uint32_t node, uint32_t which) {
    const uint32_t inner = tree.child(node, which);
    if (tree.is_leaf(inner) || tree.cut(inner) != tree.cut(node)) return false;
    const uint32_t other = tree.child(node, 1 - which);
    const uint32_t a = tree.child(inner, 0), b = tree.child(inner, 1);
    if (which == 0) {
        tree.hang(inner, b, other);
        tree.hang(node, a, inner);
    } else {
        tree.hang(inner, other, a);
        tree.hang(node, inner, b);
    }
    return true;
}

/// Returns a random node that is near `node`: a move between near nodes is a small change. The walk goes up from `node`
/// (one level with probability 1/2, two with 1/4, ...), then down to a leaf by random children. If `any` is true, the
/// way down may also end at an inner node.
QAPFW_HD uint32_t slicing_near(const SlicingTree& tree, uint32_t node, uint32_t word, bool any) {
    uint32_t top = tree.parent(node);
    if (top == kSlicingNone) return node;
    while ((word & 1u) != 0 && tree.parent(top) != kSlicingNone) {
        top = tree.parent(top);
        word >>= 1;
    }
    word >>= 1;
    // The first step down goes to the child of `top` that does not contain the node.
    uint32_t side = tree.child(top, 0);
    if (slicing_is_below(tree, node, side)) side = tree.child(top, 1);
    while (!tree.is_leaf(side) && !(any && (word & 3u) == 0)) {
        side = tree.child(side, word >> 2 & 1u);
        word = word >> 3 | word << 29;
    }
    return side;
}

/// The limits by which kinds of moves are drawn. Kind 0 is drawn if the random word is below limit[0]. Any other kind
/// k is drawn if the word is at least limit[k - 1] and below limit[k]. The last kind is also drawn if the word is not
/// below the last limit.
struct SlicingMoveLimits {
    uint32_t limit[kSlicingMoveKinds];
};

/// A random inner node, chosen by the random number `word`.
QAPFW_HD uint32_t slicing_inner(const SlicingTree& tree, uint32_t word) {
    return tree.n + below(word, tree.n - 1);
}

/// Makes one random swap or graft of leaves or subtrees. Returns what slicing_random_move returns.
template <bool kFindsTop>
QAPFW_HD uint32_t slicing_far_move(const SlicingTree& tree, uint32_t kind, const Philox4& draw) {
    const bool node_first = (draw.word[0] & 1u) != 0, near = (draw.word[0] >> 3 & 3u) < 2u;
    const uint32_t n = tree.n, cut = draw.word[0] >> 1 & 1u;
    if (kind == kSlicingSwapLeaves) {
        const uint32_t a = below(draw.word[1], n);
        uint32_t b = below(draw.word[2], n - 1);
        b += b >= a ? 1 : 0;
        if (near) b = slicing_near(tree, a, draw.word[2], false);
        slicing_swap(tree, a, b);
        return kFindsTop ? slicing_meet(tree, a, b) : a;
    }
    const uint32_t a = below(draw.word[1], kind == kSlicingGraftLeaf ? n : tree.nodes());
    const uint32_t b = near ? slicing_near(tree, a, draw.word[2], true) : below(draw.word[2], tree.nodes());
    if (kind != kSlicingSwapSubtrees) return slicing_regraft<kFindsTop>(tree, a, b, node_first, cut);
    const uint32_t top = slicing_meet(tree, a, b);
    if (top == a || top == b) return kSlicingNone;
    slicing_swap(tree, a, b);
    return top;
}

/// Makes a compound move of this kind at the first inner node whose form allows it. Starts at a random inner node and
/// goes around once. Returns the node, or kSlicingNone if no node allows the move.
QAPFW_HD uint32_t slicing_compound_move(const SlicingTree& tree, uint32_t kind, const Philox4& draw) {
    const uint32_t n = tree.n, cut = draw.word[0] >> 1 & 1u, start = below(draw.word[1], n - 1);
    for (uint32_t k = 0; k < n - 1; ++k) {
        const uint32_t node = n + (start + k < n - 1 ? start + k : start + k - (n - 1));
        if (kind == kSlicingCross && slicing_cross(tree, node)) return node;
        if (kind == kSlicingRotate && slicing_rotate(tree, node, cut)) return node;
        const uint32_t child = tree.child(node, cut);
        if (kind == kSlicingFlipTwo && !tree.is_leaf(child)) {
            tree.cut(node) ^= 1u;
            tree.cut(child) ^= 1u;
            return node;
        }
    }
    return kSlicingNone;
}

/// Makes one random move from the first three words of a draw. `spaces` has the `space_count` leaves of empty space.
/// Returns a node whose subtree contains all changes: the root, or a node that did not move. kSlicingNone: no move. If
/// kFindsTop is false, the returned node says only that there was a move. n is at least 2.
template <bool kFindsTop = true, class Spaces>
QAPFW_HD uint32_t slicing_random_move(const SlicingTree& tree, const Philox4& draw, const SlicingMoveLimits& limits,
                                      const Spaces& spaces, uint32_t space_count) {
    uint32_t kind = 0;
    while (kind + 1 < kSlicingMoveKinds && draw.word[0] >= limits.limit[kind]) ++kind;
    if (kind <= kSlicingGraftSubtree) return slicing_far_move<kFindsTop>(tree, kind, draw);
    if (kind == kSlicingMoveSpace) {
        if (space_count == 0) return kSlicingNone;
        const uint32_t node = spaces[below(draw.word[1], space_count)];
        const uint32_t beside = (draw.word[0] & 4u) != 0 ? below(draw.word[2], tree.nodes())
                                                         : uint32_t{spaces[below(draw.word[2], space_count)]};
        return slicing_regraft<kFindsTop>(tree, node, beside, (draw.word[0] & 1u) != 0, draw.word[0] >> 1 & 1u);
    }
    if (kind >= kSlicingCross) return slicing_compound_move(tree, kind, draw);
    const uint32_t node = slicing_inner(tree, draw.word[1]);
    if (kind == kSlicingFlipCut) tree.cut(node) ^= 1u;
    if (kind == kSlicingSwapChildren) slicing_swap_children(tree, node);
    if (kind == kSlicingTurnSubtree) slicing_turn(tree, node, draw.word[0] & 3u);
    return node;
}

}  // namespace qapfw::kernels
