// SPDX-License-Identifier: Apache-2.0
// Checks the general model of the QAP under every solver. Random instances of all shapes are written to files, and
// the costs of the answers are computed again from the instances' numbers.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/integration/emulated_gpus.hpp"
#include "tests/integration/process.hpp"
#include "tests/support/temporary_folder.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::testing;

struct Model {
    unsigned n = 0, m = 0;
    std::vector<std::vector<double>> a, b, linear;
    std::vector<std::vector<int>> forbidden;  // empty: none
    std::vector<int> fixed;                   // location of each facility; -1: free
    double constant = 0;
    bool maximize = false;

    double term(unsigned i, unsigned k, const std::vector<unsigned>& p) const { return a[i][k] * b[p[i]][p[k]]; }
    /// Returns the cost, and the sum of the absolute values of its terms.
    std::pair<long double, long double> cost(const std::vector<unsigned>& p) const {
        long double sum = constant, scale = std::fabs(constant);
        for (unsigned i = 0; i < n; ++i) {
            for (unsigned k = 0; k < n; ++k) {
                const long double product = static_cast<long double>(a[i][k]) * static_cast<long double>(b[p[i]][p[k]]);
                sum += product, scale += std::fabs(product);
            }
            if (!linear.empty()) sum += linear[i][p[i]], scale += std::fabs(linear[i][p[i]]);
        }
        return {sum, scale};
    }
};

/// Returns a random number. `kind` says what sort of number: a small integer, a number with two decimals, one with many
/// digits, a very large one, or (for kind 4) usually 0 and otherwise a tiny number.
double draw(std::mt19937_64& random, unsigned kind) {
    const double u = static_cast<double>(random() >> 11) * 0x1p-53;
    switch (kind % 5) {
        case 0:
            return std::floor(100 * u);
        case 1:
            return std::floor(2000 * u - 1000) / 100;
        case 2:
            return u;
        case 3:
            return (u - 0.5) * 1e12;
        default:
            return u < 0.6 ? 0 : 1e-7 * u;
    }
}

Model random_model(unsigned number) {
    std::mt19937_64 random(number);
    Model model;
    model.n = 3 + static_cast<unsigned>(random() % 7);
    model.m = model.n + (random() % 2 == 0 ? static_cast<unsigned>(random() % 4) : 0);
    const auto matrix = [&](unsigned rows, unsigned columns, unsigned kind, bool symmetric) {
        std::vector<std::vector<double>> out(rows, std::vector<double>(columns));
        for (unsigned i = 0; i < rows; ++i) {
            for (unsigned k = 0; k < columns; ++k) out[i][k] = symmetric && k < i ? out[k][i] : draw(random, kind);
        }
        return out;
    };
    const auto kind = static_cast<unsigned>(random());
    model.a = matrix(model.n, model.n, kind, random() % 2 == 0);
    model.b = matrix(model.m, model.m, static_cast<unsigned>(random() % 2 == 0 ? kind : random()), random() % 2 == 0);
    if (random() % 2 == 0) model.linear = matrix(model.n, model.m, kind, false);
    model.maximize = random() % 3 == 0;
    if (random() % 4 == 0) model.constant = draw(random, kind);
    model.fixed.assign(model.n, -1);
    if (random() % 3 == 0) model.fixed[1] = static_cast<int>(random() % model.m);
    if (random() % 2 == 0) {
        model.forbidden.assign(model.n, std::vector<int>(model.m, 0));
        for (unsigned i = 0; i < model.n; ++i) {
            for (unsigned k = 0; k < model.m; ++k) {
                const bool spared = k == (i + 1) % model.m || k == i;  // allowed, so that assignments exist
                const bool near_fixed = model.fixed[1] >= 0;
                model.forbidden[i][k] = !spared && !near_fixed && random() % 3 == 0 ? 1 : 0;
            }
        }
    }
    return model;
}

template <class Rows>
std::string csv(const Rows& rows) {
    std::string text;
    for (const auto& row : rows) {
        for (std::size_t k = 0; k < row.size(); ++k) text += fmt::format("{}{}", k > 0 ? "," : "", row[k]);
        text += '\n';
    }
    return text;
}

/// The command line of a run.
std::vector<std::string> command(const test::TemporaryFolder& place, const Model& model, const std::string& solver) {
    std::string text =
        fmt::format("run.iterations = 4\nrun.seed = 3\n[problem]\nplugin = \"qap\"\nconstant = {}\nmaximize = {}\n",
                    model.constant == 0 ? "0.0" : fmt::format("{:.16e}", model.constant), model.maximize);
    const auto add = [&](const char* key, const std::string& content) {
        text += fmt::format("{} = \"{}\"\n", key, place.write(std::string(key) + ".csv", content).string());
    };
    add("instance", csv(model.a));
    add("matrix_b", csv(model.b));
    if (!model.linear.empty()) add("linear", csv(model.linear));
    if (!model.forbidden.empty()) add("forbidden", csv(model.forbidden));
    if (model.fixed[1] >= 0) text += fmt::format("fixed = [\"2->{}\"]\n", model.fixed[1] + 1);
    text += "[algorithm]\n" + solver;
    return {
        "run", place.write("run.toml", text).string(), "--json", "--quiet", "--set", "output.record=false", "--threads",
        "1"};
}

constexpr const char* kSolvers[] = {
    "plugin = \"tabu\"\nsearches = 2\nround = 20\n",
    "plugin = \"memetic\"\nislands = 2\nsize = 6\nbrood = 2\nchild_work = 3000\n",
    "plugin = \"random_restart\"\nbatch = 2\nimprover.plugin = \"two_opt\"\n",
    "plugin = \"cas\"\nants = 4\nimprover.plugin = \"two_opt\"\n",
    "plugin = \"ga_independent\"\nsize = 16\n",
    "plugin = \"ga_distributed\"\nsize = 16\n",
    "plugin = \"imga\"\nislands = 2\nsize = 8\n",
    "plugin = \"pga_grid\"\n",
    "plugin = \"random_restart\"\nbatch = 2\nimprover.plugin = \"tabu\"\nimprover.iterations = 30\n",
    "plugin = \"random_restart\"\nbatch = 2\nimprover.plugin = \"greedy_two_opt\"\n",
    "plugin = \"random_restart\"\nbatch = 2\nimprover.plugin = \"two_opt\"\nimprover.acceptance = \"sweep\"\n",
    "plugin = \"exact\"\n",
};

/// Returns the number of models that the environment variable `variable` asks for, or `usual` if it is not set.
unsigned wanted(const char* variable, unsigned usual) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? static_cast<unsigned>(std::atoi(text)) : usual;
}

/// Runs model `number` on an emulated GPU, or on the CPU if `gpus` is null. Checks the run's answer and returns the
/// run's digest.
std::string check_model(unsigned number, const std::string& solver, const EmulatedGpus* gpus = nullptr) {
    CAPTURE(number);
    CAPTURE(solver);
    const Model model = random_model(number);
    const test::TemporaryFolder place;
    std::vector<std::string> words = command(place, model, solver);
    if (gpus != nullptr) words.insert(words.end(), {"--backend", "cuda", "--set", "device.start_on_cpu=false"});
    Process::Options options;
    if (gpus != nullptr) options.environment = gpus->with("1");
    const Ended ended = qapfw_run(words, options);
    CAPTURE(ended.err);
    REQUIRE(ended.code == 0);
    const auto result = nlohmann::json::parse(ended.out);
    const auto p = result["solution"].get<std::vector<unsigned>>();
    REQUIRE(p.size() >= model.n);
    const auto [cost, scale] = model.cost(p);
    CHECK(std::fabs(result["best_cost"].get<double>() - static_cast<double>(cost)) <=
          1e-12 * static_cast<double>(scale));
    for (unsigned i = 0; i < model.n; ++i) {
        if (model.fixed[i] >= 0) CHECK(p[i] == static_cast<unsigned>(model.fixed[i]));
        if (!model.forbidden.empty()) CHECK(model.forbidden[i][p[i]] == 0);
    }
    return result["digest"].get<std::string>();
}

}  // namespace

TEST_CASE("answers of random instances of the general model cost what their owner's numbers say, under every solver") {
    const unsigned count = wanted("QAPFW_GENERAL_MODELS", 45);  // bench/general_models.sh runs 500
    for (unsigned number = 0; number < count; ++number) check_model(number, kSolvers[number % std::size(kSolvers)]);
}

TEST_CASE("on emulated GPUs random instances of the general model cost what their owner's numbers say") {
    if (skipped()) return;
    const EmulatedGpus gpus;
    const unsigned count = wanted("QAPFW_GENERAL_MODELS_ON_GPUS", 3);
    for (unsigned k = 0; k < count; ++k) {
        const unsigned number = 7 * k + 1;  // the CPU test runs these models with other solvers
        const std::string solver =
            kSolvers[k % (std::size(kSolvers) - 1)];  // all solvers except `exact`, which has no device code
        CAPTURE(number);
        CAPTURE(solver);
        CHECK(check_model(number, solver, &gpus) == check_model(number, solver));
    }
    // In this instance, the penalty of a forbidden pair is a number that looks like an address in memory.
    CHECK(check_model(1310, kSolvers[0], &gpus) == check_model(1310, kSolvers[0]));
}

TEST_CASE("the record of a run with real numbers is verified, and goes on as if it had not ended") {
    const TemporaryFolder place;
    unsigned number = 0;
    Model model = random_model(number);
    while (model.forbidden.empty() || model.m == model.n || model.n < 6) model = random_model(++number);
    model.b[0][1] = 1.0 / 3;
    std::vector<std::string> arguments = command(place, model, kSolvers[1]);
    arguments[5] = "output.record=true";
    arguments.insert(arguments.end(), {"--out", place / "record"});
    const Ended run = qapfw_run(arguments);
    CAPTURE(run.err);
    REQUIRE(run.code == 0);
    const Ended verified = qapfw_run({"verify", place / "record"});
    CAPTURE(verified.out);
    CHECK(verified.code == 0);
    const Ended resumed = qapfw_run({"resume", place / "record", "--iterations", "6", "--json", "--quiet"});
    CAPTURE(resumed.err);
    REQUIRE(resumed.code == 0);
    arguments[1] = place.write("again.toml", contents(place / "run.toml")).string();
    arguments[5] = "output.record=false";
    arguments.resize(8);
    arguments.insert(arguments.end(), {"--iterations", "6"});
    const Ended whole = qapfw_run(arguments);
    REQUIRE(whole.code == 0);
    const auto a = nlohmann::json::parse(resumed.out), b = nlohmann::json::parse(whole.out);
    CHECK(a["digest"] == b["digest"]);
    CHECK(a["best_cost"] == b["best_cost"]);
}

TEST_CASE("one thread and two follow the same trajectory with linear costs and forbidden pairs") {
    for (const unsigned number : {2u, 5u, 9u}) {
        const Model model = random_model(number);
        const TemporaryFolder place;
        std::vector<std::string> arguments = command(place, model, kSolvers[number % 2]);
        const Ended one = qapfw_run(arguments);
        arguments.back() = "2";
        const Ended two = qapfw_run(arguments);
        REQUIRE(one.code == 0);
        REQUIRE(two.code == 0);
        CHECK(nlohmann::json::parse(one.out)["digest"] == nlohmann::json::parse(two.out)["digest"]);
        CHECK(nlohmann::json::parse(one.out)["solution"] == nlohmann::json::parse(two.out)["solution"]);
    }
}

TEST_CASE("impossible parts of the general model give a message") {
    const TemporaryFolder place;
    const std::string a = place.write("a.csv", "0,1\n1,0\n").string(),
                      b = place.write("b.csv", "0,2,3\n2,0,4\n3,4,0\n").string();
    const auto refused = [&](const std::vector<std::string>& more, const std::string& sentence) {
        std::vector<std::string> arguments{
            "solve", a, "--iterations", "1", "--set", "output.record=false", "--set", "problem.matrix_b=" + b};
        for (const std::string& setting : more) arguments.insert(arguments.end(), {"--set", setting});
        const Ended ended = qapfw_run(arguments);
        CHECK(ended.code == 2);
        CHECK_MESSAGE(ended.err.find(sentence) != std::string::npos, ended.err);
    };
    const std::string f = "problem.forbidden=" + place.write("f.csv", "1,1\n1,2\n2,1\n2,2\n").string();
    refused({f}, "facilities 1 and 2 have only 1 location between them");
    refused({"problem.forbidden=" + place.write("g.csv", "2,3\n").string(), "problem.fixed=[\"2->3\"]"},
            "facility 2 is fixed at location 3, which is forbidden to it");
    refused({"problem.linear=" + place.write("l.csv", "1,2\n3,4\n").string()},
            "l.csv:1:4: the table of linear costs must have 2 rows (facilities) and 3 columns (locations), but this "
            "table has 2 "
            "rows and "
            "2 columns");
    refused({"problem.linear=" + place.write("n.csv", "1,2,3\n3,nan,4\n").string()}, "n.csv:2:3: ");
    refused({"problem.linear=" + place.write("o.csv", "1,2,3\n3,4,5\n").string(), "problem.formulation=trace"},
            "takes neither linear costs nor forbidden pairs");
}
