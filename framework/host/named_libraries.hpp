// SPDX-License-Identifier: Apache-2.0
// Libraries that environment variables name in place of the usual ones: the driver of GPUs, its compiler, NVML, the MPI
// component. They run with all rights of the user, so they are trusted as plugins are.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace qapfw::framework {

/// A library that an environment variable names.
struct NamedLibrary {
    std::string variable;
    std::string file;     ///< as the variable says, or below the folder that it names
    std::string refusal;  ///< why it must not be opened, as one sentence; empty if it may be
};

/// The library that the variable names; nothing where it is not set or empty. `below`: where in a folder that it names.
/// A name without '/' is looked up along the loader's path, as usual ones are: it is not checked.
std::optional<NamedLibrary> library_named_by(const char* variable, const std::string& below = {});

/// From now on libraries that other users could have changed are opened too (--allow-writable-plugins).
void allow_writable_libraries();

/// All variables of the environment that name libraries, for a report; the loader's own too.
std::vector<NamedLibrary> libraries_named_by_environment();

}  // namespace qapfw::framework
