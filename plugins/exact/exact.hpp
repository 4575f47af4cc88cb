// SPDX-License-Identifier: Apache-2.0
// Solver "exact": branch and bound. It ends with a proven optimum. The proof uses the problem's bounds of partial
// solutions (qapfw/abi/bounds.h). Without bounds the solver tries all solutions.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "plugins/exact/descents.hpp"
#include "plugins/exact/path.hpp"
#include "qapfw/sdk/owner_costs.hpp"
#include "qapfw/sdk/parameter_table.hpp"

namespace qapfw::exact {

/// A part of the tree that is not searched yet.
struct OpenNode {
    std::vector<Assignment> path;
    qapfw_cost bound;  ///< lower bound of the costs of all solutions in this part of the tree
};

/// Result of searching a node: the best solution below it, and the nodes below it that are not searched yet.
struct Searched {
    Incumbent best;              ///< best solution below the node; empty unless it is better than the run's best so far
    std::vector<OpenNode> left;  ///< nodes not searched, in the order in which the search would reach them
    std::uint64_t nodes = 0;     ///< number of partial solutions that were bounded
    std::uint64_t evaluations = 0;
};

/// The order of solutions: by search cost, or by the owner's cost (sdk::OwnerCosts) if search costs are rounded. With
/// rounded costs, the search skips only solutions whose search cost exceeds that of the best solution by `resolution`
/// or more.
struct Ranking {
    explicit Ranking(const sdk::ProblemRef& of);

    /// Returns a search cost: solutions that cost at least as much are not better than `best`.
    qapfw_cost cutoff(const Incumbent& best) const;
    /// Sets best.owner_cost if search costs are rounded.
    void rank(Incumbent& best) const;
    /// True if `a` is better than `b`. Both solutions must have been passed to rank().
    bool is_better(const Incumbent& a, const Incumbent& b) const;

    sdk::ProblemRef problem;
    sdk::OwnerCosts owner;
    std::int64_t resolution;
};

/// Searches below a node, depth first, for solutions better than `best`, which must have been passed to rank(). Ends
/// early when `budget` nodes have been bounded or `stop` becomes true. If `stop` stays false, the result depends only
/// on `node`, `best` and `budget`.
Searched search(Path& path, const Ranking& ranking, const OpenNode& node, const Incumbent& best, std::uint64_t budget,
                const sdk::StopQuestion& stop);

class Exact {
  public:
    static constexpr sdk::ParameterTable kParameters{
        sdk::integer("descents", 200)
            .range(1, 1'000'000)
            .unit("descents")
            .summary("Number of descents before the tree search. A descent makes improving swaps. The first one starts "
                     "from a random solution, unless a start is given; each later one starts from the best solution "
                     "with some positions shuffled. More descents take longer, but with a better solution the tree "
                     "search can skip more of the tree."),
        sdk::integer("nodes", 32)
            .range(1, 1'000'000)
            .unit("nodes")
            .summary(
                "Greatest number of nodes (partial solutions) that a round searches in each part of the search tree. "
                "The parts are searched side by side; later rounds search the nodes that are left over. A larger "
                "number makes rounds longer.")};

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
    std::vector<std::optional<Path>> paths_;  ///< the path of each worker; empty: the worker has not searched yet
    std::uint64_t evaluations_ = 0;           ///< number of evaluations since the run began or was resumed

    // The state, which is saved.
    std::uint64_t rounds_ = 0, descents_made_ = 0, nodes_ = 0;
    std::uint64_t best_round_ = 0;
    Incumbent best_;
    std::vector<OpenNode> open_;  ///< nodes at the end are searched first
};

}  // namespace qapfw::exact
