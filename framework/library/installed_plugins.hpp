// SPDX-License-Identifier: Apache-2.0
// Finds plugins when another program uses qapfw as a library. No code may fork in the other program's process. So the
// installed program bin/qapfw tries the plugins, except those that a file plugins.hashes lists. The result is kept
// until a plugin library is added, changed or removed.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

/// Returns the usable plugins of `folders` and of the usual folders, in this order. Thread-safe.
std::shared_ptr<const Registry> installed_plugins(const std::vector<std::filesystem::path>& folders);

}  // namespace qapfw::framework
