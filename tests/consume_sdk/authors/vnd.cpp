// SPDX-License-Identifier: Apache-2.0
// Variable neighbourhood descent (Hansen and Mladenovic 2001): swaps of neighbours, then all swaps, then
// insertions. After each success it returns to the first of these.
#include "qapfw/sdk/moves.hpp"
#include "qapfw/sdk/plugin.hpp"

using namespace qapfw;

struct Vnd {
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("neighbourhoods", 3).range(1, 3).summary("Number of neighbourhoods to search.")};

    Vnd(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& of)
        : problem(of), last(parameters.integer("neighbourhoods")), free(sdk::free_positions(of)) {}

    std::uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall& call) const {
        sdk::Moves moves(problem);
        moves.reset(solution, cost);
        for (std::int64_t number = 1; number <= last && !call.should_stop();) number = search(moves, number, call) ? 1 : number + 1;
        moves.give(solution, cost);
        return moves.evaluations();
    }
    bool search(sdk::Moves& moves, std::int64_t number, const sdk::ImproveCall& call) const {
        for (std::size_t i = 0; i < free.size() && !call.should_stop(); ++i) {
            for (std::size_t j = number == 3 ? 0 : i + 1; j < (number == 1 ? std::min(i + 2, free.size()) : free.size()); ++j) {
                if (i == j) continue;
                number == 3 ? moves.propose_insertion(free[i], free[j]) : moves.propose_exchange(free[i], free[j]);
                if (moves.is_better()) return moves.accept(), true;
            }
        }
        return false;
    }
    sdk::ProblemRef problem;
    std::int64_t last;
    std::vector<std::uint16_t> free;
};

constexpr qapfw_component kImprover = sdk::improver_component<Vnd>(
    {.id = "vnd", .version = "1.0.0", .summary = "Variable neighbourhood descent over three neighbourhoods."});
QAPFW_PLUGIN("org.example.vnd", "1.0.0", "Apache-2.0", &kImprover)
