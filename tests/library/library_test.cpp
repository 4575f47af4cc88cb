// SPDX-License-Identifier: Apache-2.0
// Tests the library from outside: only with the headers qapfw/qapfw.h and qapfw/qapfw.hpp, and libqapfw.so.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "library_tools.hpp"
#include "tests/support/sanitized.hpp"

using namespace qapfw::test;

TEST_SUITE("library") {
    TEST_CASE("matrices in memory are solved, and the cost is that of the assignment") {
        const Instance instance(20);
        const qapfw::Session session;
        const qapfw::Model model(session, instance.view());
        const qapfw::Answer answer = model.solve(kShort);
        CHECK(is_permutation(answer.assignment()));
        CHECK(answer.cost() == instance.cost(answer.assignment()));
        CHECK(answer.reason() == "iterations");
        CHECK(answer.json().find("\"best_cost\"") != std::string::npos);
    }

    TEST_CASE("the same seed gives the same answer, with any strides and types of the entries") {
        const Instance instance(14);
        const qapfw::Session session;
        const qapfw::Answer dense = qapfw::Model(session, instance.view()).solve(kShort);
        // The flows as 32-bit integers in another layout in memory: a gap follows each entry, and the last row comes
        // first.
        std::vector<std::int32_t> wide(instance.n * instance.n * 2, -1);
        for (std::uint32_t k = 0; k < instance.n * instance.n; ++k) {
            const std::uint32_t row = instance.n - 1 - k / instance.n;
            wide[(row * instance.n + k % instance.n) * 2] = static_cast<std::int32_t>(instance.flow[k]);
        }
        qapfw_qap strided = instance.view();
        const auto row_bytes = static_cast<std::int64_t>(instance.n * 2 * sizeof(std::int32_t));
        strided.flow = {wide.data() + (instance.n - 1) * instance.n * 2,
                        QAPFW_TYPE_INT32,
                        0,
                        instance.n,
                        instance.n,
                        -row_bytes,
                        2 * sizeof(std::int32_t)};
        const qapfw::Answer other = qapfw::Model(session, strided).solve(kShort);
        CHECK(other.cost() == dense.cost());
        CHECK(other.assignment() == dense.assignment());
    }

    TEST_CASE("a warm start is taken, and the answer is never worse") {
        const Instance instance(16);
        const qapfw::Session session;
        const qapfw::Model model(session, instance.view());
        const std::vector<std::int64_t> best = model.solve(kShort).assignment();
        const char* settings[] = {"run.iterations", "1", "algorithm.plugin", "tabu"};
        qapfw_solve_options options{};
        options.struct_size = sizeof options;
        options.options = settings;
        options.option_count = 2;
        options.initial = best.data();
        qapfw_model* raw = nullptr;
        const qapfw_qap view = instance.view();
        REQUIRE(qapfw_model_from_qap(session.get(), &view, &raw) == QAPFW_STATUS_OK);
        qapfw_answer* answer = nullptr;
        REQUIRE(qapfw_solve(raw, &options, &answer) == QAPFW_STATUS_OK);
        CHECK(qapfw_answer_cost(answer) <= instance.cost(best));
        qapfw_answer_free(answer);
        std::vector<std::int64_t> twice = best;
        twice[3] = twice[5];
        options.initial = twice.data();
        CHECK(sentence_of(qapfw_solve(raw, &options, &answer), QAPFW_STATUS_INPUT).find("initial[5]") == 0);
        qapfw_model_free(raw);
    }

    TEST_CASE("improvements are reported in order, and the callback ends the search") {
        const Instance instance(60);
        const qapfw::Session session;
        const qapfw::Model model(session, instance.view());
        std::vector<double> costs;
        const auto start = Clock::now();
        const qapfw::Answer answer =
            model.solve({{"run.time_limit", "30s"}, {"algorithm.plugin", "tabu"}}, [&](const qapfw_progress& progress) {
                if (progress.improved == 0) return true;
                const std::vector<std::int64_t> p(progress.assignment, progress.assignment + progress.size);
                CHECK(instance.cost(p) == progress.cost);
                CHECK((costs.empty() || progress.cost < costs.back()));
                costs.push_back(progress.cost);
                return costs.size() < 2;
            });
        CHECK(seconds_since(start) < 15);
        CHECK(answer.reason() == "cancelled");
        CHECK(answer.cost() <= costs.back());
    }

    TEST_CASE("an exception of a C++ callback ends the search and arrives") {
        const Instance instance(20);
        const qapfw::Session session;
        const qapfw::Model model(session, instance.view());
        const auto thrower = [](const qapfw_progress&) -> bool { throw std::runtime_error("enough"); };
        CHECK_THROWS_WITH_AS(model.solve({{"run.time_limit", "30s"}}, thrower), "enough", std::runtime_error);
    }

    TEST_CASE("a callback that ends the search at once gets an answer") {
        const Instance instance(20);
        const qapfw::Session session;
        int calls = 0;
        const qapfw::Answer answer =
            qapfw::Model(session, instance.view()).solve({{"run.time_limit", "30s"}}, [&](const qapfw_progress&) {
                ++calls;
                return false;
            });
        CHECK(calls == 1);
        CHECK(answer.reason() == "cancelled");
        CHECK(answer.cost() == instance.cost(answer.assignment()));
    }

    TEST_CASE("many small problems are solved in one call") {
        constexpr std::uint64_t kCount = 100;
        const qapfw::Session session;
        std::vector<qapfw_model*> models(kCount);
        std::vector<Instance> instances;
        for (unsigned k = 0; k < kCount; ++k) {
            instances.emplace_back(12, k);
            const qapfw_qap view = instances.back().view();
            REQUIRE(qapfw_model_from_qap(session.get(), &view, &models[k]) == QAPFW_STATUS_OK);
        }
        const char* settings[] = {"run.evaluations", "1000", "algorithm.plugin", "tabu", "algorithm.searches", "1"};
        qapfw_solve_options options{};
        options.struct_size = sizeof options;
        options.options = settings;
        options.option_count = 3;
        std::vector<qapfw_answer*> answers(kCount);
        std::vector<qapfw_call_status> statuses(kCount);
        const double cpu = cpu_seconds();
        REQUIRE(qapfw_solve_many(models.data(), kCount, &options, answers.data(), statuses.data()) == QAPFW_STATUS_OK);
        const double each = 1000 * (cpu_seconds() - cpu) / kCount;
        MESSAGE("ms of CPU a problem: " << each);
#if defined(NDEBUG) && !defined(QAPFW_ADDRESS_SANITIZER) && !defined(QAPFW_THREAD_SANITIZER)
        CHECK(each < 1.5);  // milliseconds; on a machine without other load a problem takes about 0.5
#endif
        for (std::uint64_t k = 0; k < kCount; ++k) {
            std::uint64_t n = 0;
            const std::int64_t* first = qapfw_answer_assignment(answers[k], &n);
            CHECK(qapfw_answer_cost(answers[k]) == instances[k].cost({first, first + n}));
            qapfw_answer_free(answers[k]);
            qapfw_model_free(models[k]);
        }
    }

    TEST_CASE("each mistake gives one status and one message") {
        const Instance instance(6);
        const qapfw::Session session;
        qapfw_model* model = nullptr;
        const auto refused = [&](const qapfw_qap& qap, qapfw_call_status wanted) {
            return sentence_of(qapfw_model_from_qap(session.get(), &qap, &model), wanted);
        };
        CHECK(sentence_of(qapfw_session_open(nullptr, nullptr), QAPFW_STATUS_MISUSE) == "session is a null pointer");
        const char* folders[] = {".", nullptr};
        qapfw_session_options options{};
        options.struct_size = sizeof options;
        options.data_folders = folders;
        options.data_folder_count = 2;
        qapfw_session* opened = nullptr;
        CHECK(sentence_of(qapfw_session_open(&options, &opened), QAPFW_STATUS_MISUSE) ==
              "data_folders[1] is a null pointer; a path was wanted");
        CHECK(sentence_of(qapfw_model_from_qap(session.get(), nullptr, &model), QAPFW_STATUS_MISUSE) ==
              "qap is a null pointer");
        CHECK(sentence_of(qapfw_solve(nullptr, nullptr, nullptr), QAPFW_STATUS_MISUSE) == "model is a null pointer");
        qapfw_qap qap = instance.view();
        qap.struct_size = 8;
        CHECK(refused(qap, QAPFW_STATUS_MISUSE).find("qapfw_qap.struct_size is 8") == 0);
        qap = instance.view();
        qap.flow.columns = 5;
        CHECK(refused(qap, QAPFW_STATUS_INPUT) == "flow is 6 x 5; a square matrix was wanted");
        qap = instance.view();
        qap.distance.rows = qap.distance.columns = 5;
        CHECK(refused(qap, QAPFW_STATUS_INPUT).find("at least as many locations") != std::string::npos);
        qap = instance.view();
        qap.flow.type = 77;
        CHECK(refused(qap, QAPFW_STATUS_USAGE).find("flow: its type is 77") == 0);
        Instance broken(6);
        broken.flow[8] = std::numeric_limits<double>::quiet_NaN();
        CHECK(refused(broken.view(), QAPFW_STATUS_INPUT).find("flow[1][2] is nan") == 0);
        const std::int64_t fixed[] = {0, 7, -1, -1, -1, -1};
        qap = instance.view();
        qap.fixed = fixed;
        CHECK(refused(qap, QAPFW_STATUS_INPUT) ==
              "fixed[1] is 7; a location from 0 to 5 was wanted, or -1 for a free facility");
        const qapfw::Model good(session, instance.view());
        const auto message = [&](const qapfw::Model::Settings& settings) -> std::string {
            try {
                good.solve(settings);
            } catch (const qapfw::Failure& failure) {
                CHECK(failure.status() == QAPFW_STATUS_USAGE);
                return failure.what();
            }
            return {};
        };
        CHECK(message({{"run.time_limt", "1s"}}).find("run.time_limt") != std::string::npos);
        CHECK(message({{"run.time_limit", "soon"}}).find("run.time_limit") == 0);
        CHECK(message({{"algorithm.plugin", "tabo"}}).find("tabu") != std::string::npos);
        CHECK(sentence_of(qapfw_model_from_file(session.get(), "no-such-file.dat", nullptr, 0, &model),
                          QAPFW_STATUS_INPUT)
                  .find("no-such-file.dat") == 0);
    }

    TEST_CASE("a solver that refuses an instance of this size has its own status") {
        const qapfw::Session session;
        const Instance instance(41);
        const qapfw::Model model(session, instance.view());
        qapfw_call_status status = QAPFW_STATUS_OK;
        std::string told;
        try {
            model.solve({{"algorithm.plugin", "exact"}, {"device.backend", "cpu"}});
        } catch (const qapfw::Failure& failure) {
            status = failure.status();
            told = failure.what();
        }
        CHECK(status == QAPFW_STATUS_UNSUPPORTED);
        CHECK_MESSAGE(told.find("at most 40 free facilities, found 41") != std::string::npos, told);
    }

    TEST_CASE("a proof by the solver is reported, and not only the problem's own bound") {
        const qapfw::Session session;
        const Instance instance(8);
        const qapfw_qap qap = instance.view();
        qapfw_model* model = nullptr;
        REQUIRE(qapfw_model_from_qap(session.get(), &qap, &model) == QAPFW_STATUS_OK);
        const char* search[] = {"algorithm.plugin", "exact", "run.threads", "1", "device.backend", "cpu"};
        qapfw_solve_options options{};
        options.struct_size = sizeof options;
        options.options = search;
        options.option_count = 3;
        qapfw_answer* found = nullptr;
        REQUIRE_MESSAGE(qapfw_solve(model, &options, &found) == QAPFW_STATUS_OK, std::string(qapfw_last_error()));
        qapfw_model_free(model);
        const qapfw::Answer answer(found);
        const std::string json = answer.json();
        REQUIRE(answer.reason() == "optimal");
        REQUIRE(number_in(json, "lower_bound") < answer.cost());
        CHECK(json.find("\"optimal\": true") != std::string::npos);
        CHECK(qapfw_answer_is_optimal(found) == 1);
        CHECK(answer.is_optimal());
        double bound = 0;
        CHECK(qapfw_answer_bound(found, &bound) == 1);
        CHECK(bound == answer.cost());
        CHECK(answer.bound() == answer.cost());
    }

    TEST_CASE("answers say whether the capacities of a gqap are kept" * doctest::skip(qapfw::kThreadsAlone)) {
        // The graph is a path that must be cut into parts of equal size. In the first start all parts have this size.
        // In the second start one part has all vertices, and a few moves cannot repair that.
        const std::filesystem::path folder =
            std::filesystem::temp_directory_path() / ("qapfw-library-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder);
        const std::string graph = folder / "path.graph", start = folder / "start.txt";
        constexpr int kVertices = 400, kParts = 80;
        std::ofstream graph_file(graph);
        graph_file << kVertices << " " << kVertices - 1;
        for (int v = 1; v <= kVertices; ++v) {
            graph_file << "\n";
            for (const int other : {v - 1, v + 1}) {
                if (other >= 1 && other <= kVertices) graph_file << other << " ";
            }
        }
        graph_file.close();
        const qapfw::Session session;
        const auto solved = [&](int vertices_each) {
            std::ofstream start_file(start);
            for (int v = 0; v < kVertices; ++v) start_file << v / vertices_each << "\n";
            start_file.close();
            const std::string parts = std::to_string(kParts);
            const char* settings[] = {"problem.plugin",    "gqap", "problem.parts",   parts.c_str(),
                                      "problem.imbalance", "0",    "problem.initial", start.c_str()};
            qapfw_model* model = nullptr;
            REQUIRE_MESSAGE(qapfw_model_from_file(session.get(), graph.c_str(), settings, 4, &model) == QAPFW_STATUS_OK,
                            std::string(qapfw_last_error()));
            const char* search[] = {"algorithm.plugin", "tabu", "run.iterations", "1",
                                    "run.threads",      "1",    "device.backend", "cpu"};
            qapfw_solve_options options{};
            options.struct_size = sizeof options;
            options.options = search;
            options.option_count = 4;
            qapfw_answer* answer = nullptr;
            REQUIRE_MESSAGE(qapfw_solve(model, &options, &answer) == QAPFW_STATUS_OK, std::string(qapfw_last_error()));
            const std::pair found{qapfw_answer_is_feasible(answer), std::string(qapfw_answer_json(answer))};
            qapfw_answer_free(answer);
            qapfw_model_free(model);
            return found;
        };
        const auto kept = solved(kVertices / kParts), broken = solved(kVertices);
        CHECK(kept.first == 1);
        CHECK(kept.second.find("\"feasible\": true") != std::string::npos);
        CHECK(broken.first == 0);
        CHECK(broken.second.find("\"feasible\": false") != std::string::npos);
        CHECK(broken.second.find("beyond its capacity") != std::string::npos);
        std::filesystem::remove_all(folder);
    }

    TEST_CASE("names of instances are known as on the command line") {
        const qapfw::Session session;
        const qapfw::Model model(session, "tai12a");
        CHECK(model.solve({{"run.target", "best-known"}, {"run.time_limit", "10s"}}).cost() == 224416);
    }

    TEST_CASE("the trace ends with the answer, and its costs fall") {
        const Instance instance(20);
        const qapfw::Session session;
        const qapfw::Answer answer = qapfw::Model(session, instance.view()).solve(kShort);
        const std::vector<qapfw_trace_point> trace = answer.trace();
        REQUIRE(!trace.empty());
        CHECK(trace.back().cost == answer.cost());
        for (std::size_t k = 1; k < trace.size(); ++k) {
            CHECK(trace[k].cost < trace[k - 1].cost);
            CHECK(trace[k].seconds >= trace[k - 1].seconds);
        }
        CHECK(answer.failure().empty());
    }

    TEST_CASE("a warm start may be a part, or the best of several assignments" * doctest::skip(qapfw::kThreadsAlone)) {
        const Instance instance(12);
        const qapfw::Session session;
        const std::vector<std::int64_t> best = qapfw::Model(session, instance.view()).solve(kShort).assignment();
        const char* settings[] = {"run.iterations", "1", "algorithm.plugin", "random_restart"};
        qapfw_solve_options options{};
        options.struct_size = sizeof options;
        options.options = settings;
        options.option_count = 2;
        qapfw_model* model = nullptr;
        const qapfw_qap view = instance.view();
        REQUIRE(qapfw_model_from_qap(session.get(), &view, &model) == QAPFW_STATUS_OK);
        std::vector<std::int64_t> start(best.rbegin(), best.rend());
        start.insert(start.end(), best.begin(), best.end());
        options.initial = start.data();
        options.initial_count = 2;
        qapfw_answer* answer = nullptr;
        REQUIRE(qapfw_solve(model, &options, &answer) == QAPFW_STATUS_OK);
        CHECK(qapfw_answer_cost(answer) <= instance.cost(best));
        qapfw_answer_free(answer);
        start = best;
        start[4] = start[7] = -1;  // two possible completions
        options.initial_count = 1;
        REQUIRE(qapfw_solve(model, &options, &answer) == QAPFW_STATUS_OK);
        std::vector<std::int64_t> other = best;
        std::swap(other[4], other[7]);
        CHECK(qapfw_answer_cost(answer) <= std::max(instance.cost(best), instance.cost(other)));
        qapfw_answer_free(answer);
        start[3] = 12;
        CHECK(sentence_of(qapfw_solve(model, &options, &answer), QAPFW_STATUS_INPUT).find("initial[3] is 12") == 0);
        qapfw_model_free(model);
    }

    TEST_CASE("a configuration runs with overriding options, and its record can be resumed") {
        const std::filesystem::path folder =
            std::filesystem::temp_directory_path() / ("qapfw-library-" + std::to_string(getpid()));
        std::filesystem::create_directory(folder);
        std::ofstream(folder / "two.dat") << "3\n0 1 2\n1 0 3\n2 3 0\n\n0 4 5\n4 0 6\n5 6 0\n";
        std::ofstream(folder / "c.toml") << "[problem]\ninstance = \"two.dat\"\n[algorithm]\nplugin = \"tabu\"\n";
        const qapfw::Session session;
        qapfw_model* model = nullptr;
        qapfw_answer* answer = nullptr;
        const std::string record = (folder / "record").string();
        const char* settings[] = {"run.iterations", "20", "output.folder", record.c_str()};
        REQUIRE(qapfw_model_from_config(session.get(), (folder / "c.toml").c_str(), settings, 2, &model) ==
                QAPFW_STATUS_OK);
        REQUIRE(qapfw_solve(model, nullptr, &answer) == QAPFW_STATUS_OK);
        CHECK(qapfw_answer_cost(answer) == 2 * (1 * 6 + 2 * 5 + 3 * 4));
        CHECK(std::filesystem::is_regular_file(folder / "record/result.json"));
        qapfw_answer_free(answer);
        qapfw_model_free(model);
        REQUIRE(qapfw_model_from_record(session.get(), record.c_str(), &model) == QAPFW_STATUS_OK);
        const char* further[] = {"run.iterations", "30"};
        qapfw_solve_options options{};
        options.struct_size = sizeof options;
        options.options = further;
        options.option_count = 1;
        REQUIRE(qapfw_solve(model, &options, &answer) == QAPFW_STATUS_OK);
        CHECK(std::string(qapfw_answer_json(answer)).find("\"iterations\": 30") != std::string::npos);
        qapfw_answer_free(answer);
        qapfw_model_free(model);
        CHECK(sentence_of(qapfw_model_from_record(session.get(), folder.c_str(), &model), QAPFW_STATUS_USAGE)
                  .find("not a run record") != std::string::npos);
        std::filesystem::remove_all(folder);
    }

    TEST_CASE("files of the best solution are made on request" * doctest::skip(qapfw::kThreadsAlone)) {
        const qapfw::Session session;
        qapfw_model* model = nullptr;
        qapfw_answer* answer = nullptr;
        const char* settings[] = {"problem.plugin", "uaflp"};
        REQUIRE(qapfw_model_from_file(session.get(), "F10", settings, 1, &model) == QAPFW_STATUS_OK);
        const char* further[] = {"run.iterations", "2"};
        qapfw_solve_options options{};
        options.struct_size = sizeof options;
        options.options = further;
        options.option_count = 1;
        REQUIRE(qapfw_solve(model, &options, &answer) == QAPFW_STATUS_OK);
        CHECK(qapfw_answer_file(answer, 0, nullptr, nullptr) == nullptr);
        std::uint64_t count = 0;
        REQUIRE(qapfw_answer_make_files(model, answer, &count) == QAPFW_STATUS_OK);
        bool has_drawing = false;
        for (std::uint64_t k = 0; k < count; ++k) {
            const char* name = nullptr;
            std::uint64_t size = 0;
            const std::string bytes = qapfw_answer_file(answer, k, &name, &size);
            CHECK(bytes.size() == size);
            has_drawing = has_drawing || (std::string(name) == "layout.svg" && bytes.find("<svg") == 0);
        }
        CHECK(has_drawing);
        qapfw_answer_free(answer);
        qapfw_model_free(model);
    }

    TEST_CASE("linear assignments are the best of all permutations") {
        std::mt19937 random(3);
        for (const std::size_t rows : {1u, 2u, 4u, 5u}) {
            const std::size_t columns = rows + random() % 2;
            std::vector<double> costs(rows * columns);
            for (double& cost : costs) cost = static_cast<double>(random() % 7) - 3;
            const qapfw_matrix view{costs.data(),
                                    QAPFW_TYPE_FLOAT64,
                                    0,
                                    rows,
                                    columns,
                                    static_cast<std::int64_t>(columns * sizeof(double)),
                                    sizeof(double)};
            for (const bool maximize : {false, true}) {
                std::vector<std::int64_t> order(columns), found(rows);
                std::iota(order.begin(), order.end(), 0);
                const auto sum = [&](const std::vector<std::int64_t>& p) {
                    double total = 0;
                    for (std::size_t i = 0; i < rows; ++i) total += costs[i * columns + static_cast<std::size_t>(p[i])];
                    return total;
                };
                double best = sum(order);
                do {
                    best = maximize ? std::max(best, sum(order)) : std::min(best, sum(order));
                } while (std::next_permutation(order.begin(), order.end()));
                REQUIRE(qapfw_linear_assignment(&view, maximize ? 1 : 0, found.data()) == QAPFW_STATUS_OK);
                CHECK(std::set<std::int64_t>(found.begin(), found.end()).size() == rows);
                CHECK(sum(found) == best);
            }
        }
        double wrong[] = {0, std::numeric_limits<double>::quiet_NaN()};
        std::int64_t column = 0;
        qapfw_matrix view{wrong, QAPFW_TYPE_FLOAT64, 0, 1, 2, 16, 8};
        CHECK(sentence_of(qapfw_linear_assignment(&view, 0, &column), QAPFW_STATUS_INPUT).find("costs[0][1] is nan") ==
              0);
        view = {wrong, QAPFW_TYPE_FLOAT64, 0, 2, 1, 8, 8};
        CHECK(sentence_of(qapfw_linear_assignment(&view, 0, &column), QAPFW_STATUS_INPUT).find("costs is 2 x 1") == 0);
    }
}
