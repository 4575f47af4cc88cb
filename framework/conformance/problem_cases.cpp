// SPDX-License-Identifier: Apache-2.0
// Conformance cases for problems on the CPU.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>
#include <string_view>

#include "framework/conformance/fixture.hpp"
#include "framework/host/cpu_limits.hpp"
#include "framework/host/plugin_call.hpp"
#include "framework/problem/explanation.hpp"
#include "qapfw/abi/assignment.h"
#include "qapfw/abi/explanation.h"
#include "qapfw/sdk/swap_neighbourhood.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kProblemBatch = 13;

void info_sane(const Subject& subject) {
    const Opened opened(subject);  // the constructor of Problem checks the info
    const qapfw_problem_info& info = opened.problem.info();
    const auto require_size = [](const char* name, std::uint32_t found, std::size_t least) {
        require(found >= least, fmt::format("{}.struct_size is {}, but it must be at least {}", name, found, least));
    };
    require_size("qapfw_problem_info", info.struct_size, sizeof info);
    require_size("qapfw_problem_info.encoding", info.encoding.struct_size, sizeof info.encoding);
    const auto ask = [&] { return opened.problem.ref()->table->info(opened.problem.ref()->problem); };
    require(ask() == ask(), "info returns another address when it is called again");
    if (info.has_best_known == 0 || info.has_lower_bound == 0) return;
    require(!opened.problem.costs().less(info.best_known, info.lower_bound),
            "the best-known cost is below the lower bound");
}

void create_destroy(const Subject& subject) {
    for (int k = 0; k < 3; ++k) const Opened opened(subject);
}

void batch_is_single(const Subject& subject) {
    const Opened opened(subject);
    Batch batch(opened.problem, kProblemBatch, 1);
    const std::vector<qapfw_cost> single = batch.costs;
    qapfw_batch view = batch.view();
    const qapfw_problem_ref& ref = *opened.problem.ref();
    call_plugin(opened.problem.owner(), "evaluate", [&] { return ref.table->evaluate(ref.problem, &view); });
    for (std::uint32_t k = 0; k < kProblemBatch; ++k) {
        require(
            std::memcmp(&single[k], &batch.costs[k], sizeof(qapfw_cost)) == 0,
            fmt::format("solution {} costs {} alone and {} in a batch", k, opened.problem.costs().raw_text(single[k]),
                        opened.problem.costs().raw_text(batch.costs[k])));
    }
}

void evaluate_leaves_solutions(const Subject& subject) {
    const Opened opened(subject);
    Batch batch(opened.problem, 1, 2);
    const SolutionBuffer fresh = random_solution(opened.problem.info().encoding, 2, 0);
    require(std::memcmp(batch.at(0), fresh.data(), batch.stride) == 0, "evaluate changed the solution");
}

void evaluate_many_threads(const Subject& subject) {
    Opened opened(subject);
    Batch batch(opened.problem, kProblemBatch, 3);
    struct Loop {
        const Problem* problem;
        Batch* batch;
    } loop{&opened.problem, &batch};
    const qapfw_status status = opened.host.pool().run(
        200,
        [](void* user, std::uint64_t index, std::uint32_t) -> qapfw_status {
            const Loop& l = *static_cast<Loop*>(user);
            const std::size_t k = index % kProblemBatch;
            qapfw_cost cost{};
            const qapfw_batch one{l.batch->at(k), &cost, 1};
            const qapfw_problem_ref& ref = *l.problem->ref();
            const qapfw_status evaluated = ref.table->evaluate(ref.problem, &one);
            if (evaluated != QAPFW_OK) return evaluated;
            return std::memcmp(&cost, &l.batch->costs[k], sizeof cost) == 0 ? QAPFW_OK : QAPFW_ERROR;
        },
        &loop);
    require(status == QAPFW_OK, "costs differ when several threads evaluate at the same time");
}

/// An invalid value for the first element of a segment.
struct Wrong {
    std::uint32_t segment, value;
};

void add_mistakes(const qapfw_segment& segment, std::uint32_t number, const std::vector<std::uint32_t>& right,
                  std::vector<Wrong>& mistakes) {
    if (segment.length == 0) return;
    if (segment.kind == QAPFW_SEGMENT_PERMUTATION && segment.length > 1) mistakes.push_back({number, right[1]});
    const std::uint64_t holds = std::uint64_t{1} << (8 * segment.element_bytes);
    for (const std::uint64_t wrong : {std::uint64_t{sdk::bound_at(segment, 0)}, holds - 1}) {
        const bool is_wrong = wrong >= sdk::bound_at(segment, 0) && wrong < holds;
        if (is_wrong) mistakes.push_back({number, static_cast<std::uint32_t>(wrong)});
    }
}

void invalid_is_refused(const Subject& subject) {
    const Opened opened(subject);
    const qapfw_encoding& encoding = opened.problem.info().encoding;
    const SolutionValues right = solution_values(encoding, random_solution(encoding, 4, 0).data());
    std::vector<Wrong> mistakes;
    for (std::uint32_t s = 0; s < encoding.segment_count; ++s)
        add_mistakes(encoding.segments[s], s, right[s], mistakes);
    if (mistakes.empty()) throw Skip("all values of all elements are valid, so there is nothing to refuse");
    for (const auto& [segment, wrong] : mistakes) {
        SolutionValues values = right;
        values[segment][0] = wrong;
        SolutionBuffer solution(encoding.solution_bytes);
        store_values(encoding, values, solution.data());
        qapfw_cost cost{};
        const qapfw_batch one{solution.data(), &cost, 1};
        const qapfw_problem_ref& ref = *opened.problem.ref();
        take_last_error();
        const qapfw_status status = ref.table->evaluate(ref.problem, &one);
        require(
            status != QAPFW_OK,
            fmt::format("evaluate accepts an invalid solution, with {} at position 0 of segment {}", wrong, segment));
        require(!take_last_error().empty(), "evaluate refuses an invalid solution, but sets no message");
    }
}

void artefacts_read_back(const Subject& subject) {
    const Opened opened(subject);
    const Problem& problem = opened.problem;
    const SolutionBuffer solution = random_solution(problem.info().encoding, 5, 0);
    const auto artefacts = problem.artefacts(solution.data());
    require(!artefacts.empty(), "write_artefacts gives no file");
    problem.drawing(solution.data());
    if (problem.ref()->table->read_solution == nullptr) throw Skip("it reads no solutions");
    const SolutionBuffer read = problem.read_solution(artefacts.front().bytes);
    require(std::memcmp(read.data(), solution.data(), problem.info().encoding.solution_bytes) == 0,
            fmt::format("{} reads back as another solution", artefacts.front().name));
}

void assignment_is_whole(const Subject& subject) {
    const Opened opened(subject);
    const Problem& problem = opened.problem;
    if (problem.capability(QAPFW_PROBLEM_ASSIGNMENT) == nullptr) throw Skip("its solutions are no assignments");
    const qapfw_encoding& encoding = problem.info().encoding;
    std::size_t count = 0;
    for (std::uint32_t k = 0; k < kProblemBatch; ++k) {
        const auto pairs = problem.assignment(random_solution(encoding, 7, k).data());
        if (k == 0 && pairs.empty()) throw Skip("a solution of this instance is no assignment");
        require(k == 0 || pairs.size() == count, "solutions have different numbers of facilities");
        count = pairs.size();
        std::set<std::uint32_t> facilities, locations;
        std::set<std::string> facility_texts, location_texts;
        for (const AssignedPair& pair : pairs) {
            require(facilities.insert(pair.facility).second && facility_texts.insert(pair.facility_text()).second,
                    fmt::format("facility {} comes twice", pair.facility_text()));
            const bool free =
                locations.insert(pair.location).second && location_texts.insert(pair.location_text()).second;
            require(free || encoding.segments[0].kind != QAPFW_SEGMENT_PERMUTATION,
                    fmt::format("location {} is taken twice", pair.location_text()));
        }
    }
}

void explanation_is_sane(const Subject& subject) {
    const Opened opened(subject);
    const Problem& problem = opened.problem;
    if (problem.capability(QAPFW_PROBLEM_EXPLANATION) == nullptr) throw Skip("it does not explain costs");
    CostParts first;
    for (std::uint32_t k = 0; k < kProblemBatch; ++k) {
        const SolutionBuffer solution = random_solution(problem.info().encoding, 17, k);
        SolutionBuffer asked = solution;
        const CostParts parts = explanation_of(problem, asked.data());
        require(std::memcmp(asked.data(), solution.data(), problem.info().encoding.solution_bytes) == 0,
                "explain changes the solution");
        require(parts == explanation_of(problem, asked.data()), "explain gives other numbers when it is asked again");
        require(!parts.empty(), "explain gives no numbers");
        if (k == 0) first = parts;
        const bool same =
            std::ranges::equal(parts, first, {}, &CostParts::value_type::first, &CostParts::value_type::first);
        require(same, "explain gives other names of parts for another solution");
    }
}

/// True if read_solution accepts the text; `solution` receives what it read.
bool reads(const Opened& opened, const std::string& text, SolutionBuffer& solution) {
    try {
        solution = opened.problem.read_solution(text);
        return true;
    } catch (const Error&) {
        return false;
    }
}

void bad_solution_text(const Subject& subject) {
    const Opened opened(subject);
    if (opened.problem.ref()->table->read_solution == nullptr) {
        throw Skip("it reads no solutions");
    }
    SolutionBuffer read;
    for (const char* text : {"", "blah blah", "1 2", "-1 -1 -1", "\xff\xfe"}) {
        // "1 2" may well be a solution of size 2.
        if (std::string_view(text) == "1 2" && opened.problem.info().n <= 2) continue;
        require(!reads(opened, text, read), fmt::format("read_solution accepts \"{}\"", text));
    }
    const SolutionBuffer solution = random_solution(opened.problem.info().encoding, 9, 0);
    const auto artefacts = opened.problem.artefacts(solution.data());
    require(!artefacts.empty(), "write_artefacts gives no file");
    for (const char* junk : {"7", "\n1 2 3\n", "\ntrailing words\n"}) {
        require(!reads(opened, artefacts.front().bytes + " " + junk, read),
                fmt::format("read_solution accepts {} followed by \"{}\"", artefacts.front().name,
                            std::string_view(junk).substr(junk[0] == '\n' ? 1 : 0)));
    }
}

/// Makes at most 20 descents by swaps from random solutions, within about a second. Returns the least cost reached.
qapfw_cost good_cost(const Problem& problem) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
    const qapfw_encoding& encoding = problem.info().encoding;
    SolutionBuffer solution = random_solution(encoding, 31, 0);
    qapfw_cost best = problem.evaluate(solution.data());
    for (std::uint32_t start = 0; start < 20 && std::chrono::steady_clock::now() < deadline; ++start) {
        solution = random_solution(encoding, 31, start);
        sdk::GenericSwapNeighbourhood neighbourhood{sdk::ProblemRef(problem.ref())};
        qapfw_cost cost = neighbourhood.reset(solution.data());
        qapfw_swap_move move{};
        while (neighbourhood.first_improving(0, 1, &move) && std::chrono::steady_clock::now() < deadline) {
            neighbourhood.apply(move.i, move.j);
            cost = sdk::cost_sum(problem.costs().kind, cost, move.delta);
        }
        if (problem.costs().less(cost, best)) best = cost;
    }
    return best;
}

void bound_holds(const Subject& subject) {
    const Opened opened(subject);
    const qapfw_problem_info& info = opened.problem.info();
    if (info.has_lower_bound == 0) throw Skip("it has no lower bound");
    const CostSpace& costs = opened.problem.costs();
    const qapfw_cost found = good_cost(opened.problem);
    require(!costs.less(found, info.lower_bound) || costs.agree(found, info.lower_bound),
            fmt::format("lower_bound is {}, but a solution costs {}", costs.raw_text(info.lower_bound),
                        costs.raw_text(found)));
}

void two_at_once(const Subject& subject) {
    const Opened first(subject), second(subject);
    require(first.problem.info().fingerprint == second.problem.info().fingerprint,
            "two objects of one instance have different fingerprints");
    for (std::uint32_t k = 0; k < kProblemBatch; ++k) {
        const SolutionBuffer solution = random_solution(first.problem.info().encoding, 6, k);
        const qapfw_cost a = first.problem.evaluate(solution.data()), b = second.problem.evaluate(solution.data());
        require(std::memcmp(&a, &b, sizeof a) == 0, "two objects of one instance give different costs");
    }
}

constexpr Case kProblemCases[] = {
    {"create-destroy", "Objects can be created and destroyed without being used.", create_destroy},
    {"info-sane", "Size, encoding, costs and bounds in a problem's info fit together.", info_sane},
    {"batch-is-single", "Solutions cost the same in a batch as one by one.", batch_is_single},
    {"evaluate-leaves-solutions", "Evaluating does not change solutions.", evaluate_leaves_solutions},
    {"evaluate-many-threads", "Several threads that evaluate at once get the same costs.", evaluate_many_threads},
    {"invalid-is-refused", "Invalid solutions are refused with a message.", invalid_is_refused},
    {"artefacts-read-back", "A written solution reads back as itself.", artefacts_read_back},
    {"assignment-is-whole", "An assignment has each facility once; if solutions are permutations, each location too.",
     assignment_is_whole},
    {"explanation-is-sane",
     "The numbers that explain a cost are finite. Asking again gives the same numbers. The names of the numbers are "
     "the same for all solutions.",
     explanation_is_sane},
    {"bad-solution-text", "Texts that are no solution are refused.", bad_solution_text},
    {"bound-holds", "No solution that is found costs less than the lower bound.", bound_holds},
    {"two-at-once", "Two objects of one instance, used side by side, give the same costs.", two_at_once},
};

}  // namespace

std::span<const Case> problem_cases() {
    return kProblemCases;
}

}  // namespace qapfw::framework::conformance
