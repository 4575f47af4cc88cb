// SPDX-License-Identifier: Apache-2.0
// The memetic solver as a user runs it: without parameters on every problem, with the user's own arms, and with wrong
// arms.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/killed_record.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

std::vector<std::string> memetic(const std::string& problem, const std::string& instance,
                                 const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"run", "--set", "problem.plugin=" + problem};
    arguments.insert(arguments.end(), {"--set", "problem.instance=" + instance, "--set", "algorithm.plugin=memetic"});
    arguments.insert(arguments.end(), {"--set", "output.record=false", "--backend", "cpu"});
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

std::string refusal(const std::string& arms) {
    const Ended run = qapfw_run(memetic("qap", "tai12a", {"--set", "algorithm.arms=" + arms, "--iterations", "1"}));
    CHECK(run.code != 0);
    return run.err;
}

}  // namespace

TEST_CASE("the memetic solver needs no parameter, and solves small instances of every class") {
    for (const char* instance : {"tai12a", "tai20b", "queens8"}) {
        const Ended run =
            qapfw_run(memetic("qap", instance, {"--json", "--set", "run.target=best-known", "--time-limit", "20s"}));
        REQUIRE(run.code == 0);
        const Json json = Json::parse(run.out);
        CHECK(json["best_cost"] == json["best_known"]);
        CHECK(json["statistics"].contains("arm ux-n/2 islands"));
    }
    const Ended run = qapfw_run(memetic("uaflp", "F20", {"--json", "--iterations", "20"}));
    REQUIRE(run.code == 0);
    CHECK(Json::parse(run.out)["statistics"].contains("arm ox islands"));
}

TEST_CASE("the arms depend on the problem: long searches if these may exceed the short ones, two arms for layouts") {
    const auto arms = [](const std::string& problem, const std::string& instance, const std::string& islands = "10") {
        const std::vector<std::string> more{"--iterations", "1", "--set", "algorithm.islands=" + islands};
        const Ended run = qapfw_run(memetic(problem, instance, more));
        REQUIRE(run.code == 0);
        const std::size_t at = run.err.rfind(" arms: ");
        REQUIRE(at != std::string::npos);
        return run.err.substr(at);
    };
    const std::string small = arms("qap", "tai512a"), large = arms("qap", "tai513a"), layout = arms("uaflp", "F20");
    for (const char* arm : {"2opt ", "ux-n/2 ", "long ", "kick "}) {
        CAPTURE(arm);
        CHECK(small.find(arm) != std::string::npos);
        CHECK((large.find(arm) != std::string::npos) == (std::string(arm) == "2opt " || std::string(arm) == "ux-n/2 "));
    }
    const std::string longest = arms("qap", "tai161a", "21"), beyond = arms("qap", "tai162a", "21"),
                      few = arms("qap", "tai161a", "20");
    for (const char* arm : {"ux-8n ", "break ", "walk "}) {
        CAPTURE(arm);
        CHECK(longest.find(arm) != std::string::npos);
        CHECK(beyond.find(arm) == std::string::npos);
        CHECK(few.find(arm) == std::string::npos);
    }
    CHECK(layout.find("ox ") != std::string::npos);
    CHECK(layout.find("ils ") != std::string::npos);
    CHECK(layout.find("ux ") == std::string::npos);
}

TEST_CASE("an arm's name alone stands for the arm, and another word is refused with the names") {
    const auto digest = [](const std::string& arms) {
        const Ended run = qapfw_run(memetic("qap", "tai20b", {"--json", "--set", arms, "--iterations", "2"}));
        REQUIRE(run.code == 0);
        return Json::parse(run.out)["digest"].get<std::string>();
    };
    CHECK(digest("algorithm.arms=[\"walk\"]") ==
          digest("algorithm.arms=[\"name=w improver=tabu iterations=128n tenure=8n perturb_after=10n perturb_swaps=6 "
                 "perturb_from=current crossover=none moves=6 replacement=walk elites=2\"]"));
    CHECK(refusal("[\"wlak\"]")
              .find("algorithm.arms, text 1: a text of one word must be the name of an arm that auto can choose (2opt, "
                    "ux-n/2, long, kick, ux-8n, break, walk), found \"wlak\"") != std::string::npos);
}

TEST_CASE("a time limit holds where a search takes long, and the best seen until then is the result") {
    check_fastest_below(1.3, [] {
        const std::string arm = "algorithm.arms=[\"improver=tabu iterations=10000000\"]";
        const Ended run = qapfw_run(
            memetic("qap", "tai100a", {"--json", "--set", arm, "--threads", "1", "--time-limit", "1s", "--seed", "2"}));
        REQUIRE(run.code == 0);
        const Json json = Json::parse(run.out);
        CHECK(json["best_cost"] < 23000000);  // a random solution costs more
        return json["seconds"].get<double>();
    });
}

TEST_CASE("a user's own arms are used, and wrong ones are refused with a message") {
    const std::string arms =
        "algorithm.arms=[\"name=short improver=tabu iterations=n/2 tenure=n/4\", \"name=down improver=two_opt\"]";
    const Ended run = qapfw_run(memetic("qap", "tai12a", {"--json", "--set", arms, "--iterations", "3"}));
    REQUIRE(run.code == 0);
    const Json statistics = Json::parse(run.out)["statistics"];
    CHECK(statistics["arm short islands"] == 3);
    CHECK(statistics["arm down islands"] == 3);

    CHECK(refusal("[]").find("a list of 1 to 16 texts, found 0") != std::string::npos);
    CHECK(refusal("[\"crossover=zip\"]").find("text 1: crossover must be one of") != std::string::npos);
    CHECK(refusal("[\"improver=tab\"]").find("did you mean") != std::string::npos);
    CHECK(refusal("[\"improver=tabu tenur=3\"]").find("did you mean tenure=...?") != std::string::npos);
    CHECK(refusal("[\"improver=tabu iterations=x\"]").find("iterations must be") != std::string::npos);
    CHECK(refusal("[\"improver=fbs_local_search\"]").find("permutation+bays") != std::string::npos);
    CHECK(refusal("[\"improver=given\"]")
              .find("an improver's id, since there is no [algorithm.improver], found \"given\"") != std::string::npos);
    CHECK(refusal("[\"name=a\", \"name=a improver=tabu\"]").find("text 2: two arms are called \"a\"") !=
          std::string::npos);
    const auto with_improver = [](const std::string& own) {
        return qapfw_run(memetic(
            "qap", "tai12a",
            {"--set", "algorithm.arms=" + own, "--set", "algorithm.improver.plugin=tabu", "--iterations", "1"}));
    };
    CHECK(with_improver("[\"improver=given\"]").code == 0);
    const Ended settings = with_improver("[\"improver=given iterations=4\"]"), unused = with_improver("[\"moves=3\"]");
    CHECK(settings.code == 2);
    CHECK(settings.err.find("the improver's settings belong in [algorithm.improver]), found \"iterations=4\"") !=
          std::string::npos);
    CHECK(unused.code == 2);
    CHECK(unused.err.find("algorithm.improver would not be used") != std::string::npos);
}

TEST_CASE("a time limit holds with the largest populations, and the shortest rounds have a rung") {
    check_fastest_below(0.9, [] {
        const Ended run = qapfw_run(memetic("qap", "tai60a",
                                            {"--json", "--time-limit", "500ms", "--set", "algorithm.size=65536",
                                             "--set", "algorithm.first_size=65536", "--threads", "2"}));
        REQUIRE(run.code == 0);
        return Json::parse(run.out)["seconds"].get<double>();
    });
    const Ended run = qapfw_run(
        memetic("qap", "tai12a", {"--iterations", "3", "--set", "algorithm.round=1", "--set", "algorithm.brood=4"}));
    CAPTURE(run.err);
    CHECK(run.code == 0);
}

TEST_CASE("arms in first_arms start with more islands, also arms that auto would not use") {
    const auto shares = [](const std::string& first) {
        const Ended run = qapfw_run(
            memetic("qap", "tai20b",
                    {"--iterations", "1", "--set", "algorithm.rung=0", "--set", "algorithm.first_arms=" + first}));
        CHECK(run.code == 0);
        const std::size_t at = run.err.rfind(" arms: ");
        return at == std::string::npos ? std::string() : run.err.substr(at);
    };
    CHECK(shares("[]").find("kick 2 of 10 islands") != std::string::npos);
    CHECK(shares("[\"kick\"]").find("kick 4 of 10 islands") != std::string::npos);
    CHECK(shares("[\"break\"]").find("break 4 of 12 islands") != std::string::npos);
    const Ended wrong =
        qapfw_run(memetic("qap", "tai20b", {"--iterations", "1", "--set", "algorithm.first_arms=[\"brake\"]"}));
    CHECK(wrong.code != 0);
    CHECK(wrong.err.find("first_arms must be names of arms of this run (2opt, ux-n/2, long, kick), found \"brake\"") !=
          std::string::npos);
    const Ended longer =
        qapfw_run(memetic("qap", "tai20b", {"--iterations", "1", "--set", "algorithm.lengthen=[\"walk\"]"}));
    CHECK(longer.code != 0);
    CHECK(longer.err.find("lengthen must be names of arms of this run (2opt, ux-n/2, long, kick), found \"walk\"") !=
          std::string::npos);
}

TEST_CASE("an instance that looks like terminals begins with the arms of its class, unless that is turned off") {
    const TemporaryFolder folder;
    constexpr int kSize = 60;
    std::string text = std::to_string(kSize) + "\n";
    for (int i = 0; i < kSize; ++i) {
        for (int j = 0; j < kSize; ++j) text += std::to_string(i == j ? 0 : 100 + (i + j) * 7 % 61) + ' ';
        text += '\n';
    }
    for (int i = 0; i < kSize; ++i) {
        for (int j = 0; j < kSize; ++j) {
            const bool flows = i != j && (i * j + i + j) % 17 == 0;
            text += std::to_string(flows ? 1 + (i + j) % 20 : 0) + ' ';
        }
        text += '\n';
    }
    const auto file = folder.path() / "terminals.dat";
    std::ofstream(file) << text;
    const auto log = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all{"--evaluations", "2000000"};
        all.insert(all.end(), more.begin(), more.end());
        const Ended run = qapfw_run(memetic("qap", file.string(), all));
        CHECK(run.code == 0);
        return run.err.substr(std::min(run.err.rfind(" arms: "), run.err.size()));
    };
    CHECK(log({}).find("break ") != std::string::npos);
    CHECK(log({"--set", "algorithm.first_arms=[]"}).find("break ") == std::string::npos);
    CHECK(log({"--set", "algorithm.arms=[\"2opt\",\"kick\"]"}).find("break ") == std::string::npos);
}
