// SPDX-License-Identifier: Apache-2.0
// A run's configuration: TOML plus command-line overrides, checked against the parameter tables of its plugins. Every
// error says where (file:line:column or the option), what was wanted and what was found.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "framework/plugin/registry.hpp"
#include "qapfw/abi/parameters.h"

namespace qapfw::framework {

/// The values of one component's parameters, in declaration order. This object owns the texts that `c_values()` points
/// to.
class ParameterValues {
  public:
    struct Value {
        bool present = false;
        bool is_auto = false;
        std::int64_t integer = 0;
        double real = 0;
        std::string text;  ///< value of types TEXT and CHOICE, and of SIZE as written ("16n")
        std::vector<std::string> list;
        std::string where;  ///< "file:line:column" or "--set algorithm.tenure" or "default"
        /// True if `integer` has its final value. For a SIZE such as "16n", this needs the problem's size.
        bool resolved = false;
    };
    explicit ParameterValues(const qapfw_component* component = nullptr);
    const qapfw_component* component() const { return component_; }
    std::vector<Value>& values() { return values_; }
    const std::vector<Value>& values() const { return values_; }
    /// Computes the values of SIZE parameters such as "16n" from the problem's size `n`, and checks their ranges.
    void resolve_sizes(std::uint32_t n);
    /// Stores the value that the plugin chose for the parameter `name`, which was "auto".
    void resolve(const std::string& name, const qapfw_value& value);
    /// Returns the values in the form of the C interface. They are valid until this object changes.
    const qapfw_parameters* c_values();

  private:
    const qapfw_component* component_;
    std::vector<Value> values_;
    std::vector<qapfw_value> c_values_;
    std::vector<std::vector<const char*>> c_lists_;
    qapfw_parameters c_parameters_{};
};

/// A component that the configuration chooses, with the values of its parameters.
struct Choice {
    const Component* component = nullptr;
    ParameterValues parameters;
};

struct RunSettings {
    std::uint64_t seed = 1;
    std::uint32_t runs = 1;            ///< number of runs; their seeds are consecutive
    std::optional<double> time_limit;  ///< limit of the search in seconds
    /// Limit on passes of the solver's main loop. If it is written as a size (see iterations_form), resolve_sizes sets
    /// it.
    std::optional<std::uint64_t> iterations;
    std::string iterations_form;  ///< the limit's text if it is written as a size, such as "100n"; else empty
    std::optional<std::uint64_t> evaluations;
    std::optional<std::string> target;  ///< "best-known", "best-known+0.5%" or a displayed cost, as written
    std::optional<double> stagnation;   ///< limit on seconds without improvement
    /// Limit on iterations without improvement. If it is written as a size (see stagnation_form), resolve_sizes sets
    /// it.
    std::optional<std::uint64_t> stagnation_iterations;
    std::string stagnation_form;  ///< the limit's text if it is written as a size, such as "100n"; else empty
    std::uint32_t threads = 0;    ///< 0: as many as the process may use
    /// If true, the run ends when it reaches a best-known cost that is proven to be optimal, and a lower bound is
    /// computed beside the run. Unset: false. `qapfw solve`, and Python or C without a configuration, set true unless
    /// iterations are given.
    std::optional<bool> stop_at_optimum;
    std::uint32_t alternatives = 0;  ///< number of different good solutions to look for, the best included; 0: none
    /// Least number of positions in which any two alternatives differ. 0: a quarter of the positions that can move, at
    /// least 2.
    std::uint32_t alternatives_distance = 0;
    /// Computes the limits that are written as sizes, such as "100n", from the problem's size `n`.
    void resolve_sizes(std::uint32_t n);
};

struct DeviceSettings {
    std::string backend = "auto";  ///< auto, cpu, cuda
    std::vector<int> devices;      ///< the GPUs to use, each by its number; empty: all GPUs
    bool shared = false;           ///< processes of one host may use the same GPU
    /// Start on the CPU while the GPUs are made ready; unset: true unless backend is cpu.
    std::optional<bool> start_on_cpu;
    bool starts_on_cpu() const { return start_on_cpu.value_or(backend != "cpu"); }
};

struct OutputSettings {
    /// Folder of the run record. Empty: runs/<UTC>-<problem>-<instance>-<algorithm>-s<seed>.
    std::filesystem::path folder;
    bool record = true;
    double checkpoint_interval = 10;  ///< interval between checkpoints in seconds
    std::string log_level = "info";
};

struct Config {
    std::string source;            ///< the file, or "command line"
    std::filesystem::path folder;  ///< folder that relative paths in the file start from
    Choice problem;
    std::vector<std::string> initial;  ///< [problem].initial: solution files, records of runs; may be empty
    Choice algorithm;
    std::optional<Choice> improver;
    bool has_default_algorithm = false;  ///< true if the configuration names no algorithm
    /// The plugins that the configuration was checked against. Each Choice points into the registry, and a solver may
    /// choose improvers from the registry. All copies of the configuration share it and keep it alive.
    std::shared_ptr<const Registry> registry;
    RunSettings run;
    DeviceSettings device;
    OutputSettings output;
    std::vector<std::filesystem::path> plugin_path;
    bool allow_writable_plugins = false;

    /// Turns sizes such as "16n" into numbers, in the parameters of the solver and its improver and in [run]. Call this
    /// once, after the problem was created.
    void resolve_sizes(std::uint32_t n);
};

/// Entries that the command line adds, overrides or removes.
struct Overrides {
    /// Keys and values in the order given, such as "algorithm.tenure" and "8". A value is a TOML value, or a bare word,
    /// which counts as a text.
    std::vector<std::pair<std::string, std::string>> set = {};
    std::vector<std::string> unset = {};  ///< keys or tables of the file that are removed before `set` is applied
    /// The name that messages use for a key of `set` in place of "--set KEY", such as the option that set the key.
    std::map<std::string, std::string> spelled = {};
};

struct Node;

/// A configuration's text before it is parsed.
struct ConfigText {
    std::string text;
    std::string name = "command line";  ///< name in messages
    std::filesystem::path folder;       ///< folder where the text's relative paths start; empty: the working directory
    /// An empty `path` means no file: everything comes from overrides.
    static ConfigText of_file(const std::filesystem::path& path);
};

/// A parsed configuration whose parameters are not yet checked. check() checks them with the help of the plugins.
class ConfigDocument {
  public:
    static ConfigDocument parse(const ConfigText& text, const Overrides& overrides);
    static ConfigDocument parse_file(const std::filesystem::path& path, const Overrides& overrides) {
        return parse(ConfigText::of_file(path), overrides);
    }
    static ConfigDocument parse_text(const std::string& text, const std::string& name, const Overrides& overrides);
    /// A document that was built elsewhere; relative paths in it start at `folder`.
    static ConfigDocument of(Node root, const std::string& source, const std::filesystem::path& folder);
    ConfigDocument(ConfigDocument&&) noexcept;
    ConfigDocument& operator=(ConfigDocument&&) noexcept;
    ~ConfigDocument();

    /// The instance, as a path or a name, if [problem] names an instance but no plugin; otherwise nothing.
    std::optional<std::string> instance_without_plugin() const;
    /// Keys of [problem] except plugin, instance and initial.
    std::vector<std::string> problem_keys() const;
    /// Adds a plugin and parameters to [problem]; parameters already there stay. `where`: position for messages.
    void complete_problem(const std::string& plugin, const std::vector<std::pair<std::string, std::string>>& parameters,
                          const std::string& where);
    std::vector<std::filesystem::path> plugin_path() const;  ///< [plugins].path, with absolute paths
    /// True if [plugins].path comes from the configuration file, not from an option of the command line. The user has
    /// then not vouched for these folders.
    bool plugin_path_is_of_file() const;
    bool allow_writable_plugins() const;  ///< true if an option of the command line set plugins.allow_writable to true
    /// Checks what can be checked before any plugin is loaded. Throws Error(kUsage).
    void check_settings() const;
    /// Checks everything against the registry. Throws Mistakes, an Error, with all mistakes found.
    Config check(const Registry& registry) const;

  private:
    struct Impl;
    explicit ConfigDocument(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

/// The configuration as TOML that makes the same run when it is read. Defaults are written too. If the value that was
/// chosen for an "auto" is known already, the value replaces the "auto".
std::string to_toml(const Config& config);

/// Returns the JSON Schema of configuration files, made from the registry's parameter tables. Editors use the schema.
std::string json_schema(const Registry& registry);

double parse_duration(const std::string& text);  ///< "90s", "1.5h", "2m", "500ms", "36h", "1d" -> seconds

}  // namespace qapfw::framework
