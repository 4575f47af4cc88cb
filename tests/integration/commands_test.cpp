// SPDX-License-Identifier: Apache-2.0
// Commands other than run and resume, and messages about mistakes on the command line.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;
using Json = nlohmann::json;

TEST_CASE("help and version are everywhere") {
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{{},
                                                                                         {"solve"},
                                                                                         {"run"},
                                                                                         {"resume"},
                                                                                         {"validate"},
                                                                                         {"verify"},
                                                                                         {"plugin"},
                                                                                         {"plugin", "list"},
                                                                                         {"plugin", "describe"},
                                                                                         {"plugin", "check"},
                                                                                         {"plugin", "new"},
                                                                                         {"plugin", "install"},
                                                                                         {"plugin", "remove"},
                                                                                         {"instance"},
                                                                                         {"instance", "list"},
                                                                                         {"instance", "show"},
                                                                                         {"instance", "export"},
                                                                                         {"schema"},
                                                                                         {"doctor"}}) {
        auto help = command, version = command;
        help.push_back("--help");
        version.push_back("--version");
        CHECK(qapfw_run(help).code == 0);
        CHECK(qapfw_run(help).out.find("--version") != std::string::npos);
        CHECK(qapfw_run(version).code == 0);
        CHECK(qapfw_run(version).out.rfind("qapfw ", 0) == 0);
    }
}

TEST_CASE("mistakes on the command line are answered with exit code 2") {
    for (const std::vector<std::string>& wrong :
         std::vector<std::vector<std::string>>{{"rum"},
                                               {"run", "--nonsense"},
                                               {"run", "--set", "novalue"},
                                               {"plugin"},
                                               {"verify"},
                                               {"resume"},
                                               {"run", "no/such/file.toml"},
                                               {"run", "--set", "problem.plugin=qap"}}) {
        const Ended run = qapfw_run(wrong);
        CHECK(run.code == 2);
        CHECK(run.out.empty());
        CHECK_FALSE(run.err.empty());
    }
    CHECK(qapfw_run({"rum"}).err.find("there is no command `rum`; did you mean run?") != std::string::npos);
    CHECK(qapfw_run({"plugin", "lost"}).err.find("there is no command `plugin lost`; did you mean list?") !=
          std::string::npos);
    CHECK(qapfw_run({"plugin"}).err.find("A subcommand is required") != std::string::npos);
    CHECK(qapfw_run({"solve", "tai12a", "--target", "99999999999999999999"}).err.find("below 9.2e18") !=
          std::string::npos);
}

TEST_CASE("files that cannot be read are bad input") {
    const TemporaryFolder place;
    const std::string instance = place.write("a.dat", "2  0 1 1 0  0 3 3 0\n").string();
    for (const char* key : {"problem.fixed_file", "problem.best_known", "problem.instance", "problem.initial"}) {
        const Ended run =
            qapfw_run({"run", "--set", "problem.plugin=qap", "--set", "problem.instance=" + instance, "--set",
                       key + std::string("=nosuch"), "--iterations", "1", "--set", "output.record=false"});
        CAPTURE(run.err);
        CHECK(run.code == 2);
        CHECK(run.err.find("nosuch") != std::string::npos);
    }
    const std::string wrong = place.write("wrong.sln", "2 6\n1 3\n").string();
    const Ended run = qapfw_run({"solve", instance, "--set", "problem.initial=" + wrong, "--out", place / "r"});
    CHECK(run.code == 2);
    CHECK(run.err.find("wrong.sln: problem qap: solution:2:3: the permutation contains 3") != std::string::npos);
    CHECK(!std::filesystem::exists(place / "r"));  // the failed run leaves no folder, so --out may name r again
    const std::string other = place.write("other.sln", "2 7\n1 2\n").string();
    const Ended warned = qapfw_run({"solve", instance, "--set", "problem.initial=" + other, "--out", place / "r"});
    CHECK(warned.code == 0);
    for (const std::string& text : {warned.err, contents(place / "r/log.txt")}) {
        CHECK(text.find("the stated cost is 7") != std::string::npos);
        CHECK(text.find("the stated cost is 7") == text.rfind("the stated cost is 7"));  // the message comes only once
    }
    const Ended number = qapfw_run({"run", "--set", "problem.instance=5"});
    CHECK(number.code == 2);
    CHECK(number.err.find("problem.instance must be a text (a file's path or a name), found the integer 5") !=
          std::string::npos);
}

TEST_CASE("the program alone shows how to begin, and what it shows works") {
    const Ended alone = qapfw_run({});
    CHECK(alone.code == 0);
    CHECK(alone.err.empty());
    for (const char* words : {"qapfw solve FILE --time 60s", "qapfw run quickstart", "qapfw plugin list"})
        CHECK(alone.out.find(words) != std::string::npos);
    const TemporaryFolder place;
    const Ended run = qapfw_run({"run", "quickstart", "--set", "problem.instance=tai12a", "--quiet"},
                                {.folder = place.path().string()});
    CHECK(run.code == 0);
    CHECK(run.out.starts_with("224416\n1,"));
    CHECK(qapfw_run({"self-description", "tcsh"}).err == "qapfw: wanted man, bash, zsh or fish, found \"tcsh\"\n");
}

TEST_CASE("a mistake in a configuration is reported with its position and the nearest name") {
    const TemporaryFolder place;
    const std::string config = place.write("c.toml",
                                           "[problem]\nplugin = \"qap\"\ninstance = \"tai12a\"\n[algorithm]\n"
                                           "plugin = \"tabu\"\nserches = 4\n");
    const Ended run = qapfw_run({"run", config});
    CHECK(run.code == 2);
    CHECK(run.err.find("c.toml:6:1") != std::string::npos);
    CHECK(run.err.find("searches") != std::string::npos);
}

TEST_CASE("validate checks everything and runs nothing") {
    const TemporaryFolder place;
    const std::string right =
        place.write("c.toml", "[problem]\nplugin = \"qap\"\ninstance = \"tai12a\"\n[algorithm]\nplugin = \"tabu\"\n");
    Process::Options options;
    options.folder = place.path().string();
    const Ended good = qapfw_run({"validate", right}, options);
    CHECK(good.code == 0);
    CHECK(good.out.find("plugin = \"tabu\"") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(place / "runs"));
    const Ended bad = qapfw_run({"validate", right, "--set", "problem.instance=nosuch99"}, options);
    CHECK(bad.code == 2);
    CHECK(bad.err.find("nosuch99") != std::string::npos);
}

TEST_CASE("another algorithm takes the place of a configuration's by two options") {
    const std::string config = std::string(QAPFW_SOURCE_DIR) + "/configs/qap/cas-long.toml";
    const Ended other = qapfw_run({"validate", config, "--unset", "algorithm", "--set", "algorithm.plugin=tabu"});
    CHECK(other.code == 0);
    CHECK(other.out.find("plugin = \"tabu\"") != std::string::npos);
    CHECK(other.out.find("improver") == std::string::npos);
    const Ended bad = qapfw_run({"validate", config, "--unset", "run.targt"});
    CHECK(bad.code == 2);
    CHECK(bad.err.find("--unset run.targt: the configuration file has no such key") != std::string::npos);
}

TEST_CASE("plugins are listed and described, as text and as JSON") {
    const Ended list = qapfw_run({"plugin", "list", "--json"});
    REQUIRE(list.code == 0);
    const Json json = Json::parse(list.out);
    std::vector<std::string> ids;
    for (const Json& plugin : json["plugins"])
        ids.push_back(plugin["kind"].get<std::string>() + " " + plugin["id"].get<std::string>());
    for (const char* id : {"problem qap", "solver tabu", "improver tabu", "improver two_opt", "improver greedy_two_opt",
                           "solver random_restart"}) {
        CHECK_MESSAGE(std::find(ids.begin(), ids.end(), id) != ids.end(), id);
    }
    const Ended describe = qapfw_run({"plugin", "describe", "tabu", "--kind", "solver", "--json"});
    CHECK(Json::parse(describe.out).size() == 1);
    CHECK(Json::parse(describe.out)[0]["parameters"].size() > 3);
    CHECK(qapfw_run({"plugin", "describe", "tabu"}).out.find("searches") != std::string::npos);
    const Ended unknown = qapfw_run({"plugin", "describe", "taboo"});
    CHECK(unknown.code == 2);
    CHECK(unknown.err.find("did you mean tabu?") != std::string::npos);
}

TEST_CASE("a refused library is listed with its reason and keeps nothing from running") {
    const std::string bad = bad_plugin("crashing_constructor").string();
    const Ended list = qapfw_run({"plugin", "list", "--plugin-path", bad});
    CHECK(list.code == 0);
    CHECK(list.out.find("crashing_constructor") != std::string::npos);
    CHECK(list.out.find("solver    tabu") != std::string::npos);
    CHECK(qapfw_run(small_run({"--iterations", "10", "--plugin-path", bad, "--set", "output.record=false"})).code == 0);
}

TEST_CASE("plugins that break their promises end a run with their own exit codes") {
    const auto run = [](const std::string& name) {
        return qapfw_run({"run", "--plugin-path", bad_plugin(name).string(), "--set", "problem.plugin=" + name, "--set",
                          "algorithm.plugin=" + name, "--iterations", "5", "--set", "output.record=false"});
    };
    const Ended lying = run("lying_cost");
    CHECK(lying.code == 7);
    CHECK(lying.err.find("reported cost -1000 for a solution that problem lying_cost evaluates to 0") !=
          std::string::npos);
    CHECK(run("nan_cost").code == 7);
    const Ended throwing = run("throwing_create");
    CHECK(throwing.code == 3);
    CHECK(throwing.err.find("an exception left the plugin in create") != std::string::npos);
}

TEST_CASE("the conformance suite passes good plugins and finds bad ones") {
    const Ended good = qapfw_run({"plugin", "check", std::string(QAPFW_PLUGIN_DIR) + "/exact.qapfw.so", "--json"});
    CHECK(good.code == 0);
    CHECK(Json::parse(good.out)["passed"] == true);
    const Ended lying = qapfw_run({"plugin", "check", bad_plugin("lying_cost").string()});
    CHECK(lying.code == 8);
    CHECK(lying.out.find("FAIL  solver lying_cost solve-reports") != std::string::npos);
    const Ended refused = qapfw_run({"plugin", "check", bad_plugin("no_symbol").string()});
    CHECK(refused.code == 8);
    CHECK(refused.out.find("FAIL  library loads") != std::string::npos);
    const Ended hanging = qapfw_run(
        {"plugin", "check", bad_plugin("stubborn_solver").string(), "--only", "solve-reports", "--seconds", "1"});
    CHECK(hanging.out.find("HANG  solver stubborn_solver") != std::string::npos);
}

TEST_CASE("instances are listed, shown and exported, and an export reads back as the same instance") {
    const TemporaryFolder place;
    CHECK(qapfw_run({"instance", "list"}).out.find("tai60a") != std::string::npos);
    const Ended show = qapfw_run({"instance", "show", "tai20a", "--json"});
    REQUIRE(show.code == 0);
    const Json named = Json::parse(show.out);
    CHECK(named["n"] == 20);
    REQUIRE(qapfw_run({"instance", "export", "tai20a", "-o", place / "x.dat"}).code == 0);
    const Json read = Json::parse(qapfw_run({"instance", "show", place / "x.dat", "--json"}).out);
    CHECK(read["fingerprint"] == named["fingerprint"]);
    const Ended other_format = qapfw_run({"instance", "export", "tai20a", "-o", place / "x.csv"});
    CHECK(other_format.code == 2);
    CHECK(other_format.err.find("x.csv: wanted a name that ends in .dat") != std::string::npos);
    CHECK(qapfw_run({"instance", "export", "tai20a", "-o", place / "bare"}).code == 0);
    CHECK(qapfw_run({"instance", "show", "nosuch99"}).code == 2);
    CHECK(Json::parse(qapfw_run({"instance", "show", "F60", "--json"}).out)["n"] ==
          60);  // an instance of another problem
    const std::string graph = place.write("g.col", "p edge 3 2\ne 1 2\ne 2 3\n").string();
    CHECK(Json::parse(qapfw_run({"instance", "show", graph, "--json"}).out)["summary"].get<std::string>().find(
              "maximum clique") != std::string::npos);
}

TEST_CASE("instance show and export take the target of a sparse graph as solve does") {
    const auto shown = [](const std::string& target) {
        return qapfw_run({"instance", "show", "rgg2:30", "--distance", target, "--json"});
    };
    const Json json = Json::parse(shown("torus:6x6").out);
    CHECK(json["n"] == 36);
    CHECK(json["summary"].get<std::string>().find("torus:6x6") != std::string::npos);
    CHECK(qapfw_run({"instance", "export", "rgg2:30", "--distance", "grid:6x5"}).out.starts_with("30 "));
    CHECK(shown("torus:5x5").err.find("\"torus:5x5\" has only 25 locations") != std::string::npos);
}

TEST_CASE("a graph without distances is not solved, and its summary says what stands for them") {
    const Ended solved = qapfw_run({"solve", "rgg2:30", "--distance", "none", "--iterations", "5", "--no-record"});
    CHECK(solved.code == 2);
    CHECK(solved.err.find("--distance none: without distances there is nothing to solve") != std::string::npos);
    const Ended shown = qapfw_run({"instance", "show", "rgg2:30", "--set", "distance=none"});
    CHECK(shown.out.find("no distances; grid:6x5 is used instead") != std::string::npos);
}

TEST_CASE("the schema is JSON and knows the plugins' parameters") {
    const Ended schema = qapfw_run({"schema"});
    REQUIRE(schema.code == 0);
    CHECK(Json::parse(schema.out).dump().find("searches") != std::string::npos);
}

TEST_CASE("doctor says what was found, with and without data folders") {
    const Json json = Json::parse(qapfw_run({"doctor", "--json", "--data", "/no/such/folder"}).out);
    CHECK(json["cpu"]["default_threads"].get<int>() >= 1);
    CHECK(json["plugins"]["found"].size() >= 5);
    CHECK(json["data"][0]["exists"] == false);
    CHECK(qapfw_run({"doctor"}).out.find("GPU") != std::string::npos);
}

TEST_CASE("doctor tells which variables name libraries, and none is opened that others could have changed") {
    const TemporaryFolder place;
    // A library that writes a file when it is loaded, so the test can see whether it was loaded.
    const std::string source = place.write("mark.c",
                                           "#include <stdio.h>\n__attribute__((constructor)) static void mark(void) {"
                                           " FILE* f = fopen(MARK, \"w\"); if (f) fclose(f); }\n");
    const std::filesystem::path open = place.folder("open");
    const std::string library = open / "mark.so";
    const std::string mark = place / "loaded";
    const std::string compile = "cc -shared -fPIC '-DMARK=\"" + mark + "\"' '" + source + "' -o '" + library + "'";
    if (std::system(compile.c_str()) != 0) {
        MESSAGE("SKIPPED: no C compiler (cc) to build a library with");
        return;
    }
    std::filesystem::permissions(open, std::filesystem::perms(0777));
    for (const char* variable : {"QAPFW_LIBCUDA", "QAPFW_NVML", "QAPFW_NVRTC", "QAPFW_MPI_COMPONENT"}) {
        CAPTURE(variable);
        const Process::Options named{.environment = {{variable, library}}};
        const Ended text = qapfw_run({"doctor"}, named);
        CHECK(text.code == 0);
        CHECK(text.out.find("Libraries named by the environment\n  refused: " + std::string(variable) + " names " +
                            library + ": " + open.string() + " must not be writable by everyone") != std::string::npos);
        const Json json = Json::parse(qapfw_run({"doctor", "--json"}, named).out);
        const Json& entry = json["libraries_named_by_environment"][0];
        CHECK(entry["variable"] == variable);
        CHECK(entry["names"] == library);
        CHECK(entry["trusted"] == false);
        CHECK_FALSE(std::filesystem::exists(mark));
        const Ended allowed = qapfw_run({"doctor", "--allow-writable-plugins"}, named);
        CHECK(allowed.out.find("  " + std::string(variable) + "=" + library) != std::string::npos);
        const bool built = std::string(variable) != "QAPFW_NVRTC" && !json["cuda"]["built_with_cuda"].is_null() &&
                           (json["cuda"]["built_with_cuda"] == true || std::string(variable) == "QAPFW_MPI_COMPONENT");
        if (built) CHECK(std::filesystem::remove(mark));
        std::filesystem::remove(mark);
    }
}

TEST_CASE("verify --cross compares threads, and backends or says why not") {
    const TemporaryFolder place;
    const std::string config = place.write("c.toml",
                                           "[problem]\nplugin = \"qap\"\ninstance = \"tai20a\"\n[algorithm]\n"
                                           "plugin = \"tabu\"\nsearches = 4\n[run]\niterations = 2000\n");
    const Ended cross = qapfw_run({"verify", "--cross", config});
    CHECK(cross.code == 0);
    CHECK(cross.out.find("the trajectories are the same") != std::string::npos);
    CHECK(cross.out.find("cuda ") != std::string::npos);
    const std::string rounding = place.write("f.toml",
                                             "[problem]\nplugin = \"uaflp\"\ninstance = \"F20\"\nprecision = "
                                             "\"float\"\n[algorithm]\nplugin = \"imga\"\n[run]\niterations = 3\n");
    const Ended exempt = qapfw_run({"verify", "--cross", rounding});
    CHECK(exempt.code == 0);
    CHECK(exempt.out.find("costs on GPUs are rounded") != std::string::npos);
    const Ended endless = qapfw_run({"verify", "--cross", config, "--set", "run.iterations=1", "--set", "run.seed=x"});
    CHECK(endless.code == 2);
}

TEST_CASE("verify --cross passes where there is no GPU, but not where the GPU fails at work") {
    const TemporaryFolder place;
    const std::string config = place.write("c.toml",
                                           "[problem]\nplugin = \"qap\"\ninstance = \"tai12a\"\n[algorithm]\n"
                                           "plugin = \"tabu\"\nsearches = 4\n[run]\niterations = 20\n");
    const std::string source = QAPFW_SOURCE_DIR "/tests/unit/framework/device/fake_libcuda.c";
    const std::string driver = place / "libcuda.so.1";
    if (std::system(("cc -std=c11 -shared -fPIC '" + source + "' -o '" + driver + "'").c_str()) != 0) {
        MESSAGE("SKIPPED: no C compiler (cc) to build the fake driver with");
        return;
    }
    setenv("QAPFW_LIBCUDA", driver.c_str(), 1);
    const bool usable = qapfw_run({"doctor"}).out.find("Fake 0, 1 GiB, compute capability") != std::string::npos;
    setenv("FAKE_CUDA_GPUS", "0", 1);
    const Ended absent = qapfw_run({"verify", "--cross", config});
    unsetenv("FAKE_CUDA_GPUS");
    setenv("FAKE_CUDA_SYNCHRONIZE", "700", 1);
    const Ended failing = qapfw_run({"verify", "--cross", config});
    unsetenv("FAKE_CUDA_SYNCHRONIZE");
    unsetenv("QAPFW_LIBCUDA");
    CHECK(absent.code == 0);
    if (!usable) {
        MESSAGE("SKIPPED: no NVRTC or no CUDA backend to fail with");
        return;
    }
    CHECK(failing.code == 4);
    CHECK(failing.err.find("GPU 0 (Fake 0) failed and is no longer used") != std::string::npos);
}

TEST_CASE("a new plugin is a skeleton under its own name") {
    const TemporaryFolder place;
    const Ended created = qapfw_run({"plugin", "new", "problem", "my_tour", "--out", place / "p"});
    REQUIRE(created.code == 0);
    CHECK(created.out.find("cmake -S . -B build") != std::string::npos);
    CHECK(contents(place / "p/CMakeLists.txt").find("NAME my_tour") != std::string::npos);
    CHECK(contents(place / "p/src/my_tour.cpp").find("class MyTour") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(place / "p/device"));
    struct Mistake {
        std::vector<std::string> words;
        const char* sentence;
    };
    for (const Mistake& wrong : std::vector<Mistake>{
             {{"problem", "my_tour", "--out", place / "p"}, "exists already"},
             {{"problem", "My-Tour"}, "wanted a name in snake_case such as my_problem, found \"My-Tour\""},
             {{"solver", "tabu", "--out", place / "q"}, "the name tabu is taken: "},
             {{"improver", "own", "--device", "--out", place / "q"}, "--device works for problems only"}}) {
        std::vector<std::string> words{"plugin", "new"};
        words.insert(words.end(), wrong.words.begin(), wrong.words.end());
        const Ended refused = qapfw_run(words);
        CHECK(refused.code == 2);
        CHECK(refused.err.find(wrong.sentence) != std::string::npos);
        CHECK_FALSE(std::filesystem::exists(place / "q"));
    }
}

TEST_CASE("plugin check refuses what it does not know") {
    const std::string qap = std::string(QAPFW_PLUGIN_DIR) + "/qap.qapfw.so";
    const std::string tabu = std::string(QAPFW_PLUGIN_DIR) + "/tabu.qapfw.so";
    struct Mistake {
        std::vector<std::string> words;
        const char* sentence;
    };
    for (const Mistake& wrong : std::vector<Mistake>{
             {{"no/such.qapfw.so"}, "no/such.qapfw.so: wanted a plugin library (*.qapfw.so), found no such file"},
             {{qap, "--instance", "nofile"}, "--instance nofile: "},
             {{qap, "--seconds", "0"}, "--seconds: Value 0 not in range"},
             {{tabu, "--problem", "qap", "--instance", "nofile"}, "--instance nofile: "},
             {{tabu, "--iterations", "0"}, "--iterations: Value 0 not in range"},
             {{tabu, "--iterations", "-1"}, "--iterations: Value -1 not in range"},
             {{qap, "--only", "nonsense"}, "--only nonsense: no test has this text in its full name, such as "},
             {{qap, "--set", "instanse=tai12a"},
              "--set instanse: no component of the library has this parameter; known: instance "}}) {
        std::vector<std::string> words{"plugin", "check"};
        words.insert(words.end(), wrong.words.begin(), wrong.words.end());
        const Ended refused = qapfw_run(words);
        CHECK(refused.code == 2);
        CHECK(refused.err.find(wrong.sentence) != std::string::npos);
        CHECK(refused.out.empty());
    }
}

TEST_CASE("plugin check tries a solver of slicing trees on a problem that has them") {
    const std::string library = std::string(QAPFW_PLUGIN_DIR) + "/slicing_local_search.qapfw.so";
    const Ended checked = qapfw_run({"plugin", "check", library, "--only", "solve-re", "--json"});
    CHECK(checked.code == 0);
    CHECK(checked.out.find("is tried on uaflp with structure") != std::string::npos);
    CHECK(checked.out.find("\"skip\"") == std::string::npos);
}

TEST_CASE("an export makes its folder if the folder is missing") {
    const TemporaryFolder place;
    CHECK(qapfw_run({"instance", "export", "tai12a", "-o", place / "new/exp/"}).code == 0);
    CHECK(std::filesystem::file_size(place / "new/exp/tai12a.dat") > 0);
}

TEST_CASE("an export does not replace the file that it reads, by any of its names") {
    const TemporaryFolder place;
    const std::string text = "2\n\n0 1\n1 0\n\n0 2\n2 0\n\n";
    const std::string file = place.write("own.dat", text);
    std::filesystem::create_symlink("own.dat", place.path() / "link.dat");
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{file, "-o", file},
                                               {file, "-o", place.path().string()},
                                               {place / "link.dat", "-o", file},
                                               {"own", "--data", place.path().string(), "-o", place / "link.dat"}}) {
        std::vector<std::string> all{"instance", "export"};
        all.insert(all.end(), words.begin(), words.end());
        const Ended refused = qapfw_run(all);
        CHECK(refused.code == 2);
        CHECK_MESSAGE(refused.err.find(".dat: the instance is read from this file") != std::string::npos, refused.err);
    }
    CHECK(std::filesystem::file_size(file) == text.size());
    const std::string other = place.write("other.dat", "old");
    CHECK(qapfw_run({"instance", "export", file, "-o", other}).code == 0);
    CHECK(std::filesystem::file_size(other) > 3);
    CHECK(qapfw_run({"instance", "export", file, "--json"}).code == 2);
}

TEST_CASE("an export says what the file cannot hold: fixed facilities and names") {
    const TemporaryFolder place;
    const std::string file = place.write("own.csv", ";a;b\na;0;1\nb;1;0\n\n;x;y\nx;0;2\ny;2;0\n");
    const std::string fixed = place.write("fixed.csv", "a,y\n");
    const Ended ended =
        qapfw_run({"instance", "export", file, "--set", "fixed_file=" + fixed, "-o", place / "out.dat"});
    REQUIRE_MESSAGE(ended.code == 0, ended.err);
    CHECK(ended.err.find("1 facility is fixed: solve the file with --fixed") != std::string::npos);
    CHECK(ended.err.find("leaves out the names of facilities and locations") != std::string::npos);
}

TEST_CASE("help shows repeatable options with one value") {
    const std::string help = qapfw_run({"run", "--help"}).out;
    CHECK(help.find("--plugin-path PATH  ") != std::string::npos);
    CHECK(help.find(" ...") == std::string::npos);
}

TEST_CASE("doctor says where the user's own plugins are looked for") {
    const TemporaryFolder place;
    const Ended doctor = qapfw_run({"doctor"}, {.environment = {{"XDG_DATA_HOME", place.path().string()}}});
    CHECK(doctor.out.find("your own plugins are looked for in " + (place / "qapfw/plugins-2")) != std::string::npos);
}

TEST_CASE("repeatable options take one value each, so the configuration may stand anywhere") {
    const TemporaryFolder place;
    const std::string config = place.write("c.toml",
                                           "[problem]\nplugin = \"qap\"\ninstance = \"tai12a\"\n[algorithm]\n"
                                           "plugin = \"tabu\"\nsearches = 2\n[run]\niterations = 10\n");
    for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
             {"run", config, "--set", "run.seed=5", "--set", "output.record=false"},
             {"run", "--set", "run.seed=5", "--set", "output.record=false", config},
             {"run", "--set", "output.record=false", "--data", "/a:/b", "--data", "/c", config, "--seed", "5"},
             {"run", "--set", "output.record=false", "--seed", "5", "--plugin-path", bad_plugin("fine").string(),
              config}}) {
        std::vector<std::string> all = arguments;
        all.push_back("--json");
        const Ended run = qapfw_run(all);
        REQUIRE(run.code == 0);
        CHECK(Json::parse(run.out)["seed"] == 5);
    }
}

TEST_CASE("validate reports all wrong parameters of plugins, one line each") {
    const TemporaryFolder place;
    const std::string text =
        "[problem]\nplugin = \"qap\"\ninstance = \"tai12a\"\nfoo = 1\n[algorithm]\nplugin = \"tabu\"\nsearchs = 3\n"
        "tenure = \"x\"\n";
    const Ended run = qapfw_run({"validate", place.write("wrong.toml", text).string()});
    CHECK(run.code == 2);
    for (const char* sentence : {"wrong.toml:4:1: unknown key \"foo\"", "wrong.toml:7:1: unknown key \"searchs\"",
                                 "wrong.toml:8:10: algorithm.tenure must be"}) {
        CAPTURE(sentence);
        CHECK(run.err.find(sentence) != std::string::npos);
    }
    CHECK(std::count(run.err.begin(), run.err.end(), '\n') == 3);
}
