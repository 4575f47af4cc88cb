// SPDX-License-Identifier: Apache-2.0
// Copies inputs that can be read only once (standard input, pipes) into files. So a run can be resumed and verified.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace qapfw::framework {

class KeptInputs {
  public:
    /// `lasting`: the files that keep() makes stay in runs/inputs; otherwise this object deletes them.
    explicit KeptInputs(bool lasting) : lasting_(lasting) {}
    ~KeptInputs();
    KeptInputs(const KeptInputs&) = delete;
    KeptInputs& operator=(const KeptInputs&) = delete;

    /// Returns the file to read in place of `reference`. For "-" and for a pipe, a file with all their data is written;
    /// any other reference is returned unchanged. Throws Error(kInput) if standard input or the pipe is empty, and
    /// Error(kUsage) for a second "-".
    std::string keep(const std::string& reference);

  private:
    std::filesystem::path store(const std::string& bytes);

    bool lasting_;
    bool took_standard_input_ = false;
    std::filesystem::path own_folder_;  // folder for inputs that do not last; empty: not made yet
};

}  // namespace qapfw::framework
