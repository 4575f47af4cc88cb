// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/reduced_instance.hpp"

#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

const std::string kPath = "p edge 4 3\ne 1 2\ne 2 3\ne 3 4\n";
const std::string kTsp =
    "TYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\nEDGE_WEIGHT_SECTION\n4 5 6\n";

QapInstance load(const std::filesystem::path& file, const ReductionOptions& options,
                 const InstanceSearch& search = {}) {
    return load_reduced_instance(file.string(), search, options).value();
}

}  // namespace

TEST_CASE("ordinary references are left to the QAP's own readers") {
    const test::TemporaryFolder folder;
    folder.write("queens8.dat", "1\n0\n0\n");
    CHECK_FALSE(load_reduced_instance("tai12a", {}, {}).has_value());
    CHECK_FALSE(load_reduced_instance("queens8", {.data_directories = {folder.path()}}, {}).has_value());
    CHECK_FALSE(load_reduced_instance("/no/such/queens8", {}, {}).has_value());
}

TEST_CASE("a board is an instance with its theory's best value") {
    const QapInstance queens = load_reduced_instance("queens8", {}, {}).value();
    CHECK(queens.name == "queens8");
    CHECK(queens.source == "generated");
    CHECK(queens.matrices.n == 64);
    CHECK(queens.reduction->divisor() == 2);
    REQUIRE(queens.best_known.has_value());
    CHECK(queens.best_known->value == 0);
    CHECK(load_reduced_instance("queens8", {}, {.pieces = 10})->reduction->summary() == "10 queens on 8 x 8 squares");
}

TEST_CASE("a maximum clique that makes too large a QAP is refused") {
    const test::TemporaryFolder folder;
    const auto file = folder.write("large.col", "p edge 16384 0\n");
    CHECK_REFUSED(load(file, {.kind = ReductionKind::kClique}), "without problem.clique_size",
                  "a QAP of 16385 positions");
}

TEST_CASE("files are found by path and in the data folders") {
    const test::TemporaryFolder folder;
    const InstanceSearch search{.data_directories = {folder.path()}};
    const auto file = folder.write("tsplib/three.tsp", kTsp);
    folder.write("dimacs/path.col", kPath);
    CHECK(load(file, {.kind = ReductionKind::kTsp}).matrices.n == 3);
    const QapInstance named = load("three", {.kind = ReductionKind::kTsp}, search);
    CHECK(named.name == "three");
    CHECK(named.source == file.string());
    CHECK(load("path", {.kind = ReductionKind::kLinearArrangement}, search).matrices.n == 4);
    CHECK_REFUSED(load("four", {.kind = ReductionKind::kTsp}, search), "instance \"four\": ", "no such file");
    CHECK_REFUSED(load("/no/four", {.kind = ReductionKind::kTsp}, search), "/no/four: ", "no such file");
    const auto broken = folder.write("broken.col", "p edge 2 1\ne 1 3\n");
    CHECK_REFUSED(load(broken, {.kind = ReductionKind::kClique}), broken.string() + ":2:5: ", "from 1 to 2");
}

TEST_CASE("each reduction makes its own problem of a file") {
    const test::TemporaryFolder folder;
    const auto path = folder.write("path.col", kPath);
    CHECK(load(path, {.kind = ReductionKind::kClique}).matrices.n == 4 + 2);
    CHECK(load(path, {.kind = ReductionKind::kClique}).reduction->sense() == -1);
    CHECK(load(path, {.kind = ReductionKind::kClique, .clique_size = 3}).matrices.n == 4);
    CHECK(load(path, {.kind = ReductionKind::kPartition, .parts = 2}).reduction->divisor() == 2);
    CHECK(load(path, {.kind = ReductionKind::kPartition, .part_sizes = {"1", "3"}}).matrices.n == 4);
    CHECK(load(path, {.kind = ReductionKind::kPacking, .second_graph = path.string()}).matrices.n == 4);
}

TEST_CASE("keys that are missing, wrong or another reduction's are refused") {
    const test::TemporaryFolder folder;
    const auto path = folder.write("path.col", kPath);
    const auto weighted = folder.write("weighted.col", "p edge 2 1\ne 1 2 3\n");
    const auto refuse = [&](const ReductionOptions& options, const std::string& begin, const std::string& words) {
        CHECK_REFUSED(load(path, options), begin, words);
    };
    refuse({.kind = ReductionKind::kPartition}, "reduction = \"partition\"", "needs one of problem.parts");
    refuse({.kind = ReductionKind::kPartition, .parts = 2, .part_sizes = {"4"}}, "reduction", "not both");
    refuse({.kind = ReductionKind::kPartition, .parts = 5}, "problem.parts is 5",
           "from 1 to 4, the number of vertices");
    refuse({.kind = ReductionKind::kPartition, .part_sizes = {"1", "2"}}, "problem.part_sizes", "add up to 3");
    refuse({.kind = ReductionKind::kPartition, .part_sizes = {"1", "x"}}, "problem.part_sizes:2:1: ", "not a number");
    refuse({.kind = ReductionKind::kPartition, .part_sizes = {"4", "0"}}, "problem.part_sizes:2:1: ", "from 1 to 4");
    refuse({.kind = ReductionKind::kPacking}, "reduction = \"packing\"", "wants problem.second_graph");
    refuse({.kind = ReductionKind::kPacking, .second_graph = "absent"}, "instance \"absent\"", "no such file");
    refuse({.kind = ReductionKind::kClique, .clique_size = 5}, "problem.clique_size is 5",
           "from 1 to 4, the number of vertices");
    refuse({.kind = ReductionKind::kClique, .parts = 2}, "problem.parts", "only for reduction = \"partition\"");
    refuse({.kind = ReductionKind::kTsp, .clique_size = 2}, "problem.clique_size", "only for reduction = \"clique\"");
    refuse({.kind = ReductionKind::kTsp, .part_sizes = {"2"}}, "problem.part_sizes",
           "only for reduction = \"partition\"");
    refuse({.kind = ReductionKind::kTsp, .second_graph = "g"}, "problem.second_graph",
           "only for reduction = \"packing\"");
    refuse({.kind = ReductionKind::kTsp, .pieces = 2}, "problem.pieces", "a board such as");
    CHECK_REFUSED(load(weighted, {.kind = ReductionKind::kClique}), weighted.string() + ": ", "edges have weights");
    CHECK_REFUSED(load_reduced_instance("tai12a", {}, {.parts = 2}), "problem.parts",
                  "only for reduction = \"partition\"");
    CHECK_REFUSED(load_reduced_instance("queens8", {.matrix_b = path}, {}), "problem.matrix_b", "CSV");
}

TEST_CASE("distances whose sums leave 64 bits are refused") {
    const test::TemporaryFolder folder;
    std::string text =
        "TYPE: TSP\nDIMENSION: 520\nEDGE_WEIGHT_TYPE: EXPLICIT\nEDGE_WEIGHT_FORMAT: UPPER_ROW\n"
        "EDGE_WEIGHT_SECTION\n";
    for (int k = 0; k < 520 * 519 / 2; ++k) text += "9007199254740992 ";
    const auto huge = folder.write("huge.tsp", text);
    CHECK_REFUSED(load(huge, {.kind = ReductionKind::kTsp}), huge.string() + ": ", "too large for exact 64-bit costs");
}

TEST_CASE("best-known values are stated in the own problem's terms") {
    const test::TemporaryFolder folder;
    const auto path = folder.write("path.col", kPath);
    const auto table = folder.write("best.csv", "instance,n,best_known,status\npath,4,2,optimal\n");
    const InstanceSearch search{.best_known = table};
    CHECK(load(path, {.kind = ReductionKind::kClique}, search).best_known->value == -4);
    CHECK(load(path, {.kind = ReductionKind::kPartition, .parts = 2}, search).best_known->value == 4);
    CHECK(load(path, {.kind = ReductionKind::kClique, .clique_size = 3}, search).best_known->value == -4);
    const auto wrong = folder.write("wrong.csv", "instance,n,best_known,status\npath,4,1000,optimal\n");
    CHECK_REFUSED(load(path, {.kind = ReductionKind::kClique}, {.best_known = wrong}), wrong.string() + ": ",
                  "the best-known value 1000 of path is impossible");
}

TEST_CASE("lists of vertices are broken into lines") {
    std::vector<uint32_t> many(60);
    for (uint32_t k = 0; k < 60; ++k) many[k] = k;
    const std::string text = list_from_one(many);
    CHECK(text.rfind("  1 2 3 ", 0) == 0);
    CHECK(test::contains(text, "\n  "));
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = text.find('\n', begin);
        CHECK(end - begin <= 100);
        begin = end + 1;
    }
    CHECK(list_from_one({}) == " \n");
}
