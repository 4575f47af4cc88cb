// SPDX-License-Identifier: Apache-2.0
#include "framework/record/recorded_data_paths.hpp"

#include <fmt/format.h>

#include <system_error>

#include "framework/record/checkpoint.hpp"
#include "framework/record/folder.hpp"
#include "framework/record/result.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Data folders named by the files of one run. The checkpoint may be large, so it is read only if result.json cannot be
/// read.
std::vector<std::string> data_paths_of(const std::filesystem::path& folder) {
    try {
        const Folder files(folder);
        try {
            return parse_result(files.read("result.json"), "result.json").data_paths;
        } catch (const Error&) {
            const LoadedCheckpoint loaded = load_checkpoint(files);
            return loaded.checkpoint ? loaded.checkpoint->data_paths : std::vector<std::string>();
        }
    } catch (const Error&) {
        return {};
    }
}

}  // namespace

void require_record(const std::filesystem::path& folder) {
    std::error_code ignored;
    if (std::filesystem::is_regular_file(folder / "config.toml", ignored)) return;
    throw Error(ErrorKind::kUsage, fmt::format("{}: not a run record: it holds no config.toml", folder.string()));
}

std::vector<std::string> recorded_data_paths(const std::filesystem::path& folder) {
    std::vector<std::string> recorded = data_paths_of(folder);
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder, error), end; recorded.empty() && !error && entry != end;
         entry.increment(error)) {
        if (entry->is_directory(error)) recorded = data_paths_of(entry->path());
    }
    return recorded;
}

}  // namespace qapfw::framework
