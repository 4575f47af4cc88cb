// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/findings.hpp"

#include "framework/cli/presentation.hpp"

namespace qapfw::framework {

void Findings::tell(bool good, const std::string& text) {
    failed_ = failed_ || !good;
    print((good ? "ok      " : "FAILED  ") + subject_ + text + "\n");
}

void Findings::tell(const std::string& what, const std::vector<std::string>& defects) {
    if (defects.empty()) tell(true, what);
    for (const std::string& defect : defects) tell(false, what + ": " + defect);
}

void Findings::note(const std::string& text) {
    print("note    " + subject_ + text + "\n");
}

}  // namespace qapfw::framework
