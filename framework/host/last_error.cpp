// SPDX-License-Identifier: Apache-2.0
#include "framework/host/last_error.hpp"

#include <new>
#include <utility>

namespace qapfw::framework {
namespace {
thread_local std::string last_error;
}

void set_last_error(std::string_view text) {
    try {
        last_error.assign(text);
    } catch (const std::bad_alloc&) {
        last_error = "out of memory";  // short enough to need no heap memory
    }
}

std::string take_last_error() {
    return std::exchange(last_error, std::string());
}

}  // namespace qapfw::framework
