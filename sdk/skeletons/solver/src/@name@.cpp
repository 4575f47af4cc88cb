// The solver @name@. Each search swaps two random elements and keeps the result if it is not worse. Put your own
// algorithm here.
#include <cstring>

#include "qapfw/sdk/plugin.hpp"
#include "qapfw/sdk/population_solver.hpp"

namespace sdk = qapfw::sdk;
namespace {

class @Name@ {
  public:
    struct View {  // arrays with an entry for each search; the engine makes, saves and loads them
        unsigned char *solutions, *next;
        qapfw_cost* costs;
        std::uint64_t* found;  // the iteration that found the solution
    };
    using Steps = sdk::HostSteps<View>;
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("searches", 16).range(1, 100'000).summary("Number of searches that run side by side.")};

    explicit @Name@(const sdk::SolverContext& context)
        : problem_(context.problem), bytes_(problem_.solution_bytes()), free_(sdk::free_positions(problem_)),
          searches_(static_cast<std::uint32_t>(context.parameters.integer("searches"))) {}

    sdk::PopulationShape shape() const { return {.groups = searches_, .size = 1}; }
    void declare(sdk::Fields<View>& fields, const sdk::Run&) {
        fields.add<&View::solutions>({.count = bytes_, .is_state = true, .is_solution = true});
        fields.add<&View::next>({.count = bytes_});
        fields.add<&View::costs>({.is_state = true});
        fields.add<&View::found>({.is_state = true});
    }
    std::uint64_t round_wanted(std::uint64_t) const { return 100; }  // iterations between two reports

    void start(Steps& steps) {
        steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
            void* solution = sdk::solution_at(steps.view().solutions, bytes_, k);
            steps.begin_with(solution, k);
            steps.evaluate(worker, {solution, steps.view().costs + k, 1}, k, 0);
        });
    }
    /// Does iteration t of every search. A random number depends only on (seed, iteration, search, purpose, index).
    void generation(Steps& steps, std::uint64_t t) {
        steps.individuals(1, [&](std::uint32_t k, std::uint32_t, std::uint32_t worker) {
            const View& v = steps.view();
            void *solution = sdk::solution_at(v.solutions, bytes_, k), *next = sdk::solution_at(v.next, bytes_, k);
            const auto place = [&](std::uint32_t index) { return free_[steps.draw(k, t, 1, index, free_.size())]; };
            std::memcpy(next, solution, bytes_);
            if (!free_.empty()) std::swap(sdk::permutation_of(next)[place(0)], sdk::permutation_of(next)[place(1)]);
            qapfw_cost cost{};
            steps.evaluate(worker, {next, &cost, 1}, k, t);
            if (problem_.less()(v.costs[k], cost)) return;
            if (problem_.less()(cost, v.costs[k])) v.found[k] = t;
            std::memcpy(solution, next, bytes_), v.costs[k] = cost;
        });
    }
    sdk::Leader leader(Steps& steps) const { return steps.leader(steps.view().solutions, steps.view().costs, steps.view().found); }
    std::uint64_t digest(Steps& steps, std::uint64_t t) const { return steps.digest(steps.view().solutions, steps.view().costs, t); }

  private:
    sdk::ProblemRef problem_;
    std::uint64_t bytes_;
    std::vector<std::uint16_t> free_;  // positions that the user has not fixed
    std::uint32_t searches_;
};

constexpr qapfw_component kComponent = sdk::solver_component<sdk::PopulationSolver<@Name@>>(
    {.id = "@name@", .version = "0.1.0", .summary = "Makes random swaps that do not raise the cost."});

}  // namespace

QAPFW_PLUGIN("@name@", "0.1.0", "proprietary", &kComponent)
