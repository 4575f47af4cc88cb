// SPDX-License-Identifier: Apache-2.0
// The plugins of a process that is not ours. Nothing here forks: libraries that were installed with the program are
// known by their hashes; others are tried by the installed program. A verdict is kept as long as the files stay the
// same.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

/// The usable plugins of `folders`, then of the usual ones. Safe from any thread.
std::shared_ptr<const Registry> installed_plugins(const std::vector<std::filesystem::path>& folders);

}  // namespace qapfw::framework
