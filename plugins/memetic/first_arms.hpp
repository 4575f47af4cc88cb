// SPDX-License-Identifier: Apache-2.0
// The arms that start with more islands than others, chosen by features of the instance. Later, the race decides how
// many islands each arm has (race.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plugins/memetic/arms.hpp"

namespace qapfw::memetic {

/// Returns the names of the arms that start with more islands, for an instance with these features (sdk::features_of).
/// An arm named twice gets more islands than an arm named once. Returns no names if the instance belongs to no class.
/// The classes were found in runs with few islands, as on CPUs.
std::vector<std::string> arms_by_features(const std::map<std::string, double>& features);

/// Counts in Arm::ahead how often `first` names each arm. `usual`: names of the arms that auto chooses without
/// `first`; empty if the configuration gives the arms. Sets Arm::is_added if `first` names an arm that a non-empty
/// `usual` lacks. `are_given`: the names in `first` come from the configuration. In this case, throws Error(kUsage) if
/// a name in `first` is not the name of an arm.
void mark_first(const std::vector<std::string>& first, bool are_given, const std::vector<std::string>& usual,
                std::vector<Arm>& arms);

/// Returns the numbers of the arms that islands start with: entry k is the arm of island k of the run. If the run has
/// more islands than entries, the entries repeat.
std::vector<std::uint32_t> dealt_arms(const std::vector<Arm>& arms);

}  // namespace qapfw::memetic
