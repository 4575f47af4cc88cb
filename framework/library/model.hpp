// SPDX-License-Identifier: Apache-2.0
// A problem of the library: arrays in memory, or an instance by name, with the parameters of [problem].
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/library/arrays.hpp"
#include "framework/library/session.hpp"

namespace qapfw::framework {

/// Keys of a configuration with their values, in the order in which they are set.
using Options = std::vector<std::pair<std::string, std::string>>;

/// From pairs of texts. Throws Error(kUsage) for null pointers.
Options read_options(const char* const* texts, std::uint32_t count);

class LibraryModel {
  public:
    /// Throws Error(kInput) where the arrays do not fit together.
    LibraryModel(std::shared_ptr<LibrarySession> session, const qapfw_qap& qap);
    /// Throws Error for an instance that no problem knows.
    LibraryModel(std::shared_ptr<LibrarySession> session, const std::string& instance, Options options);

    const LibrarySession& session() const { return *session_; }
    const Options& options() const { return options_; }
    const ArrayStore& arrays() const { return arrays_; }
    std::uint64_t facilities() const { return facilities_; }
    std::uint64_t locations() const { return locations_; }

  private:
    void read_sizes();

    const std::shared_ptr<LibrarySession> session_;
    Options options_;
    ArrayStore arrays_;
    std::uint64_t facilities_ = 0, locations_ = 0;
};

}  // namespace qapfw::framework
