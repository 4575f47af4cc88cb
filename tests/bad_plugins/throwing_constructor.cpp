// SPDX-License-Identifier: Apache-2.0
// An exception leaves the constructor of a static object while the library is being loaded.
#include <stdexcept>

namespace {
struct Thrower {
    Thrower() { throw std::runtime_error("thrown while loading"); }
};
const Thrower thrower;
}  // namespace

extern "C" {
#include "minimal_plugin.h"
}
