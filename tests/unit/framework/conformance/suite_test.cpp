// SPDX-License-Identifier: Apache-2.0
// Tests of the conformance suite itself: it must hand the right objects to its cases, and its cases must be able to
// fail.
#include "framework/conformance/suite.hpp"

#include <doctest/doctest.h>

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "framework/conformance/fixture.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::conformance;

TEST_CASE("a case in a child passes, fails, skips, crashes or hangs, and the parent lives") {
    const std::chrono::seconds limit(1);
    CHECK(run_in_child([] {}, limit).verdict == Verdict::kPass);
    const Outcome failed = run_in_child([] { require(false, "found this"); }, limit);
    CHECK(failed.verdict == Verdict::kFail);
    CHECK(failed.detail == "found this");
    CHECK(run_in_child([] { throw Skip("not here"); }, limit).verdict == Verdict::kSkip);
    const Outcome crashed = run_in_child(
        [] {
            std::signal(SIGSEGV, SIG_DFL);
            std::raise(SIGSEGV);
        },
        limit);
    CHECK(crashed.verdict == Verdict::kCrash);
    CHECK(crashed.detail.find("signal 11") != std::string::npos);
    CHECK(run_in_child([] { throw 5; }, limit).detail == "an exception of unknown type");
    const Outcome hung = run_in_child(
        [] {
            while (true) pause();
        },
        limit);
    CHECK(hung.verdict == Verdict::kHang);
}

TEST_CASE("random solutions are valid, keep fixed positions and depend on their number") {
    for (const char* form :
         {"permutation", "permutation+bays", "counted_bits+permutation32+values", "counted_values"}) {
        Host host(1, {});
        Choice choice = small_problem_choice({12, form, true});
        const Problem problem(host, choice);
        const qapfw_encoding& encoding = problem.info().encoding;
        const SolutionBuffer a = random_solution(encoding, 1, 0), b = random_solution(encoding, 1, 1);
        CHECK(solution_defect(encoding, a.data()).empty());
        CHECK(std::memcmp(a.data(), b.data(), encoding.solution_bytes) != 0);
        CHECK(std::memcmp(a.data(), random_solution(encoding, 1, 0).data(), encoding.solution_bytes) == 0);
    }
}

TEST_CASE("the suite's own problem and improver pass the suite") {
    for (const Component* component : {&small_problem_component(), &small_improver_component()}) {
        const Subject subject{*component, {}, {}};
        const bool problem = component->descriptor->kind == QAPFW_KIND_PROBLEM;
        for (const Case& test : problem ? problem_cases() : improver_cases()) {
            const Outcome outcome = run_in_child([&] { test.run(subject); }, std::chrono::seconds(30));
            CHECK_MESSAGE((outcome.verdict == Verdict::kPass || outcome.verdict == Verdict::kSkip), test.id, ": ",
                          outcome.detail);
        }
    }
}
