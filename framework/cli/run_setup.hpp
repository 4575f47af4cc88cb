// SPDX-License-Identifier: Apache-2.0
// Common parts of the commands that run something: configuration and plugins, the engine with signals and screen,
// records.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/cli/commands.hpp"
#include "framework/config/config.hpp"
#include "framework/engine/engine.hpp"
#include "framework/record/recorded_data_paths.hpp"

namespace qapfw::framework {

/// A checked configuration and the registry that it points into.
struct RunSetup {
    Registry registry;
    Config config;
};
/// With several processes, the leading process reads the file for all.
RunSetup load_setup(const std::string& file, const Overrides& overrides, const CommonOptions& common,
                    Processes& processes);
RunSetup load_setup(const std::string& file, const Overrides& overrides, const CommonOptions& common);

/// Connects the user with a command's engine: receives signals, shows progress and results. At most one object of this
/// class may exist. Construct it before the engine starts threads.
class UserSide {
  public:
    UserSide(std::shared_ptr<Processes> processes, const OutputOptions& output);
    ~UserSide();
    UserSide(const UserSide&) = delete;
    UserSide& operator=(const UserSide&) = delete;

    /// The options that connect an engine to this object, which must outlive the engine.
    EngineOptions engine_options();
    /// Shows the results; returns the exit code.
    int show(const EngineOutcome& outcome) const;

  private:
    bool leads() const { return processes_->leads(); }
    int signal() const;

    SignalWatch signals_;
    const std::shared_ptr<Processes> processes_;
    const OutputOptions output_;
};

/// Folders in which to look for the instance: first the folders of the options, then the folders that the record in
/// `folder` names. The record names them in its result, otherwise in its checkpoint, otherwise in the record of a seed.
std::vector<std::filesystem::path> recorded_data_paths(const std::filesystem::path& folder,
                                                       const CommonOptions& common);

}  // namespace qapfw::framework
