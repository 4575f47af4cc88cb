// SPDX-License-Identifier: Apache-2.0
// Reads TOML into a tree with positions, by toml++.
#include <fmt/format.h>

#include "common/toml_limits.hpp"
#include "problems/uaflp/document_syntax.hpp"

#include "common/guarded_toml.hpp"

namespace qapfw::uaflp {
namespace {

Position position_of(const toml::source_region& region) {
    return {static_cast<unsigned>(region.begin.line), static_cast<unsigned>(region.begin.column)};
}

class Converter {
  public:
    explicit Converter(const std::string& file) : file_(file) {}

    Node convert(const toml::node& from, size_t depth) const {
        Node node;
        node.position = position_of(from.source());
        if (depth > kMaxDepth) fail_at(file_, node.position, "values nest too deeply");
        if (const auto* table = from.as_table()) {
            convert_table(*table, node, depth);
        } else if (const auto* list = from.as_array()) {
            node.kind = Node::Kind::kList;
            node.items.reserve(list->size());
            for (const toml::node& item : *list) node.items.push_back(convert(item, depth + 1));
        } else {
            convert_value(from, node);
        }
        return node;
    }

  private:
    void convert_table(const toml::table& from, Node& node, size_t depth) const {
        node.kind = Node::Kind::kTable;
        if (from.size() > kMostKeysOfTable) {
            fail_at(file_, node.position,
                    fmt::format("a table must have at most {} keys, found {}", kMostKeysOfTable, from.size()));
        }
        for (const auto& [key, value] : from) {
            node.keys.emplace_back(key.str());
            node.key_positions.push_back(position_of(key.source()));
            node.items.push_back(convert(value, depth + 1));
        }
    }

    void convert_value(const toml::node& from, Node& node) const {
        if (const auto* text = from.as_string()) {
            node.kind = Node::Kind::kText;
            node.text = text->get();
        } else if (const auto* integer = from.as_integer()) {
            node.kind = Node::Kind::kNumber;
            node.is_integer = true;
            node.number = static_cast<double>(integer->get());
        } else if (const auto* real = from.as_floating_point()) {
            node.kind = Node::Kind::kNumber;
            node.number = real->get();
        } else if (const auto* boolean = from.as_boolean()) {
            node.kind = Node::Kind::kBoolean;
            node.boolean = boolean->get();
        } else {
            fail_at(file_, node.position, "found a date or a time, which is not allowed here; put a text in quotes");
        }
    }

    const std::string& file_;
};

bool breaks_parser(std::string_view text) {
    try {
        (void)toml::parse(text);
    } catch (const toml::parse_error&) {
    } catch (const common::TomlDefect&) {
        return true;
    }
    return false;
}

/// Returns the number, from 1, of the line that breaks the parser (TomlDefect). The text before this line does not
/// break the parser, but the text up to the line's end does. O(size log lines).
unsigned breaking_line(std::string_view text) {
    std::vector<size_t> ends;  // for each line: number of bytes of the text up to its end
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\n' || i + 1 == text.size()) ends.push_back(i + 1);
    }
    size_t low = 0;
    size_t high = ends.empty() ? 0 : ends.size() - 1;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (breaks_parser(text.substr(0, ends[middle]))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return static_cast<unsigned>(low + 1);
}

}  // namespace

Node parse_toml(std::string_view text, const std::string& file) {
    const common::TomlLimits limits{kMaxDepth, kMaxDepth, kMostBytes, kMostBytes};
    if (const auto excess = common::find_toml_excess(text, limits)) {
        fail_at(file, {static_cast<unsigned>(excess->line), static_cast<unsigned>(excess->column)}, excess->message);
    }
    try {
        const toml::table root = toml::parse(text, file);
        Node node = Converter(file).convert(root, 0);
        if (node.position.line == 0) node.position = {1, 1};
        return node;
    } catch (const toml::parse_error& error) {
        fail_at(file, position_of(error.source()), "not TOML: " + std::string(error.description()));
    } catch (const common::TomlDefect&) {
        fail_at(file, {breaking_line(text), 1}, "not TOML: this line cannot be parsed");
    }
}

}  // namespace qapfw::uaflp
