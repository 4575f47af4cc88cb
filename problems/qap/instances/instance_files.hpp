// SPDX-License-Identifier: Apache-2.0
// An instance as text files, with the numbers that the user gave.
#pragma once

#include <string>
#include <vector>

#include "problems/qap/instances/instance.hpp"

namespace qapfw::qap {

/// One file of an instance.
struct InstanceFile {
    std::string name;
    const char* media_type;
    std::string text;
};

/// Returns the instance as files. NAME.dat has QAPLIB's form; its header is "m n" if there are fewer facilities than
/// locations. If the instance has linear costs or forbidden pairs, the files NAME-linear.csv or NAME-forbidden.csv
/// follow, with a row for each facility. No file has names, fixed facilities, the constant or the sense. If the
/// instance was reduced from another problem, NAME.dat has the reduced QAP's matrices, and no file follows.
std::vector<InstanceFile> to_files(const QapInstance& instance);

}  // namespace qapfw::qap
