// The improver @name@: exchanges neighbours while that helps. Put your own local search in its place.
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace sdk = qapfw::sdk;
namespace {

struct @Name@ {
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("sweeps", 10).range(1, 1'000'000).summary("Sweeps over all neighbours, at most.")};
    @Name@(const sdk::Host&, const sdk::Parameters& parameters, const sdk::ProblemRef& of)
        : problem(of), sweeps(parameters.integer("sweeps")), free(sdk::free_positions(of)) {}

    /// One for each thread: what it holds needs no locks.
    struct Workspace {
        const @Name@& improver;
        explicit Workspace(const @Name@& of) : improver(of) {}

        /// Replaces solutions and costs by others that are not worse; returns how many costs were computed.
        std::uint64_t improve(const qapfw_batch& batch, const qapfw_improve_request& request) {
            std::uint64_t evaluations = 0;
            for (std::uint64_t k = 0; k < batch.count; ++k) {
                void* solution = sdk::solution_at(batch.solutions, improver.problem.solution_bytes(), k);
                evaluations += improver.descend(solution, batch.costs[k], request);
            }
            return evaluations;
        }
    };

    std::uint64_t descend(void* solution, qapfw_cost& cost, const qapfw_improve_request& request) const {
        std::uint64_t evaluations = 0;
        std::uint16_t* p = sdk::permutation_of(solution);
        bool better = true;
        for (std::int64_t sweep = 0; sweep < sweeps && better; ++sweep) {
            better = false;
            for (std::size_t i = 0; i + 1 < free.size(); ++i, ++evaluations) {
                if (request.should_stop != nullptr && request.should_stop(request.stop_context) != 0) return evaluations;
                std::swap(p[free[i]], p[free[i + 1]]);
                const qapfw_cost next = problem.evaluate_one(solution);
                if (problem.less()(next, cost)) {
                    cost = next;
                    better = true;
                } else {
                    std::swap(p[free[i]], p[free[i + 1]]);
                }
            }
        }
        return evaluations;
    }

    sdk::ProblemRef problem;
    std::int64_t sweeps;
    std::vector<std::uint16_t> free;  // positions that the user has not fixed
};

constexpr qapfw_component kComponent = sdk::improver_component<@Name@>(
    {.id = "@name@", .version = "0.1.0", .summary = "Exchanges of neighbours while they help."});

}  // namespace

QAPFW_PLUGIN("@name@", "0.1.0", "proprietary", &kComponent)
