// SPDX-License-Identifier: Apache-2.0
#include "framework/host/working_folder.hpp"

#include <fmt/format.h>

#include <system_error>

#include "qapfw/error.hpp"

namespace qapfw::framework {

std::filesystem::path working_folder() {
    std::error_code error;
    std::filesystem::path folder = std::filesystem::current_path(error);
    return error ? std::filesystem::path() : folder;
}

std::filesystem::path absolute_path(const std::filesystem::path& path) {
    if (path.is_absolute() || path.empty()) return path;
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::current_path(error);
    if (!error) return folder / path;
    throw Error(ErrorKind::kIo,
                fmt::format("{}: the working directory cannot be used ({}); change to another directory or "
                            "give an absolute path",
                            path.string(), error.message()));
}

}  // namespace qapfw::framework
