// SPDX-License-Identifier: Apache-2.0
// Conformance cases for a problem's lower bounds: no solution costs less than a bound that holds for it.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "framework/conformance/fixture.hpp"
#include "framework/host/plugin_call.hpp"
#include "qapfw/abi/bounds.h"
#include "qapfw/sdk/encoding.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kBoundedSolutions = 24;
// Limits the number of paths that are checked: this number times n * n is at most kSquares. But at least one path is
// checked. A path takes n steps of O(n^3).
constexpr std::uint32_t kSquares = 4000;

const qapfw_problem_bounds& bounds_of(const Problem& problem) {
    const auto* table = static_cast<const qapfw_problem_bounds*>(problem.capability(QAPFW_PROBLEM_BOUNDS));
    if (table == nullptr) throw Skip("the problem gives no bounds");
    return *table;
}

qapfw_cost greatest(const Problem& problem) {
    qapfw_cost cost{};
    if (problem.info().cost_kind == QAPFW_COST_FLOAT64)
        cost.f = std::numeric_limits<double>::infinity();
    else
        cost.i = std::numeric_limits<std::int64_t>::max();
    return cost;
}

void require_below(const Problem& problem, qapfw_cost bound, qapfw_cost cost, const std::string& where) {
    require(!problem.costs().less(cost, bound),
            fmt::format("{} is {}, but a solution to which this bound applies costs {}", where,
                        problem.costs().raw_text(bound), problem.costs().raw_text(cost)));
}

void instance_bound_holds(const Subject& subject) {
    const Opened opened(subject);
    const qapfw_problem_bounds& table = bounds_of(opened.problem);
    const qapfw_problem_ref& ref = *opened.problem.ref();
    qapfw_instance_bound bound{};
    call_plugin(opened.problem.owner(), "of_instance",
                [&] { return table.of_instance(ref.problem, nullptr, nullptr, &bound); });
    if (bound.name == nullptr) throw Skip("the problem gives no bound for this instance");
    const Batch batch(opened.problem, kBoundedSolutions, 31);
    for (const qapfw_cost& cost : batch.costs) require_below(opened.problem, bound.bound, cost, bound.name);
    if (opened.problem.info().has_best_known != 0)
        require_below(opened.problem, bound.bound, opened.problem.info().best_known, bound.name);
}

/// The plugin's object for bounds along a path of a tree search. The destructor frees this object.
class Path {
  public:
    Path(const Problem& problem, const qapfw_problem_bounds& table) : problem_(problem), table_(table) {
        const qapfw_status status = table.create(problem.ref()->problem, &handle_);
        call_plugin(problem.owner(), "bounds: create", [&] { return status; });
    }
    ~Path() {
        if (handle_ != nullptr) table_.destroy(handle_);
    }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

    qapfw_cost reset() {
        qapfw_cost bound{};
        call_plugin(problem_.owner(), "bounds: reset",
                    [&] { return table_.reset(handle_, greatest(problem_), &bound); });
        return bound;
    }
    qapfw_cost fix(std::uint32_t position, std::uint32_t value) {
        qapfw_cost bound{};
        call_plugin(problem_.owner(), "bounds: fix",
                    [&] { return table_.fix(handle_, position, value, greatest(problem_), &bound); });
        return bound;
    }
    void unfix() { table_.unfix(handle_); }
    std::vector<qapfw_cost> children(std::uint32_t length) {
        std::vector<qapfw_cost> bounds(std::size_t{length} * length);
        std::vector<std::uint16_t> position_class(length), value_class(length);
        table_.children(handle_, bounds.data(), position_class.data(), value_class.data());
        return bounds;
    }

  private:
    const Problem& problem_;
    const qapfw_problem_bounds& table_;
    qapfw_bounds* handle_ = nullptr;
};

/// Fixes a solution position by position. No bound on the way may exceed the solution's cost. If positions are
/// freed and fixed again, their bounds must be the same as before.
void path_bounds_hold(const Subject& subject) {
    const Opened opened(subject);
    const Problem& problem = opened.problem;
    Path path(problem, bounds_of(problem));
    const qapfw_encoding& encoding = problem.info().encoding;
    const qapfw_segment& segment = encoding.segments[0];
    const std::uint32_t count = std::clamp(kSquares / (segment.length * segment.length), 1U, kBoundedSolutions);
    Batch batch(problem, count, 32);
    std::mt19937_64 random(33);
    for (std::uint32_t k = 0; k < count; ++k) {
        const qapfw_cost cost = batch.costs[k];
        std::vector<std::uint32_t> order;
        for (std::uint32_t i = 0; i < segment.length; ++i) {
            if (encoding.fixed == nullptr || encoding.fixed[i] == 0) order.push_back(i);
        }
        std::shuffle(order.begin(), order.end(), random);
        std::vector<qapfw_cost> bounds{path.reset()};
        require_below(problem, bounds.back(), cost, "the bound at the start of a path");
        const auto value = [&](std::uint32_t position) { return sdk::element_at(segment, batch.at(k), position); };
        for (std::size_t depth = 0; depth < order.size(); ++depth) {
            const std::vector<qapfw_cost> ahead = path.children(segment.length);
            for (std::size_t later = depth; later < order.size(); ++later) {
                require_below(problem, ahead[std::size_t{order[later]} * segment.length + value(order[later])], cost,
                              fmt::format("a child's bound after {} fixed positions", depth));
            }
            bounds.push_back(path.fix(order[depth], value(order[depth])));
            require_below(problem, bounds.back(), cost, fmt::format("the bound of {} fixed positions", depth + 1));
        }
        // Goes back half of the way, and then forward again.
        const std::size_t half = order.size() / 2;
        for (std::size_t depth = order.size(); depth > half; --depth) path.unfix();
        for (std::size_t depth = half; depth < order.size(); ++depth) {
            path.children(segment.length);
            const qapfw_cost again = path.fix(order[depth], value(order[depth]));
            require(
                problem.costs().raw_text(again) == problem.costs().raw_text(bounds[depth + 1]),
                fmt::format("after calls of unfix and fix, the bound with {} fixed positions is {}; it was {} before",
                            depth + 1, problem.costs().raw_text(again), problem.costs().raw_text(bounds[depth + 1])));
        }
    }
}

constexpr Case kBoundsCases[] = {
    {"instance-bound", "No solution costs less than the instance's bound.", instance_bound_holds},
    {"path-bounds",
     "No solution costs less than the bound of any partial solution that leads to it; unfix restores each of these "
     "bounds.",
     path_bounds_hold},
};

}  // namespace

std::span<const Case> bounds_cases() {
    return kBoundsCases;
}

}  // namespace qapfw::framework::conformance
