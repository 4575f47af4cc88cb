// SPDX-License-Identifier: Apache-2.0
// Runs that end with a proof, and runs with several solutions to choose from.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <random>
#include <set>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

/// Writes an instance and returns its file. The flows form a ring of eight facilities; the eight locations lie on a
/// line. At least two edges of the ring cross each of the line's seven gaps, and each edge counts in both directions.
/// So the optimum is 28. The problem's own bound is 18.
std::string ring_on_line(const TemporaryFolder& place) {
    std::string text = "8\n";
    for (const bool flows : {true, false}) {
        for (int i = 0; i < 8; ++i) {
            for (int j = 0; j < 8; ++j) {
                text += std::to_string(flows ? (std::abs(i - j) % 6 == 1 ? 1 : 0) : std::abs(i - j)) + " ";
            }
            text += "\n";
        }
    }
    return place.write("ring.dat", text);
}

Json solved(const std::string& instance, const std::vector<std::string>& more = {}) {
    std::vector<std::string> arguments{"solve", instance, "--backend", "cpu", "--threads", "1", "--json"};
    if (std::find(more.begin(), more.end(), "--out") == more.end()) {
        arguments.insert(arguments.end(), {"--set", "output.record=false"});
    }
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Ended run = qapfw_run(arguments);
    REQUIRE_MESSAGE(run.code == 0, run.err);
    return Json::parse(run.out);
}

using Numbers = std::vector<std::vector<double>>;

/// A 7 x 7 matrix with 0 on its diagonal. All other entries are `base` plus random numbers up to `size`.
Numbers real_numbers(std::uint32_t seed, double base, double size) {
    std::mt19937 random(seed);
    Numbers numbers(7, std::vector<double>(7));
    for (std::size_t i = 0; i < 7; ++i) {
        for (std::size_t j = 0; j < 7; ++j)
            numbers[i][j] = i == j ? 0 : base + size * static_cast<double>(random()) * 0x1p-32;
    }
    return numbers;
}

std::string text_of(const Numbers& flows, const Numbers& distances) {
    std::string text = "7\n";
    for (const Numbers* const numbers : {&flows, &distances}) {
        for (const std::vector<double>& row : *numbers) {
            for (const double entry : row) text += Json(entry).dump() + " ";
            text += "\n";
        }
    }
    return text;
}

/// The least cost of all permutations in which the location of facility 0 is at least `forbidden`.
double least_cost(const Numbers& flows, const Numbers& distances, std::size_t forbidden) {
    std::vector<std::size_t> p(7);
    std::iota(p.begin(), p.end(), std::size_t{0});
    double least = 1e300;
    do {
        double cost = 0;
        for (std::size_t i = 0; i < 7; ++i) {
            for (std::size_t j = 0; j < 7; ++j) cost += flows[i][j] * distances[p[i]][p[j]];
        }
        if (p[0] >= forbidden) least = std::min(least, cost);
    } while (std::next_permutation(p.begin(), p.end()));
    return least;
}

}  // namespace

TEST_CASE("real numbers are solved with proof, however close the best solutions are") {
    const TemporaryFolder place;
    const std::string forbidden = place.write("forbidden.csv", "1,1\n1,2\n1,3\n");
    std::uint32_t seed = 0;
    // With the last `base`, distances differ only in digits that the search's integers cut off.
    for (const double base : {0.0, 1.0, 1e12, 3e13}) {
        const Numbers flows = real_numbers(++seed, 0, 1), distances = real_numbers(++seed, base, 1);
        const std::string instance = place.write("real.dat", text_of(flows, distances));
        for (const bool is_masked : {false, true}) {
            std::vector<std::string> more;
            if (is_masked) more = {"--forbidden", forbidden};
            const Json result = solved(instance, more);
            CHECK(result["algorithm"] == "exact");
            CHECK(result["stop_reason"] == "optimal");
            CHECK(result["optimal"] == true);
            CHECK(result["best_cost"].get<double>() ==
                  doctest::Approx(least_cost(flows, distances, is_masked ? 3 : 0)).epsilon(1e-15));
        }
    }
}

TEST_CASE("integers with forbidden pairs are solved with proof") {
    const TemporaryFolder place;
    const Json result = solved(ring_on_line(place), {"--forbidden", place.write("f.csv", "1,1\n2,3\n")});
    CHECK(result["stop_reason"] == "optimal");
    CHECK(result["proven_bound"]["cost"] == result["best_cost"]);
}

TEST_CASE("the known optimum of a name proves nothing of other numbers") {
    const TemporaryFolder place;
    std::string text = qapfw_run({"instance", "export", "tai12a"}).out;
    const Json own = solved(place.write("tai12a.dat", text), {"--set", "algorithm.plugin=tabu"});
    CHECK(own["stop_reason"] == "optimal");
    CHECK(own["best_known"] == 224416);
    const std::size_t at = text.find(" 9");
    REQUIRE(at != std::string::npos);
    text[at + 1] = '1';
    const Json edited = solved(place.write("tai12a.dat", text));
    CHECK(edited["best_known"].is_null());
    CHECK(edited["algorithm"] == "exact");
    CHECK(edited["proven_bound"]["cost"] == edited["best_cost"]);
    const Ended run = qapfw_run({"solve", place / "tai12a.dat", "--no-record", "--backend", "cpu", "--threads", "1"});
    CHECK_MESSAGE(run.err.find("the numbers differ from those of the published tai12a") != std::string::npos, run.err);
}

TEST_CASE("a small instance is solved with proof") {
    const TemporaryFolder place;
    const Json result = solved(ring_on_line(place), {"--out", place / "r"});
    CHECK(result["best_cost"] == 28);
    CHECK(result["algorithm"] == "exact");
    CHECK(result["stop_reason"] == "optimal");
    CHECK(result["optimal"] == true);
    CHECK(result["proven_bound"]["cost"] == 28);
    CHECK(result["proven_bound"]["name"] == "solver exact");
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    const Ended again = qapfw_run({"resume", place / "r"});
    CHECK(again.code == 0);
    CHECK(again.err.find("the run has finished already") != std::string::npos);
}

TEST_CASE("tai12a, nug12 and others are proven within a second of search") {
    const char* const data = std::getenv("QAPFW_DATA");
    CHECK(solved("tai12a")["best_cost"] == 224416);
    if (data == nullptr) {
        MESSAGE("skipped: QAPFW_DATA is not set");
        return;
    }
    const TemporaryFolder place;
    // The instances get other names, since runs of a listed instance end at the listed optimum, without a proof.
    const auto unlisted = [&](const std::string& name) {
        return place.write("my-" + name + ".dat", contents(std::string(data) + "/qaplib/" + name + ".dat"));
    };
    for (const auto& [name, cost] :
         {std::pair{"nug12", 578}, {"had12", 1652}, {"tai12a", 224416}, {"scr12", 31410}, {"chr12a", 9552}}) {
        const Json result = solved(unlisted(name));
        CHECK(result["best_cost"] == cost);
        CHECK(result["algorithm"] == "exact");
        CHECK(result["stop_reason"] == "optimal");
        CHECK(result["proven_bound"]["cost"] == cost);
        CHECK(result["statistics"]["nodes"] > 0);
        MESSAGE(std::string(name) << ": " << result["seconds"] << " s, " << result["statistics"]["nodes"] << " nodes");
    }
    const Json nug15 = solved(unlisted("nug15"), {"--set", "algorithm.plugin=exact"});
    CHECK(nug15["best_cost"] == 1150);
    CHECK(nug15["stop_reason"] == "optimal");
    MESSAGE("nug15: " << nug15["seconds"] << " s");
}

TEST_CASE("an algorithm, iterations or a GPU that the user names are used") {
    const TemporaryFolder place;
    const std::string instance = ring_on_line(place);
    CHECK(solved(instance, {"--iterations", "5"})["algorithm"] == "memetic");
    CHECK(solved(instance, {"--iterations", "5"})["proven_bound"].is_null());
    CHECK(solved(instance, {"--set", "algorithm.plugin=tabu", "--time", "2s"})["algorithm"] == "tabu");
    CHECK(solved(instance, {"--set", "run.stop_at_optimum=false", "--time", "100ms"})["algorithm"] == "memetic");
}

TEST_CASE("a run at a known optimum, or at a bound that is computed beside it, ends") {
    const TemporaryFolder place;
    const std::string config = place.write("c.toml",
                                           "problem.instance = \"tai15a\"\nalgorithm.plugin = \"tabu\"\n"
                                           "run.time_limit = \"60s\"\nrun.stop_at_optimum = true\n"
                                           "run.threads = 1\ndevice.backend = \"cpu\"\noutput.record = false\n");
    const Ended listed = qapfw_run({"run", config, "--json"});
    REQUIRE_MESSAGE(listed.code == 0, listed.err);
    CHECK(Json::parse(listed.out)["stop_reason"] == "optimal");
    CHECK(Json::parse(listed.out)["best_known_is_optimal"] == true);
    const Ended studied =
        qapfw_run({"run", config, "--json", "--unset", "run.stop_at_optimum", "--time-limit", "300ms"});
    REQUIRE_MESSAGE(studied.code == 0, studied.err);
    CHECK(Json::parse(studied.out)["stop_reason"] == "time_limit");
    CHECK(Json::parse(studied.out)["proven_bound"].is_null());

    // One facility sends flow to all others. Here the Gilmore-Lawler bound is the optimum, but the problem's own bound
    // is not.
    std::string text = "14\n";
    for (int i = 0; i < 14; ++i) {
        for (int j = 0; j < 14; ++j) text += std::to_string(i == 0 ? j : 0) + " ";
    }
    for (int i = 0; i < 14; ++i) {
        for (int j = 0; j < 14; ++j) text += std::to_string(i == j ? 0 : 1 + (i * 7 + j * 11 + i * i * j) % 29) + " ";
    }
    const Json result = solved(place.write("star.dat", text), {"--set", "algorithm.plugin=tabu", "--time", "30s"});
    CHECK(result["stop_reason"] == "optimal");
    CHECK(result["proven_bound"]["cost"] == result["best_cost"]);
    CHECK(result["lower_bound"] < result["best_cost"]);
}

TEST_CASE("exact refuses an instance that is too large, with an exit code of its own") {
    const TemporaryFolder place;
    std::string text = "41\n";
    for (int k = 0; k < 2 * 41 * 41; ++k) text += std::to_string(k % 41 != k / 41 % 41) + " ";
    const std::string file = place.write("large.dat", text).string();
    const Ended run = qapfw_run({"solve", file, "--algorithm", "exact", "--no-record", "--backend", "cpu"});
    CHECK(run.code == 12);
    CHECK_MESSAGE(run.err.find("branch and bound is for at most 40 free facilities, found 41") != std::string::npos,
                  run.err);
}

TEST_CASE("a large instance tells how far the best possible may be") {
    const Json result = solved("tai40a", {"--time", "300ms"});
    CHECK(result["stop_reason"] == "time_limit");
    CHECK(result["optimal"] == false);
    CHECK(result["proven_bound"]["name"] == "Gilmore-Lawler bound");
    CHECK(result["proven_bound"]["cost"] > result["lower_bound"]);
    CHECK(result["proven_bound"]["cost"] < result["best_cost"]);
}

TEST_CASE("with at most one free facility any run ends at once") {
    const TemporaryFolder place;
    const std::string instance = ring_on_line(place);
    const Json result = solved(
        instance, {"--iterations", "1000000", "--set",
                   R"(problem.fixed=["1->8", "2->7", "3->6", "4->5", "5->4", "6->3", "7->2"])", "--out", place / "r"});
    CHECK(result["stop_reason"] == "optimal");
    CHECK(result["evaluations"] == 1);
    CHECK(result["best_cost"] == 28);
    CHECK(result["proven_bound"]["name"] == "the only solution");
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
}

TEST_CASE("alternatives are good solutions that differ, in the result and as files") {
    const TemporaryFolder place;
    const Json result = solved(ring_on_line(place),
                               {"--alternatives", "4", "--set", "run.alternatives_distance=3", "--out", place / "r"});
    const Json& found = result["alternatives"];
    REQUIRE(found.size() == 4);
    CHECK(found[0]["solution"] == result["solution"]);
    for (std::size_t x = 0; x < found.size(); ++x) {
        if (x > 0) CHECK(found[x]["cost"] >= found[x - 1]["cost"]);
        CHECK(found[x]["cost"] <= 40);
        if (x > 0) CHECK(found[x]["differs"] >= 3);
        for (std::size_t y = 0; y < x; ++y) {
            int differing = 0;
            for (std::size_t i = 0; i < 8; ++i) {
                differing += found[x]["solution"][i] != found[y]["solution"][i] ? 1 : 0;
            }
            CHECK(differing >= 3);
            // `differs` does not count a swap of the facilities at the first two locations. This swap keeps the cost,
            // since the distances of one location are those of the other plus 1, and all facilities have equal flows.
            if (y == 0) CHECK(found[x]["differs"] <= differing);
        }
    }
    CHECK(found[0]["assignment"] == result["assignment"]);
    for (const Json& alternative : found) {
        REQUIRE(alternative["assignment"].size() == 8);
        for (std::size_t i = 0; i < 8; ++i)
            CHECK(alternative["assignment"][i]["location"] == alternative["solution"][i]);
    }
    // On the screen the solutions are shown side by side.
    const std::string shown = qapfw_run({"resume", place / "r"}).out;
    CHECK_MESSAGE(qapfw::test::contains(shown, "\nalternative  1 "), shown);
    CHECK(qapfw::test::contains(shown, "\ncost         "));
    const std::string second = contents(place / "r/alternative-2-solution.sln");
    CHECK(second.find("8 " + std::to_string(found[1]["cost"].get<int>())) != std::string::npos);
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    CHECK(qapfw_run({"solve", "tai12a", "--alternatives", "1"}).code == 2);
}

TEST_CASE("two solutions that differ in facilities without flows alone are no alternatives") {
    const TemporaryFolder place;
    // Facilities 3 to 6 have no flows, so only the locations of facilities 1 and 2 count.
    std::string text = "6\n";
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) text += (i + j == 1 ? "5 " : "0 ");
    }
    for (int i = 0; i < 6; ++i) {
        for (int j = 0; j < 6; ++j) text += std::to_string(std::abs(i * i - j * j)) + " ";
    }
    const Json found = solved(place.write("two.dat", text),
                              {"--alternatives", "5", "--set", "run.alternatives_distance=1"})["alternatives"];
    REQUIRE(found.size() == 5);
    for (std::size_t x = 0; x < found.size(); ++x) {
        for (std::size_t y = 0; y < x; ++y) {
            const auto places = [&](std::size_t of) {
                const Json& solution = found[of]["solution"];
                return std::set<int>{solution[0].get<int>(), solution[1].get<int>()};
            };
            CHECK(places(x) != places(y));
        }
    }
}
