// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/option_groups.hpp"

#include <algorithm>
#include <filesystem>

#include "framework/config/config.hpp"
#include "framework/config/duration.hpp"
#include "framework/config/toml_reader.hpp"
#include "framework/host/named_libraries.hpp"
#include "framework/host/working_folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Lets an option be repeated, with one word each time. The limit is one below the parser's maximum: at the maximum,
/// the help would add "..." to the option.
void repeatable(CLI::Option* option) {
    constexpr int kMost = CLI::detail::expected_max_vector_size - 1;
    option->expected(1, kMost)->allow_extra_args(false);
}

/// Splits "key=value" into key and value.
std::pair<std::string, std::string> split_assignment(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0)
        throw CLI::ValidationError("wanted key=value, found \"" + text + "\"");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Adds "s" to a plain number; a duration stays as it is.
std::string with_unit(const std::string& value) {
    const bool plain = !value.empty() && value.find_first_not_of("0123456789.") == std::string::npos;
    return plain ? value + "s" : value;
}

}  // namespace

CLI::App* add_command(CLI::App& parent, const char* name, const char* help, Command& chosen, Command command) {
    CLI::App* app = parent.add_subcommand(name, help);
    app->set_version_flag("--version", "qapfw " QAPFW_VERSION);
    app->final_callback([&chosen, command = std::move(command)] { chosen = command; });
    return app;
}

void add_assignments(CLI::App& app, const char* name, Assignments& target, const char* help) {
    repeatable(app.add_option_function<std::vector<std::string>>(
                      name,
                      [&target](const std::vector<std::string>& texts) {
                          for (const std::string& text : texts) target.push_back(split_assignment(text));
                      },
                      help)
                   ->type_name("KEY=VALUE"));
}

void add_unset(CLI::App& app, std::vector<std::string>& target, const char* help) {
    repeatable(app.add_option("--unset", target, help)->type_name("KEY"));
}

/// An option that is short for --set key=value.
void add_key(CLI::App& app, const char* name, const char* key, Keys keys, const char* type, const char* help) {
    app.add_option_function<std::string>(
           name, [keys, key, name](const std::string& value) { keys.set(key, value, name); }, help)
        ->type_name(type)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void check_target(const char* name, const std::string& target) {
    if (target != "none") return;
    throw CLI::ValidationError(std::string(name) +
                               " none: without distances there is nothing to solve; name the "
                               "locations, such as grid:64x64 or torus:10x10x10");
}

void add_target(CLI::App& app, const char* name, Keys keys, const char* help) {
    app.add_option_function<std::string>(
           name,
           [keys, name](const std::string& value) {
               check_target(name, value);
               const std::size_t colon = value.find(':'), end = std::min(value.find(','), value.size());
               std::string spec = value;
               if (colon != std::string::npos && colon < end) {
                   const std::string file = value.substr(colon + 1, end - colon - 1);
                   std::error_code error;
                   if (std::filesystem::is_regular_file(file, error))
                       spec = value.substr(0, colon + 1) + absolute_path(file).string() + value.substr(end);
               }
               keys.set("problem.distance", toml_quoted(spec), name);
           },
           help)
        ->type_name("TARGET")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_file(CLI::App& app, const char* name, const char* key, Keys keys, const char* help) {
    app.add_option_function<std::string>(
           name,
           [keys, key, name](const std::string& value) {
               if (value.empty()) throw CLI::ValidationError(std::string(name) + ": wanted a file, found \"\"");
               keys.set(key, toml_quoted(value), name);
           },
           help)
        ->type_name("FILE")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_files(CLI::App& app, const char* name, const char* key, Keys keys, const char* help) {
    app.add_option_function<std::vector<std::string>>(
           name,
           [keys, key, name](const std::vector<std::string>& files) {
               std::string list;
               for (const std::string& file : files) {
                   if (file.empty()) throw CLI::ValidationError(std::string(name) + ": wanted a file, found \"\"");
                   list += (list.empty() ? "" : ", ") + toml_quoted(file);
               }
               keys.set(key, files.size() == 1 ? list : "[" + list + "]", name);
           },
           help)
        ->type_name("FILE")
        ->allow_extra_args(false);
}

void add_switch(CLI::App& app, const char* name, const char* key, const char* value, Keys keys, const char* help) {
    app.add_flag_callback(
        name, [keys, key, value, name] { keys.set(key, value, name); }, help);
}

double seconds_of(const std::string& text) {
    try {
        return parse_duration(with_unit(text));
    } catch (const Error& error) {
        throw CLI::ValidationError(error.what());
    }
}

/// An option that sets a key to a duration; a plain number means seconds.
void add_duration(CLI::App& app, const char* name, const char* key, Keys keys, const char* help) {
    app.add_option_function<std::string>(
           name, [keys, key, name](const std::string& value) { keys.set(key, with_unit(value), name); }, help)
        ->type_name("DURATION")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void add_processes(CLI::App& app, std::string& processes) {
    app.add_option(
           "--processes", processes,
           "How processes work together. auto (default): all processes of a launcher such as mpirun do one run. mpi: "
           "all processes do one run even if no launcher is recognised. none: each process does a run of its own")
        ->check(CLI::IsMember({"auto", "mpi", "none"}))
        ->type_name("HOW")
        ->envname("QAPFW_PROCESSES");
}

void add_common(CLI::App& app, CommonOptions& options) {
    repeatable(
        app.add_option(
               "--plugin-path", options.plugin_path,
               "Another folder with plugins, or one plugin library; separate several by ':', or repeat the option")
            ->type_name("PATH")
            ->delimiter(':'));
    repeatable(app.add_option("--data", options.data,
                              "Another folder in which instances are looked up by name; may be repeated")
                   ->type_name("FOLDER")
                   ->delimiter(':'));
    app.add_flag("--allow-plugins-from-config", options.allow_plugins_from_config,
                 "Load plugins from the folders that the configuration or the record names")
        ->envname("QAPFW_ALLOW_PLUGINS_FROM_CONFIG");
    app.add_flag(
        "--allow-writable-plugins",
        [&options](std::int64_t) {
            options.allow_writable_plugins = true;
            allow_writable_libraries();
        },
        "Load plugins, and libraries named by environment variables, even if other users could have changed them");
}

}  // namespace qapfw::framework
