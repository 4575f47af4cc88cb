// SPDX-License-Identifier: Apache-2.0
// Kinds of files and names for the QAP: its own formats, those of other problems in the form of a QAP, or a name that
// is generated.
#pragma once

#include <string>
#include <vector>

#include "problems/qap/instances/instance.hpp"

namespace qapfw::qap {

/// One way to read a reference.
struct Recognised {
    std::string what;             ///< "a QAPLIB file"
    std::string parameters = {};  ///< lines "key=value" of [problem] that it takes beside `instance`
};

/// The ways in which the reference can be read, none where it is nothing of the QAP's. Of a file the beginning alone is
/// looked at. A DIMACS graph is taken for a maximum clique problem, the one reduction that needs nothing else.
std::vector<Recognised> recognise_instance(const std::string& reference, const InstanceSearch& search);

}  // namespace qapfw::qap
