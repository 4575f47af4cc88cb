// SPDX-License-Identifier: Apache-2.0
// The state from which a run goes on exactly: the solver's own bytes and everything the framework counts. The file is
// magic, sizes, a JSON header, the solver's bytes, and an xxh3-128 of all that; the file before it is kept.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "framework/record/result.hpp"

namespace qapfw::framework {

struct Checkpoint {
    RunIdentity identity;
    std::string trajectory;  ///< the resolved configuration without what cannot change the trajectory, as TOML
    std::uint64_t seed = 0;
    CostSpace costs;
    Counters counters;
    std::uint64_t last_improvement = 0;  ///< iterations at the end of the last round that improved
    double seconds = 0, wall_seconds = 0, seconds_at_improvement = 0;
    BestFound found;
    std::vector<CostedSolution> solutions;  ///< best first; the first is the incumbent
    std::map<std::string, double> statistics;
    std::uint64_t trace_bytes = 0;  ///< of trace.jsonl at this moment
    std::vector<std::byte> state;   ///< the solver's
};

std::string encode_checkpoint(const Checkpoint& checkpoint);
/// Throws Error(kInput), beginning with `where`, for anything but a complete and unchanged checkpoint.
Checkpoint decode_checkpoint(const std::string& bytes, const std::string& where);

/// Throws Error(kIo).
void save_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

struct LoadedCheckpoint {
    std::optional<Checkpoint> checkpoint;  ///< nothing: start at the beginning
    std::vector<std::string> warnings;     ///< what was wrong with newer files
};
/// The newest usable one of the folder.
LoadedCheckpoint load_checkpoint(const std::filesystem::path& folder);

}  // namespace qapfw::framework
