// SPDX-License-Identifier: Apache-2.0
// Findings of a check of records, a line each.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace qapfw::framework::laboratory {

/// Takes text for the reader, line ends included.
using Teller = std::function<void(const std::string&)>;

class Findings {
  public:
    explicit Findings(Teller out) : out_(std::move(out)) {}
    /// Start of all findings from now on: "seed 42: ".
    void set_subject(const std::string& subject) { subject_ = subject; }
    void tell(bool good, const std::string& text);
    /// One line for what was looked at where nothing is wrong with it, else a line for each defect.
    void tell(const std::string& what, const std::vector<std::string>& defects);
    /// Neither good nor wrong: what could not be looked at, and why.
    void note(const std::string& text);
    bool failed() const { return failed_; }

  private:
    Teller out_;
    std::string subject_;
    bool failed_ = false;
};

}  // namespace qapfw::framework::laboratory
