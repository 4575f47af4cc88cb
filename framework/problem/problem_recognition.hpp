// SPDX-License-Identifier: Apache-2.0
// Finds the problem to which a file or a name belongs by asking the problem plugins, if the user names no problem.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

struct RecognisedInstance {
    std::string problem;                                          ///< id of the problem
    std::string what;                                             ///< kind, such as "a QAPLIB file"; empty: unknown
    std::vector<std::pair<std::string, std::string>> parameters;  ///< parameters of [problem] other than `instance`
};

/// The problem and parameters for a reference: a file or a name. `given`: names of parameters that the user has set. If
/// several problems know the reference, those that have all given parameters are preferred, then those that need no
/// further parameters. If only one problem has all given parameters and does not know the file, this problem is chosen,
/// because it can say what is wrong with the file. Throws Error(kInput) if no way to read the reference remains, or
/// several ways.
RecognisedInstance recognise_instance(const std::string& reference, const Registry& registry,
                                      const std::vector<std::filesystem::path>& data_paths,
                                      const std::vector<std::string>& given = {});

/// True if the problem can be created from the instance alone. Creates it as a trial.
bool can_be_made(const Component& component, const std::string& instance,
                 const std::vector<std::filesystem::path>& data_paths);

/// True if the problem accepts the instance without further parameters. Problems that recognise instances are asked;
/// others are created as a trial.
bool takes_instance(const Component& component, const std::string& instance,
                    const std::vector<std::filesystem::path>& data_paths);

}  // namespace qapfw::framework
