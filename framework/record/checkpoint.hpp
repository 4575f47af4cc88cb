// SPDX-License-Identifier: Apache-2.0
// The state from which a run continues exactly: the solver's bytes and the framework's counters. The file has a magic
// number, sizes, a JSON header, the solver's bytes, and an xxh3-128 hash of all these. The previous good file is kept.
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
    std::string trajectory;  ///< all keys of the configuration that can change the trajectory, as TOML
    std::uint64_t seed = 0;
    CostSpace costs;
    Counters counters;
    std::uint64_t last_improvement = 0;  ///< value of `iterations` when a round last improved the best cost
    double seconds = 0, wall_seconds = 0, seconds_at_improvement = 0;
    BestFound found;
    std::vector<CostedSolution> solutions;  ///< best first; the first is the incumbent
    std::map<std::string, double> statistics;
    std::uint64_t trace_bytes = 0;  ///< length of trace.jsonl when the checkpoint was made
    /// Hash of the first `trace_bytes` bytes of trace.jsonl. Empty if an older version wrote the checkpoint.
    std::optional<std::uint64_t> trace_hash;
    std::uint32_t resumes = 0;            ///< number of sessions before the session that wrote the checkpoint
    std::vector<std::string> data_paths;  ///< folders in which the session looked for its instance
    std::vector<std::byte> state;         ///< the solver's state
};

std::string encode_checkpoint(const Checkpoint& checkpoint);
/// Returns the bytes of a checkpoint file with this header and state. Adds their sizes and the checksum. Does not check
/// the contents.
std::string frame_checkpoint(std::string_view header, std::string_view state);
/// Decodes a checkpoint file's bytes. Throws Error(kInput) for a defect; the error's text begins with `where`.
Checkpoint decode_checkpoint(const std::string& bytes, const std::string& where);

/// Writes the checkpoint. `keep_last`: the present file is good, and is kept as checkpoint.previous.bin. Throws
/// Error(kIo).
void save_checkpoint(const Folder& folder, const Checkpoint& checkpoint, bool keep_last = true);

struct LoadedCheckpoint {
    std::optional<Checkpoint> checkpoint;  ///< empty if no file can be used; the run must then start from the beginning
    std::vector<std::string> warnings;     ///< defects of the files that cannot be used
};
/// The newest usable checkpoint of the folder. `defect` checks a decoded checkpoint further; it returns what is wrong,
/// or an empty text.
LoadedCheckpoint load_checkpoint(
    const Folder& folder,
    const std::function<std::string(const Checkpoint&)>& defect = [](const Checkpoint&) { return std::string(); });

}  // namespace qapfw::framework
