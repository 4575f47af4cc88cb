// SPDX-License-Identifier: Apache-2.0
// The subpopulations of the distributed GA on CPU threads: one task per subpopulation, or with an improver one per
// individual. The trajectory does not depend on it.
#pragma once

#include <atomic>
#include <vector>

#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/solver.hpp"

namespace qapfw::ga_distributed {

constexpr std::uint32_t kImproverStream = 64;       ///< and 65: children
constexpr std::uint32_t kStartImproverStream = 68;  ///< and 69: first individuals

struct IslandOptions {
    kernels::GaRules rules{};
    std::uint32_t islands = 1;
    std::vector<std::uint16_t> free;  ///< movable positions
    std::uint32_t individuals() const { return islands * rules.size; }
};

/// What a subpopulation is between two generations.
struct Individuals {
    std::vector<std::uint16_t> solutions;
    std::vector<qapfw_cost> costs;
    std::vector<std::uint64_t> found;  ///< generation in which the individual was made
};

/// A solution taken out of the population.
struct Champion {
    std::vector<std::uint16_t> solution;
    qapfw_cost cost;
    std::uint64_t found;
    std::uint32_t individual;
};

class Islands {
  public:
    Islands(const sdk::Host& host, const sdk::ProblemRef& problem, const qapfw_improver_ref* improver,
            const IslandOptions& options);

    /// Steps 1 and 2 of the base GA. False: cut short; individual 0 is there in any case.
    bool start(const sdk::Run& run);
    /// Generations first+1..last of all subpopulations. False: cut short; every individual and its cost are right.
    bool evolve(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    /// Moves `moved` individuals to other places; `generation` is the one just ended.
    void exchange(std::uint64_t generation, std::uint32_t moved);

    void mark() { marked_ = now_; }
    void revert() { now_ = marked_; }
    Champion leader() const;
    std::uint64_t digest(std::uint64_t generation) const;
    /// Candidates whose cost became known, children equal to a parent included.
    std::uint64_t evaluations() const { return evaluations_; }
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    kernels::GaPools<qapfw_cost> pools();
    std::vector<std::uint64_t> order_warm_starts(const sdk::Run& run) const;
    void draw_individual(std::uint32_t k, const std::vector<std::uint64_t>& warm, const sdk::Run& run);
    bool evolve_alone(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    bool evolve_with_improver(std::uint64_t first, std::uint64_t last, const sdk::Run& run);
    bool breed_island(std::uint32_t island, std::uint64_t generation, std::uint32_t worker, const sdk::Run& run);
    void breed(std::uint32_t first, std::uint32_t last, std::uint64_t generation, std::uint32_t worker);
    void evaluate(std::uint16_t* solutions, qapfw_cost* costs, std::uint32_t count) const;
    std::uint64_t improve(std::uint16_t* solution, qapfw_cost* cost, std::uint32_t k, std::uint64_t generation,
                          std::uint32_t stream, std::uint32_t worker, const sdk::Run& run);

    sdk::Host host_;
    sdk::ProblemRef problem_;
    sdk::ImproverPool improvers_;
    IslandOptions options_;
    std::uint64_t stride_;  ///< elements of one solution with its padding
    Individuals now_, marked_, next_;
    std::vector<std::uint16_t> base_;      ///< the fixed solution, or the identity
    std::vector<std::uint16_t> children_;  ///< W
    std::vector<qapfw_cost> child_costs_;
    std::vector<std::uint8_t> ready_;   ///< individual or child k is there with its cost
    std::vector<std::uint8_t> taken_;   ///< per worker: scratch of OX
    std::vector<std::uint16_t> where_;  ///< per worker: scratch of PMX
    std::atomic<std::uint64_t> evaluations_{0};
};

}  // namespace qapfw::ga_distributed
