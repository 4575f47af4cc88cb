// SPDX-License-Identifier: Apache-2.0
// Makes a QAP instance from a [problem] table that describes another problem. The key `reduction` names travelling
// salesman and graph problems. The instance's name describes problems on chessboards.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/qap/instances/instance.hpp"

namespace qapfw::qap {

/// The reductions, in the order of the choices of the parameter `reduction`.
enum class ReductionKind : uint8_t { kNone, kTsp, kLinearArrangement, kClique, kPartition, kPacking };
inline constexpr const char* kReductionChoices = "none|tsp|linear_arrangement|clique|partition|packing";

/// The subfolders of TSPLIB and DIMACS files in the data folders, and the extensions of these files.
inline const FilePlaces kTsplibPlaces{"tsplib", {"", ".tsp", ".atsp"}};
inline const FilePlaces kDimacsPlaces{"dimacs", {"", ".col", ".clq"}};

/// The key `reduction` of the [problem] table, and the keys that only some reductions take. load_reduced_instance()
/// refuses keys of another reduction.
struct ReductionOptions {
    ReductionKind kind = ReductionKind::kNone;
    std::optional<int64_t> parts = std::nullopt;
    std::vector<std::string> part_sizes = {};
    std::optional<int64_t> clique_size = std::nullopt;
    std::string second_graph = {};
    std::optional<int64_t> pieces = std::nullopt;
};

/// Loads the instance. Returns nothing for an ordinary QAP: then the kind of reduction is kNone, and the reference
/// leads to a file or names no board. For a TSPLIB or DIMACS file, the reference is a path, or a name to look for in
/// the data folders and the folders directly below them. The name may lack its extension: .tsp, .atsp, .col or .clq.
/// Throws Error(kUsage) for a key that the reduction does not take.
std::optional<QapInstance> load_reduced_instance(const std::string& reference, const InstanceSearch& search,
                                                 const ReductionOptions& options);

}  // namespace qapfw::qap
