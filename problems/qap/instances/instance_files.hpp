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

/// Returns NAME.dat in QAPLIB's form, with the header "m n" if there are fewer facilities than locations. Also returns
/// NAME-linear.csv and NAME-forbidden.csv, a row for each facility, if the instance has linear costs or forbidden
/// pairs. Names, fixed facilities, the constant and the sense are not written. A reduced instance is written only as
/// its matrices.
std::vector<InstanceFile> to_files(const QapInstance& instance);

}  // namespace qapfw::qap
