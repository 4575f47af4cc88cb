// SPDX-License-Identifier: Apache-2.0
// Names of files made from labels: of algorithms, instances, sections. Within a folder, different labels never share a
// file.
#pragma once

#include <set>
#include <string>

namespace qapfw::framework::laboratory {

/// Chooses different names for the files (or folders) within one folder.
class FileNames {
  public:
    /// A name that no earlier call returned, ignoring case. A label of up to 120 ASCII letters, digits and . _ - + = ,
    /// without a dot at its beginning or end is used unchanged. Any other label is cut to 120 bytes, its other
    /// characters become _, and a checksum of the whole label is appended. So the name depends on this label alone.
    /// Only if an earlier call returned the name already, a number is appended.
    std::string name_for(const std::string& label);

  private:
    std::set<std::string> taken_;  // names in lower case
};

}  // namespace qapfw::framework::laboratory
