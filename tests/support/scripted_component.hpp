// SPDX-License-Identifier: Apache-2.0
// An MPI component (framework/processes/component.h) for tests, in the library qapfw-scripted-component. The test plays
// the other processes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace qapfw::test {

/// The answers of the component's functions.
struct Script {
    std::uint32_t rank = 0, count = 2;
    /// Takes the bytes of this process and returns those of all processes. A wrong total size makes the call fail.
    std::function<std::string(const std::string& own)> all_gather;
    std::string error;  ///< message of a failure; empty: everything succeeds
};

}  // namespace qapfw::test

/// The current script. Tests set it before they use the component.
extern "C" {
__attribute__((visibility("default"))) extern qapfw::test::Script* qapfw_script;
}
