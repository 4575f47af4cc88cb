// The solver @name@: exchanges two random elements and keeps what is not worse. Put your own search in its place.
#include <cstring>
#include <vector>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/plugin.hpp"

namespace sdk = qapfw::sdk;
namespace kernels = qapfw::kernels;
namespace {

class @Name@ {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("round", 1000).range(1, 1'000'000).summary("Iterations between two reports.")};

    explicit @Name@(const sdk::SolverContext& context)
        : problem_(context.problem), round_(static_cast<std::uint64_t>(context.parameters.integer("round"))),
          free_(sdk::free_positions(problem_)), current_(problem_.solution_bytes()) {}

    void run(sdk::Run& run) {
        std::uint64_t evaluations = run.resumed() ? 0 : start(run);
        while (const std::uint64_t granted = run.begin_round(round_)) {
            std::uint64_t done = 0;
            for (; done < granted && !run.should_stop(); ++done) evaluations += step(run.seed());
            run.end_round({.struct_size = sizeof(qapfw_round), .complete = done == granted, .iterations = done,
                           .evaluations = evaluations, .digest = digest(), .best_solution = current_.data(),
                           .best_cost = cost_, .best_iteration = best_iteration_, .best_search = 0});
            evaluations = 0;
        }
    }
    // With both of them an interrupted run can be resumed: they hold everything that the next iterations go by.
    void save(sdk::Writer& to) const { to.array(current_), to.value(cost_), to.value(iteration_), to.value(best_iteration_); }
    void load(sdk::Reader& from) {
        from.array(current_, current_.size());
        cost_ = from.value<qapfw_cost>();
        iteration_ = from.value<std::uint64_t>();
        best_iteration_ = from.value<std::uint64_t>();
    }

  private:
    std::uint64_t start(const sdk::Run& run) {
        sdk::base_solution(problem_, current_.data());
        if (run.initial().count > 0) std::memcpy(current_.data(), run.initial().solutions, current_.size());
        cost_ = problem_.evaluate_one(current_.data());
        return 1;
    }
    /// A draw depends on (seed, iteration, search, purpose, index) alone, so the same seed gives the same run.
    std::uint64_t step(std::uint64_t seed) {
        std::vector<unsigned char> next = current_;
        const auto place = [&](std::uint32_t k) {
            return free_[kernels::below(kernels::draw(seed, iteration_, 0, 1, k), static_cast<std::uint32_t>(free_.size()))];
        };
        if (!free_.empty()) std::swap(sdk::permutation_of(next.data())[place(0)], sdk::permutation_of(next.data())[place(1)]);
        const qapfw_cost cost = problem_.evaluate_one(next.data());
        if (problem_.less()(cost, cost_)) best_iteration_ = iteration_;
        if (!problem_.less()(cost_, cost)) current_ = next, cost_ = cost;
        ++iteration_;
        return 1;
    }
    std::uint64_t digest() const {
        const std::uint64_t elements = kernels::digest_solution(sdk::permutation_of(current_.data()), problem_.length());
        return kernels::digest_in_round(0, kernels::digest_search(elements, cost_.i, cost_.i, iteration_));
    }

    sdk::ProblemRef problem_;
    std::uint64_t round_;
    std::vector<std::uint16_t> free_;  // positions that the user has not fixed
    std::vector<unsigned char> current_;
    qapfw_cost cost_{};
    std::uint64_t iteration_ = 0, best_iteration_ = 0;
};

constexpr qapfw_component kComponent = sdk::solver_component<@Name@>(
    {.id = "@name@", .version = "0.1.0", .summary = "Random exchanges that are not worse."});

}  // namespace

QAPFW_PLUGIN("@name@", "0.1.0", "proprietary", &kComponent)
