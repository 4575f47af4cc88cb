// SPDX-License-Identifier: Apache-2.0
// The arms that begin with more islands than others: a rule by features of the instance. The race decides all the same.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "plugins/memetic/arms.hpp"

namespace qapfw::memetic {

/// Names of arms for an instance with such features (sdk::features_of); a name that is there twice is to have yet more.
/// Learnt where islands are few, as on CPUs. Empty: the instance looks like none of the classes that the rule knows.
std::vector<std::string> arms_by_features(const std::map<std::string, double>& features);

/// Marks the arms of these names as first, once for each time that a name is there. Those that `usual` has not got are
/// in the run for that alone; `usual` is empty where arms are given. Throws Error(kUsage) for a name that no arm has
/// where `are_given` says that the configuration has the names.
void mark_first(const std::vector<std::string>& first, bool are_given, const std::vector<std::string>& usual,
                std::vector<Arm>& arms);

/// The arm that each island begins with, in turn.
std::vector<std::uint32_t> dealt_arms(const std::vector<Arm>& arms);

}  // namespace qapfw::memetic
