// SPDX-License-Identifier: Apache-2.0
// What `qapfw verify` finds, a line each.
#pragma once

#include <string>
#include <vector>

namespace qapfw::framework {

class Findings {
  public:
    /// What findings begin with from now on: "seed 42: ".
    void set_subject(const std::string& subject) { subject_ = subject; }
    void tell(bool good, const std::string& text);
    /// One line for what was looked at where nothing is wrong with it, else a line for each defect.
    void tell(const std::string& what, const std::vector<std::string>& defects);
    /// Neither good nor wrong: what could not be looked at, and why.
    void note(const std::string& text);
    bool failed() const { return failed_; }

  private:
    std::string subject_;
    bool failed_ = false;
};

}  // namespace qapfw::framework
