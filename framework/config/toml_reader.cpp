// SPDX-License-Identifier: Apache-2.0
// Converts the tree of toml++ to Node.
#include "framework/config/toml_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "common/toml_limits.hpp"
#include "framework/config/stray_character.hpp"
#include "framework/host/any_bytes.hpp"

#include "common/guarded_toml.hpp"

namespace qapfw::framework {

namespace {

/// Makes the position text of a node: the position in the file, or one fixed text for a value of the command line.
struct Positions {
    std::string name;
    bool fixed = false;
    std::string at(const toml::source_position& position) const {
        return fixed ? name : fmt::format("{}:{}:{}", name, position.line, position.column);
    }
};

bool earlier(const toml::source_position& a, const toml::source_position& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
}

Node convert(const toml::node& source, const Positions& positions);

void convert_table(const toml::table& table, const Positions& positions, Node& node) {
    std::vector<std::pair<const toml::key*, const toml::node*>> entries;
    for (auto&& [key, value] : table) entries.emplace_back(&key, &value);
    std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
        return earlier(a.first->source().begin, b.first->source().begin);
    });
    for (const auto& [key, value] : entries) {
        node.members.push_back(
            {std::string(key->str()), positions.at(key->source().begin), convert(*value, positions)});
    }
}

Node convert(const toml::node& source, const Positions& positions) {
    Node node;
    node.where = positions.at(source.source().begin);
    if (const auto* table = source.as_table()) {
        convert_table(*table, positions, node);
    } else if (const auto* list = source.as_array()) {
        node.type = Node::Type::kList;
        for (const toml::node& item : *list) node.items.push_back(convert(item, positions));
    } else if (const auto* text = source.as_string()) {
        node.type = Node::Type::kText;
        node.text = utf8_to_bytes(text->get());
    } else if (const auto* integer = source.as_integer()) {
        node.type = Node::Type::kInteger;
        node.integer = integer->get();
    } else if (const auto* real = source.as_floating_point()) {
        node.type = Node::Type::kReal;
        node.real = real->get();
    } else if (const auto* boolean = source.as_boolean()) {
        node.type = Node::Type::kBoolean;
        node.boolean = boolean->get();
    } else {
        node.type = Node::Type::kOther;
    }
    return node;
}

bool has_defect(std::string_view text) {
    try {
        static_cast<void>(toml::parse(text));
    } catch (const common::TomlDefect&) {
        return true;
    } catch (const toml::parse_error&) {  // thrown if the text was cut inside a value
    }
    return false;
}

/// Returns the number of the line with the defect. The error has no position, so bisection finds the line: the text up
/// to the end of this line has the defect, and the text before this line does not.
std::size_t defect_line(std::string_view text) {
    std::vector<std::size_t> ends;
    for (std::size_t k = 0; k <= text.size(); ++k) {
        if (k == text.size() || text[k] == '\n') ends.push_back(k);
    }
    const auto first = std::partition_point(ends.begin(), ends.end(),
                                            [text](std::size_t end) { return !has_defect(text.substr(0, end)); });
    return static_cast<std::size_t>(first - ends.begin()) + 1;
}

/// True for a word such as `tabu`, or a number with a unit such as `60s`. Most values of options are such texts, which
/// are no TOML values. toml++ does not get these texts: it would throw an exception, and it would end the process if
/// memory for the exception were missing.
bool is_plain_word(std::string_view text) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    if (text.empty()) return true;
    if (is_digit(text.front())) {
        return is_letter(text.back()) && text.back() != 'z' && text.back() != 'Z' && !text.starts_with("0x") &&
               text.find('#') == text.npos;
    }
    if (!is_letter(text.front())) return false;
    const auto end = std::ranges::find_if_not(text, [&](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
    const std::string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    return word != "true" && word != "false" && word != "inf" && word != "nan";
}

}  // namespace

Node parse_toml(const std::string& text, const std::string& name) {
    const Positions positions{name};
    if (const auto excess = common::find_toml_excess(text)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}:{}:{}: {}", name, excess->line, excess->column, excess->message));
    }
    if (const auto stray = find_stray_character(text)) {
        throw Error(ErrorKind::kUsage, fmt::format("{}:{}:{}: not valid TOML: only ASCII characters may stand outside "
                                                   "of quotes and comments, found another one",
                                                   name, stray->line, stray->column));
    }
    try {
        const toml::table table =
            // No name is passed, because toml++ would allocate memory for a name in a function that must not throw.
            toml::parse(std::string_view(text));
        Node root;
        root.where = name;
        convert_table(table, positions, root);
        return root;
    } catch (const toml::parse_error& error) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: not valid TOML: {}", positions.at(error.source().begin), error.description()));
    } catch (const common::TomlDefect&) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}:{}:1: not valid TOML: this line cannot be read", name, defect_line(text)));
    }
}

std::optional<Node> parse_toml_value(const std::string& text, const std::string& where) {
    if (is_plain_word(text) || text.find_first_of("\r\n") != std::string::npos || find_stray_character(text))
        return std::nullopt;
    if (common::find_toml_excess(text)) return std::nullopt;
    try {
        const toml::table table = toml::parse(std::string_view("value = " + text));
        const toml::node* value = table.get("value");
        if (table.size() != 1 || value == nullptr) return std::nullopt;
        return convert(*value, {where, true});
    } catch (const toml::parse_error&) {
        return std::nullopt;
    } catch (const common::TomlDefect&) {
        return std::nullopt;
    }
}

std::string toml_quoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : bytes_to_utf8(text)) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            quoted += '\\';
            quoted += c;
        } else if (code < 0x20 || code == 0x7F) {
            quoted += fmt::format("\\u{:04X}", code);
        } else {
            quoted += c;
        }
    }
    return quoted + '"';
}

}  // namespace qapfw::framework
