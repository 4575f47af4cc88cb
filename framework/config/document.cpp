// SPDX-License-Identifier: Apache-2.0
// Reads a configuration's text, then applies the values of the command line.
#include "framework/config/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "common/toml_limits.hpp"
#include "framework/config/parameter_reader.hpp"
#include "framework/config/settings.hpp"
#include "framework/config/toml_reader.hpp"
#include "framework/host/working_folder.hpp"

namespace qapfw::framework {

namespace {

constexpr std::size_t kLargestFile = std::size_t{16} << 20U;  // bytes; a usual configuration has some hundreds
constexpr std::size_t kDeepestKey = 3;                        // parts of a key: algorithm.improver.iterations has three

std::string read_configuration(const std::filesystem::path& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: it must be a configuration file, found a folder", path.string()));
    }
    std::ifstream file(path, std::ios::binary);
    if (!file)
        throw Error(ErrorKind::kUsage, fmt::format("{}: cannot be opened: {}", path.string(), std::strerror(errno)));
    std::string text(kLargestFile + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (file.bad()) throw Error(ErrorKind::kIo, fmt::format("{}: the file cannot be read", path.string()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() <= kLargestFile) return text;
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: a configuration must have at most {} bytes", path.string(), kLargestFile));
}

/// Splits a key at its dots; `option` is the command-line option that names the key.
std::vector<std::string> split_key(const std::string& option, const std::string& key) {
    std::vector<std::string> parts{""};
    for (const char c : key) {
        if (c == '.') {
            parts.emplace_back();
        } else {
            parts.back() += c;
        }
    }
    const bool gap = std::any_of(parts.begin(), parts.end(), [](const std::string& part) { return part.empty(); });
    if (!gap && parts.size() <= kDeepestKey) return parts;
    throw Error(
        ErrorKind::kUsage,
        fmt::format("{} {:.80}: the key must look like run.seed or algorithm.improver.iterations", option, key));
}

void mark_as_option(Node& node, const std::string& text) {
    node.from_option = true;
    node.option_text = text;
    for (Node& item : node.items) mark_as_option(item, {});
    for (Member& member : node.members) mark_as_option(member.value, {});
}

/// If `key` names a component's table, appends ".plugin": "algorithm" becomes "algorithm.plugin". Other keys stay.
std::string whole_key(const std::string& key) {
    return key == "algorithm" || key == "problem" || key == "algorithm.improver" ? key + ".plugin" : key;
}

void apply_option(Node& root, const std::string& key, const std::string& text, const std::string& where) {
    Node* node = &root;
    const bool is_name = option_value(text, where).type == Node::Type::kText;
    for (const std::string& part : split_key("--set", is_name ? whole_key(key) : key)) {
        if (node->type != Node::Type::kTable) throw mismatch(*node, "for " + where + " this", "a table");
        node = &node->find_or_add(part, where);
    }
    *node = option_value(text, where);
}

void remove_key(Node& root, const std::string& key) {
    std::vector<std::string> parts = split_key("--unset", key);
    const std::string last = std::move(parts.back());
    parts.pop_back();
    Node* table = &root;
    for (const std::string& part : parts) table = table == nullptr ? nullptr : table->find(part);
    if (table == nullptr || !table->remove(last)) {
        throw Error(ErrorKind::kUsage, fmt::format("--unset {:.80}: the configuration file has no such key", key));
    }
}

Node overlaid(Node root, const Overrides& overrides) {
    for (const std::string& key : overrides.unset) remove_key(root, key);
    for (const auto& [key, text] : overrides.set) {
        const auto option = overrides.spelled.find(key);
        apply_option(root, key, text, option != overrides.spelled.end() ? option->second : "--set " + key);
    }
    return root;
}

const Node* find_in(const Node& root, const char* table, const char* key) {
    const Node* found = root.find(table);
    return found == nullptr ? nullptr : found->find(key);
}

}  // namespace

Node option_value(const std::string& text, const std::string& where) {
    auto parsed = parse_toml_value(text, where);
    const bool looks_quoted = !text.empty() && std::strchr("\"'[{", text.front()) != nullptr;
    if (!parsed && looks_quoted) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: the value must be TOML or a bare word, found {:.80}", where, text));
    }
    Node value = parsed ? *std::move(parsed) : Node{};
    if (!parsed || value.type == Node::Type::kOther) {
        value.type = Node::Type::kText;
        value.text = text;
        value.where = where;
    }
    mark_as_option(value, value.type == Node::Type::kText ? value.text : text);
    return value;
}

ConfigDocument::ConfigDocument(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ConfigDocument::ConfigDocument(ConfigDocument&&) noexcept = default;
ConfigDocument& ConfigDocument::operator=(ConfigDocument&&) noexcept = default;
ConfigDocument::~ConfigDocument() = default;

ConfigText ConfigText::of_file(const std::filesystem::path& path) {
    if (path.empty()) return {};
    return {read_configuration(path), path.string(), absolute_path(path).parent_path()};
}

ConfigDocument ConfigDocument::parse(const ConfigText& text, const Overrides& overrides) {
    auto document = parse_text(text.text, text.name, overrides);
    if (!text.folder.empty()) document.impl_->folder = text.folder;
    return document;
}

ConfigDocument ConfigDocument::parse_text(const std::string& text, const std::string& name,
                                          const Overrides& overrides) {
    auto impl = std::make_unique<Impl>();
    impl->source = name;
    impl->folder = working_folder();
    impl->root = overlaid(parse_toml(text, name), overrides);
    return ConfigDocument(std::move(impl));
}

ConfigDocument ConfigDocument::of(Node root, const std::string& source, const std::filesystem::path& folder) {
    auto impl = std::make_unique<Impl>();
    impl->root = std::move(root);
    impl->source = source;
    impl->folder = folder;
    return ConfigDocument(std::move(impl));
}

std::optional<std::string> ConfigDocument::instance_without_plugin() const {
    const Node* instance = find_in(impl_->root, "problem", "instance");
    if (instance == nullptr || find_in(impl_->root, "problem", "plugin") != nullptr) return std::nullopt;
    if (instance->type != Node::Type::kText || instance->text.empty()) {
        throw mismatch(*instance, "problem.instance", "a text (a file's path or a name)");
    }
    return existing_path_or_name(instance->text, instance->from_option ? working_folder() : impl_->folder);
}

std::vector<std::string> ConfigDocument::problem_keys() const {
    std::vector<std::string> keys;
    const Node* const problem = impl_->root.find("problem");
    if (problem == nullptr) return keys;
    for (const Member& member : problem->members) {
        if (member.key != "plugin" && member.key != "instance" && member.key != "initial") keys.push_back(member.key);
    }
    return keys;
}

void ConfigDocument::complete_problem(const std::string& plugin,
                                      const std::vector<std::pair<std::string, std::string>>& parameters,
                                      const std::string& where) {
    Node& problem = impl_->root.find_or_add("problem", where);
    problem.find_or_add("plugin", where) = option_value(toml_quoted(plugin), where);
    for (const auto& [key, value] : parameters) {
        if (problem.find(key) == nullptr) problem.find_or_add(key, where) = option_value(value, where);
    }
}

std::vector<std::filesystem::path> ConfigDocument::plugin_path() const {
    std::vector<std::filesystem::path> path;
    const Node* node = find_in(impl_->root, "plugins", "path");
    if (node != nullptr && !read_plugin_path(*node, impl_->folder, path)) {
        throw mismatch(*node, "plugins.path", "a text or a list of texts (folders)");
    }
    return path;
}

bool ConfigDocument::plugin_path_is_of_file() const {
    const Node* node = find_in(impl_->root, "plugins", "path");
    return node != nullptr && !node->from_option;
}

bool ConfigDocument::allow_writable_plugins() const {
    const Node* node = find_in(impl_->root, "plugins", "allow_writable");
    return node != nullptr && node->from_option && node->type == Node::Type::kBoolean && node->boolean;
}

}  // namespace qapfw::framework
