// SPDX-License-Identifier: Apache-2.0
// Checks a parsed configuration against the framework's settings and the parameter tables of the plugins that it names.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>
#include <sstream>
#include <system_error>

#include "common/nearest_names.hpp"
#include "framework/config/default_algorithm.hpp"
#include "framework/config/document.hpp"
#include "framework/config/mistakes.hpp"
#include "framework/config/parameter_reader.hpp"
#include "framework/config/settings.hpp"
#include "framework/host/working_folder.hpp"
#include "framework/plugin/parameter_text.hpp"
#include "qapfw/abi/sampled_neighbourhood.h"

namespace qapfw::framework {

namespace {

constexpr std::int64_t kSchemaVersion = 1;

[[noreturn]] void fail(const std::string& where, const std::string& message) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: {}", where, message));
}

/// The name of a component's table in messages: [algorithm] of solver "tabu".
std::string component_place(const qapfw_component& component) {
    return fmt::format("[{}] of {} \"{}\"", table_of(component.kind), kind_name(component.kind), component.id);
}

/// The names of all tables of a configuration that may have this key.
std::vector<std::string> places_of(const std::string& key, const Registry& registry) {
    std::vector<std::string> places;
    for (const Setting& setting : settings()) {
        if (key == setting.key) places.push_back(fmt::format("[{}]", setting.table));
    }
    if (key == "initial") places.emplace_back("[problem]");
    if (key == "improver") places.emplace_back("[algorithm]");
    for (const Component& component : registry.components()) {
        const qapfw_component& descriptor = *component.descriptor;
        if (find_parameter(descriptor, key)) places.push_back(component_place(descriptor));
    }
    return places;
}

/// The letters and digits of the symbol, in lower case: "N_S" and "ns" are the same symbol.
std::string plain_symbol(const std::string& text) {
    std::string plain;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0) plain += static_cast<char>(std::tolower(byte));
    }
    return plain;
}

/// True if the key is in a list of symbols separated by commas: "N, ns".
bool is_symbol(const std::string& key, const std::string& symbols) {
    std::istringstream stream(symbols);
    for (std::string symbol; std::getline(stream, symbol, ',');) {
        if (plain_symbol(symbol) == plain_symbol(key)) return true;
    }
    return false;
}

/// Returns texts "PARAMETER in COMPONENT" of all parameters that the literature calls `key`.
std::vector<std::string> called_so(const std::string& key, const Registry& registry) {
    std::vector<std::string> places;
    for (const Component& component : registry.components()) {
        const qapfw_component& descriptor = *component.descriptor;
        for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
            const qapfw_parameter& parameter = parameter_at(descriptor, k);
            if (parameter.symbol != nullptr && is_symbol(key, parameter.symbol))
                places.push_back(fmt::format("{} in {}", parameter.name, component_place(descriptor)));
        }
    }
    return places;
}

/// Advice on an unknown key: the tables with this key, the parameters with this symbol, or similar keys. Empty: no
/// advice.
std::string advice_on(const std::string& key, const std::vector<std::string>& known, const Registry& registry) {
    if (const auto places = places_of(key, registry); !places.empty())
        return fmt::format("it belongs to {}", fmt::join(places, " or "));
    if (const auto symbols = called_so(key, registry); !symbols.empty())
        return fmt::format("the symbol {} stands for {}", key, fmt::join(symbols, " and for "));
    if (const auto near = common::nearest_names(key, known); !near.empty())
        return fmt::format("did you mean {}?", fmt::join(near, " or "));
    return {};
}

[[noreturn]] void fail_unknown(const Member& member, const std::string& place, const std::vector<std::string>& known,
                               const Registry& registry) {
    const std::string advice = advice_on(member.key, known, registry);
    fail(member.where,
         fmt::format("unknown {} \"{}\" in {}; {}", member.value.type == Node::Type::kTable ? "table" : "key",
                     member.key, place, advice.empty() ? fmt::format("known: {}", fmt::join(known, ", ")) : advice));
}

/// Throws an Error if the given key is a parameter's symbol in the literature, such as p_c, m or rho. The Error names
/// the right key.
void fail_if_symbol(const Member& member, const qapfw_component& descriptor) {
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(descriptor, k);
        if (parameter.symbol == nullptr || !is_symbol(member.key, parameter.symbol)) continue;
        fail(member.where, fmt::format("unknown key \"{}\" in {}; did you mean {}, the literature's {}?", member.key,
                                       component_place(descriptor), parameter.name, parameter.symbol));
    }
}

/// Checks a document and fills in the Config.
class Checker {
  public:
    Checker(const Node& root, const Registry& registry, Config& config)
        : root_(root), registry_(registry), config_(config) {}

    void check_top() const;
    void check_member(const Member& member, const std::vector<std::string>& known) const;
    Choice read_component(std::uint32_t kind, const Node& table, const std::vector<std::string>& own_keys) const;
    void read_problem() const;
    void read_algorithm() const;
    void read_settings() const;

  private:
    const Node& table(const char* name) const;
    const Component& named_component(std::uint32_t kind, const Node& table,
                                     const std::vector<std::string>& own_keys) const;
    void check_keys_without_plugin(std::uint32_t kind, const Node& table,
                                   const std::vector<std::string>& own_keys) const;
    void read_parameters(const Node& table, const std::vector<std::string>& own_keys, Choice& choice) const;
    std::string available(std::uint32_t kind) const;
    void read_initial(const Node& node) const;
    void read_improver(const Node* node) const;
    const Component& default_solver() const;
    void read_setting(const char* table, const Member& member) const;

    const Node& root_;
    const Registry& registry_;
    Config& config_;
};

void Checker::check_top() const {
    std::vector<std::string> known{"problem", "algorithm", "schema_version"};
    for (const char* name : setting_tables()) known.emplace_back(name);
    MistakeList mistakes;
    for (const Member& member : root_.members) mistakes.note([&] { check_member(member, known); });
    mistakes.tell();
}

void Checker::check_member(const Member& member, const std::vector<std::string>& known) const {
    if (member.key == "schema_version") {
        const bool right = member.value.type == Node::Type::kInteger && member.value.integer == kSchemaVersion;
        if (!right) throw mismatch(member.value, "schema_version", fmt::format("{}", kSchemaVersion));
    } else if (std::find(known.begin(), known.end(), member.key) == known.end()) {
        fail_unknown(member, "the configuration", known, registry_);
    } else if (member.value.type != Node::Type::kTable) {
        throw mismatch(member.value, fmt::format("[{}]", member.key), "a table");
    }
}

const Node& Checker::table(const char* name) const {
    static const Node kEmpty{};
    const Node* found = root_.find(name);
    return found != nullptr ? *found : kEmpty;
}

std::string Checker::available(std::uint32_t kind) const {
    std::vector<std::string> names;
    for (const Component& component : registry_.components()) {
        if (component.descriptor->kind == kind) names.push_back(fmt::format("\"{}\"", component.descriptor->id));
    }
    return names.empty() ? fmt::format("no {} plugin was found", kind_name(kind))
                         : fmt::format("available: {}", fmt::join(names, ", "));
}

/// Checks a table that names no plugin. Throws if a key is unknown to all plugins of this kind and is probably misspelt
/// or misplaced.
void Checker::check_keys_without_plugin(std::uint32_t kind, const Node& table,
                                        const std::vector<std::string>& own_keys) const {
    std::vector<std::string> known = own_keys;
    for (const Component& component : registry_.components()) {
        const qapfw_component& descriptor = *component.descriptor;
        if (descriptor.kind != kind) continue;
        for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k)
            known.emplace_back(parameter_at(descriptor, k).name);
    }
    MistakeList mistakes;
    for (const Member& member : table.members) {
        if (std::find(known.begin(), known.end(), member.key) != known.end()) continue;
        if (advice_on(member.key, known, registry_).empty()) continue;
        mistakes.note([&] { fail_unknown(member, fmt::format("[{}]", table_of(kind)), known, registry_); });
    }
    mistakes.tell();
}

const Component& Checker::named_component(std::uint32_t kind, const Node& table,
                                          const std::vector<std::string>& own_keys) const {
    const std::string label = table_of(kind);
    const Node* plugin = table.find("plugin");
    if (plugin == nullptr) {
        check_keys_without_plugin(kind, table, own_keys);
        const std::string& where = table.where.empty() ? config_.source : table.where;
        const char* wanted = kind == QAPFW_KIND_PROBLEM
                                 ? "must name an instance, as in instance = \"tai60a\", or a plugin"
                                 : "must name its plugin";
        fail(where, fmt::format("[{}] {}, as in plugin = \"name\"; {}", label, wanted, available(kind)));
    }
    if (plugin->type != Node::Type::kText) throw mismatch(*plugin, label + ".plugin", "a text (a plugin's name)");
    try {
        return registry_.find(kind, plugin->text);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: {}", plugin->where, error.what()));
    }
}

void Checker::read_parameters(const Node& table, const std::vector<std::string>& own_keys, Choice& choice) const {
    const qapfw_component& descriptor = *choice.component->descriptor;
    std::vector<std::string> known = own_keys;
    for (std::uint32_t k = 0; k < descriptor.parameter_count; ++k) known.emplace_back(parameter_at(descriptor, k).name);
    const auto read = [&](const Member& member) {
        const auto found = std::find(known.begin(), known.end(), member.key);
        if (found == known.end()) fail_if_symbol(member, descriptor);
        if (found == known.end()) fail_unknown(member, component_place(descriptor), known, registry_);
        const auto index = static_cast<std::size_t>(found - known.begin()) - own_keys.size();
        const qapfw_parameter& parameter = parameter_at(descriptor, static_cast<std::uint32_t>(index));
        choice.parameters.values()[index] =
            read_parameter(parameter, member.value, parameter_label(descriptor, parameter), config_.folder);
    };
    MistakeList mistakes;
    for (const Member& member : table.members) {
        if (std::find(own_keys.begin(), own_keys.end(), member.key) == own_keys.end()) {
            mistakes.note([&] { read(member); });
        }
    }
    mistakes.tell();
}

Choice Checker::read_component(std::uint32_t kind, const Node& table, const std::vector<std::string>& own_keys) const {
    const Component& component = named_component(kind, table, own_keys);
    Choice choice{&component, ParameterValues(component.descriptor)};
    read_parameters(table, own_keys, choice);
    for (std::uint32_t k = 0; k < component.descriptor->parameter_count; ++k) {
        const qapfw_parameter& parameter = parameter_at(*component.descriptor, k);
        const bool missing =
            (parameter.flags & QAPFW_PARAMETER_REQUIRED) != 0 && !choice.parameters.values()[k].present;
        if (!missing) continue;
        std::string_view summary = parameter.summary;
        if (summary.ends_with('.')) summary.remove_suffix(1);
        fail(table.where, fmt::format("{} must have the key {}: {}. {}", component_place(*component.descriptor),
                                      parameter.name, wanted_value(parameter), summary));
    }
    return choice;
}

void Checker::read_initial(const Node& node) const {
    if (node.type == Node::Type::kList && !node.items.empty()) {
        for (const Node& item : node.items) read_initial(item);
        return;
    }
    if (node.type != Node::Type::kText || node.text.empty()) {
        throw mismatch(node, "problem.initial",
                       "a text (the path of a solution file or run record), or a list of such texts");
    }
    const std::string path = existing_path_or_name(node.text, node.from_option ? working_folder() : config_.folder);
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) &&
        !std::filesystem::is_regular_file(std::filesystem::path(path) / "result.json", error)) {
        throw mismatch(node, "problem.initial", "a solution file that exists, or the record of a run");
    }
    config_.initial.push_back(path);
}

void Checker::read_problem() const {
    const Node& problem = table("problem");
    config_.problem = read_component(QAPFW_KIND_PROBLEM, problem, {"plugin", "initial"});
    if (const Node* initial = problem.find("initial")) read_initial(*initial);
}

void Checker::read_improver(const Node* node) const {
    const qapfw_component& solver = *config_.algorithm.component->descriptor;
    const std::string place = fmt::format("solver \"{}\"", solver.id);
    if (node == nullptr) {
        if (solver.uses_improver != 2) return;
        fail(table("algorithm").where,
             fmt::format("{} must have an improver: add [algorithm.improver] with plugin = \"name\"; {}", place,
                         available(QAPFW_KIND_IMPROVER)));
    }
    if (node->type != Node::Type::kTable) throw mismatch(*node, "[algorithm.improver]", "a table");
    if (solver.uses_improver == 0)
        fail(node->where, fmt::format("{} takes no improver, found [algorithm.improver]", place));
    config_.improver = read_component(QAPFW_KIND_IMPROVER, *node, {"plugin"});
}

/// Returns the solver of a configuration without [algorithm]. It is kDefaultSampler if the problem proposes swaps, else
/// kDefaultSolver.
const Component& Checker::default_solver() const {
    const auto get = config_.problem.component->descriptor->get_capability;
    const bool samples = get != nullptr && get(QAPFW_PROBLEM_SAMPLED_NEIGHBOURHOOD) != nullptr;
    try {
        return registry_.find(QAPFW_KIND_SOLVER, samples ? kDefaultSampler : kDefaultSolver);
    } catch (const Error& error) {
        throw Error(error.kind(), fmt::format("{}: without [algorithm] the default solver is used, but {}",
                                              config_.source, error.what()));
    }
}

void Checker::read_algorithm() const {
    if (root_.find("algorithm") == nullptr) {
        const Component& solver = default_solver();
        config_.algorithm = {&solver, ParameterValues(solver.descriptor)};
        config_.has_default_algorithm = true;
        return;
    }
    const Node& algorithm = table("algorithm");
    config_.algorithm = read_component(QAPFW_KIND_SOLVER, algorithm, {"plugin", "improver"});
    read_improver(algorithm.find("improver"));
}

void Checker::read_setting(const char* name, const Member& member) const {
    std::vector<std::string> known;
    for (const Setting& setting : settings()) {
        if (std::string(name) != setting.table) continue;
        known.emplace_back(setting.key);
        if (member.key != setting.key) continue;
        if (setting.read(member.value, config_)) return;
        throw mismatch(member.value, fmt::format("{}.{}", setting.table, setting.key), setting.wanted);
    }
    fail_unknown(member, fmt::format("[{}]", name), known, registry_);
}

void Checker::read_settings() const {
    MistakeList mistakes;
    for (const char* name : setting_tables()) {
        for (const Member& member : table(name).members) mistakes.note([&] { read_setting(name, member); });
    }
    mistakes.tell();
    const RunSettings& run = config_.run;
    if (run.seed > std::numeric_limits<std::uint64_t>::max() - (run.runs - 1)) {
        const Node* runs = table("run").find("runs");
        fail(runs->where, fmt::format("run.seed + run.runs - 1 must be at most 2^64 - 1, found seed {} and {} runs",
                                      run.seed, run.runs));
    }
}

}  // namespace

void ConfigDocument::check_settings() const {
    const Registry none = Registry::of({});
    Config config;
    config.source = impl_->source;
    config.folder = impl_->folder;
    const Checker checker(impl_->root, none, config);
    MistakeList mistakes;
    mistakes.note([&] { checker.check_top(); });
    mistakes.note([&] { checker.read_settings(); });
    mistakes.tell();
}

Config ConfigDocument::check(const Registry& registry) const {
    Config config;
    config.source = impl_->source;
    config.folder = impl_->folder;
    config.registry = std::make_shared<const Registry>(registry);
    const Checker checker(impl_->root, *config.registry, config);
    MistakeList mistakes;
    mistakes.note([&] { checker.check_top(); });
    mistakes.note([&] { checker.read_settings(); });
    mistakes.tell();  // report unknown tables first: an unknown table may be a misspelt [problem] or [algorithm]
    mistakes.note([&] { checker.read_problem(); });
    if (config.problem.component != nullptr || impl_->root.find("algorithm") != nullptr)
        mistakes.note([&] { checker.read_algorithm(); });
    mistakes.tell();
    return config;
}

}  // namespace qapfw::framework
