// SPDX-License-Identifier: Apache-2.0
// A problem of the library: arrays in memory, an instance by name, or a configuration.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/config/config.hpp"
#include "framework/library/arrays.hpp"
#include "framework/library/session.hpp"

namespace qapfw::framework {

/// Keys of a configuration with their values, in the order in which they are set.
using Options = std::vector<std::pair<std::string, std::string>>;

/// Reads `count` options from `texts`: key, value, key, value, ... Throws Error(kUsage) for null pointers.
Options read_options(const char* const* texts, std::uint32_t count);

class LibraryModel {
  public:
    /// Throws Error(kInput) if the sizes of the arrays do not match.
    LibraryModel(std::shared_ptr<LibrarySession> session, const qapfw_qap& qap);
    LibraryModel(std::shared_ptr<LibrarySession> session, const qapfw_graph& graph);
    /// Throws Error for an instance that no problem knows.
    LibraryModel(std::shared_ptr<LibrarySession> session, const std::string& instance, Options options);
    /// Makes a model of a configuration; the options change its settings. `record`: folder of the run record to resume;
    /// empty: a new run. Throws Error for mistakes in the configuration, the options or the instance.
    LibraryModel(std::shared_ptr<LibrarySession> session, ConfigText text, Options options,
                 std::filesystem::path record = {});

    const LibrarySession& session() const { return *session_; }
    const Options& options() const { return options_; }
    const ArrayStore& arrays() const { return arrays_; }
    const ConfigText& text() const { return text_; }
    /// True if the settings come from a configuration. Then the run gets no default time limit, and writes a
    /// record unless the settings forbid it.
    bool is_configuration() const { return is_configuration_; }
    /// Record of the run to resume; empty: a new run.
    const std::filesystem::path& record() const { return record_; }
    const std::vector<std::filesystem::path>& data_paths() const { return data_paths_; }
    std::uint64_t facilities() const { return facilities_; }
    std::uint64_t locations() const { return locations_; }

  private:
    void read_sizes();

    const std::shared_ptr<LibrarySession> session_;
    std::vector<std::filesystem::path> data_paths_;
    ConfigText text_{{}, "options", {}};
    const std::filesystem::path record_;
    const bool is_configuration_ = false;
    Options options_;
    ArrayStore arrays_;
    std::uint64_t facilities_ = 0, locations_ = 0;
};

}  // namespace qapfw::framework
