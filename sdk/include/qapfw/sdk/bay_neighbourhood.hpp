// SPDX-License-Identifier: Apache-2.0
// Lower bounds of the costs of a solution's neighbours, where a problem gives them (abi/bay_neighbourhood.h): using
// them, and giving them as a C++ class that is constructed from the problem and has
//
//     void reset(const void* solution);
//     std::uint64_t first_promising(std::span<const qapfw_bay_move>, qapfw_cost limit);
#pragma once

#include <span>
#include <utility>

#include "qapfw/abi/bay_neighbourhood.h"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// A problem's bounds, or nothing where it gives none. One per search; not shared between threads.
class BayBounds {
  public:
    /// The problem must outlive this object. Throws StatusError where it fails.
    explicit BayBounds(const ProblemRef& problem)
        : table_(problem.capability<qapfw_bay_neighbourhood>(QAPFW_PROBLEM_BAY_NEIGHBOURHOOD)) {
        if (table_ != nullptr) check(table_->create(problem.get()->problem, &handle_), "bay neighbourhood: create");
    }
    /// Takes the bounds over; `other` is empty afterwards.
    BayBounds(BayBounds&& other) noexcept : table_(other.table_), handle_(std::exchange(other.handle_, nullptr)) {}
    BayBounds& operator=(BayBounds&&) = delete;
    ~BayBounds() {
        if (handle_ != nullptr) table_->destroy(handle_);
    }

    /// True if the problem gives bounds; the members below may be called only then.
    explicit operator bool() const { return handle_ != nullptr; }
    /// From now on bounds are about the neighbours of `solution`, which is copied.
    void reset(const void* solution) { check(table_->reset(handle_, solution), "bay neighbourhood: reset"); }
    /// The index of the first of `moves` whose neighbour may cost less than `limit`; moves.size() where none may. Each
    /// must be a move of the solution given to `reset`.
    std::uint64_t first_promising(std::span<const qapfw_bay_move> moves, qapfw_cost limit) {
        std::uint64_t index = 0;
        check(table_->first_promising(handle_, moves.data(), moves.size(), limit, &index), "bay neighbourhood: bounds");
        return index;
    }

  private:
    const qapfw_bay_neighbourhood* table_;
    qapfw_bay_bounds* handle_ = nullptr;
};

/// The capability's table for a problem class and a class of bounds.
template <class Handle, class Bounds>
struct BayNeighbourhoodTable {
    struct Bound {
        const qapfw_host* host;
        Bounds object;
    };
    static Bound* cast(qapfw_bay_bounds* h) { return reinterpret_cast<Bound*>(h); }
    static constexpr qapfw_bay_neighbourhood table = {
        sizeof(qapfw_bay_neighbourhood),
        [](qapfw_problem* problem, qapfw_bay_bounds** out) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] {
                *out = reinterpret_cast<qapfw_bay_bounds*>(new Bound{handle->host, Bounds(handle->object)});
            });
        },
        [](qapfw_bay_bounds* h) { delete cast(h); },
        [](qapfw_bay_bounds* h, const void* solution) -> qapfw_status {
            return guarded(cast(h)->host, [&] { cast(h)->object.reset(solution); });
        },
        [](qapfw_bay_bounds* h, const qapfw_bay_move* moves, std::uint64_t count, qapfw_cost limit,
           std::uint64_t* index) -> qapfw_status {
            return guarded(cast(h)->host, [&] { *index = cast(h)->object.first_promising({moves, count}, limit); });
        }};
};

}  // namespace qapfw::sdk
