// SPDX-License-Identifier: Apache-2.0
// An MPI component (framework/processes/component.h) whose other processes are played by a test, which opens the
// library qapfw-scripted-component.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace qapfw::test {

/// Actions of the component's functions.
struct Script {
    std::uint32_t rank = 0, count = 2;
    /// Gets what this process hands in, gives what all have handed in; of another length than asked for: MPI fails.
    std::function<std::string(const std::string& own)> all_gather;
    std::string error;  ///< "": everything succeeds
};

}  // namespace qapfw::test

/// The present one; tests set it before they use the component.
extern "C" {
__attribute__((visibility("default"))) extern qapfw::test::Script* qapfw_script;
}
