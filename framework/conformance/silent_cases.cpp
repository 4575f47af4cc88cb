// SPDX-License-Identifier: Apache-2.0
// Conformance cases for faults that nobody would notice: leaks, state that objects have in common, output mixed into
// the program's own, impossible costs, impossible best known values, and wrong deltas. The deltas of a sample of
// swaps are checked, also in large instances.
#include <fmt/core.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <limits>
#include <optional>
#include <random>
#include <thread>

#include "framework/conformance/algorithm_bench.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/sdk/swap_neighbourhood.hpp"

namespace qapfw::framework::conformance {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kSilentBatch = 24;

/// The first line that `body` writes to standard output or standard error, cut to 119 bytes; empty if there is none.
std::string printed_by(const std::function<void()>& body) {
    std::fflush(nullptr);
    std::cout.flush();
    const int file = memfd_create("printed", MFD_CLOEXEC), out = dup(STDOUT_FILENO), err = dup(STDERR_FILENO);
    if (file < 0 || out < 0 || err < 0) throw Skip("no file descriptors are left");
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
    const auto restore = [&] {
        std::fflush(nullptr);
        std::cout.flush();
        dup2(out, STDOUT_FILENO);
        dup2(err, STDERR_FILENO);
        close(out);
        close(err);
    };
    try {
        body();
    } catch (...) {
        restore();
        close(file);
        throw;
    }
    restore();
    char text[120] = {};
    const ssize_t count = pread(file, text, sizeof text - 1, 0);
    close(file);
    return count > 0 ? std::string(text, std::strcspn(text, "\n")) : std::string();
}

void require_silence(const std::string& printed) {
    require(printed.empty(), fmt::format("it prints \"{}\"; standard output and standard error belong to the "
                                         "program: give messages to the host's log",
                                         printed));
}

/// Evaluates a solution, and writes its artefacts and its drawing, as a run does.
void use(const Problem& problem, std::uint64_t seed) {
    const SolutionBuffer solution = random_solution(problem.info().encoding, seed, 0);
    problem.search_cost(solution.data());
    problem.artefacts(solution.data());
    problem.drawing(solution.data());
}

void problem_prints_nothing(const Subject& subject) {
    require_silence(printed_by([&] {
        const Opened opened(subject);
        use(opened.problem, 1);
    }));
}

void solver_prints_nothing(const Subject& subject) {
    const SmallProblem small = problems_for(subject).front();
    require_silence(printed_by([&] {
        SolverBench bench(subject, small, 2);
        run(bench, limits_of(20), 1);
    }));
}

void improver_prints_nothing(const Subject& subject) {
    const SmallProblem small = problems_for(subject).front();
    require_silence(printed_by([&] {
        ImproverBench bench(subject, small);
        Batch batch(bench.problem, 2, 1);
        bench.improve(batch.view(), 0);
    }));
}

/// Bytes of memory that the process uses.
std::int64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0;
    file >> pages >> pages;
    return pages * sysconf(_SC_PAGESIZE);
}

/// Makes and uses problem objects for the given time, at most 4000 of them. Returns the number of these objects.
std::uint64_t repeat_for(const Subject& subject, double seconds) {
    const auto end = Clock::now() + std::chrono::duration<double>(seconds);
    std::uint64_t repeats = 0;
    for (; Clock::now() < end && repeats < 4000; ++repeats) {
        const Opened opened(subject);
        Batch batch(opened.problem, kSilentBatch, repeats);
        qapfw_batch view = batch.view();
        const qapfw_problem_ref& ref = *opened.problem.ref();
        for (int k = 0; k < 10; ++k) {
            call_plugin(opened.problem.owner(), "evaluate", [&] { return ref.table->evaluate(ref.problem, &view); });
        }
        use(opened.problem, repeats);
    }
    return repeats;
}

/// Fails if memory grows by 1 MiB or more in each of two stretches of 0.25 s. Growth before these stretches does not
/// count, since libraries allocate some memory once and keep it.
void leaks_nothing(const Subject& subject) {
    constexpr std::int64_t kAllowed = std::int64_t{1} << 20;
    repeat_for(subject, 0.15);
    const std::int64_t before = resident_bytes();
    const std::uint64_t first = repeat_for(subject, 0.25);
    const std::int64_t between = resident_bytes();
    const std::uint64_t second = repeat_for(subject, 0.25);
    const std::int64_t grown = resident_bytes() - between, grown_first = between - before;
    require(grown < kAllowed || grown_first < kAllowed,
            fmt::format(
                "memory grows by about {} KiB with every problem that is made, used and destroyed",
                (grown + grown_first) / 1024 / static_cast<std::int64_t>(std::max<std::uint64_t>(1, first + second))));
}

/// The subject's choice with one integer parameter increased by 1. Takes the first parameter with which the problem can
/// still be made. Nothing if there is no such parameter.
std::optional<Choice> other_choice(const Subject& subject, const Choice& own) {
    const qapfw_component& component = *subject.component.descriptor;
    for (std::uint32_t k = 0; k < component.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(component, k);
        const auto& value = own.parameters.values()[k];
        if (parameter.type != QAPFW_PARAMETER_INTEGER || !value.present || value.is_auto) continue;
        const std::int64_t next = value.integer + 1;
        if (!in_range(parameter, next)) continue;
        std::vector<std::pair<std::string, std::string>> given;
        for (const auto& pair : subject.parameters) {
            if (pair.first != parameter.name) given.push_back(pair);
        }
        given.emplace_back(parameter.name, std::to_string(next));
        try {
            Host host(1, subject.data_paths);
            Choice choice = complete_choice(subject.component, given, host);
            const Problem probe(host, choice, false);
            return choice;
        } catch (const std::exception&) {  // this value is impossible: the loop tries the next parameter
        }
    }
    return std::nullopt;
}

/// Using a second problem object, with other data, must not change the costs of the first one.
void two_different(const Subject& subject) {
    Opened first(subject);
    Batch batch(first.problem, kSilentBatch, 12);
    std::optional<Choice> choice = other_choice(subject, first.choice);
    if (!choice) throw Skip("no integer parameter can be increased by 1 to make a second instance");
    Host host(1, subject.data_paths);
    const Problem other(host, *choice, false);
    use(other, 3);
    for (std::uint32_t k = 0; k < kSilentBatch; ++k) {
        const qapfw_cost again = first.problem.search_cost(batch.at(k));
        require(
            std::memcmp(&again, &batch.costs[k], sizeof again) == 0,
            fmt::format("a solution costs {}, but {} while a problem with other data exists: the objects share state",
                        first.problem.costs().raw_text(batch.costs[k]), first.problem.costs().raw_text(again)));
        const SolutionBuffer solution = random_solution(other.info().encoding, 4, k);
        other.search_cost(solution.data());
    }
}

/// Evaluates solutions for 0.4 s on four threads per core (8 to 64 in all). The costs must be those of a single thread.
/// Caches that are not thread-safe give other costs sooner or later.
void evaluate_crowded(const Subject& subject) {
    const std::uint32_t threads = std::clamp(4 * std::thread::hardware_concurrency(), 8u, 64u);
    Host host(threads, subject.data_paths);
    Choice choice = subject_choice(subject, host);
    const Problem problem(host, choice, false);
    Batch batch(problem, kSilentBatch, 13);
    struct Loop {
        const Problem* problem;
        Batch* batch;
        Clock::time_point end;
    } loop{&problem, &batch, Clock::now() + std::chrono::milliseconds(400)};
    const qapfw_status status = host.pool().run(
        threads,
        [](void* user, std::uint64_t index, std::uint32_t) -> qapfw_status {
            const Loop& l = *static_cast<Loop*>(user);
            for (std::size_t k = index; Clock::now() < l.end; ++k) {
                qapfw_cost cost{};
                const qapfw_batch one{l.batch->at(k % kSilentBatch), &cost, 1};
                const qapfw_problem_ref& ref = *l.problem->ref();
                if (ref.table->evaluate(ref.problem, &one) != QAPFW_OK) return QAPFW_ERROR;
                if (std::memcmp(&cost, &l.batch->costs[k % kSilentBatch], sizeof cost) != 0) return QAPFW_ERROR;
            }
            return QAPFW_OK;
        },
        &loop);
    require(status == QAPFW_OK,
            fmt::format("{} threads that evaluate for a while get other costs than one thread", threads));
}

void costs_in_range(const Subject& subject) {
    const Opened opened(subject);
    const CostSpace& costs = opened.problem.costs();
    for (std::uint32_t k = 0; k < kSilentBatch; ++k) {
        const qapfw_cost cost =
            opened.problem.search_cost(random_solution(opened.problem.info().encoding, 14, k).data());
        if (costs.kind == QAPFW_COST_FLOAT64) {
            require(std::isfinite(cost.f), fmt::format("a solution costs {}", cost.f));
        } else {
            constexpr std::int64_t kMost = std::int64_t{1} << 62;
            require(cost.i > -kMost && cost.i < kMost,
                    fmt::format("a solution costs {}: differences of such costs do not fit 64 bits", cost.i));
        }
    }
}

/// Fails if the costs of all random solutions have the opposite sign of the best known cost, or if a random solution
/// costs less than the best known cost.
void best_known_is_sane(const Subject& subject) {
    const Opened opened(subject);
    const qapfw_problem_info& info = opened.problem.info();
    if (info.has_best_known == 0) throw Skip("it has no best known cost");
    const CostSpace& costs = opened.problem.costs();
    const auto value = [&](qapfw_cost cost) {
        return costs.kind == QAPFW_COST_FLOAT64 ? cost.f : static_cast<double>(cost.i);
    };
    const double best = value(info.best_known);
    bool other_sign = true;
    qapfw_cost least{};
    for (std::uint32_t k = 0; k < kSilentBatch; ++k) {
        const qapfw_cost cost = opened.problem.search_cost(random_solution(info.encoding, 15, k).data());
        other_sign = other_sign && value(cost) * best < 0;
        if (k == 0 || costs.less(cost, least)) least = cost;
    }
    require(!other_sign, fmt::format("best_known is {}, but the costs of all tried solutions (the least is {}) have "
                                     "the other sign. Costs are minimised; to maximise, negate costs and best_known, "
                                     "and set sense to -1",
                                     costs.raw_text(info.best_known), costs.raw_text(least)));
    const bool beaten = costs.less(least, info.best_known);
    require(!beaten || info.best_known_is_optimal == 0,
            fmt::format("best_known is {} and is said to be optimal, but a random solution costs {}",
                        costs.raw_text(info.best_known), costs.raw_text(least)));
    require(!beaten, fmt::format("best_known is {}, but a random solution costs {}", costs.raw_text(info.best_known),
                                 costs.raw_text(least)));
}

/// Checks the deltas of swaps that the neighbourhood returns as improving or best. Then checks that none of 200 random
/// swaps beats the neighbourhood's best swap. This takes little time even for large n.
void swaps_by_sample(const Subject& subject) {
    constexpr std::uint32_t kPairs = 200;
    const Opened opened(subject);
    const Problem& problem = opened.problem;
    const auto* const table =
        static_cast<const qapfw_swap_neighbourhood*>(problem.capability(QAPFW_PROBLEM_SWAP_NEIGHBOURHOOD));
    if (table == nullptr) throw Skip("it has no swap neighbourhood of its own");
    const std::uint32_t n = problem.info().encoding.segments[0].length;
    if (n < 3 || problem.info().encoding.fixed != nullptr)
        throw Skip("it has fewer than three positions, or some positions are fixed");
    sdk::SwapNeighbourhood neighbourhood{sdk::ProblemRef(problem.ref())};
    const SolutionBuffer solution = random_solution(problem.info().encoding, 16, 0);
    const qapfw_cost cost = neighbourhood.reset(solution.data());
    const CostSpace& costs = problem.costs();
    const auto after = [&](std::uint32_t i, std::uint32_t j) {
        SolutionBuffer changed(problem.info().encoding.solution_bytes);
        std::memcpy(changed.data(), solution.data(), problem.info().encoding.solution_bytes);
        std::swap(sdk::permutation_of(changed.data())[i], sdk::permutation_of(changed.data())[j]);
        return problem.search_cost(changed.data());
    };
    const auto told = [&](qapfw_cost delta) { return sdk::cost_sum(costs.kind, cost, delta); };
    std::mt19937 random(17);
    for (std::uint32_t k = 0; k < kPairs / 4; ++k) {
        const auto i = static_cast<std::uint32_t>(random() % (n - 1));
        const auto j = i + 1 + static_cast<std::uint32_t>(random() % (n - 1 - i));
        qapfw_swap_move move{};
        if (!neighbourhood.first_improving(i, j, &move)) continue;
        require(costs.agree(told(move.delta), after(move.i, move.j)),
                fmt::format("a swap of {} and {} gives cost {} by its delta, {} by evaluate", move.i, move.j,
                            costs.raw_text(told(move.delta)), costs.raw_text(after(move.i, move.j))));
    }
    qapfw_swap_filter everything{};
    everything.struct_size = sizeof everything;
    qapfw_swap_move best{};
    if (!neighbourhood.best_admissible(everything, &best)) return;
    require(costs.agree(told(best.delta), after(best.i, best.j)),
            fmt::format("the best swap, {} and {}, gives cost {} by its delta, {} by evaluate", best.i, best.j,
                        costs.raw_text(told(best.delta)), costs.raw_text(after(best.i, best.j))));
    for (std::uint32_t k = 0; k < kPairs; ++k) {
        const auto i = static_cast<std::uint32_t>(random() % (n - 1));
        const auto j = i + 1 + static_cast<std::uint32_t>(random() % (n - 1 - i));
        const qapfw_cost found = after(i, j);
        require(!costs.less(found, told(best.delta)) || costs.agree(found, told(best.delta)),
                fmt::format("a swap of {} and {} gives cost {}, lower than cost {} of the swap found to be best", i, j,
                            costs.raw_text(found), costs.raw_text(told(best.delta))));
    }
}

constexpr Case kSilentCases[] = {
    {"prints-nothing", "Nothing goes to standard output or standard error.", problem_prints_nothing},
    {"leaks-nothing", "Memory does not grow with every object that is made and used.", leaks_nothing},
    {"two-different", "Two objects made from different data do not disturb each other.", two_different},
    {"evaluate-crowded", "More threads than cores evaluate for a while and get the same costs as one thread.",
     evaluate_crowded},
    {"costs-in-range", "Costs are finite, and their differences fit 64 bits.", costs_in_range},
    {"best-known-sane",
     "The best-known cost has the sign of the costs that are found, and no random solution beats it.",
     best_known_is_sane},
    {"swap-sample",
     "The neighbourhood's swap deltas agree with full evaluation, and no random swap beats its best swap.",
     swaps_by_sample},
};
constexpr Case kSilentSolverCases[] = {
    {"prints-nothing", "Nothing goes to standard output or standard error.", solver_prints_nothing}};
constexpr Case kSilentImproverCases[] = {
    {"prints-nothing", "Nothing goes to standard output or standard error.", improver_prints_nothing}};

}  // namespace

std::span<const Case> silent_cases(std::uint32_t kind) {
    if (kind == QAPFW_KIND_PROBLEM) return kSilentCases;
    return kind == QAPFW_KIND_SOLVER ? std::span<const Case>(kSilentSolverCases) : kSilentImproverCases;
}

}  // namespace qapfw::framework::conformance
