// SPDX-License-Identifier: Apache-2.0
// The table of the framework's own keys.
#include "framework/config/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "framework/config/duration.hpp"
#include "framework/config/toml_reader.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/plugin/parameter_text.hpp"

namespace qapfw::framework {

namespace {

constexpr std::int64_t kMostRuns = 100000;  // limits the number of records and of lines in the summary
constexpr std::int64_t kMostThreads = 4096;
constexpr std::int64_t kMostDevices = 1024;

bool is_text(const Node& node) {
    return node.type == Node::Type::kText;
}

template <class Number>
bool read_count(const Node& node, std::int64_t least, std::int64_t most, Number& out) {
    if (node.type != Node::Type::kInteger || node.integer < least || node.integer > most) return false;
    out = static_cast<Number>(node.integer);
    return true;
}

/// Parses a whole number: hexadecimal if the text begins with "0x", else decimal.
std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x");
    if (hexadecimal) text.remove_prefix(2);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

bool read_seed(const Node& node, Config& config) {
    if (node.type == Node::Type::kInteger && node.integer >= 0) {
        config.run.seed = static_cast<std::uint64_t>(node.integer);
        return true;
    }
    const auto seed = is_text(node) ? parse_unsigned(node.text) : std::nullopt;
    if (seed) config.run.seed = *seed;
    return seed.has_value();
}

/// Reads a duration of at least `least` seconds: a text with a unit, or a number of seconds. Returns false for any
/// other node.
bool read_duration(const Node& node, double least, std::optional<double>& out) {
    std::optional<double> seconds;
    if (is_text(node)) seconds = try_parse_duration(node.text);
    if (node.type == Node::Type::kInteger) seconds = static_cast<double>(node.integer);
    if (node.type == Node::Type::kReal) seconds = node.real;
    if (!seconds || !(*seconds >= least && *seconds <= kLongestDuration)) return false;
    out = seconds;
    return true;
}

bool read_time_limit(const Node& node, Config& config) {
    return read_duration(node, std::numeric_limits<double>::min(), config.run.time_limit);
}

bool read_checkpoint_interval(const Node& node, Config& config) {
    std::optional<double> seconds;
    if (!read_duration(node, 0, seconds)) return false;
    config.output.checkpoint_interval = *seconds;
    return true;
}

/// Reads an integer of at least 1, or a size form such as "100n", which is resolved later.
bool read_iterations(const Node& node, std::optional<std::uint64_t>& number, std::string& form) {
    if (is_text(node) && SizeForm::parse(node.text)) {
        form = node.text;
        return true;
    }
    std::uint64_t value = 0;
    if (!read_count(node, 1, std::numeric_limits<std::int64_t>::max(), value)) return false;
    number = value;
    return true;
}

bool read_run_iterations(const Node& node, Config& config) {
    return read_iterations(node, config.run.iterations, config.run.iterations_form);
}

bool read_stagnation(const Node& node, Config& config) {
    return read_iterations(node, config.run.stagnation_iterations, config.run.stagnation_form) ||
           (is_text(node) && read_duration(node, std::numeric_limits<double>::min(), config.run.stagnation));
}

bool read_evaluations(const Node& node, Config& config) {
    std::uint64_t value = 0;
    if (!read_count(node, 1, std::numeric_limits<std::int64_t>::max(), value)) return false;
    config.run.evaluations = value;
    return true;
}

/// True if the text is "best-known", "best-known+0.5%" or a cost.
bool is_target(const std::string& text) {
    constexpr std::string_view kBestKnown = "best-known";
    if (!text.starts_with(kBestKnown)) return parse_real(text).has_value();
    const std::string_view rest = std::string_view(text).substr(kBestKnown.size());
    if (rest.empty()) return true;
    if (rest.size() < 3 || rest.front() != '+' || rest.back() != '%') return false;
    const auto percent = parse_real(rest.substr(1, rest.size() - 2));
    return percent && *percent >= 0 && !std::signbit(*percent);
}

bool read_target(const Node& node, Config& config) {
    if (is_text(node) && is_target(node.text)) {
        config.run.target = node.text;
    } else if (node.type == Node::Type::kInteger) {
        config.run.target = std::to_string(node.integer);
    } else if (node.type == Node::Type::kReal && std::isfinite(node.real)) {
        config.run.target = fmt::format("{}", node.real);
    } else {
        return false;
    }
    return true;
}

bool read_threads(const Node& node, Config& config) {
    if (is_text(node) && node.text == "auto") {
        config.run.threads = 0;
        return true;
    }
    return read_count(node, 0, kMostThreads, config.run.threads);
}

template <std::size_t Count>
bool read_one_of(const Node& node, const std::array<const char*, Count>& choices, std::string& out) {
    const auto found = std::find(choices.begin(), choices.end(), node.text);
    if (!is_text(node) || found == choices.end()) return false;
    out = *found;
    return true;
}

bool read_backend(const Node& node, Config& config) {
    return read_one_of(node, std::array{"auto", "cpu", "cuda"}, config.device.backend);
}

bool read_log_level(const Node& node, Config& config) {
    return read_one_of(node, std::array{"debug", "info", "warning", "error", "off"}, config.output.log_level);
}

bool read_devices(const Node& node, Config& config) {
    config.device.devices.clear();
    if (is_text(node) && node.text == "all") return true;
    if (node.type != Node::Type::kList || node.items.empty()) return false;
    for (const Node& item : node.items) {
        int device = 0;
        if (!read_count(item, 0, kMostDevices - 1, device)) return false;
        auto& devices = config.device.devices;
        if (std::find(devices.begin(), devices.end(), device) != devices.end()) return false;
        devices.push_back(device);
    }
    return true;
}

bool read_boolean(const Node& node, bool& out) {
    out = node.boolean;
    return node.type == Node::Type::kBoolean;
}

bool append_path(const Node& node, const std::filesystem::path& folder, std::vector<std::filesystem::path>& path) {
    if (!is_text(node) || node.text.empty() || node.text.find('\0') != std::string::npos) return false;
    const auto base = node.from_option ? working_folder() : absolute_path(folder);
    path.push_back((base / node.text).lexically_normal());
    return true;
}

bool read_folder(const Node& node, Config& config) {
    if (!is_text(node) || node.text.empty() || node.text.find('\0') != std::string::npos) return false;
    config.output.folder = node.text;
    return true;
}

std::string write_seconds(const std::optional<double>& seconds) {
    return seconds ? fmt::format("\"{}s\"", *seconds) : std::string{};
}

std::string write_iterations(const std::optional<std::uint64_t>& number, const std::string& form) {
    if (!number) return form.empty() ? form : toml_quoted(form);
    return form.empty() ? fmt::format("{}", *number) : fmt::format("{}  # \"{}\"", *number, form);
}

std::string write_stagnation(const Config& config) {
    const RunSettings& run = config.run;
    return run.stagnation ? write_seconds(run.stagnation)
                          : write_iterations(run.stagnation_iterations, run.stagnation_form);
}

/// The seed as TOML. Integers of TOML end at 2^63 - 1, so larger seeds are written as texts.
std::string write_seed(const Config& config) {
    constexpr std::uint64_t kLargest = std::numeric_limits<std::int64_t>::max();
    return config.run.seed <= kLargest ? fmt::format("{}", config.run.seed) : fmt::format("\"{}\"", config.run.seed);
}

std::string write_devices(const Config& config) {
    const auto& devices = config.device.devices;
    return devices.empty() ? "\"all\"" : fmt::format("[{}]", fmt::join(devices, ", "));
}

std::string write_plugin_path(const Config& config) {
    std::vector<std::string> quoted;
    for (const auto& path : config.plugin_path) quoted.push_back(toml_quoted(path.string()));
    return quoted.empty() ? std::string{} : fmt::format("[{}]", fmt::join(quoted, ", "));
}

constexpr std::array kSettings{
    Setting{
        "run", "seed", "an integer from 0 to 18446744073709551615 (in quotes if above 2^63 - 1)",
        "Seed of all random draws. The same configuration and seed give the same search.",
        R"({"anyOf": [{"type": "integer", "minimum": 0}, {"type": "string", "pattern": "^([0-9]+|0x[0-9a-fA-F]+)$"}], "default": 1})",
        read_seed, write_seed},
    Setting{"run", "runs", "an integer from 1 to 100000",
            "Number of runs, one after the other. Their seeds are consecutive numbers.",
            R"({"type": "integer", "minimum": 1, "maximum": 100000, "default": 1})",
            [](const Node& node, Config& config) { return read_count(node, 1, kMostRuns, config.run.runs); },
            [](const Config& config) { return fmt::format("{}", config.run.runs); }},
    Setting{
        "run", "time_limit",
        "a duration above 0 such as \"500ms\", \"30s\", \"5m\", \"1.5h\" or \"1d\", or a number of seconds",
        "Ends a run after this time of search: a duration such as \"30s\", \"5m\" or \"1.5h\", or a number of seconds.",
        R"({"anyOf": [{"type": "string"}, {"type": "number", "exclusiveMinimum": 0}]})", read_time_limit,
        [](const Config& config) { return write_seconds(config.run.time_limit); }},
    Setting{
        "run", "iterations", "an integer of at least 1 or a size such as \"100n\" or \"n/2\"",
        "Ends the run after this many iterations: a number, or a size such as \"100n\", where n is the instance's "
        "size. An iteration is a pass of the solver's main loop; if a solver has several searches, each makes this "
        "many.",
        R"({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string", "pattern": "^[0-9 ]*n( */ *[0-9]+)?$"}]})",
        read_run_iterations,
        [](const Config& config) { return write_iterations(config.run.iterations, config.run.iterations_form); }},
    Setting{"run", "evaluations", "an integer of at least 1",
            "Ends the run after this many evaluations. An evaluation is one solution whose cost is computed.",
            R"({"type": "integer", "minimum": 1})", read_evaluations,
            [](const Config& config) {
                return config.run.evaluations ? fmt::format("{}", *config.run.evaluations) : std::string{};
            }},
    Setting{"run", "target", "a cost, \"best-known\" or a form such as \"best-known+0.5%\"",
            "Ends the run when its best cost reaches this value: a number in the unit of the shown costs, "
            "\"best-known\" or \"best-known+0.5%\".",
            R"({"type": ["number", "string"]})", read_target,
            [](const Config& config) { return config.run.target ? toml_quoted(*config.run.target) : std::string{}; }},
    Setting{"run", "stagnation", "a duration such as \"60s\", or iterations such as 1000 or \"100n\"",
            "Ends the run if its best solution has not improved for this long: a duration such as \"60s\", or a number "
            "of iterations such as 1000 or \"100n\".",
            R"({"anyOf": [{"type": "integer", "minimum": 1}, {"type": "string"}]})", read_stagnation, write_stagnation},
    Setting{"run", "stop_at_optimum", "true or false",
            "Whether a run ends when it reaches a best-known cost that is proven to be optimal. true: the run also "
            "computes a lower bound while it searches. Branch and bound is then the default solver if the problem has "
            "bounds, at most 12 positions are free and the backend is not cuda. A cost that reaches a known lower "
            "bound ends every run, even if this setting is false. Default: false if iterations are given; otherwise "
            "true for `qapfw solve` and for Python or C without a configuration, and false for all other runs.",
            R"({"type": "boolean"})",
            [](const Node& node, Config& config) { return read_boolean(node, config.run.stop_at_optimum.emplace()); },
            [](const Config& config) {
                const std::optional<bool>& given = config.run.stop_at_optimum;
                return std::string(!given ? "" : *given ? "true" : "false");
            }},
    Setting{"run", "alternatives", "an integer from 2 to 100",
            "Number of different good solutions to look for after the run, so that people can choose by eye. The best "
            "solution is one of them.",
            R"({"type": "integer", "minimum": 2, "maximum": 100})",
            [](const Node& node, Config& config) { return read_count(node, 2, 100, config.run.alternatives); },
            [](const Config& config) {
                return config.run.alternatives == 0 ? std::string{} : fmt::format("{}", config.run.alternatives);
            }},
    Setting{
        "run", "alternatives_distance", "an integer from 1 to 65535",
        "Least number of positions in which two alternative solutions differ. Default: a quarter of the positions that "
        "are not fixed, at least 2. Two facilities count as the same one if swapping them never changes the cost.",
        R"({"type": "integer", "minimum": 1, "maximum": 65535})",
        [](const Node& node, Config& config) { return read_count(node, 1, 65535, config.run.alternatives_distance); },
        [](const Config& config) {
            const std::uint32_t distance = config.run.alternatives_distance;
            return distance == 0 ? std::string{} : fmt::format("{}", distance);
        }},
    Setting{"run", "threads", "an integer from 0 to 4096 or \"auto\"",
            "Number of threads. 0 or \"auto\": as many as the process may use; if several processes split the "
            "run, those of one host divide its cores.",
            R"({"anyOf": [{"type": "integer", "minimum": 0, "maximum": 4096}, {"const": "auto"}], "default": 0})",
            read_threads, [](const Config& config) { return fmt::format("{}", config.run.threads); }},
    Setting{"device", "backend", "one of \"auto\", \"cpu\", \"cuda\"",
            "Where the search runs. cpu: on the CPU. cuda: on GPUs. auto: on GPUs if there are any and they can be "
            "used; otherwise on the CPU, and the log says why.",
            R"({"enum": ["auto", "cpu", "cuda"], "default": "auto"})", read_backend,
            [](const Config& config) { return toml_quoted(config.device.backend); }},
    Setting{
        "device", "devices", "\"all\" or a list of different integers from 0 to 1023",
        "GPUs to use: \"all\", or a list of their numbers such as [0, 1].",
        R"({"anyOf": [{"const": "all"}, {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 1023}, "minItems": 1, "uniqueItems": true}], "default": "all"})",
        read_devices, write_devices},
    Setting{"device", "shared", "true or false",
            "Whether several processes of a run may use the same GPU. The guide on clusters describes such runs.",
            R"({"type": "boolean", "default": false})",
            [](const Node& node, Config& config) { return read_boolean(node, config.device.shared); },
            [](const Config& config) { return std::string(config.device.shared ? "true" : ""); }},
    Setting{"device", "start_on_cpu", "true or false",
            "Whether a run starts on the CPU while its GPUs are opened and kernels are compiled, and then moves to the "
            "GPUs. It does so only if CPU and GPUs search in exactly the same way. false: the run waits for the GPUs. "
            "Default: true, in studies false.",
            R"({"type": "boolean"})",
            [](const Node& node, Config& config) { return read_boolean(node, config.device.start_on_cpu.emplace()); },
            [](const Config& config) {
                const std::optional<bool>& given = config.device.start_on_cpu;
                return std::string(!given ? "" : *given ? "true" : "false");
            }},
    Setting{"output", "folder", "a text (a folder)",
            "Folder of the run record (results and checkpoints), relative to the working directory. Default: "
            "runs/<UTC>-<problem>-<instance>-<algorithm>-s<seed>.",
            R"({"type": "string", "minLength": 1})", read_folder,
            [](const Config& config) {
                return config.output.folder.empty() ? std::string{} : toml_quoted(config.output.folder.string());
            }},
    Setting{"output", "record", "true or false",
            "Whether the run writes a run record, the folder with its results and checkpoints.",
            R"({"type": "boolean", "default": true})",
            [](const Node& node, Config& config) { return read_boolean(node, config.output.record); },
            [](const Config& config) { return fmt::format("{}", config.output.record); }},
    Setting{"output", "checkpoint_interval", "a duration such as \"10s\" or \"5m\", or a number of seconds",
            "Time between two checkpoints, from which an interrupted run can be resumed. A longer time loses more work "
            "when a run is killed.",
            R"({"anyOf": [{"type": "string"}, {"type": "number", "minimum": 0}], "default": "10s"})",
            read_checkpoint_interval,
            [](const Config& config) { return write_seconds(config.output.checkpoint_interval); }},
    Setting{"output", "log_level", "one of \"debug\", \"info\", \"warning\", \"error\", \"off\"",
            "Least severe kind of message that the log shows, in the order debug, info, warning, error. off: no "
            "messages.",
            R"({"enum": ["debug", "info", "warning", "error", "off"], "default": "info"})", read_log_level,
            [](const Config& config) { return toml_quoted(config.output.log_level); }},
    Setting{"plugins", "path", "a text or a list of texts (folders)",
            "Further folders in which to look for plugins, or single plugin libraries. Paths are relative to the "
            "folder of the configuration file.",
            R"({"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]})",
            [](const Node& node, Config& config) { return read_plugin_path(node, config.folder, config.plugin_path); },
            write_plugin_path},
    Setting{"plugins", "allow_writable",
            "false in a file, since only the command line may set it to true (--allow-writable-plugins)",
            "Whether to load plugins that other users of this machine could have changed. Only the command line can "
            "set this to true.",
            R"({"type": "boolean", "const": false, "default": false})",
            [](const Node& node, Config& config) {
                return read_boolean(node, config.allow_writable_plugins) && (!node.boolean || node.from_option);
            },
            [](const Config&) { return std::string{}; }},
};

constexpr std::array kTables{"run", "device", "output", "plugins"};

}  // namespace

std::span<const Setting> settings() {
    return kSettings;
}

std::span<const char* const> setting_tables() {
    return kTables;
}

bool read_plugin_path(const Node& node, const std::filesystem::path& folder, std::vector<std::filesystem::path>& path) {
    path.clear();
    if (node.type != Node::Type::kList) return append_path(node, folder, path);
    return std::all_of(node.items.begin(), node.items.end(),
                       [&](const Node& item) { return append_path(item, folder, path); });
}

}  // namespace qapfw::framework
