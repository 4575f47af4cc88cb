// SPDX-License-Identifier: Apache-2.0
// Proposed swaps: the solver's side. The problem proposes the swaps (qapfw/abi/sampled_neighbourhood.h). If the problem
// cannot, a generic class proposes them, and evaluates every swapped solution from scratch.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

#include "qapfw/abi/sampled_neighbourhood.h"
#include "qapfw/kernels/philox.hpp"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// Proposes and makes swaps for any problem with a permutation and integer costs. It calls only the problem's
/// `evaluate`: each delta takes a full evaluation, so use this class for small instances. The partner of a position may
/// be any free position. Most members do the same as the members of SampledWalk with the same name.
class GenericSampledWalk {
  public:
    /// Makes a walk without a solution; call `reset` first. The problem must outlive the walk.
    explicit GenericSampledWalk(const ProblemRef& problem)
        : problem_(problem), all_(problem.length()), current_(problem.solution_bytes()) {
        for (std::uint32_t k = 0; k < all_.size(); ++k) all_[k] = k;
    }
    /// Returns the facts for a generic walk: `construct` has one way, and `propose` may be asked for all positions.
    /// `unit` is a quarter of the average absolute delta of 32 swaps in a random solution, plus 1.
    static qapfw_sampled_facts facts(const ProblemRef& problem) {
        constexpr std::uint32_t kTries = 32;
        std::vector<unsigned char> start(problem.solution_bytes());
        construct(problem, 1, start.data());
        GenericSampledWalk walk(problem);
        walk.reset(start.data());
        std::uint64_t sum = 0;
        for (std::uint32_t k = 0; k < kTries; ++k) {
            const std::uint32_t position = k % problem.length();
            const std::uint64_t draw = (k + 1) * 0x9e3779b97f4a7c15ull;
            std::uint32_t partner = 0;
            std::int64_t delta = 0;
            walk.propose(1, &position, &draw, &partner, &delta);
            sum += static_cast<std::uint64_t>(delta < 0 ? -delta : delta);
        }
        return {sizeof(qapfw_sampled_facts),
                1,
                problem.length(),
                1,
                static_cast<std::int64_t>(sum / (4 * kTries) + 1),
                std::uint64_t{problem.length()} * problem.length()};
    }
    /// Writes a random solution that keeps the fixed elements.
    static void construct(const ProblemRef& problem, std::uint64_t seed, void* solution) {
        constexpr std::uint32_t kStream = 92;
        base_solution(problem, solution);
        const qapfw_segment& segment = problem.encoding().segments[0];
        std::vector<std::uint32_t> free;
        for (std::uint32_t k = 0; k < segment.length; ++k) {
            if (problem.encoding().fixed == nullptr || problem.encoding().fixed[k] == 0) free.push_back(k);
        }
        for (std::uint32_t k = static_cast<std::uint32_t>(free.size()); k > 1; --k) {
            const std::uint32_t other = kernels::below(kernels::draw(seed, k, 0, kStream, 0), k);
            exchange_in(segment, solution, free[k - 1], free[other]);
        }
    }

    void reset(const void* solution) {  ///< Starts from this solution.
        std::memcpy(current_.data(), solution, current_.size());
    }
    /// Writes the present solution.
    void solution(void* to) const { std::memcpy(to, current_.data(), current_.size()); }
    /// The cost of the present solution.
    std::int64_t cost() const {
        std::vector<unsigned char> copy = current_;
        return problem_.evaluate_one(copy.data()).i;
    }
    /// See qapfw_sampled_neighbourhood.propose.
    void propose(std::uint64_t count, const std::uint32_t* positions, const std::uint64_t* draws,
                 std::uint32_t* partners, std::int64_t* deltas) const {
        const qapfw_segment& segment = problem_.encoding().segments[0];
        const std::uint8_t* const fixed = problem_.encoding().fixed;
        std::vector<unsigned char> copy = current_;
        const std::int64_t before = problem_.evaluate_one(copy.data()).i;
        for (std::uint64_t k = 0; k < count; ++k) {
            const auto partner = static_cast<std::uint32_t>((draws[k] >> 32) * segment.length >> 32);
            const bool moves = fixed == nullptr || (fixed[positions[k]] == 0 && fixed[partner] == 0);
            partners[k] = moves ? partner : positions[k];
            deltas[k] = 0;
            if (partners[k] == positions[k]) continue;
            exchange_in(segment, copy.data(), positions[k], partner);
            deltas[k] = problem_.evaluate_one(copy.data()).i - before;
            exchange_in(segment, copy.data(), positions[k], partner);
        }
    }
    /// The possible partners of a position: all positions.
    qapfw_sampled_neighbours neighbours(std::uint32_t) const {
        return {all_.data(), static_cast<std::uint32_t>(all_.size()), sizeof(std::uint32_t)};
    }
    void exchange(std::uint32_t a, std::uint32_t b) {  ///< Swaps the elements of two positions.
        exchange_in(problem_.encoding().segments[0], current_.data(), a, b);
    }

  private:
    static void exchange_in(const qapfw_segment& segment, void* solution, std::uint32_t a, std::uint32_t b) {
        const std::uint32_t value = element_at(segment, solution, a);
        set_element(segment, solution, a, element_at(segment, solution, b));
        set_element(segment, solution, b, value);
    }
    ProblemRef problem_;
    std::vector<std::uint32_t> all_;
    std::vector<unsigned char> current_;
};

/// One solution of any problem with a permutation and integer costs. The problem proposes swaps; if it cannot, a
/// GenericSampledWalk proposes them.
class SampledWalk {
  public:
    /// True if the problem proposes swaps itself.
    static bool has(const ProblemRef& problem) { return table_of(problem) != nullptr; }
    /// Facts about the instance: the problem's own, or generic ones. Throws StatusError.
    static qapfw_sampled_facts facts(const ProblemRef& problem) {
        if (!has(problem)) return GenericSampledWalk::facts(problem);
        qapfw_sampled_facts facts{};
        check(table_of(problem)->facts(problem.get()->problem, &facts), "sampled_neighbourhood.facts");
        return facts;
    }
    /// Constructs a first solution and writes it to `solution`. Throws StatusError if the problem fails, or Stopped if
    /// `stop` became true.
    static void construct(const ProblemRef& problem, std::uint32_t way, std::uint64_t seed, const StopQuestion& stop,
                          void* solution) {
        if (!has(problem)) return GenericSampledWalk::construct(problem, seed, solution);
        check(table_of(problem)->construct(problem.get()->problem, way, seed, stop.should_stop, stop.context, solution),
              "sampled_neighbourhood.construct");
    }

    /// Makes a walk without a solution; call `reset` first. The problem must outlive the walk. Throws StatusError if
    /// the problem fails to create the walk.
    explicit SampledWalk(const ProblemRef& problem) : table_(table_of(problem)) {
        if (table_ == nullptr)
            generic_ = std::make_unique<GenericSampledWalk>(problem);
        else
            check(table_->create(problem.get()->problem, &walk_), "sampled_neighbourhood.create");
    }
    ~SampledWalk() {
        if (walk_ != nullptr) table_->destroy(walk_);
    }
    SampledWalk(const SampledWalk&) = delete;
    SampledWalk& operator=(const SampledWalk&) = delete;

    /// Starts from this solution.
    void reset(const void* solution) {
        if (generic_) return generic_->reset(solution);
        check(table_->reset(walk_, solution), "sampled_neighbourhood.reset");
    }
    /// Writes the present solution.
    void solution(void* to) const {
        if (generic_) return generic_->solution(to);
        check(table_->solution(walk_, to), "sampled_neighbourhood.solution");
    }
    /// The exact cost of the present solution, from scratch.
    std::int64_t cost() const {
        if (generic_) return generic_->cost();
        qapfw_cost cost{};
        check(table_->cost(walk_, &cost), "sampled_neighbourhood.cost");
        return cost.i;
    }
    /// See qapfw_sampled_neighbourhood.propose.
    void propose(std::uint64_t count, const std::uint32_t* positions, const std::uint64_t* draws,
                 std::uint32_t* partners, std::int64_t* deltas) const {
        if (generic_) return generic_->propose(count, positions, draws, partners, deltas);
        table_->propose(walk_, count, positions, draws, partners, deltas);
    }
    /// Calls body(neighbour) for each neighbour of `position` until body returns false. Returns true if all calls
    /// returned true.
    template <class Body>
    bool all_neighbours(std::uint32_t position, Body&& body) const {
        const qapfw_sampled_neighbours all =
            generic_ ? generic_->neighbours(position) : table_->neighbours(walk_, position);
        const auto* at = static_cast<const unsigned char*>(all.first);
        for (std::uint32_t k = 0; k < all.count; ++k, at += all.stride) {
            std::uint32_t neighbour = 0;
            std::memcpy(&neighbour, at, sizeof neighbour);
            if (!body(neighbour)) return false;
        }
        return true;
    }
    /// Swaps the elements of two positions.
    void exchange(std::uint32_t a, std::uint32_t b) {
        if (generic_) return generic_->exchange(a, b);
        table_->exchange(walk_, a, b);
    }

  private:
    static const qapfw_sampled_neighbourhood* table_of(const ProblemRef& problem) {
        return problem.capability<qapfw_sampled_neighbourhood>(QAPFW_PROBLEM_SAMPLED_NEIGHBOURHOOD);
    }
    const qapfw_sampled_neighbourhood* table_;
    qapfw_sampled_walk* walk_ = nullptr;
    std::unique_ptr<GenericSampledWalk> generic_;
};

}  // namespace qapfw::sdk
