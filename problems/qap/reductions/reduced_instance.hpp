// SPDX-License-Identifier: Apache-2.0
// Makes an instance of the [problem] table if that describes another problem in the form of a QAP: travelling salesman
// and graph problems by the key `reduction`, chessboards by the name of the instance.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/qap/instances/instance.hpp"

namespace qapfw::qap {

/// In the order of the parameter's choices.
enum class ReductionKind : uint8_t { kNone, kTsp, kLinearArrangement, kClique, kPartition, kPacking };
inline constexpr const char* kReductionChoices = "none|tsp|linear_arrangement|clique|partition|packing";

/// Subfolders of TSPLIB and DIMACS files in the data folders.
inline const FilePlaces kTsplibPlaces{"tsplib", {"", ".tsp", ".atsp"}};
inline const FilePlaces kDimacsPlaces{"dimacs", {"", ".col", ".clq"}};

/// The keys of the [problem] table that some reduction takes. Which one takes which is checked when it is made.
struct ReductionOptions {
    ReductionKind kind = ReductionKind::kNone;
    std::optional<int64_t> parts = std::nullopt;
    std::vector<std::string> part_sizes = {};
    std::optional<int64_t> clique_size = std::nullopt;
    std::string second_graph = {};
    std::optional<int64_t> pieces = std::nullopt;
};

/// Loads the instance, or nothing if it is an ordinary QAP: no reduction is asked for, and the reference is a file or
/// not the name of a board. TSPLIB and DIMACS files are looked for as they are named, and in the data folders and their
/// subfolders tsplib and dimacs, also with .tsp, .atsp and with .col, .clq appended. Throws Error(kUsage) if a key does
/// not go with the reduction.
std::optional<QapInstance> load_reduced_instance(const std::string& reference, const InstanceSearch& search,
                                                 const ReductionOptions& options);

}  // namespace qapfw::qap
