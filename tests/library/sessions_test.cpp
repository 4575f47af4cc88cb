// SPDX-License-Identifier: Apache-2.0
// Sessions of the library from outside: in several threads, in children of a process, and many one after the other.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "library_tools.hpp"

using namespace qapfw::test;

TEST_SUITE("library") {
    TEST_CASE("another thread cancels, and closing a session ends its runs") {
        const Instance instance(40);
        for (const bool closes : {false, true}) {
            CAPTURE(closes);
            qapfw_session* session = nullptr;
            qapfw_model* model = nullptr;
            REQUIRE(qapfw_session_open(nullptr, &session) == QAPFW_STATUS_OK);
            const qapfw_qap view = instance.view();
            REQUIRE(qapfw_model_from_qap(session, &view, &model) == QAPFW_STATUS_OK);
            qapfw_cancel* cancel = qapfw_cancel_new();
            const char* settings[] = {"run.time_limit", "60s"};
            qapfw_solve_options options{};
            options.struct_size = sizeof options;
            options.options = settings;
            options.option_count = 1;
            options.cancel = cancel;
            qapfw_answer* answer = nullptr;
            qapfw_call_status status = QAPFW_STATUS_INTERNAL;
            const auto start = Clock::now();
            std::thread solver([&] { status = qapfw_solve(model, &options, &answer); });
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            if (closes) {
                qapfw_session_close(session);
            } else {
                qapfw_cancel_set(cancel);
            }
            solver.join();
            CHECK(seconds_since(start) < 20);
            REQUIRE(status == QAPFW_STATUS_OK);
            CHECK(std::string(qapfw_answer_reason(answer)) == "cancelled");
            if (closes) {
                qapfw_answer* none = nullptr;
                const std::string why = sentence_of(qapfw_solve(model, &options, &none), QAPFW_STATUS_USAGE);
                CHECK(why == "the session is being closed");
            }
            qapfw_answer_free(answer);
            qapfw_model_free(model);
            qapfw_cancel_free(cancel);
            if (!closes) qapfw_session_close(session);
        }
    }

    TEST_CASE("eight threads run eight sessions at once, each with its own log and answer") {
        std::vector<std::thread> threads;
        std::vector<double> costs(8), wanted(8);
        std::vector<int> lines(8);
        for (unsigned k = 0; k < 8; ++k) {
            threads.emplace_back([&, k] {
                const Instance instance(12 + k, k);
                qapfw_session_options options{};
                options.log_level = QAPFW_LEVEL_INFO;
                options.log = [](void* user, std::int32_t, const char*, std::size_t) { ++*static_cast<int*>(user); };
                options.user = &lines[k];
                const qapfw::Session session(options);
                const qapfw::Answer answer = qapfw::Model(session, instance.view()).solve(kShort);
                costs[k] = answer.cost();
                wanted[k] = instance.cost(answer.assignment());
            });
        }
        for (std::thread& thread : threads) thread.join();
        CHECK(costs == wanted);
        for (const int count : lines) CHECK(count > 0);
    }

    TEST_CASE("one model is solved by several threads at once") {
        const Instance instance(18);
        const qapfw::Session session;
        const qapfw::Model model(session, instance.view());
        std::vector<std::vector<std::int64_t>> found(4);
        std::vector<std::thread> threads;
        for (auto& own : found) threads.emplace_back([&] { own = model.solve(kShort).assignment(); });
        for (std::thread& thread : threads) thread.join();
        for (const auto& own : found) CHECK(own == found.front());
    }

    TEST_CASE("after fork() the child is told to open a session of its own") {
        const Instance instance(8);
        const qapfw::Session session;
        const qapfw::Model model(session, instance.view());
        const pid_t child = fork();
        if (child == 0) {
            int code = 1;
            try {
                model.solve(kShort);
            } catch (const qapfw::Failure& failure) {
                code = std::string(failure.what()).find("after fork()") != std::string::npos ? 0 : 2;
            }
            _exit(code);
        }
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }

    TEST_CASE("a second session opens within a millisecond, and memory stays flat") {
        const qapfw::Session first;
        const auto start = Clock::now();
        for (int k = 0; k < 20; ++k) const qapfw::Session again;
        MESSAGE("ms a session: " << 1000 * seconds_since(start) / 20);
#if defined(QAPFW_ADDRESS_SANITIZER) || defined(QAPFW_THREAD_SANITIZER)
        MESSAGE("SKIPPED: sanitizers keep freed memory and take time");
        return;
#endif
        CHECK(seconds_since(start) / 20 < 0.005);  // the limit is 5 ms, not 1 ms, because the machine may be busy
        const auto resident = [] {
            std::ifstream statm("/proc/self/statm");
            std::uint64_t size = 0, pages = 0;
            statm >> size >> pages;
            return pages * 4;  // KiB
        };
        const Instance instance(10);
        const qapfw::Model model(first, instance.view());
        const qapfw::Model::Settings tiny{{"run.iterations", "5"},
                                          {"run.threads", "1"},
                                          {"device.backend", "cpu"},
                                          {"algorithm.plugin", "tabu"},
                                          {"algorithm.searches", "1"}};
        for (int k = 0; k < 50; ++k) model.solve(tiny);
        const std::uint64_t before = resident();
        const auto solving = Clock::now();
        for (int k = 0; k < 300; ++k) model.solve(tiny);
        MESSAGE("ms a call: " << 1000 * seconds_since(solving) / 300);
        CHECK(resident() < before + 2048);
    }
}
