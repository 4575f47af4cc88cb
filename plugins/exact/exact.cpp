// SPDX-License-Identifier: Apache-2.0
#include "plugins/exact/exact.hpp"

#include <algorithm>
#include <utility>

#include "qapfw/kernels/digest.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/warm_starts.hpp"

namespace qapfw::exact {
namespace {

/// Greatest number of parts of the tree that are searched in parallel in a round. It does not depend on the number of
/// threads, so that the search is the same on all machines.
constexpr std::size_t kParts = 16;
/// Limit on the nodes that a round searches in each part while fewer than kParts nodes are open. The limit is small, so
/// that kParts nodes are soon open.
constexpr std::uint64_t kNodesAtFirst = 4;
constexpr std::uint64_t kDescentsInRound = 50;

}  // namespace

Ranking::Ranking(const sdk::ProblemRef& of) : problem(of), owner(problem), resolution(owner.resolution()) {}

qapfw_cost Ranking::cutoff(const Incumbent& best) const {
    qapfw_cost cutoff = best.cost;
    if (resolution > 0) cutoff.i += resolution;
    return cutoff;
}

void Ranking::rank(Incumbent& best) const {
    if (resolution > 0) best.owner_cost = owner.cost(best.solution.data());
}

bool Ranking::is_better(const Incumbent& a, const Incumbent& b) const {
    return resolution > 0 ? a.owner_cost < b.owner_cost : problem.less()(a.cost, b.cost);
}

Exact::Exact(const sdk::SolverContext& context)
    : host_(context.host),
      problem_(context.problem),
      ranking_(problem_),
      descents_wanted_(static_cast<std::uint64_t>(context.parameters.integer("descents"))),
      nodes_each_(static_cast<std::uint64_t>(context.parameters.integer("nodes"))),
      descents_(problem_),
      paths_(host_.workers()) {
    paths_[0].emplace(problem_);  // throws before the run begins if the instance is too large
    open_.push_back({{}, least_cost(problem_.info().cost_kind)});
}

void Exact::run(sdk::Run& run) {
    if (!best_.exists() && !begin(run)) return;
    while (!open_.empty()) {
        if (run.begin_round(1) == 0) return;
        Counts counts;
        const bool complete = descents_made_ < descents_wanted_ ? descend(run, counts) : search_some(run, counts);
        report(run, complete, counts);
        if (!complete) return;
    }
}

/// Makes the first round, a single descent, so that there is a solution soon. Returns false after an early stop.
bool Exact::begin(sdk::Run& run) {
    if (run.begin_round(1) == 0) return false;
    Counts counts;
    const std::vector<unsigned char> warm = sdk::warm_starts(run, problem_, 1);
    if (!warm.empty()) {
        best_.solution = warm;
        best_.cost = problem_.evaluate_one(best_.solution.data());
        ++counts.evaluations;
    }
    counts.evaluations += descents_.make(best_, run.seed(), descents_made_++, run.stop(), left_of_limit(run, counts));
    const bool complete = !run.should_stop();
    report(run, complete, counts);
    return complete;
}

/// Returns how many evaluations the limit still allows. Returns 0 if it allows none, and also if there is no limit.
std::uint64_t Exact::left_of_limit(const sdk::Run& run, const Counts& counts) const {
    const std::uint64_t used = evaluations_ + counts.evaluations;
    return run.evaluations_left() - std::min(run.evaluations_left(), used);
}

/// Makes the descents of a round. Returns whether the round is complete.
bool Exact::descend(sdk::Run& run, Counts& counts) {
    const std::uint64_t last = std::min(descents_wanted_, descents_made_ + kDescentsInRound);
    while (descents_made_ < last && !run.should_stop()) {
        const std::uint64_t left = left_of_limit(run, counts);
        if (run.evaluations_left() > 0 && left == 0) break;
        const qapfw_cost before = best_.cost;
        counts.evaluations += descents_.make(best_, run.seed(), descents_made_++, run.stop(), left);
        if (problem_.less()(best_.cost, before)) best_round_ = rounds_;
    }
    return !run.should_stop();
}

/// Searches the last open nodes, at most kParts. Nodes below them that are not searched in this round become open.
/// Returns whether the round is complete.
bool Exact::search_some(sdk::Run& run, Counts& counts) {
    ranking_.rank(best_);
    drop_hopeless();
    const std::size_t count = std::min(kParts, open_.size());
    const std::uint64_t budget = open_.size() < kParts ? std::min(kNodesAtFirst, nodes_each_) : nodes_each_;
    std::vector<OpenNode> nodes(std::make_move_iterator(open_.end() - static_cast<std::ptrdiff_t>(count)),
                                std::make_move_iterator(open_.end()));
    open_.resize(open_.size() - count);
    std::vector<Searched> parts(count);
    host_.parallel_for(count, [&](std::uint64_t k, std::uint32_t worker) {
        if (!paths_[worker]) paths_[worker].emplace(problem_);
        parts[k] = search(*paths_[worker], ranking_, nodes[k], best_, budget, run.stop());
    });
    merge(parts, counts);
    return !run.should_stop();
}

void Exact::merge(std::vector<Searched>& parts, Counts& counts) {
    for (Searched& part : parts) {
        nodes_ += part.nodes;
        counts.evaluations += part.evaluations;
        if (part.best.exists() && ranking_.is_better(part.best, best_)) {
            best_ = std::move(part.best);
            best_round_ = rounds_;
        }
        // part.left begins with the node to search first, but the next round takes nodes from the end of open_. So the
        // nodes are added in reverse order.
        open_.insert(open_.end(), std::make_move_iterator(part.left.rbegin()),
                     std::make_move_iterator(part.left.rend()));
    }
    drop_hopeless();
}

void Exact::drop_hopeless() {
    std::erase_if(open_, [&](const OpenNode& node) { return !problem_.less()(node.bound, ranking_.cutoff(best_)); });
}

/// A lower bound for all solutions that are better than the best so far: the least of the open nodes' bounds and the
/// cutoff. (Solutions that cost at least the cutoff are not better than the best.)
qapfw_cost Exact::lower_bound() const {
    qapfw_cost least = ranking_.cutoff(best_);
    for (const OpenNode& node : open_) {
        if (problem_.less()(node.bound, least)) least = node.bound;
    }
    return least;
}

void Exact::report(sdk::Run& run, bool complete, const Counts& counts) {
    qapfw_round round{};
    round.struct_size = sizeof round;
    round.complete = complete ? 1 : 0;
    round.iterations = 1;
    round.evaluations = counts.evaluations;
    round.best_solution = best_.solution.data();
    round.best_cost = best_.cost;
    round.best_iteration = best_round_;
    round.lower_bound = lower_bound();
    round.has_lower_bound = problem_.less()(least_cost(problem_.info().cost_kind), round.lower_bound) ? 1 : 0;
    if (complete) ++rounds_;
    evaluations_ += counts.evaluations;
    round.digest = digest();
    run.statistic("nodes", static_cast<double>(nodes_));
    run.statistic("open_nodes", static_cast<double>(open_.size()));
    run.end_round(round);
}

std::uint64_t Exact::digest() const {
    std::uint64_t sum = 0;
    for (std::size_t k = 0; k < open_.size(); ++k) {
        std::uint64_t of_node = 0;
        for (const Assignment& a : open_[k].path) of_node += kernels::digest_element(a.position, a.value);
        sum += kernels::digest_in_round(k + 1, kernels::digest_search(of_node, open_[k].bound.i, 0, 0));
    }
    const std::uint64_t best =
        kernels::digest_solution(sdk::permutation_of(std::as_const(best_.solution).data()), problem_.length());
    return sum + kernels::digest_in_round(0, kernels::digest_search(best, best_.cost.i, best_.cost.i, rounds_));
}

void Exact::save(sdk::Writer& writer) const {
    for (const std::uint64_t count : {rounds_, descents_made_, nodes_, best_round_}) writer.value(count);
    writer.value<std::uint8_t>(best_.exists() ? 1 : 0);
    writer.bytes(best_.solution.data(), best_.solution.size());
    writer.value(best_.cost);
    writer.value<std::uint64_t>(open_.size());
    for (const OpenNode& node : open_) {
        writer.value(node.bound);
        writer.array(node.path);
    }
}

void Exact::load(sdk::Reader& reader) {
    for (std::uint64_t* const count : {&rounds_, &descents_made_, &nodes_, &best_round_}) {
        *count = reader.value<std::uint64_t>();
    }
    const bool has_best = reader.value<std::uint8_t>() != 0;
    best_.solution.resize(has_best ? problem_.solution_bytes() : 0);
    reader.bytes(best_.solution.data(), best_.solution.size());
    best_.cost = reader.value<qapfw_cost>();
    open_.clear();
    const auto nodes = reader.value<std::uint64_t>();
    for (std::uint64_t k = 0; k < nodes; ++k) {
        OpenNode node;
        node.bound = reader.value<qapfw_cost>();
        const auto length = reader.value<std::uint64_t>();
        if (length > problem_.length()) {
            throw Error(ErrorKind::kInput, "the saved state has a path that is longer than a solution");
        }
        for (std::uint64_t step = 0; step < length; ++step) {
            node.path.push_back(reader.value<Assignment>());
            if (node.path.back().position >= problem_.length() || node.path.back().value >= problem_.length()) {
                throw Error(ErrorKind::kInput,
                            "the saved state has a position or an element that the problem does not have");
            }
        }
        open_.push_back(std::move(node));
    }
}

}  // namespace qapfw::exact
