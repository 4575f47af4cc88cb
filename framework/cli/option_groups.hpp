// SPDX-License-Identifier: Apache-2.0
// Options that several commands have.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/cli/commands.hpp"
#include "framework/cli/program.hpp"

namespace qapfw::framework {

using Assignments = std::vector<std::pair<std::string, std::string>>;

/// Adds a subcommand. If the user chooses it, `chosen` becomes `command`.
CLI::App* add_command(CLI::App& parent, const char* name, const char* help, Command& chosen, Command command);

void add_assignments(CLI::App& app, const char* name, Assignments& target, const char* help);
void add_unset(CLI::App& app, std::vector<std::string>& target, const char* help);
/// Keys of the configuration that options such as --iterations set.
struct Keys {
    Assignments& values;                          ///< keys with the values that the options gave
    std::map<std::string, std::string>& spelled;  ///< the option that set each key
    void set(const char* key, const std::string& value, const char* option) const {
        values.emplace_back(key, value);
        spelled[key] = option;
    }
};

/// An option that is short for --set key=value.
void add_key(CLI::App& app, const char* name, const char* key, Keys keys, const char* type, const char* help);
/// An option that sets `problem.distance`, which describes the locations of a sparse instance. If the value names an
/// existing file, the file's path is made absolute.
void add_target(CLI::App& app, const char* name, Keys keys, const char* help);
/// Throws CLI::ValidationError if `target`, the value of option `name`, is "none" (a graph without distances).
void check_target(const char* name, const std::string& target);
/// An option that sets `key` to a file's path, exactly as the user wrote the path.
void add_file(CLI::App& app, const char* name, const char* key, Keys keys, const char* help);
/// An option whose value is a file's path. It may be repeated: the key's value is then a list of files.
void add_files(CLI::App& app, const char* name, const char* key, Keys keys, const char* help);
/// An option that takes no value. It sets `key` to `value`.
void add_switch(CLI::App& app, const char* name, const char* key, const char* value, Keys keys, const char* help);
/// An option that sets a key to a duration; a plain number means seconds.
void add_duration(CLI::App& app, const char* name, const char* key, Keys keys, const char* help);
/// Returns the seconds of a duration such as "2m". A plain number means seconds.
double seconds_of(const std::string& text);
/// Adds --processes: whether all processes that a launcher started do one run together, see ProcessGroup.
void add_processes(CLI::App& app, std::string& processes);
void add_common(CLI::App& app, CommonOptions& options);

}  // namespace qapfw::framework
