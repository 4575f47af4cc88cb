// SPDX-License-Identifier: Apache-2.0
#include "framework/host/last_error.hpp"

#include <utility>

namespace qapfw::framework {
namespace {
thread_local std::string last_error;
}

void set_last_error(std::string_view text) {
    last_error.assign(text);
}

std::string take_last_error() {
    return std::exchange(last_error, std::string());
}

}  // namespace qapfw::framework
