// The improver @name@: swaps neighbouring elements while this lowers the cost. Put your own local search in `improve`.
#include <utility>

#include "qapfw/sdk/moves.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace sdk = qapfw::sdk;

struct @Name@ {
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("sweeps", 10).range(1, 1'000'000).summary("Largest number of sweeps over all neighbours.")};

    @Name@(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& of)
        : problem(of), sweeps(parameters.integer("sweeps")), free(sdk::free_positions(of)) {}

    /// Replaces the solution by one that is not worse, and updates its cost. Returns how many costs were computed.
    std::uint64_t improve(void* solution, qapfw_cost& cost, const sdk::ImproveCall& call) const {
        sdk::Moves moves(problem);
        moves.reset(solution, cost);
        bool better = true;
        for (std::int64_t sweep = 0; sweep < sweeps && std::exchange(better, false); ++sweep) {
            for (std::size_t k = 0; k + 1 < free.size() && !call.should_stop(); ++k) {
                moves.propose_exchange(free[k], free[k + 1]);
                if (moves.is_better()) moves.accept(), better = true;
            }
        }
        moves.give(solution, cost);
        return moves.evaluations();
    }

    sdk::ProblemRef problem;
    std::int64_t sweeps;
    std::vector<std::uint16_t> free;  // positions that the user has not fixed
};

constexpr qapfw_component kComponent = sdk::improver_component<@Name@>(
    {.id = "@name@", .version = "0.1.0", .summary = "Swaps neighbouring elements while this lowers the cost."});

QAPFW_PLUGIN("@name@", "0.1.0", "proprietary", &kComponent)
