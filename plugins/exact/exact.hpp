// SPDX-License-Identifier: Apache-2.0
// Solver "exact": branch and bound. It ends with a solution that is proven to be the best, by the problem's bounds of
// partial solutions (qapfw/abi/bounds.h); without them it tries all solutions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugins/exact/descents.hpp"
#include "plugins/exact/path.hpp"
#include "qapfw/sdk/owner_costs.hpp"
#include "qapfw/sdk/parameter_table.hpp"

namespace qapfw::exact {

/// A part of the tree that is still to be searched.
struct OpenNode {
    std::vector<Assignment> path;
    qapfw_cost bound;  ///< of all solutions in it
};

/// Result of a node that a worker searched: the best solution in it, and what is left of it.
struct Searched {
    Incumbent best;              ///< better than the best of before; or empty
    std::vector<OpenNode> left;  ///< in the order in which they would have come
    std::uint64_t nodes = 0;     ///< partial solutions that were bounded
    std::uint64_t evaluations = 0;
};

/// The ranking of solutions: by their costs, or where those are rounded by the owner's. Then whatever is closer to the
/// best than the resolution is looked at.
struct Ranking {
    explicit Ranking(const sdk::ProblemRef& of);

    /// Solutions of at least this cost are not better than `best`.
    qapfw_cost cutoff(const Incumbent& best) const;
    /// Sets best.owner_cost where it is needed.
    void rank(Incumbent& best) const;
    /// Both have been ranked.
    bool is_better(const Incumbent& a, const Incumbent& b) const;

    sdk::ProblemRef problem;
    sdk::OwnerCosts owner;
    std::int64_t resolution;
};

/// Searches what is below a node, depth first, until `budget` nodes have been bounded or `stop` says so, for solutions
/// that are better than `best`, which has been ranked. The result depends on node, best and budget alone.
Searched search(Path& path, const Ranking& ranking, const OpenNode& node, const Incumbent& best, std::uint64_t budget,
                const sdk::StopQuestion& stop);

class Exact {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("descents", 200)
            .range(1, 1'000'000)
            .unit("descents")
            .summary("Descents by swaps before the tree search, which starts from the best solution that they find."),
        sdk::integer("nodes", 32)
            .range(1, 1'000'000)
            .unit("nodes")
            .summary(
                "Partial solutions that each of the parts of the tree that are searched side by side may bound in a "
                "round. What is left of a part is taken up again in a later round.")};

    explicit Exact(const sdk::SolverContext& context);

    void run(sdk::Run& run);
    void save(sdk::Writer& writer) const;
    void load(sdk::Reader& reader);

  private:
    /// Counts of a round, for its report.
    struct Counts {
        std::uint64_t evaluations = 0;
    };
    bool begin(sdk::Run& run);
    std::uint64_t left_of_limit(const sdk::Run& run, const Counts& counts) const;
    bool descend(sdk::Run& run, Counts& counts);
    bool search_some(sdk::Run& run, Counts& counts);
    void merge(std::vector<Searched>& parts, Counts& counts);
    void drop_hopeless();
    qapfw_cost lower_bound() const;
    void report(sdk::Run& run, bool complete, const Counts& counts);
    std::uint64_t digest() const;

    sdk::Host host_;
    sdk::ProblemRef problem_;
    Ranking ranking_;
    std::uint64_t descents_wanted_, nodes_each_;
    Descents descents_;
    std::vector<std::optional<Path>> paths_;  ///< one for each worker that has searched
    std::uint64_t evaluations_ = 0;           ///< since the run began or went on

    // The state, which is saved.
    std::uint64_t rounds_ = 0, descents_made_ = 0, nodes_ = 0;
    std::uint64_t best_round_ = 0;
    Incumbent best_;
    std::vector<OpenNode> open_;  ///< the next ones at the end
};

}  // namespace qapfw::exact
