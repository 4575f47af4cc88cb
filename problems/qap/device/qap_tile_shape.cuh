// SPDX-License-Identifier: Apache-2.0
// Deals the pairs of m positions on a circle to threads. Every pair is (i, i + d mod m) with 1 <= d <= m / 2. A thread
// owns `rows` consecutive i times `span` consecutive d. Every entry of such a tile holds a pair. Some pairs have two
// owners, which is harmless: pairs with d = m / 2 if m is even, and pairs that a tile at the edge holds again, where i
// exceeds m - 1 or d exceeds m / 2.
#include "qapfw/kernels/platform.hpp"

namespace qapfw::qap {

struct TileShape {
    int rows, span;  ///< rows of one thread's tile, and pairs of each row
    /// Numbers of tiles along i and along d. Their product is at most the number of threads.
    int row_groups, span_groups;
};

constexpr int divide_up(int a, int b) {
    return (a + b - 1) / b;
}

constexpr int greatest_divisor(int a, int b) {
    return b == 0 ? a : greatest_divisor(b, a % b);
}

/// Returns a number k. In all tiles that have position z as a row, z has the same row number modulo k. The same holds
/// for columns. So a thread that looks for z in its tile checks only the rows and columns of one residue class.
constexpr int residue_classes(int m, int rows, int span) {
    return greatest_divisor(greatest_divisor(rows, span), m);
}

/// Estimated number of instruction slots of a warp for a tile in one iteration. The estimate counts updates and
/// selection, collecting touched pairs, and loads with their bank conflicts (none if `rows` is odd). The weights were
/// fitted to timings on one H200.
constexpr int tile_cost(int m, int rows, int span) {
    const int slots = rows * span, columns = rows + span - 1, classes = residue_classes(m, rows, span);
    const int conflicts = (greatest_divisor(rows, 16) - 1) * (rows + columns) * 2 / 3;
    const int crowding = rows > 8 ? 4 * (rows - 8) : 0;
    return 7 * slots + 2 * (divide_up(slots + columns, classes) + span + classes) + 2 * (rows + columns) + conflicts +
           crowding;
}

/// Returns the shape with the least tile_cost() of those that cover all pairs with at most `threads` tiles.
constexpr TileShape choose_tile(int m, int threads) {
    const int distances = m / 2 > 0 ? m / 2 : 1;
    TileShape best{1, distances, m, 1};
    int best_cost = 0x7FFFFFFF;
    for (int rows = 1; rows <= 16 && rows <= m; ++rows) {
        const int row_groups = divide_up(m, rows);
        for (int span_groups = threads / row_groups; span_groups >= 1 && row_groups <= threads; --span_groups) {
            const int span = divide_up(distances, span_groups);
            const bool fits = divide_up(distances, span) * span < m && rows + span - 1 <= m;
            if (!fits && m > 3) continue;
            const int cost = tile_cost(m, rows, span);
            if (cost >= best_cost) continue;
            best_cost = cost;
            best = TileShape{rows, span, row_groups, divide_up(distances, span)};
        }
    }
    return best;
}

}  // namespace qapfw::qap
