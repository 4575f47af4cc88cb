// SPDX-License-Identifier: Apache-2.0
// The depth-first search below one node of the tree.
#include <utility>

#include "plugins/exact/exact.hpp"

namespace qapfw::exact {
namespace {

class DepthFirst {
  public:
    DepthFirst(Path& path, const Ranking& ranking, const Incumbent& best, std::uint64_t budget,
               const sdk::StopQuestion& stop)
        : path_(path),
          problem_(ranking.problem),
          ranking_(ranking),
          before_(best),
          cutoff_(ranking.cutoff(best)),
          budget_(budget),
          stop_(stop) {}

    /// Searches the subtree of the path's last node, whose bound must be less than the cutoff.
    void explore() {
        if (path_.free_count() <= 1) return evaluate();
        for (const Branch& branch : path_.branches(cutoff_)) {
            if (!problem_.less()(branch.bound, cutoff_)) continue;
            if (found_.nodes >= budget_ || stop_()) {
                found_.left.push_back({path_.assignments(), branch.bound});
                found_.left.back().path.push_back(branch.assignment);
                continue;
            }
            ++found_.nodes;
            if (problem_.less()(path_.add(branch.assignment, cutoff_), cutoff_)) explore();
            path_.remove();
        }
    }
    Searched& found() { return found_; }

  private:
    void evaluate() {
        std::vector<unsigned char> solution(problem_.solution_bytes());
        path_.complete(solution.data());
        Incumbent leaf{std::move(solution), {}};
        leaf.cost = problem_.evaluate_one(leaf.solution.data());
        ++found_.evaluations;
        if (!problem_.less()(leaf.cost, cutoff_)) return;
        ranking_.rank(leaf);
        if (!ranking_.is_better(leaf, found_.best.exists() ? found_.best : before_)) return;
        cutoff_ = ranking_.cutoff(leaf);
        found_.best = std::move(leaf);
    }

    Path& path_;
    sdk::ProblemRef problem_;
    const Ranking& ranking_;
    const Incumbent& before_;
    qapfw_cost cutoff_;
    const std::uint64_t budget_;
    const sdk::StopQuestion stop_;
    Searched found_;
};

}  // namespace

Searched search(Path& path, const Ranking& ranking, const OpenNode& node, const Incumbent& best, std::uint64_t budget,
                const sdk::StopQuestion& stop) {
    DepthFirst below(path, ranking, best, budget, stop);
    const sdk::ProblemRef& problem = ranking.problem;
    const qapfw_cost cutoff = ranking.cutoff(best);
    bool is_hopeful = problem.less()(path.reset(cutoff), cutoff);
    for (std::size_t k = 0; k < node.path.size() && is_hopeful; ++k) {
        is_hopeful = problem.less()(path.add(node.path[k], cutoff), cutoff);
    }
    ++below.found().nodes;
    if (is_hopeful) below.explore();
    return std::move(below.found());
}

}  // namespace qapfw::exact
