// SPDX-License-Identifier: Apache-2.0
// Lower bounds of any problem that has them (abi/bounds.h), and the capability's table for a problem class.
//
// Such a class has a member type `Bounds` of one path, constructed from the problem, with
//
//     qapfw_cost reset(qapfw_cost cutoff);
//     qapfw_cost fix(std::uint32_t position, std::uint32_t value, qapfw_cost cutoff);
//     void unfix();
//     void children(qapfw_cost* bounds, std::uint16_t* position_class, std::uint16_t* value_class);
//
// and the member `qapfw_instance_bound bound_of_instance(const sdk::StopQuestion&) const`, for any number of threads.
#pragma once

#include <utility>

#include "qapfw/abi/bounds.h"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::sdk {

/// The bounds along one path of a tree search. For one thread at a time.
class PathBounds {
  public:
    /// True if the problem has bounds of partial solutions.
    static bool has(const ProblemRef& problem) { return table_of(problem) != nullptr; }
    /// The problem, which must have bounds, must outlive this object. Throws StatusError where the instance is too
    /// large.
    explicit PathBounds(const ProblemRef& problem) : table_(table_of(problem)) {
        check(table_->create(problem.get()->problem, &handle_), "bounds: create");
    }
    /// Takes the path over; `other` may only be destroyed afterwards.
    PathBounds(PathBounds&& other) noexcept : table_(other.table_), handle_(std::exchange(other.handle_, nullptr)) {}
    PathBounds& operator=(PathBounds&&) = delete;
    ~PathBounds() {
        if (handle_ != nullptr) table_->destroy(handle_);
    }

    /// @{
    /// As in qapfw_problem_bounds. Throws StatusError where the problem fails.
    qapfw_cost reset(qapfw_cost cutoff) {
        qapfw_cost bound{};
        check(table_->reset(handle_, cutoff, &bound), "bounds: reset");
        return bound;
    }
    qapfw_cost fix(std::uint32_t position, std::uint32_t value, qapfw_cost cutoff) {
        qapfw_cost bound{};
        check(table_->fix(handle_, position, value, cutoff, &bound), "bounds: fix");
        return bound;
    }
    void unfix() { table_->unfix(handle_); }
    void children(qapfw_cost* bounds, std::uint16_t* position_class, std::uint16_t* value_class) {
        table_->children(handle_, bounds, position_class, value_class);
    }
    /// @}

  private:
    static const qapfw_problem_bounds* table_of(const ProblemRef& problem) {
        return problem.capability<qapfw_problem_bounds>(QAPFW_PROBLEM_BOUNDS);
    }
    const qapfw_problem_bounds* table_;
    qapfw_bounds* handle_ = nullptr;
};

/// The capability's table for a problem class with a member type `Bounds`.
template <class Handle, class Bounds>
struct BoundsTable {
    struct Bound {
        const qapfw_host* host;
        Bounds object;
    };
    static Bound* cast(qapfw_bounds* b) { return reinterpret_cast<Bound*>(b); }
    static constexpr qapfw_problem_bounds table = {
        sizeof(qapfw_problem_bounds),
        [](qapfw_problem* problem, std::int32_t (*should_stop)(void*), void* context,
           qapfw_instance_bound* out) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] {
                *out = handle->object.bound_of_instance(StopQuestion{should_stop, context});
            });
        },
        [](qapfw_problem* problem, qapfw_bounds** out) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] {
                *out = reinterpret_cast<qapfw_bounds*>(new Bound{handle->host, Bounds(handle->object)});
            });
        },
        [](qapfw_bounds* b) { delete cast(b); },
        [](qapfw_bounds* b, qapfw_cost cutoff, qapfw_cost* bound) -> qapfw_status {
            return guarded(cast(b)->host, [&] { *bound = cast(b)->object.reset(cutoff); });
        },
        [](qapfw_bounds* b, std::uint32_t position, std::uint32_t value, qapfw_cost cutoff,
           qapfw_cost* bound) -> qapfw_status {
            return guarded(cast(b)->host, [&] { *bound = cast(b)->object.fix(position, value, cutoff); });
        },
        [](qapfw_bounds* b) { cast(b)->object.unfix(); },
        [](qapfw_bounds* b, qapfw_cost* bounds, std::uint16_t* position_class, std::uint16_t* value_class) {
            cast(b)->object.children(bounds, position_class, value_class);
        }};
};

}  // namespace qapfw::sdk
