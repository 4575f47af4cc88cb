// SPDX-License-Identifier: Apache-2.0
#include "framework/record/atomic_file.hpp"

#include "framework/record/folder.hpp"

namespace qapfw::framework {
namespace {

/// The folder that contains a file.
std::filesystem::path parent_of(const std::filesystem::path& file) {
    const std::filesystem::path parent = file.parent_path();
    return parent.empty() ? std::filesystem::path(".") : parent;
}

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view bytes, Durability durability) {
    Folder(parent_of(path)).replace(path.filename().string(), bytes, durability);
}

std::string read_file(const std::filesystem::path& path) {
    return Folder(parent_of(path)).read(path.filename().string());
}

}  // namespace qapfw::framework
