// SPDX-License-Identifier: Apache-2.0
// Chessboard problems as QAPs on the squares of a board (PGAGrid thesis 2018, section 3.9.2; the matrices are ours, the
// thesis gives none). Queens, rooks, bishops: the flows are 1 between pieces, the distances 1 between squares that
// attack each other; the cost is twice the number of attacking pairs. Knight's tour: the flows are the directed cycle
// (or path) of the steps, the distances are 1 where no knight moves; the cost is the number of wrong moves. p(k) is the
// square of piece or step k; squares are numbered row by row.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/reductions/reduction.hpp"

namespace qapfw::qap {

enum class BoardKind : uint8_t { kQueens, kRooks, kBishops, kKnightsTour, kKnightsPath };

struct Board {
    BoardKind kind = BoardKind::kQueens;
    uint32_t rows = 0, columns = 0;

    uint32_t squares() const { return rows * columns; }
    bool is_tour() const { return kind >= BoardKind::kKnightsTour; }
};

/// The board with a name such as "queens8", "rooks-8x10", "bishops8", "knights-tour-6x6" (closed) or "knights-path-5x5"
/// (open); nothing for a name that begins otherwise. Throws Error(kInput) if no valid size follows, or if the board has
/// more than kMaxSize squares.
std::optional<Board> parse_board(const std::string& name);

/// The names for listings, one for each kind of board. Boards of other sizes can be named in the same way.
std::vector<std::string> board_names();

/// The largest number of rooks or bishops that do not attack each other. For queens, the length of the board's shorter
/// side. If that length is at least 4, it is also the largest number of queens.
uint32_t most_pieces(const Board& board);

/// True if theory says that a solution of cost 0 exists for `pieces` pieces: n queens (Pauls 1874), bishops by a
/// matching of the diagonals, closed knight's tours (Schwenk 1991), open tours on boards of at least 5 x 5 (Cull and De
/// Curtins 1978).
bool is_solvable(const Board& board, uint32_t pieces);

/// The problem of a board as a QAP. `pieces`: how many queens, rooks or bishops; empty: most_pieces(). Throws
/// Error(kUsage) if the number is not from 1 to the number of squares, or if it is given for a knight's tour.
std::unique_ptr<Reduction> make_board_reduction(const Board& board, std::optional<int64_t> pieces);

}  // namespace qapfw::qap
