// SPDX-License-Identifier: Apache-2.0
// Features: numbers that describe an instance, not the costs of its solutions. A solver may use the features to choose
// what it tries first. The capability "qapfw.problem.features/1" is not part of the C interface yet.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "qapfw/sdk/host.hpp"
#include "qapfw/sdk/problem_ref.hpp"

/// The capability's id, for get_capability.
#define QAPFW_PROBLEM_FEATURES "qapfw.problem.features/1"

namespace qapfw::sdk {

/// Receives one feature. The name is a literal, such as "sparser density".
using EmitFeatureFunction = void (*)(void* user, const char* name, double value);

/// The capability's table.
struct FeatureTable {
    std::uint32_t struct_size;  ///< size of the table
    /// [main] Emits each feature once, or no feature if features would be meaningless or take long to compute. Passes
    /// `user` to `emit`.
    qapfw_status (*features)(qapfw_problem* problem, EmitFeatureFunction emit, void* user);
};

/// Receives the features of an instance. A problem's member `features` gets this object and must not keep it.
class EmitFeature {
  public:
    /// Every call of `emit` gets `user`.
    EmitFeature(EmitFeatureFunction emit, void* user) : emit_(emit), user_(user) {}
    /// Emits one feature. `name` must be a string literal.
    void operator()(const char* name, double value) const { emit_(user_, name, value); }

  private:
    EmitFeatureFunction emit_;
    void* user_;
};

/// Makes the capability's table for a problem class that has a member function `features`.
template <class Handle>
struct FeaturesTable {
    /// Table for get_capability.
    static constexpr FeatureTable table = {
        sizeof(FeatureTable), [](qapfw_problem* problem, EmitFeatureFunction emit, void* user) -> qapfw_status {
            auto* handle = reinterpret_cast<Handle*>(problem);
            return guarded(handle->host, [&] { handle->object.features(EmitFeature(emit, user)); });
        }};
};

/// The features of a problem's instance by name; empty if it has none.
inline std::map<std::string, double> features_of(const ProblemRef& problem) {
    std::map<std::string, double> features;
    const auto* const table = problem.capability<FeatureTable>(QAPFW_PROBLEM_FEATURES);
    if (table == nullptr) return features;
    check(table->features(
              problem.get()->problem,
              [](void* user, const char* name, double value) {
                  (*static_cast<std::map<std::string, double>*>(user))[name] = value;
              },
              &features),
          "features");
    return features;
}

}  // namespace qapfw::sdk
