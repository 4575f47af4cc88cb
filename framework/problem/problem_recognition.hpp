// SPDX-License-Identifier: Apache-2.0
// Finds the problem that a file or a name belongs to, if the user does not say. The problem plugins are asked.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

struct RecognisedInstance {
    std::string problem;                                          ///< id of the problem
    std::string what;                                             ///< "a QAPLIB file"; empty: unknown
    std::vector<std::pair<std::string, std::string>> parameters;  ///< parameters of [problem] other than `instance`
};

/// The problem and parameters for a reference. `given`: names of parameters that the user has set. Of several problems
/// that know the reference, those that have all these parameters are preferred, then those that need no others. If no
/// problem that knows the reference has them, the only problem that has them is chosen. Throws Error(kInput) if none or
/// several remain.
RecognisedInstance recognise_instance(const std::string& reference, const Registry& registry,
                                      const std::vector<std::filesystem::path>& data_paths,
                                      const std::vector<std::string>& given = {});

/// True if the problem can be created from the instance alone. Tries it.
bool can_be_made(const Component& component, const std::string& instance,
                 const std::vector<std::filesystem::path>& data_paths);

/// True if the problem accepts the instance without further parameters. Problems that recognise instances are asked;
/// others are created as a trial.
bool takes_instance(const Component& component, const std::string& instance,
                    const std::vector<std::filesystem::path>& data_paths);

}  // namespace qapfw::framework
