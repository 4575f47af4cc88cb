// SPDX-License-Identifier: Apache-2.0
// A solution as pairs of a facility and its location (abi/assignment.h).
#pragma once

#include <cstdint>

#include "qapfw/abi/assignment.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// Receives the pairs of an assignment. An object of this class is valid only during the call to which it is passed.
class EmitAssigned {
  public:
    /// Every call of `emit` gets `user`.
    EmitAssigned(qapfw_emit_assigned emit, void* user) : emit_(emit), user_(user) {}
    /// Emits one pair. `facility` and `location` are counted from 0. A name is in UTF-8; null: there is no name.
    void operator()(std::uint32_t facility, std::uint32_t location, const char* facility_name = nullptr,
                    const char* location_name = nullptr) const {
        const qapfw_assigned pair{facility, location, facility_name, location_name};
        emit_(user_, &pair);
    }

  private:
    qapfw_emit_assigned emit_;
    void* user_;
};

/// Table of the capability QAPFW_PROBLEM_ASSIGNMENT, for a problem class with a member function `assignment`.
template <class Handle>
struct AssignmentTable {
    /// Table for get_capability.
    static constexpr qapfw_assignment table = {
        sizeof(qapfw_assignment),
        [](qapfw_problem* problem, const void* solution, qapfw_emit_assigned emit, void* user) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] { handle->object.assignment(solution, EmitAssigned(emit, user)); });
        }};
};

}  // namespace qapfw::sdk
