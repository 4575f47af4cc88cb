// SPDX-License-Identifier: Apache-2.0
// Lower bounds of any problem that has them (abi/bounds.h), and the capability's table for a problem class.
//
// A problem class with bounds has a member type `Bounds`. A `Bounds` object serves one path of a tree search. It is
// constructed from the problem and has
//
//     qapfw_cost reset(qapfw_cost cutoff);
//     qapfw_cost fix(std::uint32_t position, std::uint32_t value, qapfw_cost cutoff);
//     void unfix();
//     void children(qapfw_cost* bounds, std::uint16_t* position_class, std::uint16_t* value_class);
//
// The problem class also has the thread-safe member
// `qapfw_instance_bound bound_of_instance(const sdk::StopQuestion&) const`.
#pragma once

#include "qapfw/abi/bounds.h"
#include "qapfw/sdk/problem_objects.hpp"

namespace qapfw::sdk {

/// The bounds along one path of a tree search. Only one thread at a time may use an object.
class PathBounds {
  public:
    /// True if the problem has bounds of partial solutions.
    static bool has(const ProblemRef& problem) {
        return problem.capability<qapfw_problem_bounds>(QAPFW_PROBLEM_BOUNDS) != nullptr;
    }
    /// The problem must have bounds and outlive this object. Throws StatusError if the instance is too large.
    explicit PathBounds(const ProblemRef& problem) : object_(problem, QAPFW_PROBLEM_BOUNDS, "bounds: create") {}

    /// @{
    /// Each member calls the function of the same name in qapfw_problem_bounds. reset and fix throw StatusError if the
    /// problem fails.
    qapfw_cost reset(qapfw_cost cutoff) {
        qapfw_cost bound{};
        check(object_->reset(object_.get(), cutoff, &bound), "bounds: reset");
        return bound;
    }
    qapfw_cost fix(std::uint32_t position, std::uint32_t value, qapfw_cost cutoff) {
        qapfw_cost bound{};
        check(object_->fix(object_.get(), position, value, cutoff, &bound), "bounds: fix");
        return bound;
    }
    void unfix() { object_->unfix(object_.get()); }
    void children(qapfw_cost* bounds, std::uint16_t* position_class, std::uint16_t* value_class) {
        object_->children(object_.get(), bounds, position_class, value_class);
    }
    /// @}

  private:
    ProblemObject<qapfw_problem_bounds, qapfw_bounds> object_;
};

/// Table of the capability QAPFW_PROBLEM_BOUNDS, for a problem class with a member type `Bounds`.
template <class Handle, class Bounds>
struct BoundsTable {
    using Objects = ProblemObjects<qapfw_bounds, Handle, Bounds>;
    static constexpr qapfw_problem_bounds table = {
        sizeof(qapfw_problem_bounds),
        [](qapfw_problem* problem, std::int32_t (*should_stop)(void*), void* context,
           qapfw_instance_bound* out) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] {
                *out = handle->object.bound_of_instance(StopQuestion{should_stop, context});
            });
        },
        Objects::create,
        Objects::destroy,
        [](qapfw_bounds* b, qapfw_cost cutoff, qapfw_cost* bound) -> qapfw_status {
            return Objects::call(b, [&](Bounds& bounds) { *bound = bounds.reset(cutoff); });
        },
        [](qapfw_bounds* b, std::uint32_t position, std::uint32_t value, qapfw_cost cutoff,
           qapfw_cost* bound) -> qapfw_status {
            return Objects::call(b, [&](Bounds& bounds) { *bound = bounds.fix(position, value, cutoff); });
        },
        [](qapfw_bounds* b) { Objects::object(b).unfix(); },
        [](qapfw_bounds* b, qapfw_cost* bounds, std::uint16_t* position_class, std::uint16_t* value_class) {
            Objects::object(b).children(bounds, position_class, value_class);
        }};
};

}  // namespace qapfw::sdk
