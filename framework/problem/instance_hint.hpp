// SPDX-License-Identifier: Apache-2.0
// Hint for an instance that the chosen problem does not know: another problem may know it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/config/config.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// The instance that a problem could not read, as the hint needs it.
struct WantedInstance {
    std::string problem;   ///< id of the problem
    std::string instance;  ///< the instance; empty: none was given

    static WantedInstance of(const Config& config);
};

/// Throws a caught error again, of the same class. If another problem knows the instance, the message says so.
[[noreturn]] void rethrow_with_instance_hint(const Error& error, const WantedInstance& wanted, const Registry& registry,
                                             const std::vector<std::filesystem::path>& data_paths);

}  // namespace qapfw::framework
