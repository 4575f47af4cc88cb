// SPDX-License-Identifier: Apache-2.0
// Layouts by slicing trees for a user: solver, files, warm starts, messages.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

Ended solve_layout(const std::string& instance, std::vector<std::string> more) {
    std::vector<std::string> arguments = {"solve",   instance,
                                          "--set",   "problem.structure=slicing",
                                          "--set",   "device.backend=cpu",
                                          "--set",   "run.stop_at_optimum=false",
                                          "--quiet", "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return qapfw_run(arguments);
}

const std::vector<std::string> kShort = {"--set", "algorithm.plugin=slicing_local_search",
                                         "--set", "algorithm.steps=300",
                                         "--set", "algorithm.first_steps=256",
                                         "--set", "algorithm.reheats=2"};

std::vector<std::string> shortly(std::vector<std::string> more) {
    more.insert(more.begin(), kShort.begin(), kShort.end());
    return more;
}

std::string file_in(const std::filesystem::path& folder, const char* name) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().filename() == name) return entry.path().string();
    }
    return {};
}

/// The cost of a layout.json's rectangles, computed from the instance's numbers. Checks that the rectangles have the
/// right areas, lie in the plant and do not overlap.
double cost_of_rectangles(const Json& layout, double width, double height, const std::vector<double>& areas,
                          const std::vector<std::array<double, 3>>& flows) {
    const Json& all = layout["departments"];
    REQUIRE(all.size() == areas.size());
    const auto value = [&](std::size_t d, const char* key) { return all[d][key].get<double>(); };
    for (std::size_t d = 0; d < areas.size(); ++d) {
        CHECK(value(d, "width") * value(d, "height") == doctest::Approx(areas[d]).epsilon(1e-9));
        CHECK(value(d, "x") > -1e-9);
        CHECK(value(d, "y") > -1e-9);
        CHECK(value(d, "x") + value(d, "width") < width + 1e-9);
        CHECK(value(d, "y") + value(d, "height") < height + 1e-9);
        for (std::size_t other = 0; other < d; ++other) {
            const double across =
                std::min(value(d, "x") + value(d, "width"), value(other, "x") + value(other, "width")) -
                std::max(value(d, "x"), value(other, "x"));
            const double along =
                std::min(value(d, "y") + value(d, "height"), value(other, "y") + value(other, "height")) -
                std::max(value(d, "y"), value(other, "y"));
            CHECK(std::min(across, along) < 1e-9);
        }
    }
    double cost = 0;
    for (const auto& [from, to, flow] : flows) {
        const auto a = static_cast<std::size_t>(from) - 1, b = static_cast<std::size_t>(to) - 1;
        cost += flow * (std::abs(value(a, "x") + value(a, "width") / 2 - value(b, "x") - value(b, "width") / 2) +
                        std::abs(value(a, "y") + value(a, "height") / 2 - value(b, "y") - value(b, "height") / 2));
    }
    return cost;
}

constexpr const char* kSix = R"(
name = "six"
flows = [[1, 2, 5], [2, 3, 2], [3, 4, 4], [4, 5, 1], [5, 6, 3], [1, 6, 2], [2, 5, 4]]
[plant]
width = 6
height = 5
[shape]
max_aspect_ratio = 4
[[departments]]
area = 3
[[departments]]
area = 6
[[departments]]
area = 5
[[departments]]
area = 4
[[departments]]
area = 8
[[departments]]
area = 4
)";

}  // namespace

TEST_CASE("a layout by slicing trees: the default solver, a file that others can check, a tree to read") {
    const TemporaryFolder place;
    const std::string instance = place.write("six.toml", kSix);
    const std::string record = place / "record";
    const Ended run = solve_layout(instance, {"--iterations", "16", "--out", record});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const Json result = Json::parse(run.out);
    CHECK(result["algorithm"] == "slicing_local_search");
    const Json layout = Json::parse(contents(file_in(record, "layout.json")));
    CHECK(layout["structure"] == "slicing");
    CHECK(layout["feasible"] == true);
    CHECK(layout["tree"].get<std::string>().front() == '(');
    const double cost =
        cost_of_rectangles(layout, 6, 5, {3, 6, 5, 4, 8, 4},
                           {{1, 2, 5}, {2, 3, 2}, {3, 4, 4}, {4, 5, 1}, {5, 6, 3}, {1, 6, 2}, {2, 5, 4}});
    CHECK(cost == doctest::Approx(layout["cost"].get<double>()).epsilon(1e-9));
    CHECK(layout["cost"] == result["best_cost"]);
    CHECK(qapfw_run({"verify", record}).code == 0);
}

TEST_CASE("a layout is cut in any order where the run names no algorithm, and in bays where it names another one") {
    const auto algorithm_and_encoding = [](const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"solve", "F6",      "--iterations", "1",     "--backend",
                                              "cpu",   "--quiet", "--json",       "--set", "output.record=false"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const Ended run = qapfw_run(arguments);
        REQUIRE_MESSAGE(run.code == 0, run.err);
        const Json result = Json::parse(run.out);
        return result["algorithm"].get<std::string>() + " " + result["encoding"].dump();
    };
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    const std::string none = algorithm_and_encoding({}), memetic = algorithm_and_encoding({"--algorithm", "memetic"}),
                      own = algorithm_and_encoding({"--algorithm", "slicing_local_search"}),
                      bays = algorithm_and_encoding({"--set", "problem.structure=bays"});
    CHECK((has(none, "slicing_local_search") && has(none, "values")));
    CHECK((has(own, "slicing_local_search") && has(own, "values")));
    CHECK((has(memetic, "memetic") && has(memetic, "bays")));
    CHECK((has(bays, "memetic") && has(bays, "bays")));
}

TEST_CASE(
    "slicing_local_search: the same digests on 1 and 2 threads, with another round and other steps, and resumed") {
    const TemporaryFolder place;
    const auto digest = [&](std::vector<std::string> more) {
        const Ended run = solve_layout("F12", shortly(std::move(more)));
        REQUIRE_MESSAGE(run.code == 0, run.err);
        return Json::parse(run.out)["digest"].get<std::string>();
    };
    const std::string whole = digest({"--set", "output.record=false", "--iterations", "12", "--threads", "1"});
    CHECK(digest({"--set", "output.record=false", "--iterations", "12", "--threads", "2"}) == whole);
    CHECK(digest({"--set", "output.record=false", "--iterations", "12", "--seed", "2"}) != whole);
    const std::string record = place / "resumed";
    digest({"--out", record, "--iterations", "5", "--set", "algorithm.round=5"});
    const Ended resumed = qapfw_run({"resume", record, "--iterations", "12", "--quiet", "--json"});
    REQUIRE_MESSAGE(resumed.code == 0, resumed.err);
    CHECK(Json::parse(resumed.out)["best_cost"] ==
          Json::parse(
              solve_layout("F12", shortly({"--set", "output.record=false", "--iterations", "12"})).out)["best_cost"]);
}

TEST_CASE("slicing_local_search: patience and meetings change deep annealings and nothing else") {
    const auto digest = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"--set", "output.record=false", "--iterations", "40", "--set", "algorithm.starts=1",
                                   "--set", "algorithm.share_deep=false", "--set", "algorithm.patience=0"});
        const Ended run = solve_layout("F12", shortly(std::move(more)));
        REQUIRE_MESSAGE(run.code == 0, run.err);
        return Json::parse(run.out)["digest"].get<std::string>();
    };
    const std::string none = "algorithm.deep=0", deep = "algorithm.deep=40", patience = "algorithm.patience=1",
                      meetings = "algorithm.share_deep=true", longer = "algorithm.longer=1";
    const std::string alone = digest({"--set", deep});
    const std::string ended = digest({"--set", deep, "--set", patience});
    CHECK(ended != alone);
    CHECK(digest({"--set", deep, "--set", patience, "--set", longer}) != ended);
    CHECK(digest({"--set", deep, "--set", longer}) == alone);  // `longer` needs patience to have an effect
    CHECK(digest({"--set", deep, "--set", meetings}) != alone);
    CHECK(digest({"--set", none, "--set", patience, "--set", meetings}) == digest({"--set", none}));
}

TEST_CASE("a search that begins with a layout in bays ends no worse, and a layout's rectangles are its authority") {
    const TemporaryFolder place;
    const std::string instance = place.write("six.toml", kSix);
    const std::string record = place / "bays";
    const Ended bays = qapfw_run({"solve", instance, "--set", "problem.structure=bays", "--set", "device.backend=cpu",
                                  "--iterations", "1", "--out", record, "--quiet", "--json"});
    REQUIRE_MESSAGE(bays.code == 0, bays.err);
    const std::string file = file_in(record, "layout.json");
    const auto cost_from = [&](const std::string& start) {
        const Ended run =
            solve_layout(instance, shortly({"--set", "output.record=false", "--iterations", "1", "--set",
                                            "algorithm.steps=1", "--set", "algorithm.searches=1", "--initial", start}));
        REQUIRE_MESSAGE(run.code == 0, run.err);
        return Json::parse(run.out)["best_cost"].get<double>();
    };
    const double cost = Json::parse(bays.out)["best_cost"].get<double>();
    CHECK(cost_from(file) <= cost * (1 + 1e-12));
    Json moved = Json::parse(contents(file));
    for (const char* key : {"permutation", "bay_break", "bay_height"}) moved.erase(key);
    CHECK(cost_from(place.write("rectangles.json", moved.dump()).string()) == doctest::Approx(cost).epsilon(1e-9));
    moved["departments"][0]["x"] = moved["departments"][0]["x"].get<double>() + 0.7;
    const Ended overlap =
        solve_layout(instance, {"--iterations", "1", "--initial", place.write("overlap.json", moved.dump()).string()});
    CHECK(overlap.code != 0);
    CHECK(overlap.err.find("a slicing tree cannot hold these rectangles: they overlap") != std::string::npos);
    moved["departments"][0]["width"] = moved["departments"][0]["width"].get<double>() * 1.1;
    const Ended area =
        solve_layout(instance, {"--iterations", "1", "--initial", place.write("area.json", moved.dump()).string()});
    CHECK(area.code != 0);
    CHECK(area.err.find("department 1 has area") != std::string::npos);
}

TEST_CASE("several starts of a layout are the first population") {
    for (const std::string structure : {"bays", "slicing"}) {
        CAPTURE(structure);
        const TemporaryFolder place;
        const auto cost_of = [&](std::vector<std::string> more) {
            more.insert(more.begin(), {"solve", place / "six.toml", "--set", "problem.structure=" + structure, "--set",
                                       "device.backend=cpu", "--quiet", "--json", "--seed", "3"});
            const Ended run = qapfw_run(more);
            REQUIRE_MESSAGE(run.code == 0, run.err);
            return Json::parse(run.out)["best_cost"].get<double>();
        };
        place.write("six.toml", kSix);
        const double best =
            cost_of({"--time-limit", "0.3s", "--set", "run.stop_at_optimum=false", "--out", place / "g"});
        cost_of({"--algorithm", "random_restart", "--iterations", "1", "--out", place / "b"});
        const std::string good = file_in(place / "g", "layout.json"), bad = file_in(place / "b", "layout.json");
        for (const std::string algorithm : {"random_restart", "memetic"}) {
            CAPTURE(algorithm);
            const auto from = [&](const std::vector<std::string>& starts) {
                std::vector<std::string> words{"--algorithm", algorithm, "--iterations", "1", "--no-record"};
                for (const std::string& start : starts) words.insert(words.end(), {"--initial", start});
                return cost_of(words);
            };
            CHECK(from({bad, good}) <= best * (1 + 1e-9));
            CHECK(from({good, bad}) <= best * (1 + 1e-9));
            if (algorithm == "random_restart") CHECK(from({bad}) > best * (1 + 1e-9));
        }
    }
}

TEST_CASE("the guide's factory, ward, office and L: rules kept, files written, records verified") {
    const TemporaryFolder place;
    const std::string samples = std::string(QAPFW_SOURCE_DIR) + "/configs/samples/";
    for (const char* name : {"factory.toml", "ward.csv", "office.csv", "lshape.toml"}) {
        CAPTURE(name);
        const std::string record = place / std::string("r-") + name;
        const Ended run = qapfw_run({"solve", samples + name, "--backend", "cpu", "--iterations", "24", "--threads",
                                     "2", "--out", record, "--json", "--quiet"});
        REQUIRE_MESSAGE(run.code == 0, run.err);
        const Json layout = Json::parse(contents(file_in(record, "layout.json")));
        CHECK(layout["feasible"] == true);
        CHECK(layout["broken_rules"].empty());
        CHECK(layout["unit"] == "m");
        // The departments include the missing corner and the straight aisle of lshape.toml.
        for (const Json& d : layout["departments"]) {
            if (d["name"] == "outside") CHECK(d["x"].get<double>() == doctest::Approx(24));
            if (d["name"] == "Main aisle") CHECK(d["height"].get<double>() == doctest::Approx(2));
        }
        const std::string drawing = contents(file_in(record, "layout-flows.svg"));
        CHECK(drawing.find("class=\"flow\"") != std::string::npos);
        CHECK(drawing.find(" x ") != std::string::npos);
        const std::string cad = contents(file_in(record, "layout.dxf"));
        CHECK(cad.find("AC1009") != std::string::npos);
        CHECK(cad.find("DEPARTMENTS") != std::string::npos);
        CHECK(qapfw_run({"verify", record}).code == 0);
    }
}

TEST_CASE("rules that cannot be kept are reported by name and amount, and layouts in bays refuse rules") {
    const TemporaryFolder place;
    const std::string hall = place.write("hall.toml", R"(
unit = "m"
flows = [["A", "B", 1], ["B", "C", 2]]
apart = [["A", "B", 50]]
[plant]
width = 10
height = 5
[shape]
max_aspect_ratio = 5
[[departments]]
name = "A"
area = 20
[[departments]]
name = "B"
area = 20
[[departments]]
name = "C"
area = 10
)");
    const std::string record = place / "hall";
    const Ended run = qapfw_run({"solve", hall, "--backend", "cpu", "--iterations", "2", "--out", record});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const Json layout = Json::parse(contents(file_in(record, "layout.json")));
    CHECK(layout["feasible"] == false);
    REQUIRE(layout["broken_rules"].size() == 1);
    CHECK(layout["broken_rules"][0]["rule"] == "apart");
    const std::string sentence = layout["broken_rules"][0]["sentence"];
    CHECK(sentence.find("A and B are ") == 0);
    CHECK(sentence.find(" m too near; they must be 50 m apart") != std::string::npos);
    CHECK((run.out + run.err).find(sentence) != std::string::npos);
    const Ended bays = qapfw_run({"solve", hall, "--set", "problem.structure=bays", "--iterations", "1"});
    CHECK(bays.code == 2);
    CHECK(bays.err.find("set problem.structure = \"slicing\"") != std::string::npos);
}

TEST_CASE("a problem that slicing trees cannot solve gives a message") {
    const Ended qap = qapfw_run({"solve", "tai5a", "--set", "algorithm.plugin=slicing_local_search"});
    CHECK(qap.code != 0);
    CHECK(qap.err.find("slicing_local_search") != std::string::npos);
    const Ended bays =
        qapfw_run({"solve", "F5", "--set", "problem.structure=bays", "--set", "algorithm.plugin=slicing_local_search"});
    CHECK(bays.code != 0);
    CHECK(bays.err.find("slicing_local_search") != std::string::npos);
    const Ended precision = solve_layout("F5", {"--set", "problem.precision=float"});
    CHECK(precision.code != 0);
    CHECK(precision.err.find("precision = \"float\" is for layouts in bays") != std::string::npos);
}

TEST_CASE("memetic anneals trees by itself, alike on 1 and 2 threads; annealings need trees") {
    const auto run = [](const std::string& threads) {
        const Ended ended = solve_layout(
            "F15", {"--set", "algorithm.plugin=memetic", "--iterations", "2", "--threads", threads, "--no-record"});
        REQUIRE_MESSAGE(ended.code == 0, ended.err);
        return Json::parse(ended.out);
    };
    const Json one = run("1");
    // An annealing makes more than 4096 evaluations. A perturbation without an annealing makes fewer.
    CHECK(one["statistics"]["arm ils evaluations"] > 4096);
    CHECK(one["digest"] == run("2")["digest"]);
    const Ended qap = qapfw_run({"solve", "tai5a", "--set", "algorithm.plugin=imga", "--set",
                                 "algorithm.improver.plugin=slicing_local_search", "--iterations", "1"});
    CHECK(qap.code == 12);
    CHECK(qap.err.find("improver slicing_local_search takes solutions of these forms: permutation+values") !=
          std::string::npos);
    const Ended cold =
        solve_layout("F5", {"--set", "algorithm.plugin=imga", "--set", "algorithm.improver.plugin=slicing_local_search",
                            "--set", "algorithm.improver.cold=1"});
    CHECK(cold.code == 2);
    CHECK(cold.err.find("cold of improver slicing_local_search is 1, but it must not be above hot (0.03)") !=
          std::string::npos);
}
