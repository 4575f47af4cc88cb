// SPDX-License-Identifier: Apache-2.0
// Tests the problem object of instances that were reduced to a QAP: its reports to the framework, files and drawings.
#include <map>

#include "problems/qap/qap_problem.hpp"
#include "tests/support/test_host.hpp"
#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

namespace {

using Files = std::map<std::string, std::string>;
using Problem = qapfw::test::TestProblem<QapProblem>;

qapfw::sdk::Emit into(Files& files) {
    return {[](void* user, const char* name, const char*, const void* bytes, uint64_t size) {
                (*static_cast<Files*>(user))[name] = std::string(static_cast<const char*>(bytes), size);
            },
            &files};
}

/// A solution that begins with these elements.
std::vector<uint16_t> solution_of(const QapProblem& problem, std::vector<uint16_t> p) {
    for (uint16_t v = 0; v < problem.info().n; ++v) {
        if (std::find(p.begin(), p.end(), v) == p.end()) p.push_back(v);
    }
    p.resize(problem.info().encoding.solution_bytes / sizeof(uint16_t));
    return p;
}

}  // namespace

TEST_CASE("a board's costs are shown in its own terms, its answer is written and drawn") {
    const qapfw::test::TestHost host;
    Problem problem(host, {{"instance", "queens4"}});
    const QapProblem& queens = problem.object();
    CHECK(queens.info().n == 16);
    CHECK(queens.info().sense == 1);
    CHECK(queens.info().display_divisor == 2);
    CHECK(queens.info().has_best_known == 1);
    CHECK(std::string(queens.info().summary) == "n = 16, 4 queens on 4 x 4 squares, generated");
    const std::vector<uint16_t> solved = solution_of(queens, {1, 7, 8, 14});
    Files files, drawn;
    queens.write_artefacts(solved.data(), {.i = 0}, into(files));
    CHECK(files.size() == 2);
    CHECK(files.at("solution.sln").rfind("16 0\n", 0) == 0);
    CHECK(test::contains(files.at("board.txt"), "none attacks another"));
    queens.draw(solved.data(), into(drawn));
    CHECK(drawn.at("answer.txt") == files.at("board.txt"));
}

TEST_CASE("a cost that is not the answer's is refused") {
    const qapfw::test::TestHost host;
    Problem problem(host, {{"instance", "queens4"}});
    const std::vector<uint16_t> solved = solution_of(problem.object(), {1, 7, 8, 14});
    Files files;
    CHECK_REFUSED(problem.object().write_artefacts(solved.data(), {.i = 2}, into(files)),
                  "the cost recounted from the answer", "is 0, but the QAP\'s cost is 2");
}

TEST_CASE("a clique is maximised") {
    const test::TemporaryFolder folder;
    const auto file = folder.write("square.clq", "p edge 4 4\ne 1 2\ne 2 3\ne 3 4\ne 1 4\n");
    const qapfw::test::TestHost host;
    Problem problem(host, {{"instance", file.string()}, {"reduction", "clique"}});
    CHECK(problem.object().info().n == 6);
    CHECK(problem.object().info().sense == -1);
    const std::vector<uint16_t> edge = solution_of(problem.object(), {0, 1});
    qapfw_cost cost{};
    problem.object().evaluate({const_cast<uint16_t*>(edge.data()), &cost, 1});
    CHECK(cost.i == -4);
}

TEST_CASE("an ordinary QAP has no answer to draw") {
    const qapfw::test::TestHost host;
    Problem problem(host, {{"instance", "tai5a"}});
    const std::vector<uint16_t> p = solution_of(problem.object(), {});
    qapfw_cost cost{};
    problem.object().evaluate({const_cast<uint16_t*>(p.data()), &cost, 1});
    Files files, drawn;
    problem.object().write_artefacts(p.data(), cost, into(files));
    problem.object().draw(p.data(), into(drawn));
    CHECK(files.size() == 1);
    CHECK(drawn.empty());
}
