// SPDX-License-Identifier: Apache-2.0
// Insertions of an order's elements, for searches. An insertion takes an element out of the order and puts it back
// elsewhere. If the problem can compute the change of the cost (abi/insertions.h), the search asks the problem for this
// change. Otherwise the search evaluates the changed solutions. To compute the change, the problem class needs only a
// member
//
//     std::int64_t delta_insertion(const std::uint16_t* order, std::uint32_t from, std::uint32_t to) const;
//
// The member returns the cost after the insertion minus the cost before: an exact std::int64_t if costs are integers,
// otherwise a double. The member must be thread-safe. If it is faster to compute all insertions of an element together,
// for example by tables, write a member class `Insertions` instead. The class is constructed from the problem and has
// the members
//
//     qapfw_cost reset(const void* solution);              // copies the solution and returns its cost
//     void deltas(std::uint32_t from, std::uint32_t first, std::uint32_t count, qapfw_cost* deltas);
//     void apply(std::uint32_t from, std::uint32_t to);
#pragma once

#include <algorithm>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "qapfw/abi/insertions.h"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/problem_objects.hpp"

namespace qapfw::sdk {

/// Number of possible insertions: each free element to each other free position.
inline std::uint64_t insertion_count(const ProblemRef& problem) {
    const std::uint64_t free = free_positions(problem).size();
    return free == 0 ? 0 : free * (free - 1);
}

/// Moves the element at position `from` to position `to`, and shifts the elements of the free positions between them
/// by one. `free`: the free positions in ascending order; `from` and `to` are among them.
inline void make_insertion(std::uint16_t* order, std::span<const std::uint16_t> free, std::uint32_t from,
                           std::uint32_t to) {
    const auto number = [&](std::uint32_t position) { return std::lower_bound(free.begin(), free.end(), position); };
    const std::uint16_t element = order[from];
    auto at = number(from);
    for (const auto end = number(to); at != end;) {
        const auto next = at < end ? at + 1 : at - 1;
        order[*at] = order[*next];
        at = next;
    }
    order[to] = element;
}

/// An order, and the changes of its cost by insertions. Use one object per search; not thread-safe.
class InsertionNeighbourhood : public SearchedSolution<qapfw_insertions, qapfw_insertion_search> {
  public:
    /// An empty neighbourhood; call `reset` first. The problem must outlive this object, and segment 0 must
    /// be a permutation of 16-bit elements. Throws StatusError if the problem fails.
    explicit InsertionNeighbourhood(const ProblemRef& problem)
        : SearchedSolution(problem, QAPFW_PROBLEM_INSERTIONS, "insertions: create", "insertions: reset"),
          free_(free_positions(problem)),
          deltas_(problem.length()) {}

    const std::vector<std::uint16_t>& free() const { return free_; }  ///< free positions, ascending
    /// Number of possible insertions, see insertion_count.
    std::uint64_t count() const { return free_.size() * (free_.size() - 1); }

    /// For each position, the change of the cost if the element at `from` is inserted there. Entries of `from` itself
    /// and of fixed positions have no meaning. The result is valid until the next call of `deltas`, `apply` or `reset`.
    std::span<const qapfw_cost> deltas(std::uint32_t from) {
        if (stop_()) throw Stopped();
        if (object_) {
            const auto places = static_cast<std::uint32_t>(deltas_.size());
            check(object_->deltas(object_.get(), from, 0, places, deltas_.data()), "insertions: deltas");
        } else {
            evaluate_places(from);
        }
        return deltas_;
    }
    /// The change of the cost if the element at `from` is inserted at position `to`.
    qapfw_cost delta(std::uint32_t from, std::uint32_t to) {
        qapfw_cost delta{};
        if (object_) {
            check(object_->deltas(object_.get(), from, to, 1, &delta), "insertions: deltas");
        } else {
            evaluate_changed(1, &delta, [&](std::uint32_t, void* changed) { insert(changed, from, to); });
        }
        return delta;
    }
    /// Makes an insertion whose delta is known, and adds the delta to the cost. Many additions to a real cost collect
    /// rounding errors; `reset` computes the cost anew.
    void apply(std::uint32_t from, std::uint32_t to, qapfw_cost delta) {
        insert(current_.data(), from, to);
        if (object_) check(object_->apply(object_.get(), from, to), "insertions: apply");
        cost_ = problem_.sum(cost_, delta);
    }

  private:
    void insert(void* solution, std::uint32_t from, std::uint32_t to) const {
        make_insertion(permutation_of(solution), free_, from, to);
    }
    void evaluate_places(std::uint32_t from) {
        for (std::size_t first = 0; first < free_.size();) {
            if (stop_()) throw Stopped();
            const auto count = static_cast<std::uint32_t>(std::min<std::size_t>(together_, free_.size() - first));
            costs_.resize(count);
            evaluate_changed(count, costs_.data(),
                             [&](std::uint32_t k, void* changed) { insert(changed, from, free_[first + k]); });
            for (std::size_t k = 0; k < count; ++k) deltas_[free_[first + k]] = costs_[k];
            first += count;
        }
    }

    std::vector<std::uint16_t> free_;
    std::vector<qapfw_cost> deltas_, costs_;
};

/// True if the problem class has a member `delta_insertion`, which computes the delta of an insertion.
template <class T>
concept HasDeltaInsertion = requires(const T& o, const std::uint16_t* order) {
    o.delta_insertion(order, 0u, 0u);
};

/// Computes the deltas of insertions by the member `delta_insertion` of problem class T.
template <class T>
class DeltaInsertions {
  public:
    /// The problem must outlive this object.
    explicit DeltaInsertions(const T& problem) : problem_(problem), solution_(problem.info().encoding.solution_bytes) {
        const qapfw_encoding& encoding = problem.info().encoding;
        for (std::uint32_t k = 0; k < encoding.segments[0].length; ++k) {
            if (encoding.fixed == nullptr || encoding.fixed[k] == 0) free_.push_back(static_cast<std::uint16_t>(k));
        }
    }
    /// Copies a solution and returns its cost.
    qapfw_cost reset(const void* solution) {
        std::memcpy(solution_.data(), solution, solution_.size());
        qapfw_cost cost{};
        problem_.evaluate({solution_.data(), &cost, 1});
        return cost;
    }
    /// See qapfw_insertions::deltas.
    void deltas(std::uint32_t from, std::uint32_t first, std::uint32_t count, qapfw_cost* deltas) {
        const auto end = std::lower_bound(free_.begin(), free_.end(), first + count);
        for (auto to = std::lower_bound(free_.begin(), free_.end(), first); to != end; ++to) {
            qapfw_cost& delta = deltas[*to - first];
            delta = {};
            if (*to != from) set(delta, problem_.delta_insertion(order(), from, *to));
        }
    }
    /// Moves the element at position `from` to position `to`.
    void apply(std::uint32_t from, std::uint32_t to) { make_insertion(order(), free_, from, to); }

  private:
    static void set(qapfw_cost& to, std::int64_t cost) { to.i = cost; }
    static void set(qapfw_cost& to, double cost) { to.f = cost; }
    std::uint16_t* order() { return permutation_of(static_cast<void*>(solution_.data())); }

    const T& problem_;
    std::vector<unsigned char> solution_;
    std::vector<std::uint16_t> free_;
};

/// The class that computes the insertions of problem class T: `T::Insertions`, else DeltaInsertions<T>.
template <class T, class = void>
struct InsertionsOf {
    using Type = DeltaInsertions<T>;  ///< uses the member `delta_insertion`
};
/// This version is used if the problem class has a member type `Insertions`.
template <class T>
struct InsertionsOf<T, std::void_t<typename T::Insertions>> {
    using Type = typename T::Insertions;  ///< the problem's own neighbourhood
};

/// True if problem class T computes the deltas of insertions.
template <class T>
constexpr bool gives_insertions() {
    return HasDeltaInsertion<T> || requires {
        typename T::Insertions;
    };
}

/// The table of functions that a problem offers as QAPFW_PROBLEM_INSERTIONS. The functions call an object of class
/// `Insertions`, which has the members that the head of this file lists.
template <class Handle, class Insertions>
struct InsertionsTable {
    using Objects = ProblemObjects<qapfw_insertion_search, Handle, Insertions>;
    static constexpr qapfw_insertions table = {
        sizeof(qapfw_insertions),
        Objects::create,
        Objects::destroy,
        Objects::reset,
        [](qapfw_insertion_search* h, std::uint32_t from, std::uint32_t first, std::uint32_t count, qapfw_cost* deltas)
            -> qapfw_status { return Objects::call(h, [&](Insertions& o) { o.deltas(from, first, count, deltas); }); },
        [](qapfw_insertion_search* h, std::uint32_t from, std::uint32_t to) -> qapfw_status {
            return Objects::call(h, [&](Insertions& o) { o.apply(from, to); });
        }};
};

}  // namespace qapfw::sdk
