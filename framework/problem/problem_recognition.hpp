// SPDX-License-Identifier: Apache-2.0
// The problem that a file or a name belongs to, where nobody says so: the problem plugins are asked.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {

struct RecognisedInstance {
    std::string problem;                                          ///< its id
    std::string what;                                             ///< "a QAPLIB file"; empty: the plugin does not say
    std::vector<std::pair<std::string, std::string>> parameters;  ///< of [problem], beside `instance`
};

/// The one way in which some problem takes the reference. Of several, those count whose problem has all of the
/// parameters `given`, and then those whose problem needs no further ones. A file that only problems without these
/// parameters know goes to the one problem that has them. Throws Error(kInput) where there is none or are several.
RecognisedInstance recognise_instance(const std::string& reference, const Registry& registry,
                                      const std::vector<std::filesystem::path>& data_paths,
                                      const std::vector<std::string>& given = {});

/// True if the problem can be made from the instance alone, which is tried.
bool can_be_made(const Component& component, const std::string& instance,
                 const std::vector<std::filesystem::path>& data_paths);

/// True if the problem takes the instance without further parameters. Problems that recognise instances are asked;
/// others are made, which is the trial.
bool takes_instance(const Component& component, const std::string& instance,
                    const std::vector<std::filesystem::path>& data_paths);

}  // namespace qapfw::framework
