// SPDX-License-Identifier: Apache-2.0
// Hint for an instance that the chosen problem does not know: another problem may know it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/config/config.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// Facts for the hint, about an instance that a problem could not read.
struct WantedInstance {
    std::string problem;   ///< id of the chosen problem
    std::string instance;  ///< the instance; empty: none was given

    static WantedInstance of(const Config& config);
};

/// Always throws. Call it where `error` is caught. If another problem can read the instance, the new error is of the
/// same kind and its message names that problem. Otherwise `error` itself is thrown again.
[[noreturn]] void rethrow_with_instance_hint(const Error& error, const WantedInstance& wanted, const Registry& registry,
                                             const std::vector<std::filesystem::path>& data_paths);

}  // namespace qapfw::framework
