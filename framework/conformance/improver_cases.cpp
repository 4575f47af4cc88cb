// SPDX-License-Identifier: Apache-2.0
// Conformance cases for improvers.
#include <fmt/core.h>

#include <chrono>
#include <cstring>

#include "framework/conformance/algorithm_bench.hpp"

namespace qapfw::framework::conformance {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double kPatience = 0.3;  // seconds within which an improver must stop; the contract asks for 0.1

void check_improved(const ImproverBench& bench, Batch& batch, const std::vector<qapfw_cost>& before) {
    for (std::uint32_t k = 0; k < ImproverBench::kBatch; ++k) {
        const std::string defect = solution_defect(bench.problem.info().encoding, batch.at(k));
        require(defect.empty(), defect);
        const CostSpace& costs = bench.problem.costs();
        const auto text = [&costs](qapfw_cost cost) { return costs.raw_text(cost); };
        require(costs.at_most(batch.costs[k], before[k]),
                fmt::format("a solution of cost {} became worse: its cost is now {}", text(before[k]),
                            text(batch.costs[k])));
        const qapfw_cost recomputed = bench.problem.evaluate(batch.at(k));
        require(costs.agree(batch.costs[k], recomputed),
                fmt::format("reported cost {}, but evaluate computes {}", text(batch.costs[k]), text(recomputed)));
    }
}

void improver_right(const Subject& subject) {
    for (const SmallProblem& small : problems_for(subject)) {
        ImproverBench bench(subject, small);
        Batch batch(bench.problem, ImproverBench::kBatch, 1);
        const std::vector<qapfw_cost> before = batch.costs;
        const std::uint64_t evaluations = bench.improve(batch.view(), 0);
        require(evaluations > 0, "it counts no evaluations");
        check_improved(bench, batch, before);
    }
}

void improver_split(const Subject& subject) {
    for (const SmallProblem& small : problems_for(subject)) {
        ImproverBench bench(subject, small);
        Batch whole(bench.problem, ImproverBench::kBatch, 2), parts(bench.problem, ImproverBench::kBatch, 2);
        bench.improve(whole.view(), 0);
        for (std::uint32_t k = 0; k < ImproverBench::kBatch; ++k) bench.improve({parts.at(k), &parts.costs[k], 1}, k);
        require(
            std::memcmp(whole.at(0), parts.at(0), whole.stride * ImproverBench::kBatch) == 0,
            "a solution gets another result in a batch than alone, though its number first_individual + k is the same");
    }
}

void improver_repeats(const Subject& subject) {
    for (const SmallProblem& small : problems_for(subject)) {
        ImproverBench bench(subject, small), other(subject, small);
        Batch first(bench.problem, ImproverBench::kBatch, 3), second(bench.problem, ImproverBench::kBatch, 3),
            third(other.problem, ImproverBench::kBatch, 3);
        bench.improve(first.view(), 0);
        bench.improve(second.view(), 0);
        other.improve(third.view(), 0);
        require(std::memcmp(first.at(0), second.at(0), first.stride * ImproverBench::kBatch) == 0,
                "a second call with the same solutions gives another result");
        require(std::memcmp(first.at(0), third.at(0), first.stride * ImproverBench::kBatch) == 0,
                "a second object gives another result for the same solutions");
    }
}

/// Asks an improver to stop at its first question. Slow evaluations reveal an improver that asks too seldom.
void improver_stops(const Subject& subject) {
    for (SmallProblem small : problems_for(subject)) {
        ImproverBench quick(subject, small);
        Batch batch(quick.problem, ImproverBench::kBatch, 4);
        const std::vector<qapfw_cost> before = batch.costs;
        small.microseconds = 8000;
        ImproverBench slow(subject, small);
        const auto start = Clock::now();
        slow.improve(batch.view(), 0, [](void*) { return 1; });
        const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
        require(
            seconds < kPatience,
            fmt::format("the improver ran for {:.2f} s after the request to stop, though an evaluation takes only 8 ms",
                        seconds));
        check_improved(quick, batch, before);
    }
}

constexpr Case kImproverCases[] = {
    {"improve-right",
     "Improved solutions are valid, cost no more than before, have the right cost, and keep fixed positions.",
     improver_right},
    {"improve-split", "Solutions get the same result in a batch as one by one.", improver_split},
    {"improve-repeats", "The result of a call does not depend on earlier calls.", improver_repeats},
    {"improve-stops", "A request to stop is obeyed, and the results are valid.", improver_stops},
};

}  // namespace

std::span<const Case> improver_cases() {
    return kImproverCases;
}

}  // namespace qapfw::framework::conformance
