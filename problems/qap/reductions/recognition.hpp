// SPDX-License-Identifier: Apache-2.0
// Recognises how a file or name can be read as a QAP: as a file in one of the QAP's own formats, as another problem
// that can be written as a QAP, or as the name of a generated instance.
#pragma once

#include <string>
#include <vector>

#include "problems/qap/instances/instance.hpp"

namespace qapfw::qap {

/// One way to read a reference to an instance (a file or a name).
struct Recognised {
    std::string what;             ///< description, such as "a QAPLIB file"
    std::string parameters = {};  ///< lines "key=value" of [problem] needed besides `instance`
};

/// The ways in which the reference can be read as a QAP instance; empty if there is no way. Only the beginning of a
/// file is read. A DIMACS graph counts as a maximum clique problem, although other reductions may be meant.
std::vector<Recognised> recognise_instance(const std::string& reference, const InstanceSearch& search);

}  // namespace qapfw::qap
