// SPDX-License-Identifier: Apache-2.0
// Calls fbs_local_search through its C table, and makes solutions of any problem with bay bits.
#pragma once

#include <vector>

#include "plugins/fbs_local_search/fbs_local_search.hpp"
#include "qapfw/kernels/fbs_operators.hpp"
#include "tests/support/test_improver.hpp"

namespace qapfw::fbs_local_search::test {

using qapfw::test::Given;
using Table = sdk::ImproverTrampolines<FbsLocalSearch>;
using Bytes = std::vector<unsigned char>;

struct Improver : qapfw::test::TestImprover<FbsLocalSearch> {
    using Base = qapfw::test::TestImprover<FbsLocalSearch>;
    Improver(const qapfw::test::TestHost& host, const qapfw_problem_ref* problem, const Given& given)
        : Base(host.get(), problem, given), ref_of_problem(problem) {
        request.stream = 64;
    }
    std::uint64_t improve(Bytes& solutions, std::vector<qapfw_cost>& costs) {
        return Base::improve(solutions.data(), costs);
    }
    std::uint64_t improve_one(Bytes& solution, qapfw_cost& cost) { return Base::improve_one(solution.data(), cost); }
    sdk::ProblemRef ref_of_problem;
};

inline kernels::FbsSolution<std::uint16_t*, std::uint8_t*> view_of(const sdk::ProblemRef& problem, void* solution) {
    return {sdk::permutation_of(solution),
            static_cast<std::uint8_t*>(solution) + problem.encoding().segments[1].offset};
}

/// `count` random solutions, numbered from `first` on.
inline Bytes random_solutions(const sdk::ProblemRef& problem, std::uint32_t count, std::uint32_t first = 0) {
    Bytes bytes(problem.solution_bytes() * count, 0);
    for (std::uint32_t k = 0; k < count; ++k) {
        kernels::fbs_randomize(view_of(problem, sdk::solution_at(bytes.data(), problem.solution_bytes(), k)),
                               problem.length(), 0, 7, 0, first + k, 1);
    }
    return bytes;
}

inline std::vector<qapfw_cost> costs_of(const sdk::ProblemRef& problem, Bytes solutions) {
    std::vector<qapfw_cost> costs(solutions.size() / problem.solution_bytes());
    problem.evaluate({solutions.data(), costs.data(), costs.size()});
    return costs;
}

/// Visits every neighbour that the given kinds of moves reach.
template <class Visit>
void for_neighbours(const sdk::ProblemRef& problem, Bytes solution, const std::vector<std::uint32_t>& kinds,
                    Visit visit) {
    const std::uint32_t n = problem.length();
    const kernels::FbsBorders borders = kernels::fbs_borders(view_of(problem, solution.data()), n);
    for (const std::uint32_t kind : kinds) {
        for (std::uint32_t index = 0; index < kernels::fbs_move_count(kind, n); ++index) {
            const kernels::FbsMove move = kernels::fbs_move_at(kind, index, n);
            if (!kernels::fbs_is_move(view_of(problem, solution.data()), n, borders, move)) continue;
            Bytes neighbour = solution;
            kernels::fbs_apply_move(view_of(problem, neighbour.data()), n, move);
            visit(neighbour, problem.evaluate_one(neighbour.data()));
        }
    }
}

/// True if no neighbour that the given kinds of moves reach costs less.
inline bool is_local_optimum(const sdk::ProblemRef& problem, const Bytes& solution,
                             const std::vector<std::uint32_t>& kinds = {0, 1, 2, 3, 4}) {
    Bytes copy = solution;
    const qapfw_cost cost = problem.evaluate_one(copy.data());
    bool optimum = true;
    for_neighbours(problem, solution, kinds, [&](const Bytes&, qapfw_cost other) {
        if (problem.less()(other, cost)) optimum = false;
    });
    return optimum;
}

}  // namespace qapfw::fbs_local_search::test
