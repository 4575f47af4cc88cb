// SPDX-License-Identifier: Apache-2.0
// The arms that begin with more islands than others: a rule by features of the instance. The race decides all the same.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace qapfw::memetic {

/// Names of arms for an instance with such features (sdk::features_of); a name that is there twice is to have yet more.
/// Learnt where islands are few, as on CPUs. Empty: the instance looks like none of the classes that the rule knows.
std::vector<std::string> arms_by_features(const std::map<std::string, double>& features);

}  // namespace qapfw::memetic
