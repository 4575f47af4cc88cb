// SPDX-License-Identifier: Apache-2.0
// Functions for documents of any syntax; the parsers are in document_csv.cpp, document_json.cpp and document_toml.cpp.
#include "problems/uaflp/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "problems/uaflp/document_syntax.hpp"
#include "qapfw/error.hpp"

namespace qapfw::uaflp {

const Node* Node::find(std::string_view key) const {
    const auto at = std::find(keys.begin(), keys.end(), key);
    return at == keys.end() ? nullptr : &items[static_cast<size_t>(at - keys.begin())];
}

const char* kind_name(Node::Kind kind) {
    static constexpr const char* kNames[]{"null", "true or false", "a number", "text", "a list", "a table"};
    return kNames[static_cast<std::size_t>(kind)];
}

Syntax syntax_of(std::string_view file_name) {
    const auto ends_with = [&](std::string_view suffix) {
        if (file_name.size() < suffix.size()) return false;
        const auto tail = file_name.substr(file_name.size() - suffix.size());
        const auto same = [](char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == b; };
        return std::equal(tail.begin(), tail.end(), suffix.begin(), same);
    };
    if (ends_with(".json")) return Syntax::kJson;
    return ends_with(".csv") || ends_with(".tsv") || ends_with(".txt") ? Syntax::kCsv : Syntax::kToml;
}

Node parse_document(std::string_view text, Syntax syntax, const std::string& file) {
    if (syntax == Syntax::kCsv) return parse_csv(text, file);
    return syntax == Syntax::kJson ? parse_json(text, file) : parse_toml(text, file);
}

void fail_at(const std::string& file, Position position, const std::string& message) {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}:{}: {}", file, position.line, position.column, message));
}

}  // namespace qapfw::uaflp
