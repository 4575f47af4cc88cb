// SPDX-License-Identifier: Apache-2.0
// Finds plugins inside a process of another program, where nothing may fork. Libraries installed with the program are
// known by their hashes; the installed program tries all other libraries. The result is kept until the files change.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

/// Returns the usable plugins of `folders` and of the usual folders, in this order. Thread-safe.
std::shared_ptr<const Registry> installed_plugins(const std::vector<std::filesystem::path>& folders);

}  // namespace qapfw::framework
