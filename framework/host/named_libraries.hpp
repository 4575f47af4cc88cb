// SPDX-License-Identifier: Apache-2.0
// Libraries that environment variables name in place of the usual ones: the GPU driver, its compiler, NVML, the MPI
// component. Such libraries run with all rights of the user, so they must be as trustworthy as plugins.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace qapfw::framework {

/// A library that an environment variable names.
struct NamedLibrary {
    std::string variable;
    /// The library's path: the variable's value, or, if the value names a folder, a path inside this folder.
    std::string file;
    std::string refusal;  ///< why the file must not be opened, as one sentence; empty: it may be opened
};

/// The library that the variable names; nothing if the variable is unset or empty. `below`: the library's path inside
/// the folder, if the variable names a folder. A name without '/' is not checked: the loader searches for such a name
/// in its own folders, as it does for the usual libraries.
std::optional<NamedLibrary> library_named_by(const char* variable, const std::string& below = {});

/// From now on, libraries that other users could have changed are opened too (--allow-writable-plugins).
void allow_writable_libraries();

/// All libraries that environment variables name, for a report. The loader's variables such as LD_PRELOAD are included;
/// `file` is the whole value of such a variable.
std::vector<NamedLibrary> libraries_named_by_environment();

}  // namespace qapfw::framework
