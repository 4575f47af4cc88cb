// SPDX-License-Identifier: Apache-2.0
// An MPI component (framework/processes/component.h). A test plays the other processes: it opens the library
// qapfw-scripted-component.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace qapfw::test {

/// What the functions of the component do.
struct Script {
    std::uint32_t rank = 0, count = 2;
    /// Gets what this process passes and returns what all have passed. If the length is not the one asked for, MPI
    /// fails.
    std::function<std::string(const std::string& own)> all_gather;
    std::string error;  ///< message of a failure; empty: everything succeeds
};

}  // namespace qapfw::test

/// The script in use. Tests set it before they use the component.
extern "C" {
__attribute__((visibility("default"))) extern qapfw::test::Script* qapfw_script;
}
