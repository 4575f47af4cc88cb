// SPDX-License-Identifier: Apache-2.0
// The parts of a solution's cost, as named numbers (abi/explanation.h).
#pragma once

#include <concepts>
#include <cstdint>

#include "qapfw/abi/explanation.h"
#include "qapfw/sdk/host.hpp"

namespace qapfw::sdk {

/// Receives named numbers. An object of this class is valid only during the call of `explain` that gets it.
class EmitPart {
  public:
    /// Every call of `emit` gets `user`.
    EmitPart(qapfw_emit_part emit, void* user) : emit_(emit), user_(user) {}
    /// Emits one number; `name` is UTF-8 and is copied.
    void operator()(const char* name, double value) const { emit_(user_, name, value); }

  private:
    qapfw_emit_part emit_;
    void* user_;
};

/// True if a problem class has `void explain(const Element* solution, const sdk::EmitPart&) const`.
template <class T, class Element>
concept ExplainsSolutionsOf = requires(const T& o, const Element* solution, const EmitPart& emit) {
    o.explain(solution, emit);
};
/// True if a problem class has `explain` for a pointer to void, std::uint16_t, std::uint32_t or std::uint8_t.
template <class T>
concept Explains = ExplainsSolutionsOf<T, void> || ExplainsSolutionsOf<T, std::uint16_t> ||
    ExplainsSolutionsOf<T, std::uint32_t> || ExplainsSolutionsOf<T, std::uint8_t>;

/// Table of the capability QAPFW_PROBLEM_EXPLANATION, for a problem class with `explain`.
template <class Handle, class T>
struct ExplanationTable {
    /// Calls object.explain. Converts `solution` to the pointer type that the class's `explain` takes.
    static void explain(const T& object, const void* solution, const EmitPart& emit) {
        if constexpr (ExplainsSolutionsOf<T, void>)
            object.explain(solution, emit);
        else if constexpr (ExplainsSolutionsOf<T, std::uint16_t>)
            object.explain(static_cast<const std::uint16_t*>(solution), emit);
        else if constexpr (ExplainsSolutionsOf<T, std::uint32_t>)
            object.explain(static_cast<const std::uint32_t*>(solution), emit);
        else
            object.explain(static_cast<const std::uint8_t*>(solution), emit);
    }
    /// Table for get_capability.
    static constexpr qapfw_problem_explanation table = {
        sizeof(qapfw_problem_explanation),
        [](qapfw_problem* problem, const void* solution, qapfw_emit_part emit, void* user) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] { explain(handle->object, solution, EmitPart(emit, user)); });
        }};
};

}  // namespace qapfw::sdk
