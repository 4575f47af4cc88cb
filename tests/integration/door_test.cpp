// SPDX-License-Identifier: Apache-2.0
// The first steps of a user with a spreadsheet: one command, an answer in words, and files that may come through pipes.
#include <doctest/doctest.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

namespace {

const std::string kSamples = std::string(QAPFW_SOURCE_DIR) + "/configs/samples/";
const std::string kFlow = kSamples + "workshop_flow.csv", kDistance = kSamples + "workshop_distance.csv";

Ended solve(std::vector<std::string> arguments, const std::string& folder = {}) {
    for (const char* more : {"--backend", "cpu", "--threads", "1"}) arguments.emplace_back(more);
    arguments.insert(arguments.begin(), "solve");
    Process::Options options;
    options.folder = folder;
    return qapfw_run(arguments, options);
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// Runs a bash command in `folder`. $qapfw is the program. Returns what the command prints, errors included.
std::string shell(const std::string& command, const std::string& folder) {
    const TemporaryFolder place;
    const std::string script =
        place.write("script", "cd '" + folder + "'\nqapfw='" + binary() + "'\n{ " + command + "\n} 2>&1\n");
    FILE* const pipe = popen(("timeout 30 bash " + script).c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string out;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) out += static_cast<char>(c);
    pclose(pipe);
    return out;
}

const std::string kQuick = " --backend cpu --threads 1 --iterations 50 --quiet";

}  // namespace

TEST_CASE("a reader that has enough is told where the answer is, not the answer") {
    const TemporaryFolder place;
    const std::string said = shell(
        "$qapfw solve rgg2:30000 --distance grid:200x150 --set algorithm=mapping "
        "--iterations 1 --backend cpu --threads 1 --quiet --out r | head -c 5; echo; "
        "wc -l < r/mapping.txt",
        place.path().string());
    CHECK_MESSAGE(has(said, "standard output was closed; the answer is in r\n"), said.substr(0, 300));
    CHECK_MESSAGE(has(said, "\n30000\n"), said.substr(0, 300));
    CHECK(said.size() < 300);
}

TEST_CASE(
    "the answer says where everything goes, what it costs, why the run "
    "ended and what comes next") {
    const TemporaryFolder place;
    const Ended run = solve({kFlow, kDistance, "--iterations", "50", "--out", place / "r"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    CHECK(has(run.out, "Press -> Hall B\n"));
    CHECK(has(run.out, "Lathe -> Hall A\n"));
    CHECK(has(run.out, "\ncost         "));
    CHECK(has(run.out, "\nended        after "));
    CHECK(has(run.out, "\nfiles        " + (place / "r") + ", with assignment.csv\n"));
    for (const char* word : {"digest", "it/s", "seed", "iteration "}) CHECK_MESSAGE(!has(run.out, word), run.out);
    const Ended verbose = solve({kFlow, kDistance, "--iterations", "50", "--verbose", "--no-record"});
    CHECK(has(verbose.out, "\ndigest       "));
    CHECK(has(verbose.out, "\neffort       "));
}

TEST_CASE(
    "names go from the files to assignment.csv, result.json and the "
    "words for scripts") {
    const TemporaryFolder place;
    const Ended run = solve({kFlow, kDistance, "--iterations", "50", "--json", "--out", place / "r"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    const Json result = Json::parse(run.out);
    REQUIRE(result["assignment"].size() == 5);
    CHECK(result["assignment"][0] == Json({{"facility", "Press"}, {"location", "Hall B"}}));
    CHECK(contents(place / "r/assignment.csv").starts_with("facility,location\nPress,Hall B\nLathe,Hall A\n"));
    const Ended quiet = solve({kFlow, kDistance, "--iterations", "50", "--quiet", "--no-record"});
    CHECK(quiet.out.starts_with(result["best_cost_text"].get<std::string>() + "\nPress,Hall B\n"));
    CHECK(quiet.err.empty());
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    // Starts from the recorded assignment.
    const Ended again = solve(
        {kFlow, kDistance, "--iterations", "1", "--json", "--no-record", "--initial", place / "r/assignment.csv"});
    REQUIRE_MESSAGE(again.code == 0, again.err);
    CHECK(Json::parse(again.out)["best_cost"] == result["best_cost"]);
}

TEST_CASE("what README shows of a spreadsheet is what comes out") {
    const Ended run = solve({kFlow, kDistance, "--iterations", "50", "--no-record"});
    std::ifstream shown(std::string(QAPFW_SOURCE_DIR) + "/docs/guides/workshop.out");
    int lines = 0;
    for (std::string line; std::getline(shown, line);) {
        // Compares only the assignment and the cost, since bounds, times and folders differ from run to run.
        if (!has(line, " -> ") && !line.starts_with("cost ")) continue;
        CHECK_MESSAGE(has(run.out, line.substr(0, line.find(','))), line);
        ++lines;
    }
    CHECK(lines == 6);
}

TEST_CASE("five people's tasks take one command each") {
    struct Task {
        std::vector<std::string> words;
        std::string cost;  ///< the optimum, found by trying all assignments; empty if there are too many
        std::vector<std::string> lines;
    };
    const std::vector<Task> tasks{
        {{"workshop_flow.csv", "workshop_distance.csv"}, "2773", {"Press,Hall B", "Store,Hall C"}},
        {{"machines.csv", "places.csv", "--metric", "manhattan", "--forbidden", "places_forbidden.csv"}, "1300", {}},
        {{"guests.csv", "seats.csv"}, "9.67846218", {}},
        {{"letters.csv", "keys.csv", "--linear", "key_effort.csv"}, "", {}},
        {{"departments.csv", "rooms.csv", "--metric", "manhattan", "--fixed", "rooms_fixed.csv"},
         "7490",
         {"Reception,G1"}}};
    for (const Task& task : tasks) {
        CAPTURE(task.words[0]);
        std::vector<std::string> words = task.words;
        for (std::string& word : words) word = word.ends_with(".csv") ? kSamples + word : word;
        for (const char* more : {"--iterations", "30", "--quiet", "--no-record"}) words.emplace_back(more);
        const Ended run = solve(words);
        REQUIRE_MESSAGE(run.code == 0, run.err);
        CHECK_MESSAGE(run.out.starts_with(task.cost), run.out);
        for (const std::string& line : task.lines) CHECK_MESSAGE(has(run.out, "\n" + line + "\n"), run.out);
        for (const char* forbidden : {"Press,P6", "Press,P7", "Wash,P1", "Wash,P4"}) CHECK(!has(run.out, forbidden));
    }
    const Ended layout = solve({kSamples + "shop.toml", "--iterations", "5", "--quiet", "--no-record"});
    CHECK_MESSAGE(layout.code == 0, layout.err);
}

TEST_CASE(
    "a start by name or number is accepted, even if it is partial or states a wrong cost, and oddities are reported") {
    const TemporaryFolder place;
    const auto cost_from = [&](const std::string& text, std::string* said = nullptr) {
        const Ended run = solve({kFlow, kDistance, "--iterations", "1", "--algorithm", "random_restart", "--json",
                                 "--no-record", "--initial", place.write("start", text)});
        REQUIRE_MESSAGE(run.code == 0, run.err);
        if (said != nullptr) *said = run.err;
        return Json::parse(run.out)["best_cost"].get<double>();
    };
    std::string said;
    CHECK(cost_from("Press,Hall B\nLathe,Hall A\nPaint,Hall E\nSaw,Hall D\nStore,Hall C\n") == 2773);
    CHECK(cost_from("2 1 5 4 3\n") == 2773);
    CHECK(cost_from("5 2773\n2 1 5 4 3\n") == 2773);
    CHECK(cost_from("5 4000\n2 1 5 4 3\n", &said) == 2773);
    CHECK_MESSAGE(has(said, "the stated cost is 4000"), said);
    CHECK(cost_from("Press,Hall B\nSaw,Hall D\n") >= 2773);
    const Ended wrong =
        solve({kFlow, kDistance, "--no-record", "--initial", place.write("wrong", "Press,Hall X\nSaw,Hall D\n")});
    CHECK(wrong.code == 2);
    CHECK_MESSAGE(has(wrong.err, "Hall X"), wrong.err);
}

TEST_CASE("several starts are the first population, from files, from lines of one file and from a record") {
    const TemporaryFolder place;
    const Ended best = solve({"tai15a", "--target", "best-known", "--algorithm", "memetic", "--backend", "cpu",
                              "--alternatives", "3", "--out", place / "r", "--quiet"});
    REQUIRE_MESSAGE(best.code == 0, best.err);
    const std::string good = place / "r/solution.sln", text = contents(good);
    const std::string listed = text.substr(text.find('\n') + 1);
    std::string identity;
    for (int i = 1; i <= 15; ++i) identity += std::to_string(i) + (i == 15 ? "\n" : " ");
    // Makes a run of one iteration. Returns true if the run's best cost is the optimum, which is the cost of `good`. A
    // random solution has this cost in one of 10^12 runs.
    const auto takes = [&](const std::vector<std::string>& starts, const std::string& algorithm) {
        std::vector<std::string> words{"tai15a", "--iterations", "1",           "--backend",
                                       "cpu",    "--json",       "--no-record", "--algorithm"};
        words.push_back(algorithm);
        for (const std::string& start : starts) words.insert(words.end(), {"--initial", start});
        const Ended run = solve(words);
        REQUIRE_MESSAGE(run.code == 0, run.err);
        return Json::parse(run.out)["best_cost"] == 388214;
    };
    const std::string bad = place.write("bad", identity).string();
    const std::string lines = place.write("lines", identity + identity + listed).string();
    for (const std::string algorithm : {"random_restart", "memetic", "ga_independent"}) {
        CAPTURE(algorithm);
        CHECK_FALSE(takes({bad}, "ga_independent"));
        CHECK(takes({bad, good}, algorithm));
        CHECK(takes({good, bad}, algorithm));
        CHECK(takes({lines}, algorithm));
        CHECK(takes({bad, place / "r"}, algorithm));
    }
    const Ended twice = solve({"tai15a", "--iterations", "1", "--initial", bad, "--initial", good, "--backend", "cpu",
                               "--out", place / "twice", "--quiet"});
    REQUIRE_MESSAGE(twice.code == 0, twice.err);
    CHECK(has(contents(place / "twice/config.toml"), "initial = [\"" + bad + "\", \"" + good + "\"]"));
    CHECK(qapfw_run({"verify", place / "twice"}).code == 0);
    const Ended none = solve({"tai15a", "--no-record", "--initial", place / ""});
    CHECK(none.code == 2);
    CHECK_MESSAGE(has(none.err, "or the record of a run"), none.err);
}

TEST_CASE("the cost of decimals is the exact decimal wherever it is shown") {
    const TemporaryFolder place;
    // The exact cost is 175.567268. With every number replaced by its nearest double, the cost is 175.56726799999998.
    const std::string flows = place.write("f.csv", "0,1.13,4.81\n1.13,0,0.63\n4.81,0.63,0\n").string(),
                      ways = place.write("d.csv", "0,23.8012,10.7889\n23.8012,0,14.1963\n10.7889,14.1963,0\n").string(),
                      forbidden = place.write("x.csv", "1,2\n1,3\n2,3\n").string();
    const Ended run = solve({flows, ways, "--forbidden", forbidden, "--set", "problem.constant=0.1", "--iterations",
                             "2", "--json", "--out", place / "r"});
    REQUIRE_MESSAGE(run.code == 0, run.err);
    CHECK(Json::parse(run.out)["best_cost_text"] == "175.567268");
    CHECK(has(run.out, "\"best_cost\": 175.567268,"));
    CHECK(contents(place / "r/solution.sln").starts_with("3 175.567268\n"));
    CHECK(qapfw_run({"verify", place / "r"}).code == 0);
    const Ended quiet = solve({flows, ways, "--forbidden", forbidden, "--set", "problem.constant=0.1", "--iterations",
                               "2", "--quiet", "--no-record"});
    CHECK_MESSAGE(quiet.out.starts_with("175.567268\n"), quiet.out);
    const Ended again = solve({flows, ways, "--forbidden", forbidden, "--set", "problem.constant=0.1", "--initial",
                               place / "r/solution.sln", "--no-record"});
    CHECK_MESSAGE(has(again.out, "175.567268"), again.err);
    CHECK_MESSAGE(!has(again.err, "the stated cost"), again.err);  // the stated cost is in the unit of the user's data
    place.write("wrong.sln", "3 175567268\n1 2 3\n");
    const Ended wrong = solve({flows, ways, "--initial", place / "wrong.sln", "--no-record", "--iterations", "2"});
    CHECK_MESSAGE(has(wrong.err, "the stated cost is 175567268, "), wrong.err);
}

TEST_CASE("without names people count from 1, JSON from 0") {
    const Ended run = solve({"tai12a", "--target", "best-known", "--json", "--no-record"});
    REQUIRE(run.code == 0);
    const Json result = Json::parse(run.out);
    const int first = result["solution"][0];
    CHECK(result["assignment"][0] == Json({{"facility", 0}, {"location", first}}));
    const Ended shown = solve({"tai12a", "--target", "best-known", "--no-record"});
    CHECK(has(shown.out, "1  -> " + std::to_string(first + 1) + "\n"));
    CHECK(has(shown.out, "which this answer equals"));
    CHECK(has(shown.out, "the target is reached"));
}

TEST_CASE(
    "standard input, pipes, archives and files that begin with a dash "
    "are read") {
    const TemporaryFolder place;
    place.write("two.csv", "0,1\n1,0\n0,3\n3,0\n");
    place.write("-odd.csv", "0,1\n1,0\n0,3\n3,0\n");
    for (const char* command :
         {"cat two.csv | $qapfw solve -", "$qapfw solve <(cat two.csv)",
          "$qapfw solve <(head -2 two.csv) <(tail -2 two.csv)", "mkfifo p && { cat two.csv > p & } && $qapfw solve p",
          "gzip -k two.csv && $qapfw solve two.csv.gz"}) {
        CAPTURE(command);
        CHECK(shell(command + kQuick + " --no-record", place / ".").starts_with("6\n"));
    }
    CHECK(shell("$qapfw solve" + kQuick + " --no-record -- -odd.csv", place / ".").starts_with("6\n"));
    // Data from a pipe is kept, so that the run can be resumed.
    CHECK(shell("cat two.csv | $qapfw solve -" + kQuick + " --out r && $qapfw resume r --iterations 60 --quiet",
                place / ".")
              .starts_with("6\n1,"));
    CHECK(has(shell("$qapfw solve - --no-record < /dev/null", place / "."), "but none came"));
}

TEST_CASE("a misspelt word gets the right one as a proposal") {
    const auto said = [](const std::vector<std::string>& arguments) { return qapfw_run(arguments).err; };
    CHECK(has(said({"--verison"}), "did you mean --version?"));
    CHECK(has(said({"sovle", "x"}), "did you mean solve?"));
    CHECK(has(said({"help", "slove"}), "did you mean solve?"));
    CHECK(has(said({"solve", "x", "--alogrithm", "tabu"}), "did you mean --algorithm?"));
    CHECK(has(said({"solve", "tai12a", "--algorithm", "taboo", "--no-record"}), "tabu"));
    const Ended help = qapfw_run({"help", "solve"});
    CHECK(help.code == 0);
    CHECK(has(help.out, "--algorithm"));
    CHECK(help.out == qapfw_run({"solve", "--help"}).out);
    const Ended ids = qapfw_run({"plugin", "describe"});
    CHECK(ids.code == 0);
    CHECK(has(ids.out, "solver    tabu\n"));
}

TEST_CASE(
    "an algorithm has one name everywhere, a number is a time in seconds "
    "everywhere") {
    for (const std::vector<std::string>& way : {std::vector<std::string>{"--algorithm", "tabu"},
                                                {"--set", "algorithm=tabu"},
                                                {"--set", "algorithm.plugin=tabu"}}) {
        std::vector<std::string> arguments{"tai12a", "--iterations", "50", "--json", "--no-record"};
        arguments.insert(arguments.end(), way.begin(), way.end());
        const Ended run = solve(arguments);
        REQUIRE_MESSAGE(run.code == 0, run.err);
        CHECK(Json::parse(run.out)["algorithm"] == "tabu");
    }
    const TemporaryFolder place;
    const std::string config = place.write("c.toml", "problem.instance = \"tai12a\"\nrun.time_limit = 1\n");
    const Ended run = qapfw_run({"validate", config});
    CHECK_MESSAGE(run.code == 0, run.err);
    CHECK(has(run.out, "time_limit = \"1s\""));
    CHECK(has(qapfw_run({"validate", config, "--set", "run.time_limit=2"}).out, "time_limit = \"2s\""));
    CHECK(has(qapfw_run({"validate", config, "--time-limit", "3"}).out, "time_limit = \"3s\""));
    CHECK(has(qapfw_run({"validate", config, "--stagnation", "5s"}).out, "stagnation = \"5s\""));
    CHECK(qapfw_run({"validate", config, "--set", "run.time_limit=0"}).code == 2);
}

TEST_CASE("records are listed with their size, and deleted after a yes, except those in use") {
    const TemporaryFolder place;
    const std::string folder = place / ".";
    CHECK(has(shell("$qapfw runs list", folder), "there is no such folder"));
    for (const char* name : {"runs/a", "runs/b"})
        REQUIRE(solve({kFlow, kDistance, "--iterations", "50", "--quiet", "--out", place / name}).code == 0);
    const std::string list = shell("$qapfw runs list", folder);
    CHECK(has(list, "runs/a\n"));
    CHECK(has(list, "workshop_flow"));
    CHECK(has(list, "finished"));
    CHECK(has(list, "2 records, "));
    CHECK(has(shell("$qapfw runs clean < /dev/null", folder), "add --yes"));
    CHECK(has(shell("$qapfw runs clean --older 1d --yes", folder), "nothing to delete: 2 records"));
    Process busy({"run", "--set", "problem.instance=tai60a", "--backend", "cpu", "--threads", "1", "--time-limit",
                  "60s", "--quiet", "--out", place / "runs/c"});
    for (int k = 0; k < 500 && !std::filesystem::exists(place / "runs/c/trace.jsonl"); ++k) usleep(10000);
    const std::string cleaned = shell("$qapfw runs clean --yes", folder);
    CHECK_MESSAGE(has(cleaned, "2 records deleted"), cleaned);
    CHECK(has(cleaned, "1 are kept"));
    CHECK(!std::filesystem::exists(place / "runs/a"));
    CHECK(std::filesystem::exists(place / "runs/c/config.toml"));
    busy.send(SIGTERM);
    busy.wait();
}

// The first place where `value` breaks `schema`, and how; empty if there is none. Knows only those parts of JSON Schema
// that the schema of result.json uses.
namespace {

std::string defect_of(const Json& value, const Json& schema, const std::string& where) {
    const auto is_a = [&](const std::string& type) {
        if (type == "integer") return value.is_number_integer();
        if (type == "number") return value.is_number();
        return type == value.type_name() || (type == "null" && value.is_null());
    };
    if (schema.contains("anyOf")) {
        for (const Json& one : schema["anyOf"]) {
            if (defect_of(value, one, where).empty()) return {};
        }
        return where + ": none of the forms";
    }
    if (schema.contains("const") && value != schema["const"]) return where + ": another value";
    if (schema.contains("enum") &&
        std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
        return where + ": none of the values";
    if (schema.contains("type")) {
        const Json types = schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
        if (std::none_of(types.begin(), types.end(), [&](const Json& type) { return is_a(type); }))
            return where + ": of type " + value.type_name();
    }
    if (value.is_array() && schema.contains("items")) {
        for (const Json& item : value) {
            if (const std::string defect = defect_of(item, schema["items"], where + "[]"); !defect.empty())
                return defect;
        }
    }
    if (!value.is_object()) return {};
    for (const Json& key : schema.value("required", Json::array())) {
        if (!value.contains(key.get<std::string>())) return where + ": no " + key.get<std::string>();
    }
    for (const auto& [key, item] : value.items()) {
        const Json known = schema.value("properties", Json::object());
        const Json others = schema.value("additionalProperties", Json(true));
        if (!known.contains(key) && others == false) return where + ": " + key + " is not in the schema";
        const Json rule = known.contains(key) ? known[key] : others.is_object() ? others : Json::object();
        if (const std::string defect = defect_of(item, rule, where + "." + key); !defect.empty()) return defect;
    }
    return {};
}

}  // namespace

TEST_CASE("results are as the JSON Schema says") {
    const TemporaryFolder place;
    const Json schema = Json::parse(contents(std::string(QAPFW_SOURCE_DIR) + "/framework/record/result.schema.json"));
    const std::vector<std::vector<std::string>> runs{
        {kFlow, kDistance, "--iterations", "50"},
        {"tai12a", "--iterations", "200", "--target", "best-known", "--algorithm", "tabu"},
        {"F20", "--iterations", "5", "--out", place / "r"},
        {"tai12a", "--iterations", "50", "--set", "run.alternatives=3"},
        {"tai12a", "--iterations", "50", "--runs", "3"},
        {"queens8", "--time", "1", "--target", "0"}};
    for (std::vector<std::string> arguments : runs) {
        CAPTURE(arguments[0]);
        arguments.emplace_back("--json");
        if (std::find(arguments.begin(), arguments.end(), "--out") == arguments.end())
            arguments.emplace_back("--no-record");
        const Ended run = solve(arguments);
        REQUIRE_MESSAGE(run.code == 0, run.err);
        const Json result = Json::parse(run.out);
        CHECK(defect_of(result, schema, "result") == "");
        Json wrong = result;
        wrong["n"] = "12";
        CHECK(defect_of(wrong, schema, "result") == "result.n: of type string");
        wrong = result;
        wrong.erase("digest");
        CHECK(defect_of(wrong, schema, "result") == "result: no digest");
    }
}

TEST_CASE("an instance is exported in its owner's numbers, with all that belongs to it") {
    const TemporaryFolder place;
    // Two facilities for three locations, decimals, linear costs and a forbidden pair; maximised.
    const std::string instance = place.write("m.dat", "2 3\n0 1.25\n-2 0\n0 3.5 1\n3.5 0 0.01\n1 2 0\n");
    const std::string linear = place.write("l.csv", "0.5,1,2\n3,4,5.125\n");
    const std::string forbidden = place.write("f.csv", "1,1\n");
    const std::vector<std::string> general = {"--set", "linear=" + linear, "--set", "forbidden=" + forbidden,
                                              "--set", "maximize=true"};
    const auto exported = [&](const std::string& output, std::vector<std::string> more) {
        more.insert(more.begin(), {"instance", "export", instance, "-o", output});
        return qapfw_run(more);
    };
    CHECK(exported("-", {}).out == "2 3\n\n0 1.25\n-2 0\n\n0 3.5 1\n3.5 0 0.01\n1 2 0\n");
    const Ended printed = exported("-", general);
    CHECK(printed.code == 2);
    CHECK_MESSAGE(
        has(printed.err, "3 files (m.dat, m-linear.csv, m-forbidden.csv): name a folder with -o, as in -o folder/"),
        printed.err);
    const Ended all = exported(place / "out/", general);
    REQUIRE_MESSAGE(all.code == 0, all.err);
    CHECK_MESSAGE(has(all.err, "solve the file with --maximize"), all.err);
    const auto answer = [&](const std::string& of, const std::string& own, const std::string& masks) {
        return solve(
                   {of, "--linear", own, "--forbidden", masks, "--maximize", "--quiet", "--set", "output.record=false"})
            .out;
    };
    CHECK(!answer(instance, linear, forbidden).empty());
    CHECK(answer(place / "out/m.dat", place / "out/m-linear.csv", place / "out/m-forbidden.csv") ==
          answer(instance, linear, forbidden));
    // The file has the double that is nearest to 1/3. The export must repeat the file's digits.
    const std::string real = "2\n\n0 0.3333333333333333\n1 0\n\n0 7\n0.1 0\n";
    CHECK(qapfw_run({"instance", "export", place.write("real.dat", real)}).out == real);
}

TEST_CASE("locations with coordinates are drawn, with the names of what stands there") {
    const TemporaryFolder place;
    const std::string points = place.write("p.csv", "name,x,y\nHall <1>,0,0\nYard,4,0\nDock,4,3\n");
    const std::string flows = place.write("f.csv", "from,to,flow\nSaw & co,Paint,3\n");
    REQUIRE(solve({flows, points, "--out", place / "r"}).code == 0);
    const std::string svg = contents(place / "r/assignment.svg");
    for (const char* part : {">Saw &amp; co</text>", ">Hall &lt;1&gt;<", ">Yard</text>", "class=\"flow\"", "cost 9;"}) {
        CHECK_MESSAGE(has(svg, part), svg);
    }
    // XML does not allow U+FFFE, a surrogate, or a code point above U+10FFFF. The last
    // name also has a letter that XML allows.
    const std::string odd =
        place.write("odd.csv", "name,x,y\nA\xef\xbf\xbe,0,0\nB\xed\xa0\x80,4,0\nC\xf4\x90\x80\x80\xc3\xa9,4,3\n");
    REQUIRE(solve({flows, odd, "--out", place / "o"}).code == 0);
    const std::string plain = contents(place / "o/assignment.svg");
    for (const char* kept : {"\xef\xbf\xbe", "\xed\xa0\x80", "\xf4\x90"}) CHECK_FALSE(has(plain, kept));
    CHECK(has(plain, "?\xc3\xa9</text>"));
    // If the locations have no coordinates, no map is drawn.
    REQUIRE(solve({kFlow, kDistance, "--iterations", "5", "--out", place / "s"}).code == 0);
    CHECK(contents(place / "s/assignment.svg").empty());
}

TEST_CASE("a solution that breaks a fixed assignment is reported by names, and names may contain arrows") {
    const TemporaryFolder place;
    const std::string points = place.write("p.csv", "name,x,y\nHall,0,0\nYard,4,0\nDock,4,3\n");
    const std::string flows = place.write("f.csv", "from,to,flow\nA->B,Paint,3\nPaint,Saw,2\n");
    const std::string fixed = place.write("fixed.csv", "facility,location\nA->B,Dock\n");
    const std::string other = place.write("i.csv", "facility,location\nA->B,Hall\nPaint,Yard\nSaw,Dock\n");
    const Ended refused = solve({flows, points, "--fixed", fixed, "--initial", other, "--no-record"});
    CHECK(refused.code == 2);
    CHECK_MESSAGE(has(refused.err, "the solution puts A->B at Hall, but A->B is fixed at Dock"), refused.err);
    REQUIRE(solve({flows, points, "--fixed", fixed, "--out", place / "r"}).code == 0);
    const Ended again =
        solve({flows, points, "--fixed", fixed, "--initial", place / "r/assignment.csv", "--no-record"});
    CHECK_MESSAGE(again.code == 0, again.err);
}

TEST_CASE(
    "a number in a list of pairs is a name where names are numbers, and a header gives the order of the columns") {
    const TemporaryFolder place;
    const std::string flows = place.write("f.csv", ",a,b,c\na,0,3,1\nb,3,0,2\nc,1,2,0\n");
    const std::string rooms = place.write("d.csv", ",1,2,4\n1,0,5,4\n2,5,0,6\n4,4,6,0\n");
    const auto fixed = [&](const std::string& lines) {
        return solve({flows, rooms, "--fixed", place.write("x.csv", lines), "--no-record", "--json"});
    };
    const Ended known = fixed("a,4\nb,1\n");
    REQUIRE_MESSAGE(known.code == 0, known.err);
    CHECK(Json::parse(known.out)["solution"] == Json::array({2, 0, 1}));
    const Ended unknown = fixed("a,3\n");
    CHECK(unknown.code == 2);
    CHECK_MESSAGE(has(unknown.err, "x.csv:1:3: no location is called \"3\"; since some names of locations are numbers"),
                  unknown.err);
    const Ended swapped = fixed("Location;Facility\n4;a\n1;b\n");
    REQUIRE_MESSAGE(swapped.code == 0, swapped.err);
    CHECK(Json::parse(swapped.out)["solution"] == Json::array({2, 0, 1}));
}

TEST_CASE("a row of totals is reported, since it would be a facility") {
    const TemporaryFolder place;
    const std::string rooms = place.write("d.csv", "0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n");
    const std::string flows = place.write("f.csv", ";a;b;c;Sum\na;0;3;1;4\nb;3;0;2;5\nc;1;2;0;3\nSum;4;5;3;12\n");
    const Ended told = solve({flows, rooms, "--no-record"});
    CHECK(told.code == 0);
    CHECK_MESSAGE(has(told.err, "the last row of the flows is the sum of the other rows; if it is a total, remove it"),
                  told.err);
}
