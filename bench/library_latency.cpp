// SPDX-License-Identifier: Apache-2.0
// Measures how long a program that embeds the engine waits: for a session, a small call, many small problems, and the
// first answers of large problems. Prints a line for each. `library_latency quick` leaves out the large problems and
// the measurement of memory.
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "qapfw/qapfw.hpp"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

/// CPU seconds of all threads of the process.
double cpu_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

/// Random symmetric matrices of small integers.
struct Instance {
    Instance(std::uint64_t size, unsigned seed) : n(size), flow(n * n), distance(n * n) {
        std::mt19937 random(seed);
        for (std::uint64_t i = 0; i < n; ++i) {
            for (std::uint64_t j = 0; j < i; ++j) {
                flow[i * n + j] = flow[j * n + i] = static_cast<std::int16_t>(random() % 100);
                distance[i * n + j] = distance[j * n + i] = static_cast<std::int16_t>(random() % 100);
            }
        }
    }
    qapfw_matrix view(const std::vector<std::int16_t>& entries) const {
        return {entries.data(), QAPFW_TYPE_INT16, 0, n, n, static_cast<std::int64_t>(2 * n), 2};
    }
    qapfw::Model model(const qapfw::Session& session) const {
        qapfw_qap qap{};
        qap.struct_size = sizeof qap;
        qap.flow = view(flow);
        qap.distance = view(distance);
        return qapfw::Model(session, qap);
    }
    std::uint64_t n;
    std::vector<std::int16_t> flow, distance;
};

const qapfw::Model::Settings kSmall{
    {"run.evaluations", "1000"}, {"algorithm.plugin", "tabu"}, {"algorithm.searches", "1"}};

void time_sessions() {
    const auto first = Clock::now();
    const qapfw::Session session;
    std::printf("session, the first one: %.2f ms\n", 1000 * seconds_since(first));
    const auto start = Clock::now();
    for (int k = 0; k < 100; ++k) const qapfw::Session again;
    std::printf("session, later ones: %.3f ms\n", 10 * seconds_since(start));
}

void time_calls() {
    const qapfw::Session session;
    const qapfw::Model model = Instance(10, 1).model(session);
    qapfw::Model::Settings settings = kSmall;
    settings.insert(settings.end(), {{"run.threads", "1"}, {"device.backend", "cpu"}});
    std::vector<double> times;
    double search = 0;
    for (int k = 0; k < 500; ++k) {
        const auto start = Clock::now();
        search += model.solve(settings).seconds();
        times.push_back(1000 * seconds_since(start));
    }
    std::sort(times.begin(), times.end());
    std::printf("call, n = 10, 1000 evaluations: %.3f ms (median), %.3f ms (95 of 100), of which the search %.3f ms\n",
                times[250], times[475], 2 * search);
}

void time_many() {
    constexpr std::uint64_t kCount = 1000;
    qapfw_session* session = nullptr;
    qapfw::require_ok(qapfw_session_open(nullptr, &session));
    std::vector<qapfw_model*> models(kCount);
    for (unsigned k = 0; k < kCount; ++k) {
        const Instance instance(12, k);
        qapfw_qap qap{};
        qap.struct_size = sizeof qap;
        qap.flow = instance.view(instance.flow);
        qap.distance = instance.view(instance.distance);
        qapfw::require_ok(qapfw_model_from_qap(session, &qap, &models[k]));
    }
    const char* texts[] = {"run.evaluations", "1000", "algorithm.plugin", "tabu", "algorithm.searches", "1"};
    qapfw_solve_options options{};
    options.struct_size = sizeof options;
    options.options = texts;
    options.option_count = 3;
    std::vector<qapfw_answer*> answers(kCount);
    std::vector<qapfw_call_status> statuses(kCount);
    const auto start = Clock::now();
    const double cpu = cpu_seconds();
    qapfw::require_ok(qapfw_solve_many(models.data(), kCount, &options, answers.data(), statuses.data()));
    std::printf("1000 problems, n = 12, 1000 evaluations each: %.2f s, %.2f s of CPU, %u cores\n", seconds_since(start),
                cpu_seconds() - cpu, std::thread::hardware_concurrency());
    for (qapfw_answer* answer : answers) qapfw_answer_free(answer);
    for (qapfw_model* model : models) qapfw_model_free(model);
    qapfw_session_close(session);
}

/// Measures the memory of the process before and after many calls.
void count_memory() {
    const qapfw::Session session;
    const qapfw::Model model = Instance(10, 1).model(session);
    qapfw::Model::Settings settings = kSmall;
    settings.insert(settings.end(), {{"run.threads", "1"}, {"device.backend", "cpu"}});
    const auto resident = [] {
        std::ifstream statm("/proc/self/statm");
        std::uint64_t size = 0, pages = 0;
        statm >> size >> pages;
        return pages * 4;
    };
    for (int k = 0; k < 1000; ++k) model.solve(settings);
    const std::uint64_t before = resident();
    for (int k = 0; k < 100'000; ++k) model.solve(settings);
    std::printf("memory: %llu KiB after 1,000 calls, %llu KiB after 100,000 more\n",
                static_cast<unsigned long long>(before), static_cast<unsigned long long>(resident()));
}

/// Prints the seconds until the first answer is reported, counted from the call and from the beginning of the search.
void time_first_answer(std::uint64_t n) {
    const qapfw::Session session;
    const qapfw::Model model = Instance(n, 1).model(session);
    const auto start = Clock::now();
    double told = 0, search = 0;
    model.solve({{"run.time_limit", "60s"}, {"device.backend", "cpu"}}, [&](const qapfw_progress& progress) {
        told = seconds_since(start);
        search = progress.seconds;
        return progress.improved == 0;
    });
    std::printf("first answer, n = %llu: %.2f s, %.2f s of them search\n", static_cast<unsigned long long>(n), told,
                search);
}

}  // namespace

int main(int argc, char** argv) {
    time_sessions();
    time_calls();
    time_many();
    if (argc > 1 && std::string(argv[1]) == "quick") return 0;
    count_memory();
    time_first_answer(2000);
    time_first_answer(8000);
}
