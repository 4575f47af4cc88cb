// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/verify/findings.hpp"

namespace qapfw::framework::laboratory {

void Findings::tell(bool good, const std::string& text) {
    failed_ = failed_ || !good;
    out_((good ? "ok      " : "FAILED  ") + subject_ + text + "\n");
}

void Findings::tell(const std::string& what, const std::vector<std::string>& defects) {
    if (defects.empty()) tell(true, what);
    for (const std::string& defect : defects) tell(false, what + ": " + defect);
}

void Findings::note(const std::string& text) {
    out_("note    " + subject_ + text + "\n");
}

}  // namespace qapfw::framework::laboratory
