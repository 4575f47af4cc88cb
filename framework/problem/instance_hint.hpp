// SPDX-License-Identifier: Apache-2.0
// An instance that the chosen problem does not know may be one of another problem.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "framework/config/config.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// The instance that a problem was to read: what is needed for a hint when it could not.
struct WantedInstance {
    std::string problem;   ///< its id
    std::string instance;  ///< empty: none was given

    static WantedInstance of(const Config& config);
};

/// Throws a caught error again, of the same class. If another problem has the instance, the message gets a sentence
/// that says so.
[[noreturn]] void rethrow_with_instance_hint(const Error& error, const WantedInstance& wanted, const Registry& registry,
                                             const std::vector<std::filesystem::path>& data_paths);

}  // namespace qapfw::framework
