// SPDX-License-Identifier: Apache-2.0
// Pieces that must not attack each other, and knight's tours, as QAPs; see board.hpp.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "problems/qap/reductions/board.hpp"
#include "problems/qap/setup.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

struct Square {
    int row = 0, column = 0;
};

/// The distance between two squares, in rows and in columns.
struct Step {
    int rows = 0, columns = 0;
};

/// Base class of PlacedPieces and KnightsTour. It holds the board, and computes positions of squares and steps between
/// them.
class BoardReduction : public Reduction {
  public:
    explicit BoardReduction(const Board& board) : board_(board) {}
    uint32_t size() const override { return board_.squares(); }

  protected:
    Square square(std::size_t index) const {
        return {static_cast<int>(index / board_.columns), static_cast<int>(index % board_.columns)};
    }
    Step step(std::size_t from, std::size_t to) const {
        const Square a = square(from), b = square(to);
        return {std::abs(a.row - b.row), std::abs(a.column - b.column)};
    }
    /// Returns the board as text. `cells`: a text for each square; all are right-aligned to the same width.
    std::string draw(const std::vector<std::string>& cells) const {
        std::size_t width = 1;
        for (const std::string& cell : cells) width = std::max(width, cell.size());
        std::string out;
        for (std::size_t k = 0; k < cells.size(); ++k) {
            out += fmt::format(" {:>{}}", cells[k], width);
            if ((k + 1) % board_.columns == 0) out += '\n';
        }
        return out;
    }
    std::optional<BestKnown> known_zero(uint32_t pieces) const {
        if (!is_solvable(board_, pieces)) return std::nullopt;
        return BestKnown{0, true, "theory: there is a solution", ""};
    }

    Board board_;
};

class PlacedPieces : public BoardReduction {
  public:
    PlacedPieces(const Board& board, uint32_t pieces) : BoardReduction(board), pieces_(pieces) {}

    int64_t divisor() const override { return 2; }
    std::string summary() const override {
        return fmt::format("{} {} on {} x {} squares", pieces_, name(), board_.rows, board_.columns);
    }
    std::optional<BestKnown> known() const override { return known_zero(pieces_); }

    QapMatrices matrices() const override {
        const std::size_t n = size();
        QapMatrices out{size(), set_up_matrix(n), set_up_matrix(n)};
        for (std::size_t i = 0; i < n; ++i) {
            set_up_row();
            for (std::size_t j = 0; j < n; ++j) {
                if (i == j) continue;
                out.a[i * n + j] = i < pieces_ && j < pieces_ ? 1 : 0;
                out.b[i * n + j] = attack(step(i, j)) ? 1 : 0;
            }
        }
        return out;
    }

    /// Counts the attacking pairs line by line, each in both orders: m pieces on a rank, file or diagonal are m (m - 1)
    /// ordered pairs.
    int64_t recount(Placement p) const override {
        std::vector<int64_t> ranks(board_.rows), files(board_.columns);
        std::vector<int64_t> rising(board_.rows + board_.columns), falling(board_.rows + board_.columns);
        for (uint32_t k = 0; k < pieces_; ++k) {
            const uint32_t row = p[k] / board_.columns, column = p[k] % board_.columns;
            ++ranks[row], ++files[column];
            ++rising[row + column], ++falling[row + board_.columns - column];
        }
        int64_t ordered = 0;
        const auto add = [&](const std::vector<int64_t>& lines) {
            for (const int64_t m : lines) ordered += m * (m - 1);
        };
        if (board_.kind != BoardKind::kBishops) add(ranks), add(files);
        if (board_.kind != BoardKind::kRooks) add(rising), add(falling);
        return ordered;
    }

    std::string describe(Placement p) const override {
        const int64_t pairs = recount(p) / 2;
        const std::string verdict =
            pairs == 0
                ? std::string("none attacks another")
                : fmt::format("pairs of pieces that attack each other: {} (these pieces are in lower case)", pairs);
        return fmt::format("{}, {}:\n{}", summary(), verdict, draw(cells(p)));
    }

    AnswerFile file(Placement p) const override { return {"board.txt", describe(p)}; }

  private:
    const char* name() const {
        switch (board_.kind) {
            case BoardKind::kQueens:
                return "queens";
            case BoardKind::kRooks:
                return "rooks";
            default:
                return "bishops";
        }
    }

    bool attack(Step s) const {
        const bool straight = s.rows == 0 || s.columns == 0;
        const bool diagonal = s.rows == s.columns;
        return (straight && board_.kind != BoardKind::kBishops) || (diagonal && board_.kind != BoardKind::kRooks);
    }

    std::vector<std::string> cells(Placement p) const {
        const char letter = name()[0];
        std::vector<std::string> out(size(), ".");
        for (uint32_t k = 0; k < pieces_; ++k) {
            bool attacked = false;
            for (uint32_t other = 0; other < pieces_; ++other) attacked |= other != k && attack(step(p[k], p[other]));
            out[p[k]] = std::string(1, attacked ? letter : static_cast<char>(letter - 'a' + 'A'));
        }
        return out;
    }

    uint32_t pieces_;
};

class KnightsTour : public BoardReduction {
  public:
    explicit KnightsTour(const Board& board) : BoardReduction(board) {}

    std::string summary() const override {
        return fmt::format("{} knight's tour on {} x {} squares", closed() ? "closed" : "open", board_.rows,
                           board_.columns);
    }
    std::optional<BestKnown> known() const override { return known_zero(0); }

    QapMatrices matrices() const override {
        const std::size_t n = size();
        QapMatrices out{size(), set_up_matrix(n), set_up_matrix(n, 1)};
        for (std::size_t k = 0; k < moves(); ++k) out.a[k * n + (k + 1) % n] = 1;
        for (std::size_t from = 0; from < n; ++from) {
            out.b[from * n + from] = 0;
            for (std::size_t to = 0; to < n; ++to) {
                const Step s = step(from, to);
                if (s.rows + s.columns == 3 && s.rows > 0 && s.columns > 0) out.b[from * n + to] = 0;
            }
        }
        return out;
    }

    int64_t recount(Placement p) const override {
        int64_t wrong = 0;
        for (std::size_t k = 0; k < moves(); ++k) wrong += legal(p, k) ? 0 : 1;
        return wrong;
    }

    std::string describe(Placement p) const override {
        const int64_t wrong = recount(p);
        std::vector<std::string> cells(size());
        for (std::size_t k = 0; k < p.size(); ++k) {
            cells[p[k]] = fmt::format("{}{}", k + 1, k < moves() && !legal(p, k) ? "!" : wrong > 0 ? " " : "");
        }
        const std::string verdict = wrong == 0 ? std::string("all moves are knight's moves")
                                               : fmt::format("wrong moves: {}; each starts at a square with !", wrong);
        return fmt::format("{}, {}:\n{}", summary(), verdict, draw(cells));
    }

    AnswerFile file(Placement p) const override { return {"board.txt", describe(p)}; }

  private:
    bool closed() const { return board_.kind == BoardKind::kKnightsTour; }
    /// The number of moves. A closed tour also moves from its last square to its first.
    std::size_t moves() const { return closed() ? size() : size() - 1; }
    /// True if step k is a knight's move, that is, its two squares are sqrt(5) apart. Always true on a board of one
    /// square.
    bool legal(Placement p, std::size_t k) const {
        const Step s = step(p[k], p[(k + 1) % p.size()]);
        return s.rows * s.rows + s.columns * s.columns == 5 || size() == 1;
    }
};

}  // namespace

std::unique_ptr<Reduction> make_board_reduction(const Board& board, std::optional<int64_t> pieces) {
    if (board.is_tour()) {
        if (pieces) throw Error(ErrorKind::kUsage, "problem.pieces has no meaning for a knight's tour; leave it out");
        return std::make_unique<KnightsTour>(board);
    }
    if (pieces && (*pieces < 1 || *pieces > int64_t{board.squares()})) {
        throw Error(ErrorKind::kUsage, fmt::format("problem.pieces is {}, it must be from 1 to the board's {} squares",
                                                   *pieces, board.squares()));
    }
    return std::make_unique<PlacedPieces>(board, pieces ? static_cast<uint32_t>(*pieces) : most_pieces(board));
}

}  // namespace qapfw::qap
