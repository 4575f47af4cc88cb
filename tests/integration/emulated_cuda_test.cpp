// SPDX-License-Identifier: Apache-2.0
// Tests the whole cuda backend, with the plugins' kernels, on emulated GPUs (tests/emulated_cuda). On one GPU and on
// two, trajectories must be those of the CPU.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/integration/emulated_gpus.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::testing;

/// Checks that a configuration has the CPU's trajectory on one GPU and on two.
void check_cross(const EmulatedGpus& gpus, const std::string& lines) {
    const std::string config = gpus.place().write("cross.toml", lines).string();
    for (const std::string count : {"1", "2"}) {
        CAPTURE(count);
        const Ended ended =
            qapfw_run({"verify", "--cross", config, "--allow-plugins-from-config", "--set", "device.backend=cuda"},
                      {.environment = gpus.with(count)});
        CAPTURE(ended.out);
        CAPTURE(ended.err);
        CHECK(ended.code == 0);
        CHECK(test::contains(ended.out, "\ncuda "));
        CHECK(!test::contains(ended.err, "emulated GPU: "));  // the emulated GPU refused no call
    }
}

/// Runs on the CPU and GPUs in turn, each time for the same number of iterations, with a resume in between. The run
/// must end like a run that stays on the CPU.
void check_resumed(const EmulatedGpus& gpus, const std::string& lines, int iterations) {
    const std::string config = gpus.place().write("resumed.toml", "device.start_on_cpu = false\n" + lines).string();
    const auto end_of = [&](const std::vector<std::string>& places) {
        const std::string record = gpus.place() / (places.front() + std::to_string(places.size()));
        Ended ended;
        for (std::size_t k = 0; k < places.size(); ++k) {
            const std::string so_far = std::to_string(iterations * static_cast<int>(k + 1 + 3 - places.size()));
            const std::vector<std::string> begun = {"run", config, "--out", record}, resumed = {"resume", record};
            std::vector<std::string> arguments = k == 0 ? begun : resumed;
            for (const std::string& more : {std::string("--json"), std::string("--quiet"), std::string("--iterations"),
                                            so_far, std::string("--backend"), places[k]}) {
                arguments.push_back(more);
            }
            ended = qapfw_run(arguments, {.environment = gpus.with("2")});
            CAPTURE(ended.err);
            CHECK(ended.code == 0);
        }
        return nlohmann::json::parse(ended.out)["digest"].get<std::string>();
    };
    const std::string whole = end_of({"cpu"});
    CHECK(end_of({"cpu", "cuda", "cpu"}) == whole);
    CHECK(end_of({"cuda", "cpu", "cuda"}) == whole);
}

/// Lines of a configuration. `more`: further lines of the problem's table, then what follows the table.
std::string on_qap(const std::string& instance, int iterations, const std::string& more) {
    return "run.seed = 5\nrun.iterations = " + std::to_string(iterations) +
           "\n[problem]\nplugin = \"qap\"\ninstance = \"" + instance + "\"\n" + more;
}

void check(std::initializer_list<std::string> configs) {
    if (skipped()) return;
    const EmulatedGpus gpus;
    for (const std::string& config : configs) {
        INFO(config);
        check_cross(gpus, config);
    }
}

}  // namespace

TEST_SUITE_BEGIN("emulated");

TEST_CASE("a generalised QAP follows the CPU's trajectory on GPUs") {
    const std::string problem =
        "run.seed = 5\nrun.iterations = 6\n[problem]\nplugin = \"gqap\"\ninstance = \"gqap:14x5:85:2\"\n[algorithm]\n";
    check({problem + "plugin = \"ga_distributed\"\nsubpopulations = 4\nsize = 16\n",
           problem + "plugin = \"pga_grid\"\nrows = 4\ncolumns = 4\n",
           problem + "plugin = \"imga\"\nislands = 3\nsize = 12\nmigrate_every = 2\n",
           problem +
               "plugin = \"memetic\"\narms = [\"name=a crossover=uniform improver=none\"]\nislands = 4\nround = 100\n"
               "brood = 2\n"});
}

TEST_CASE("descents over the moves of any segments follow the CPU's trajectory on GPUs") {
    const std::string problem =
        "run.seed = 5\nrun.iterations = 3\n[problem]\nplugin = \"gqap\"\ninstance = \"gqap:12x4:85:2\"\n[algorithm]\n";
    const std::string genetic =
        problem + "plugin = \"ga_distributed\"\nsubpopulations = 3\nsize = 8\n[algorithm.improver]\n";
    check({genetic + "plugin = \"two_opt\"\n",
           genetic + "plugin = \"two_opt\"\nacceptance = \"sweep\"\niterations = 2\n",
           genetic + "plugin = \"greedy_two_opt\"\npasses = 2\n",
           problem + "plugin = \"random_restart\"\nbatch = 6\n[algorithm.improver]\nplugin = \"two_opt\"\n"});
}

TEST_CASE("annealing over the moves of any solutions follows the CPU's trajectory on GPUs") {
    const auto on = [](const std::string& problem) {
        return "run.seed = 5\nrun.iterations = 2\n[problem]\n" + problem +
               "\n[algorithm]\nplugin = \"random_restart\"\nbatch = 3\n[algorithm.improver]\nplugin = \"annealing\"\n";
    };
    check({on("plugin = \"gqap\"\ninstance = \"gqap:12x4:85:2\"") + "iterations = 600\n",
           on("plugin = \"qap\"\ninstance = \"tai12a\"\nfixed = [\"3->7\", \"1->2\"]") + "iterations = 400\n",
           on("plugin = \"uaflp\"\ninstance = \"F8\"\nstructure = \"bays\"") + "iterations = 400\n",
           on("plugin = \"uaflp\"\ninstance = \"F8\"\nstructure = \"slicing\"") + "iterations = 200\n"});
}

TEST_CASE(
    "tabu search over the moves of any segments follows the CPU's trajectory on GPUs, also when it is resumed there "
    "and back") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const auto on = [](const std::string& problem, int iterations) {
        return "run.seed = 5\nrun.iterations = " + std::to_string(iterations) + "\n[problem]\n" + problem +
               "\n[algorithm]\nplugin = \"tabu\"\nsearches = 5\nround = 12\nperturb_after = 10\n";
    };
    const std::string values = "plugin = \"gqap\"\ninstance = \"gqap:12x4:85:2\"";
    check_cross(gpus, on(values, 48) + "share_after = 24\nlong_term_aspiration = 30\n");
    check_resumed(gpus, on(values, 36) + "share_after = 24\n", 36);
    check_cross(gpus, on("plugin = \"uaflp\"\ninstance = \"F8\"\nstructure = \"slicing\"", 24));
    check_cross(gpus, "run.seed = 5\nrun.iterations = 2\n[problem]\n" + values +
                          "\n[algorithm]\nplugin = \"random_restart\"\nbatch = 6\n[algorithm.improver]\n"
                          "plugin = \"tabu\"\niterations = 50\n");
}

TEST_CASE("verify --cross gives no verdict if a signal interrupts the run on the GPU") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const std::string config = gpus.place().write(
        "long.toml", on_qap("tai20a", 20'000, "[algorithm]\nplugin = \"tabu\"\nsearches = 4\nround = 20\n"));
    const std::string out = gpus.place() / "out.txt";
    Process cross({"verify", "--cross", config, "--set", "device.backend=cuda"},
                  {.standard_output = out, .environment = gpus.with("1")});
    const auto runs_told = [&] {
        const std::string text = contents(out);
        return std::count(text.begin(), text.end(), '\n');
    };
    for (int k = 0; k < 6000 && (!std::filesystem::exists(out) || runs_told() < 2); ++k) usleep(10'000);
    cross.wait_for_work(0.5);
    cross.send(SIGTERM);
    CHECK(cross.wait().code == 128 + SIGTERM);
    CHECK(runs_told() == 2);
}

TEST_CASE("without [algorithm] the default solver uses a GPU, and the record says so") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const TemporaryFolder place;
    for (const std::string backend : {"auto", "cuda"}) {
        const std::string record = place / backend;
        // With the backend "auto", qapfw would choose the solver `exact` if run.iterations were not set.
        const std::string limit = backend == "auto" ? "run.iterations=1" : "run.evaluations=1";
        const Ended ended = qapfw_run({"solve", "tai5a", "--backend", backend, "--set", limit, "--out", record, "--set",
                                       "device.start_on_cpu=false", "--verbose"},
                                      {.environment = gpus.with("1")});
        CAPTURE(ended.err);
        CHECK(ended.code == 0);
        CHECK(test::contains(ended.err, "memetic on cuda"));
        CHECK(test::contains(contents(std::filesystem::path(record) / "config.toml"), "plugin = \"memetic\""));
        CHECK(qapfw_run({"verify", record}).code == 0);
    }
    const Ended ended =
        qapfw_run({"solve", "F5", "--set", "run.evaluations=1", "--backend", "cuda", "--set", "problem.structure=bays",
                   "--set", "output.record=false", "--set", "device.start_on_cpu=false", "--verbose"},
                  {.environment = gpus.with("1")});
    CAPTURE(ended.err);
    CHECK(ended.code == 0);
    CHECK(test::contains(ended.err, "memetic on cuda"));
}

TEST_CASE(
    "with many arms on a GPU kick lengthens its searches and arms without a crossover never restart, unless lead is "
    "given") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const auto chosen = [&](const std::string& setting) {
        const std::string record = gpus.place() / setting;
        const Ended ended =
            qapfw_run({"run", "--set", "problem.instance=tai12a", "--set", "algorithm.plugin=memetic", "--set",
                       "algorithm.islands=21", "--set", "algorithm.round=1000", "--set", "algorithm." + setting,
                       "--backend", "cuda", "--iterations", "1", "--out", record},
                      {.environment = gpus.with("1")});
        CAPTURE(ended.err);
        CHECK(ended.code == 0);
        return contents(std::filesystem::path(record) / "config.toml");
    };
    const std::string automatic = chosen("rung=2");
    CHECK(test::contains(automatic, "\nchain_restart_after = 0\n"));
    CHECK(test::contains(automatic, "\nlengthen = [\"kick\"]\n"));
    const std::string with_lead = chosen("lead=4");
    CHECK(test::contains(with_lead, "\nchain_restart_after = 8\n"));
    CHECK(test::contains(with_lead, "\nlengthen = []\n"));
    const std::string with_restarts = chosen("restart_after=5");
    CHECK(test::contains(with_restarts, "\nchain_restart_after = 5\n"));
    CHECK(test::contains(with_restarts, "\nlengthen = [\"kick\"]\n"));
}

TEST_CASE("on emulated GPUs tabu search follows the CPU's trajectory, also when it is resumed there and back") {
    if (skipped()) return;
    const std::string tabu = "[algorithm]\nplugin = \"tabu\"\nsearches = 5\nround = 12\nperturb_after = 10\n";
    const EmulatedGpus gpus;
    check_cross(gpus, on_qap("tai12a", 30, tabu));
    // The number of searches is "auto" here. The run on the CPU chooses the number, and the GPUs use the same number.
    check_cross(gpus, on_qap("tai12a", 2, "[algorithm]\nplugin = \"tabu\"\n"));
    check_resumed(gpus, on_qap("tai12a", 24, tabu + "share_after = 24\n"), 24);
    check_cross(gpus, on_qap("tai20b", 20, "fixed = [\"3->7\", \"20->1\"]\n" + tabu));
    check_cross(gpus, on_qap("tai12a", 30, tabu + "assignment = \"plain\"\n"));
}

TEST_CASE("on emulated GPUs runs work if all facilities are fixed, and thousands of elites are sorted as on the CPU") {
    const std::string fixed = "fixed = [\"1->3\", \"2->1\", \"3->2\", \"4->5\", \"5->4\"]\n[algorithm]\nplugin = ";
    const std::string memetic = "\"memetic\"\nislands = 2\nbrood = 2\nsize = 8\nrung = 1\narms = ";
    check({on_qap("tai5a", 5, fixed + "\"tabu\"\n"),
           on_qap("tai5a", 2, fixed + memetic + "[\"improver=tabu iterations=7\", \"improver=two_opt\"]\n"),
           on_qap("tai5a", 2,
                  "[algorithm]\nplugin = \"memetic\"\nislands = 2\nbrood = 2\nsize = 2600\nfirst_size = 2100\n"
                  "rung = 1\nround = 500\narms = [\"elites=2100\", \"elites=2600\"]\n")});
}

TEST_CASE("on emulated GPUs linear costs, forbidden pairs and real numbers follow the CPU's trajectory") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    std::string flows, distances, linear, forbidden;
    for (int i = 0; i < 9; ++i) {
        for (int k = 0; k < 11; ++k) {
            const std::string end = k == 10 ? "\n" : ",";
            if (k < 9) flows += std::to_string((i * 7 + k * 5 + i * k) % 19) + (k == 8 ? "\n" : ",");
            linear += std::to_string((i * 31 + k * 17) % 101) + end;
            forbidden += ((i + 2 * k) % 4 == 0 ? "1" : "0") + end;
        }
    }
    for (int i = 0; i < 11; ++i) {
        for (int k = 0; k < 11; ++k) {
            distances +=
                fmt::format("{}{}", std::sqrt((i % 4 - k % 4) * (i % 4 - k % 4) + (i / 4 - k / 4) * (i / 4 - k / 4)),
                            k == 10 ? "\n" : ",");
        }
    }
    const std::string problem = "matrix_b = \"" + gpus.place().write("d.csv", distances).string() + "\"\nlinear = \"" +
                                gpus.place().write("l.csv", linear).string() + "\"\nforbidden = \"" +
                                gpus.place().write("f.csv", forbidden).string() + "\"\n";
    const std::string instance = gpus.place().write("a.csv", flows).string();
    const std::string restarts =
        "[algorithm]\nplugin = \"random_restart\"\nbatch = 3\n[algorithm.improver]\nplugin = \"two_opt\"\n";
    check_cross(gpus, on_qap(instance, 30, problem + "[algorithm]\nplugin = \"tabu\"\nsearches = 3\nround = 12\n"));
    check_cross(gpus, on_qap(instance, 2, problem + "fixed = [\"3->1\"]\n" + restarts + "acceptance = \"sweep\"\n"));
    check_cross(gpus, on_qap(instance, 3,
                             problem + "maximize = true\n[algorithm]\nplugin = \"imga\"\nislands = 2\nsize = 6\n"));
}

/// Returns an n x n matrix as CSV. Each value is a multiple of `step`, from 0 to 22 * step.
std::string table_of(int n, bool symmetric, double step, int seed) {
    std::string out;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            const int low = symmetric ? std::min(i, k) : i, high = symmetric ? std::max(i, k) : k;
            out += fmt::format("{}{}", i == k ? 0 : step * ((low * 7 + high * 11 + low * high * seed) % 23),
                               k == n - 1 ? "\n" : ",");
        }
    }
    return out;
}

/// A symmetric matrix as CSV. Its rows i and j are interchangeable if i mod `classes` = j mod `classes`.
std::string table_of_classes(int n, int classes, int step) {
    std::string out;
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < n; ++k) {
            const int low = std::min(i % classes, k % classes), high = std::max(i % classes, k % classes);
            out += std::to_string(i == k ? 0 : step * ((low * 7 + high * 11 + low * high * 3) % 23));
            out += k == n - 1 ? "\n" : ",";
        }
    }
    return out;
}

TEST_CASE("on emulated GPUs tabu search never swaps interchangeable elements of instances with tables of deltas") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    constexpr int kLarge = 202;  // so many positions that the deltas of their pairs do not fit into registers
    const std::string flows = gpus.place().write("flows.csv", table_of_classes(kLarge, 2, 1)).string();
    for (const int step : {1, 90'000}) {  // with step 1, deltas are floats; with 90,000, integers
        CAPTURE(step);
        const std::string distances =
            gpus.place().write(std::to_string(step) + ".csv", table_of_classes(kLarge, 3, step)).string();
        check_cross(gpus,
                    on_qap(flows, 100,
                           "matrix_b = \"" + distances +
                               "\"\n[algorithm]\nplugin = \"tabu\"\nsearches = 1\nround = 25\nperturb_after = 12\n"));
    }
}

TEST_CASE("on emulated GPUs searches with linear costs alone use the kernels of instances without any") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const struct {
        bool b_symmetric;
        double step;
        const char* searches;
    } kinds[] = {{true, 1, "1"}, {true, 0.123456789123, "7"}, {false, 1, "7"}, {true, 10, "7"}};
    for (const auto& kind : kinds) {
        CAPTURE(kind.step);
        const std::string instance = gpus.place().write("a.csv", table_of(13, true, 1, 3)).string();
        const std::string problem =
            "matrix_b = \"" + gpus.place().write("b.csv", table_of(13, kind.b_symmetric, kind.step, 5)).string() +
            "\"\nlinear = \"" + gpus.place().write("l.csv", table_of(13, false, 2 * kind.step, 7)).string() + "\"\n";
        check_cross(gpus,
                    on_qap(instance, 20,
                           problem + "fixed = [\"3->1\"]\n[algorithm]\nplugin = \"tabu\"\nround = 10\nsearches = " +
                               kind.searches + "\n"));
    }
}

TEST_CASE("on emulated GPUs the ant system follows the CPU's trajectory with either of two improvers") {
    const std::string cas =
        "[algorithm]\nplugin = \"cas\"\nants = 6\ncolonies = 2\nexchange_every = 1\n[algorithm.improver]\n";
    check({on_qap("tai12a", 3, cas + "plugin = \"two_opt\"\n"),
           on_qap("tai12a", 3, cas + "plugin = \"tabu\"\niterations = 20\n")});
}

TEST_CASE("on emulated GPUs 2-opt follows the CPU's trajectory with every assignment and acceptance") {
    const std::string restarts =
        "[algorithm]\nplugin = \"random_restart\"\nbatch = 3\n[algorithm.improver]\nplugin = \"two_opt\"\n";
    check({on_qap("tai12a", 2, restarts + "assignment = \"mata\"\n"),
           on_qap("tai12a", 2, restarts + "assignment = \"mata\"\npairs_per_thread = 2\nacceptance = \"sweep\"\n"),
           on_qap("tai12b", 2, "fixed = [\"3->7\"]\n" + restarts + "assignment = \"plain\"\npairs_per_thread = 5\n"),
           on_qap("tai12a", 2, restarts + "acceptance = \"sweep\"\niterations = 1\n"),
           "run.seed = 6\nrun.iterations = 2\n[problem]\nplugin = \"uaflp\"\ninstance = \"F8\"\n" + restarts +
               "acceptance = \"sweep\"\n"});
}

TEST_CASE(
    "on emulated GPUs tabu search as an improver follows the CPU's trajectory in one launch, in two, and with real "
    "costs") {
    const std::string restarts = "[algorithm]\nplugin = \"random_restart\"\nbatch = ",
                      tabu = "\n[algorithm.improver]\nplugin = \"tabu\"\niterations = ";
    check({on_qap("tai20b", 2, "fixed = [\"3->7\"]\n" + restarts + "3" + tabu + "40\n"),
           on_qap("tai5a", 1, restarts + "1" + tabu + "20001\n"),
           "run.seed = 6\nrun.iterations = 2\n[problem]\nplugin = \"uaflp\"\ninstance = \"F8\"\n" + restarts + "3" +
               tabu + "20\n"});
}

TEST_CASE("on emulated GPUs mapping follows the CPU's trajectory, on every kind of target, with dummies") {
    const auto on = [](const std::string& graph, const std::string& target) {
        return "run.seed = 5\nrun.iterations = 41\n[problem]\nplugin = \"sparse_qap\"\ninstance = \"" + graph +
               "\"\ndistance = \"" + target + "\"\n[algorithm]\nplugin = \"mapping\"\nrounds = 40\n";
    };
    check({on("rgg2:120", "torus:5x5x5"), on("regular:60:4", "tree:4:4:4/1:10:100") + "searches = 1\n",
           on("powerlaw:60", "hypercube:6") + "searches = 3\n", on("rgg2:50", "grid:1x2x26"),
           on("torus:4x4", "torus:4x2*2")});
}

TEST_CASE("on emulated GPUs mapping follows the CPU's trajectory with weights of any width") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    constexpr int kVertices = 20;
    for (const long most : {100L, 100'000L, 10'000'000'000L}) {
        CAPTURE(most);
        const auto arc = [most](int u, int v) {  // each edge of the ring has a different weight
            const int first = (u + 1) % kVertices == v ? u : v;
            return std::to_string(v + 1) + " " + std::to_string(most - first * (most / 30)) + " ";
        };
        std::string graph = "20 20 1\n";
        for (int u = 0; u < kVertices; ++u)
            graph += arc(u, (u + 1) % kVertices) + arc(u, (u + kVertices - 1) % kVertices) + "\n";
        check_cross(gpus, "run.seed = 5\nrun.iterations = 41\n[problem]\nplugin = \"sparse_qap\"\ninstance = \"" +
                              gpus.place().write("ring.graph", graph).string() +
                              "\"\ndistance = \"grid:5x5\"\n[algorithm]\nplugin = \"mapping\"\nrounds = 40\n");
    }
}

TEST_CASE("on emulated GPUs mapping follows the CPU's trajectory where a search is larger than the memory of a block") {
    check(
        {"run.seed = 5\nrun.iterations = 7\n[problem]\nplugin = \"sparse_qap\"\ninstance = \"rgg3:6600\"\ndistance = "
         "\"torus:20x20x17\"\n[algorithm]\nplugin = \"mapping\"\nrounds = 6\nconstructions = 1\nsearches = 2\n"});
}

TEST_CASE(
    "on emulated GPUs mapping follows the CPU's trajectory where rows are in an order of their own, with dummies") {
    check(
        {"run.seed = 5\nrun.iterations = 7\n[problem]\nplugin = \"sparse_qap\"\ninstance = \"rgg3:16400\"\ndistance = "
         "\"torus:26x26x25\"\n[algorithm]\nplugin = \"mapping\"\nrounds = 6\nconstructions = 1\nsearches = 2\n"});
}

TEST_CASE("on emulated GPUs the genetic algorithms follow the CPU's trajectory") {
    check({on_qap("tai12a", 6,
                  "fixed = [\"3->7\"]\n[algorithm]\nplugin = \"ga_independent\"\nblocks = 3\nsize = 32\nround = 3\n"
                  "restart_check = 2\n"),
           on_qap("tai12a", 4,
                  "[algorithm]\nplugin = \"ga_distributed\"\nsubpopulations = 3\nsize = 16\nexchange_every = 2\n"
                  "[algorithm.improver]\nplugin = \"greedy_two_opt\"\n"),
           on_qap("tai12b", 5,
                  "[algorithm]\nplugin = \"ga_distributed\"\nsubpopulations = 5\nsize = 20\nexchange_every = 2\n"
                  "exchange_share = 0.3\nround = 4\n")});
}

TEST_CASE("on emulated GPUs the islands of layouts follow the CPU's trajectory, with a local search too") {
    const auto islands = [](const std::string& size) {
        return "run.seed = 6\nrun.iterations = 4\n[problem]\nplugin = \"uaflp\"\ninstance = \"F8\"\n"
               "[algorithm]\nplugin = \"imga\"\nislands = 3\nmigrate_every = 2\nmutation_rate = 0.3\nsize = " +
               size + "\n";
    };
    check({islands("20"),
           islands("20") +
               "tournament_seeding = \"clock_per_round\"\ntournament_generator = \"xorwow\"\ntournament_rounds = 3\n",
           islands("6") + "improve_rate = 0.3\n[algorithm.improver]\nplugin = \"fbs_local_search\"\n"});
}

TEST_CASE("on emulated GPUs slicing trees follow the CPU's trajectory, also when a run is resumed there and back") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const std::string plant = gpus.place().write("plant.toml", R"(
flows = [[1, 3, 5], [2, 3, 1], [1, 2, 2], [4, 5, 3], [1, 5, 1]]
[plant]
width = 6
height = 4
[shape]
max_aspect_ratio = 3
[[departments]]
area = 3
[[departments]]
area = 4
[[departments]]
area = 8
[[departments]]
area = 3
[[departments]]
area = 2
[[departments]]
area = 2
dummy = true
[[departments]]
area = 2
dummy = true
)");
    const auto lines = [&](const char* iterations, const std::string& more) {
        return "run.seed = 5\nrun.iterations = " + std::string(iterations) +
               "\n[problem]\nplugin = \"uaflp\"\nstructure = \"slicing\"\ninstance = \"" + plant +
               "\"\n[algorithm]\nplugin = \"slicing_local_search\"\nsearches = 3\nsteps = 50\nround = 2\n"
               "first_steps = 128\nreheats = 1\n" +
               more;
    };
    check_cross(gpus, lines("7", ""));  // each search restarts once
    check_cross(
        gpus,
        lines("12",
              "starts = 2\ndeep = 4\npatience = 1\nlonger = 1\nshare_deep = true\nshare_every = 100\nlevels = 3\n"));
    // One bay with 40 departments. Its slicing tree is a chain of 39 cuts: more cuts than a warp has lanes (32).
    nlohmann::json bay;
    for (int d = 1; d <= 40; ++d) bay["permutation"].push_back(d);
    bay["bay_break"] = std::vector<int>(39, 0);
    const std::string chain = gpus.place().write("chain.json", bay.dump()).string();
    check_cross(gpus,
                "run.seed = 5\nrun.iterations = 2\n[problem]\nplugin = \"uaflp\"\nstructure = \"slicing\"\n"
                "instance = \"F40\"\ninitial = \"" +
                    chain +
                    "\"\n[algorithm]\nplugin = \"slicing_local_search\"\nsearches = 2\nsteps = 40\n"
                    "first_steps = 128\nreheats = 1\n");
    check_resumed(gpus, lines("4", "starts = 2\ndeep = 4\npatience = 1\nshare_every = 100\n"), 4);
}

TEST_CASE("on emulated GPUs trees with floors, doors and places follow the CPU's trajectory") {
    const std::string ward =
        "run.seed = 7\nrun.iterations = 3\n[problem]\nplugin = \"uaflp\"\nstructure = "
        "\"slicing\"\ninstance = \"" QAPFW_SOURCE_DIR "/configs/samples/ward.csv\"\n[algorithm]\n";
    check({ward + "plugin = \"slicing_local_search\"\nsearches = 2\nsteps = 50\nfirst_steps = 128\nreheats = 1\n",
           ward + "plugin = \"ga_distributed\"\nsubpopulations = 2\nsize = 8\nexchange_every = 2\n",
           ward + "plugin = \"cas\"\nants = 3\ncolonies = 2\nexchange_every = 1\n"});
}

TEST_CASE("on emulated GPUs searches of a problem that gives its cost alone follow the CPU's trajectory") {
    const TemporaryFolder plugins;
    std::filesystem::copy(bad_plugin("cost_alone"), plugins.path());
    const std::string alone = "run.seed = 6\nrun.iterations = 6\nplugins.path = [\"" + plugins.path().string() +
                              "\"]\n[problem]\nplugin = \"cost_alone\"\n[algorithm]\n";
    check({alone + "plugin = \"tabu\"\nsearches = 3\nperturb_after = 4\n",
           alone + "plugin = \"ga_distributed\"\nsubpopulations = 3\nsize = 16\nexchange_every = 2\n",
           alone + "plugin = \"random_restart\"\nbatch = 4\n[algorithm.improver]\nplugin = \"two_opt\"\n"});
}

TEST_SUITE_END();
