// SPDX-License-Identifier: Apache-2.0
// Generated benchmark instances, equal in every entry to QAPLIB's files of the same names: Taillard's uniform instances
// (tai*a, also in sizes that QAPLIB lacks, from 2 to 4096), his instances like real life (tai*b) and the grey patterns
// (tai64c, tai256c). E. Taillard, Parallel Computing 17, 1991 and Location Science 3, 1995. The recipes were recovered
// from the published files and are tested against these files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problems/qap/matrices.hpp"

namespace qapfw::qap {

/// Sizes N for which "taiNa" can be generated.
inline constexpr uint32_t kSmallestUniform = 2;
inline constexpr uint32_t kLargestUniform = 4096;

/// The size of the instance that generate_instance() would make for this name; nothing if it would make none.
std::optional<uint32_t> generated_size(const std::string& name);

/// The instance of that name; nothing if there is no recipe for it. Throws Error(kInput) for a taiNa whose N is outside
/// kSmallestUniform..kLargestUniform.
std::optional<QapMatrices> generate_instance(const std::string& name);

/// The names of QAPLIB instances that can be generated, in the order of family and size. Instances taiNa of other sizes
/// are not listed.
std::vector<std::string> generated_names();

}  // namespace qapfw::qap
