// SPDX-License-Identifier: Apache-2.0
// Findings of a check of records, one line each.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace qapfw::framework::laboratory {

/// Receives text for the reader, including line ends.
using Teller = std::function<void(const std::string&)>;

class Findings {
  public:
    explicit Findings(Teller out) : out_(std::move(out)) {}
    /// All later findings begin with `subject`, such as "seed 42: ".
    void set_subject(const std::string& subject) { subject_ = subject; }
    /// Reports a finding; `good` false: the check has failed.
    void tell(bool good, const std::string& text);
    /// Reports the defects, a line each. If there are none, reports that `what` was checked.
    void tell(const std::string& what, const std::vector<std::string>& defects);
    /// Reports what could not be checked, and why.
    void note(const std::string& text);
    bool failed() const { return failed_; }

  private:
    Teller out_;
    std::string subject_;
    bool failed_ = false;
};

}  // namespace qapfw::framework::laboratory
