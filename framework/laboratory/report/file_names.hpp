// SPDX-License-Identifier: Apache-2.0
// Names of files made from labels: of algorithms, instances, sections. Different labels never share a file.
#pragma once

#include <set>
#include <string>

namespace qapfw::framework::laboratory {

/// The names within one folder.
class FileNames {
  public:
    /// A name that no earlier call returned, in capitals or not. A label of letters and digits of ASCII and of . _ - +
    /// = , is its own name. Any other label has _ for other characters and ends with a checksum of the whole label, so
    /// that it has the same name whatever else is there. What is taken all the same gets a number.
    std::string name_for(const std::string& label);

  private:
    std::set<std::string> taken_;  // in small letters
};

}  // namespace qapfw::framework::laboratory
