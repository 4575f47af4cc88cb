// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/board.hpp"

#include "brute_force.hpp"

using namespace qapfw::qap;

namespace {

std::unique_ptr<Reduction> board(const std::string& name, std::optional<int64_t> pieces = std::nullopt) {
    return make_board_reduction(parse_board(name).value(), pieces);
}

/// The permutation that begins with these squares; the other squares follow in ascending order.
test::Permutation beginning_with(std::vector<uint16_t> squares, uint32_t n) {
    std::vector<uint8_t> used(n, 0);
    for (const uint16_t s : squares) used[s] = 1;
    for (uint16_t s = 0; s < n; ++s) {
        if (used[s] == 0) squares.push_back(s);
    }
    return squares;
}

}  // namespace

TEST_CASE("names of boards say kind and size") {
    const Board square = parse_board("queens8").value();
    CHECK((square.kind == BoardKind::kQueens && square.rows == 8 && square.columns == 8));
    const Board path = parse_board("knights-path-3x4").value();
    CHECK((path.kind == BoardKind::kKnightsPath && path.rows == 3 && path.columns == 4));
    CHECK(parse_board("knights-tour-6")->kind == BoardKind::kKnightsTour);
    CHECK(parse_board("bishops-2x9")->squares() == 18);
    CHECK_FALSE(parse_board("tai60a").has_value());
    for (const std::string& name : board_names()) CHECK(parse_board(name).has_value());
}

TEST_CASE("names with a wrong size are refused") {
    for (const char* name : {"queens", "queens0", "queens-", "queens8x", "queens8x0", "queens8x8x8", "queens-x8",
                             "queens8 ", "queens--8", "queens+8", "queens99999999999"}) {
        CAPTURE(name);
        CHECK_REFUSED(parse_board(name), "instance \"queens", "a board such as queens8 or queens-8x10 was wanted");
    }
    CHECK_REFUSED(parse_board("rooks129"), "instance \"rooks129\"", "16641 squares, but at most 16384");
}

TEST_CASE("the largest numbers of pieces that do not attack each other") {
    CHECK(most_pieces(*parse_board("rooks-3x7")) == 3);
    CHECK(most_pieces(*parse_board("queens6")) == 6);
    for (uint32_t k = 2; k <= 10; ++k) CHECK(most_pieces({BoardKind::kBishops, k, k}) == 2 * k - 2);
    CHECK(most_pieces({BoardKind::kBishops, 1, 1}) == 1);
    CHECK(most_pieces({BoardKind::kBishops, 1, 5}) == 5);
    CHECK(most_pieces({BoardKind::kBishops, 2, 3}) == 4);
}

TEST_CASE("the most bishops, against all sets of squares of a small board") {
    for (const auto& [rows, columns] : {std::pair{3u, 3u}, {2u, 5u}, {3u, 4u}, {4u, 4u}}) {
        const Board small{BoardKind::kBishops, rows, columns};
        const QapMatrices matrices = make_board_reduction(small, 1)->matrices();
        int most = 0;
        for (uint32_t set = 0; set < 1u << small.squares(); ++set) {
            bool peace = true;
            for (uint32_t i = 0; peace && i < small.squares(); ++i) {
                for (uint32_t j = 0; j < i; ++j) {
                    const bool both = (set >> i & 1) != 0 && (set >> j & 1) != 0;
                    peace = peace && !(both && matrices.b[i * small.squares() + j] != 0);
                }
            }
            if (peace) most = std::max(most, __builtin_popcount(set));
        }
        CHECK(most_pieces(small) == static_cast<uint32_t>(most));
    }
}

TEST_CASE("costs of pieces are twice the attacking pairs, counted line by line") {
    for (const char* name : {"queens5", "rooks-4x6", "bishops5", "queens-3x7"}) {
        const auto reduction = board(name);
        const QapMatrices matrices = reduction->matrices();
        for (const test::Permutation& p : test::some_permutations(matrices.n, 50)) {
            CHECK(reduction->recount(p) == evaluate(matrices, p.data()));
        }
    }
}

TEST_CASE("small boards, against all permutations") {
    CHECK(test::least_cost(*board("queens-2x3")) == 0);
    CHECK(test::least_cost(*board("queens2")) == 2);       // two queens always attack each other
    CHECK(test::least_cost(*board("queens2", 3)) == 6);    // three queens make three pairs, and each pair attacks
    CHECK(test::least_cost(*board("rooks-2x3", 3)) == 2);  // one rank holds two rooks
    CHECK(test::least_cost(*board("bishops-2x4")) == 0);
    CHECK(test::least_cost(*board("knights-path-2x3")) == 5 - 2);  // at most two of the five steps are legal
    CHECK(test::least_cost(*board("knights-tour-1x1")) == 0);
}

TEST_CASE("knight's moves that are not legal are counted") {
    const auto tour = board("knights-tour-3x3");
    const QapMatrices matrices = tour->matrices();
    // The knight visits the border's squares by legal moves. It then makes two wrong moves: to the centre, and back to
    // the start.
    const test::Permutation p = {0, 5, 6, 1, 8, 3, 2, 7, 4};
    CHECK(tour->recount(p) == 2);
    CHECK(evaluate(matrices, p.data()) == 2);
    const auto path = board("knights-path-3x3");
    CHECK(path->recount(p) == 1);
    CHECK(path->describe(p) ==
          "open knight's tour on 3 x 3 squares, wrong moves: 1; each starts at a square with !:\n"
          " 1  4  7 \n 6  9  2 \n 3  8! 5 \n");
    for (const test::Permutation& q : test::some_permutations(9, 50)) {
        CHECK(tour->recount(q) == evaluate(matrices, q.data()));
    }
}

TEST_CASE("a tour of 3 x 4 squares is recognised, and one wrong move is found") {
    // The steps' numbers on the board, row by row: 1 4 7 10 / 8 11 2 5 / 3 6 9 12.
    const test::Permutation steps = {0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11};
    const auto path = board("knights-path-3x4");
    CHECK(path->recount(steps) == 0);
    CHECK(test::contains(path->describe(steps),
                         "all moves are knight's moves:\n  1  4  7 10\n  8 11  2  5\n  3  6  9 12\n"));
    test::Permutation wrong = steps;
    std::swap(wrong[0], wrong[1]);
    CHECK(path->recount(wrong) > 0);
}

TEST_CASE("boards are drawn, attacked pieces in lower case") {
    const auto queens = board("queens4");
    CHECK(queens->describe(beginning_with({1, 7, 8, 14}, 16)) ==
          "4 queens on 4 x 4 squares, none attacks another:\n . Q . .\n . . . Q\n Q . . .\n . . Q .\n");
    const auto rooks = board("rooks-2x3");
    CHECK(rooks->describe(beginning_with({0, 2}, 6)) ==
          "2 rooks on 2 x 3 squares, pairs of pieces that attack each other: 1 (these pieces are in lower case):\n"
          " r . r\n . . .\n");
    CHECK(rooks->file(beginning_with({0, 2}, 6)).name == "board.txt");
}

TEST_CASE("a best value is known where theory gives one") {
    CHECK(board("queens8")->known()->value == 0);
    CHECK_FALSE(board("queens3")->known().has_value());
    CHECK_FALSE(board("queens8", 9)->known().has_value());
    CHECK(board("queens8", 3)->known().has_value());
    CHECK(board("bishops8", 14)->known().has_value());
    CHECK_FALSE(board("bishops8", 15)->known().has_value());
    CHECK_FALSE(board("rooks5", 6)->known().has_value());
    for (const char* name : {"knights-tour-6x6", "knights-tour-3x10", "knights-tour-5x6", "knights-path-5x5"}) {
        CHECK(board(name)->known().has_value());
    }
    for (const char* name : {"knights-tour-5x5", "knights-tour-4x9", "knights-tour-3x8", "knights-path-4x4"}) {
        CHECK_FALSE(board(name)->known().has_value());
    }
}

TEST_CASE("pieces that a board cannot have are refused") {
    CHECK_REFUSED(board("queens4", 17), "problem.pieces is 17", "from 1 to the board's 16 squares");
    CHECK_REFUSED(board("queens4", 0), "problem.pieces is 0", "from 1");
    CHECK_REFUSED(board("knights-tour-6x6", 3), "problem.pieces", "has no meaning for a knight's tour");
}
