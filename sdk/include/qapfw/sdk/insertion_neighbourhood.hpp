// SPDX-License-Identifier: Apache-2.0
// Insertions of an order's elements, for searches: what taking an element out and putting it in elsewhere changes the
// cost by. The problem says that itself where it can (abi/insertions.h); else the changed solutions are evaluated. It
// is enough that the problem class has a member
//
//     std::int64_t delta_insertion(const std::uint16_t* order, std::uint32_t from, std::uint32_t to) const;
//
// the cost after the insertion less the cost before, exact where costs are integers, a double where they are not; any
// number of threads at once. A class `Insertions`, which is constructed from the problem, takes its place where tables
// make all places of an element faster together:
//
//     qapfw_cost reset(const void* solution);              // copies it and returns its cost
//     void deltas(std::uint32_t from, std::uint32_t first, std::uint32_t count, qapfw_cost* deltas);
//     void apply(std::uint32_t from, std::uint32_t to);
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "qapfw/abi/insertions.h"
#include "qapfw/sdk/free_positions.hpp"
#include "qapfw/sdk/host.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// Insertions of all elements that may move.
inline std::uint64_t insertion_count(const ProblemRef& problem) {
    const std::uint64_t free = free_positions(problem).size();
    return free == 0 ? 0 : free * (free - 1);
}

/// Makes an insertion in place. `free`: positions that may move, ascending, `from` and `to` among them.
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

/// An order, and what its insertions change its cost by. One per search; not shared between threads.
class InsertionNeighbourhood {
  public:
    /// An empty neighbourhood; the problem must outlive it, and segment 0 is a permutation of 16-bit elements. `reset`
    /// comes first. Throws StatusError where the problem fails.
    explicit InsertionNeighbourhood(const ProblemRef& problem)
        : problem_(problem),
          table_(problem.capability<qapfw_insertions>(QAPFW_PROBLEM_INSERTIONS)),
          free_(free_positions(problem)),
          current_(problem.solution_bytes()),
          deltas_(problem.length()) {
        if (table_ != nullptr) check(table_->create(problem.get()->problem, &handle_), "insertions: create");
    }
    /// Takes the neighbourhood over; `other` may only be destroyed afterwards.
    InsertionNeighbourhood(InsertionNeighbourhood&& other) noexcept
        : problem_(other.problem_),
          table_(other.table_),
          handle_(std::exchange(other.handle_, nullptr)),
          free_(std::move(other.free_)),
          current_(std::move(other.current_)),
          changed_(std::move(other.changed_)),
          deltas_(std::move(other.deltas_)),
          costs_(std::move(other.costs_)),
          cost_(other.cost_),
          stop_(other.stop_),
          chunk_(other.chunk_) {}
    InsertionNeighbourhood& operator=(InsertionNeighbourhood&&) = delete;
    ~InsertionNeighbourhood() {
        if (handle_ != nullptr) table_->destroy(handle_);
    }

    /// From now on `deltas` throws Stopped soon after `stop` says so.
    void watch(const StopQuestion& stop) { stop_ = stop; }
    /// Starts from `solution`, which is copied, and returns its cost.
    qapfw_cost reset(const void* solution) {
        std::memcpy(current_.data(), solution, current_.size());
        if (table_ != nullptr) {
            check(table_->reset(handle_, solution, &cost_), "insertions: reset");
        } else {
            cost_ = problem_.evaluate_one(current_.data());
        }
        return cost_;
    }
    const std::vector<std::uint16_t>& free() const { return free_; }  ///< positions that may move, ascending
    const void* solution() const { return current_.data(); }          ///< the present one
    qapfw_cost cost() const { return cost_; }                         ///< of the present solution
    bool is_fast() const { return table_ != nullptr; }                ///< whether the problem tells deltas itself
    /// Insertions of all elements that may move.
    std::uint64_t count() const { return free_.size() * (free_.size() - 1); }

    /// The cost with the element of position `from` at each position, less the present cost; nothing at `from` itself
    /// and at fixed positions. Valid until the next call.
    std::span<const qapfw_cost> deltas(std::uint32_t from) {
        if (stop_()) throw Stopped();
        if (table_ != nullptr) {
            const auto places = static_cast<std::uint32_t>(deltas_.size());
            check(table_->deltas(handle_, from, 0, places, deltas_.data()), "insertions: deltas");
        } else {
            evaluate_places(from);
        }
        return deltas_;
    }
    /// The same of one place.
    qapfw_cost delta(std::uint32_t from, std::uint32_t to) {
        qapfw_cost delta{};
        if (table_ != nullptr) {
            check(table_->deltas(handle_, from, to, 1, &delta), "insertions: deltas");
        } else {
            changed_.assign(current_.begin(), current_.end());
            make_insertion(permutation_of(static_cast<void*>(changed_.data())), free_, from, to);
            delta = less_present(problem_.evaluate_one(changed_.data()));
        }
        return delta;
    }
    /// Makes an insertion whose delta is known. Of real costs the sum of deltas is rounded: `reset` makes it exact.
    void apply(std::uint32_t from, std::uint32_t to, qapfw_cost delta) {
        make_insertion(permutation_of(static_cast<void*>(current_.data())), free_, from, to);
        if (table_ != nullptr) check(table_->apply(handle_, from, to), "insertions: apply");
        if (problem_.has_integer_costs())
            cost_.i += delta.i;
        else
            cost_.f += delta.f;
    }

  private:
    static constexpr std::uint32_t kMostTogether = 256;  ///< changed solutions that are evaluated at a time

    qapfw_cost less_present(qapfw_cost cost) const {
        if (problem_.has_integer_costs())
            cost.i -= cost_.i;
        else
            cost.f -= cost_.f;
        return cost;
    }
    /// Asks whether to stop every few milliseconds, however long an evaluation takes.
    void evaluate_places(std::uint32_t from) {
        const std::uint64_t bytes = problem_.solution_bytes();
        for (std::size_t first = 0; first < free_.size();) {
            if (stop_()) throw Stopped();
            const auto start = std::chrono::steady_clock::now();
            const std::size_t count = std::min<std::size_t>(chunk_, free_.size() - first);
            changed_.resize(bytes * count);
            costs_.resize(count);
            for (std::size_t k = 0; k < count; ++k) {
                void* const changed = changed_.data() + bytes * k;
                std::memcpy(changed, current_.data(), bytes);
                make_insertion(permutation_of(changed), free_, from, free_[first + k]);
            }
            problem_.evaluate({changed_.data(), costs_.data(), count});
            for (std::size_t k = 0; k < count; ++k) deltas_[free_[first + k]] = less_present(costs_[k]);
            first += count;
            const auto time = std::chrono::steady_clock::now() - start;
            if (time < std::chrono::milliseconds(1)) chunk_ = std::min(2 * chunk_, kMostTogether);
            if (time > std::chrono::milliseconds(4)) chunk_ = std::max(chunk_ / 2, 1u);
        }
    }

    ProblemRef problem_;
    const qapfw_insertions* table_;
    qapfw_insertion_search* handle_ = nullptr;
    std::vector<std::uint16_t> free_;
    std::vector<unsigned char> current_, changed_;
    std::vector<qapfw_cost> deltas_, costs_;
    qapfw_cost cost_{};
    StopQuestion stop_;
    std::uint32_t chunk_ = 16;  ///< changed solutions evaluated between two questions whether to stop
};

/// True if a problem class tells what an insertion changes, as a member.
template <class T>
concept HasDeltaInsertion = requires(const T& o, const std::uint16_t* order) {
    o.delta_insertion(order, 0u, 0u);
};

/// Insertions by the member `delta_insertion` of problem class T.
template <class T>
class DeltaInsertions {
  public:
    /// The problem must outlive it.
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
    /// See qapfw_insertions.
    void deltas(std::uint32_t from, std::uint32_t first, std::uint32_t count, qapfw_cost* deltas) {
        const auto end = std::lower_bound(free_.begin(), free_.end(), first + count);
        for (auto to = std::lower_bound(free_.begin(), free_.end(), first); to != end; ++to) {
            qapfw_cost& delta = deltas[*to - first];
            delta = {};
            if (*to != from) set(delta, problem_.delta_insertion(order(), from, *to));
        }
    }
    /// Makes an insertion.
    void apply(std::uint32_t from, std::uint32_t to) { make_insertion(order(), free_, from, to); }

  private:
    static void set(qapfw_cost& to, std::int64_t cost) { to.i = cost; }
    static void set(qapfw_cost& to, double cost) { to.f = cost; }
    std::uint16_t* order() { return permutation_of(static_cast<void*>(solution_.data())); }

    const T& problem_;
    std::vector<unsigned char> solution_;
    std::vector<std::uint16_t> free_;
};

/// The class that tells the insertions of problem class T: `T::Insertions`, else the one over its `delta_insertion`.
template <class T, class = void>
struct InsertionsOf {
    using Type = DeltaInsertions<T>;  ///< over the member
};
/// The class of a problem class that has one of its own.
template <class T>
struct InsertionsOf<T, std::void_t<typename T::Insertions>> {
    using Type = typename T::Insertions;  ///< its own
};

/// True if problem class T tells what insertions change.
template <class T>
constexpr bool gives_insertions() {
    return HasDeltaInsertion<T> || requires {
        typename T::Insertions;
    };
}

/// The capability's table for a problem class and a class of insertions as at the head of this file.
template <class Handle, class Insertions>
struct InsertionsTable {
    struct Bound {
        const qapfw_host* host;
        Insertions object;
    };
    static Bound* cast(qapfw_insertion_search* h) { return reinterpret_cast<Bound*>(h); }
    static constexpr qapfw_insertions table = {
        sizeof(qapfw_insertions),
        [](qapfw_problem* problem, qapfw_insertion_search** out) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] {
                *out = reinterpret_cast<qapfw_insertion_search*>(new Bound{handle->host, Insertions(handle->object)});
            });
        },
        [](qapfw_insertion_search* h) { delete cast(h); },
        [](qapfw_insertion_search* h, const void* solution, qapfw_cost* cost) -> qapfw_status {
            return guarded(cast(h)->host, [&] { *cost = cast(h)->object.reset(solution); });
        },
        [](qapfw_insertion_search* h, std::uint32_t from, std::uint32_t first, std::uint32_t count,
           qapfw_cost* deltas) -> qapfw_status {
            return guarded(cast(h)->host, [&] { cast(h)->object.deltas(from, first, count, deltas); });
        },
        [](qapfw_insertion_search* h, std::uint32_t from, std::uint32_t to) -> qapfw_status {
            return guarded(cast(h)->host, [&] { cast(h)->object.apply(from, to); });
        }};
};

}  // namespace qapfw::sdk
