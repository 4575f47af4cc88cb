// SPDX-License-Identifier: Apache-2.0
// The state from which a run goes on exactly: the solver's own bytes and everything the framework counts. The file is
// magic, sizes, a JSON header, the solver's bytes, and an xxh3-128 of all that; the good file before it is kept.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/folder.hpp"
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
    std::uint64_t trace_bytes = 0;            ///< length of trace.jsonl at this moment
    std::optional<std::uint64_t> trace_hash;  ///< hash of these bytes; nothing: written by an older version
    std::uint32_t resumes = 0;                ///< number of sessions before the one that wrote this
    std::vector<std::string> data_paths;      ///< folders in which the session found its data
    std::vector<std::byte> state;             ///< the solver's
};

std::string encode_checkpoint(const Checkpoint& checkpoint);
/// The file around a header and a solver's state, whatever they hold: sizes and checksum are right.
std::string frame_checkpoint(std::string_view header, std::string_view state);
/// Throws Error(kInput), beginning with `where`, for anything but a complete and unchanged checkpoint.
Checkpoint decode_checkpoint(const std::string& bytes, const std::string& where);

/// `keep_last`: the checkpoint that is there is a good one, and becomes the previous one. Throws Error(kIo).
void save_checkpoint(const Folder& folder, const Checkpoint& checkpoint, bool keep_last = true);

struct LoadedCheckpoint {
    std::optional<Checkpoint> checkpoint;  ///< nothing: start at the beginning
    std::vector<std::string> warnings;     ///< what was wrong with newer files
};
/// The newest usable one of the folder. `defect` says what else is wrong with one that reads well, or nothing.
LoadedCheckpoint load_checkpoint(
    const Folder& folder,
    const std::function<std::string(const Checkpoint&)>& defect = [](const Checkpoint&) { return std::string(); });

}  // namespace qapfw::framework
