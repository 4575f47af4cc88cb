// SPDX-License-Identifier: Apache-2.0
// The names of boards and what theory knows about boards, see board.hpp.
#include "problems/qap/reductions/board.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "problems/qap/instances/matrix_entry.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

constexpr struct {
    std::string_view name;
    BoardKind kind;
} kFamilies[] = {{"queens", BoardKind::kQueens},
                 {"rooks", BoardKind::kRooks},
                 {"bishops", BoardKind::kBishops},
                 {"knights-tour", BoardKind::kKnightsTour},
                 {"knights-path", BoardKind::kKnightsPath}};

/// Takes a number without sign from the front of the text; nothing if there is no number from 1 to kMaxSize.
std::optional<uint32_t> take_side(std::string_view& text) {
    uint32_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || value < 1 || value > kMaxSize) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return value;
}

/// Reads "8" or "8x10", with or without a dash before it.
std::optional<std::pair<uint32_t, uint32_t>> parse_sides(std::string_view text) {
    if (!text.empty() && text.front() == '-') text.remove_prefix(1);
    const std::optional<uint32_t> rows = take_side(text);
    if (!rows) return std::nullopt;
    if (text.empty()) return std::pair(*rows, *rows);
    if (text.front() != 'x') return std::nullopt;
    text.remove_prefix(1);
    const std::optional<uint32_t> columns = take_side(text);
    if (!columns || !text.empty()) return std::nullopt;
    return std::pair(*rows, *columns);
}

/// Finds the greatest number of bishops that do not attack each other. Each square lies on one rising and one falling
/// diagonal, and a bishop occupies both. Bishops that do not attack each other share no diagonal. So each of them
/// matches a rising diagonal with a falling one. A largest matching is found by augmenting paths (Berge 1957).
class DiagonalMatching {
  public:
    explicit DiagonalMatching(const Board& board)
        : board_(board), diagonals_(board.rows + board.columns - 1), rising_of_(diagonals_, kFree) {}

    uint32_t size() {
        uint32_t matched = 0;
        for (uint32_t rising = 0; rising < diagonals_; ++rising) {
            seen_.assign(diagonals_, 0);
            if (augment(rising)) ++matched;
        }
        return matched;
    }

  private:
    static constexpr uint32_t kFree = UINT32_MAX;

    bool augment(uint32_t rising) {
        const uint32_t first = rising < board_.columns ? 0 : rising - (board_.columns - 1);
        for (uint32_t row = first; row < board_.rows && row <= rising; ++row) {
            const uint32_t column = rising - row;
            const uint32_t falling = row + board_.columns - 1 - column;
            if (seen_[falling]++ != 0) continue;
            if (rising_of_[falling] == kFree || augment(rising_of_[falling])) {
                rising_of_[falling] = rising;
                return true;
            }
        }
        return false;
    }

    const Board& board_;
    uint32_t diagonals_;
    std::vector<uint32_t> rising_of_;
    std::vector<uint8_t> seen_;
};

/// True if the m x n board, m <= n, has a closed knight's tour (A. Schwenk, Mathematics Magazine 64, 1991).
bool has_closed_tour(uint32_t m, uint32_t n) {
    if (m % 2 == 1 && n % 2 == 1) return false;
    if (m == 1 || m == 2 || m == 4) return false;
    return !(m == 3 && (n == 4 || n == 6 || n == 8));
}

}  // namespace

std::optional<Board> parse_board(const std::string& name) {
    for (const auto& family : kFamilies) {
        if (name.rfind(family.name, 0) != 0) continue;
        const auto sides = parse_sides(std::string_view(name).substr(family.name.size()));
        if (!sides) {
            throw Error(ErrorKind::kInput, fmt::format("instance {}: a board such as {}8 or {}-8x10 was wanted",
                                                       quote_token(name), family.name, family.name));
        }
        if (uint64_t{sides->first} * sides->second > kMaxSize) {
            throw Error(ErrorKind::kInput,
                        fmt::format("instance {}: the board has {} squares, but at most {} are possible",
                                    quote_token(name), uint64_t{sides->first} * sides->second, kMaxSize));
        }
        return Board{family.kind, sides->first, sides->second};
    }
    return std::nullopt;
}

std::vector<std::string> board_names() {
    return {"queens8", "rooks8", "bishops8", "knights-tour-6x6", "knights-path-5x5"};
}

uint32_t most_pieces(const Board& board) {
    return board.kind == BoardKind::kBishops ? DiagonalMatching(board).size() : std::min(board.rows, board.columns);
}

bool is_solvable(const Board& board, uint32_t pieces) {
    const auto [m, n] = std::minmax(board.rows, board.columns);
    switch (board.kind) {
        case BoardKind::kQueens:
            return pieces == 1 || (m >= 4 && pieces <= m);
        case BoardKind::kRooks:
        case BoardKind::kBishops:
            return pieces <= most_pieces(board);
        case BoardKind::kKnightsTour:
            return has_closed_tour(m, n);
        default:
            return m >= 5;
    }
}

}  // namespace qapfw::qap
