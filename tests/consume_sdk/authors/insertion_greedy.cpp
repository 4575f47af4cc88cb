// SPDX-License-Identifier: Apache-2.0
// Iterated greedy: some elements go to the end, and come back one by one to their best positions (Ruiz, Stuetzle 2007).
#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/moves.hpp"
#include "qapfw/sdk/plugin.hpp"

using namespace qapfw;

struct InsertionGreedy {
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("evaluations", 10'000).range(1, 1'000'000'000).summary("About how many costs to compute.")};

    InsertionGreedy(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& of)
        : problem(of), most(static_cast<std::uint64_t>(parameters.integer("evaluations"))), free(sdk::free_positions(of)) {}

    std::uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall& call) const {
        const std::size_t out = std::min<std::size_t>(4, free.size());
        sdk::Moves moves(problem);
        moves.reset(solution, cost);
        for (std::uint32_t round = 0; moves.evaluations() < most && free.size() > 1 && !call.should_stop(); ++round) {
            for (std::uint32_t k = 0; k < out; ++k) {
                const auto drawn = kernels::draw(call.seed(), call.iteration(round), call.individual(), call.stream(), k);
                moves.propose_insertion(free[kernels::below(drawn, static_cast<std::uint32_t>(free.size() - k))], free.back());
                moves.accept();
            }
            for (std::size_t from = free.size() - out; from < free.size(); ++from) {
                std::size_t best = from;  // the element may stay where it is
                std::int64_t least = 0;
                for (std::size_t to = 0; to < from; ++to) {
                    const std::int64_t delta = moves.propose_insertion(free[from], free[to]).i;
                    if (delta < least) least = delta, best = to;
                }
                if (best != from) moves.propose_insertion(free[from], free[best]), moves.accept();
            }
            if (problem.less()(cost, moves.cost()))
                moves.reset(solution, cost);
            else
                moves.give(solution, cost);
        }
        return moves.evaluations();
    }
    sdk::ProblemRef problem;
    std::uint64_t most;
    std::vector<std::uint16_t> free;
};

constexpr qapfw_component kImprover = sdk::improver_component<InsertionGreedy>(
    {.id = "insertion_greedy", .version = "1.0.0", .summary = "Iterated greedy by insertions."});
QAPFW_PLUGIN("org.example.insertion_greedy", "1.0.0", "Apache-2.0", &kImprover)
