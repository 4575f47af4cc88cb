// SPDX-License-Identifier: Apache-2.0
// File names made from the labels of algorithms, instances and sections. Within a folder, different labels never share
// a file.
#pragma once

#include <set>
#include <string>

namespace qapfw::framework::laboratory {

/// Chooses different names for the files (or folders) within one folder.
class FileNames {
  public:
    /// Returns a file name for a label. Two calls never return the same name, even if case is ignored.
    /// - A label is used unchanged if it has at most 120 characters and no dot at its beginning or end, and all its
    ///   characters are ASCII letters, digits or . _ - + = ,
    /// - In any other label, all other characters become _, and so does a dot at the beginning or end. The result is
    ///   cut to 120 bytes, and a checksum of the whole label is appended.
    /// - If an earlier call returned this name, a number is appended. Otherwise the name depends only on the label.
    std::string name_for(const std::string& label);

  private:
    std::set<std::string> taken_;  // names in lower case
};

}  // namespace qapfw::framework::laboratory
