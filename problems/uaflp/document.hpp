// SPDX-License-Identifier: Apache-2.0
// A TOML, JSON or CSV file as one tree whose nodes know their position in the file. So a reader can report
// file:line:column for wrong content and for wrong syntax.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace qapfw::uaflp {

/// A position in a text: line and column count from 1, columns in bytes.
struct Position {
    unsigned line = 0;
    unsigned column = 0;
};

/// One value of a document. If it is a table, its i-th key is keys[i], which stands at key_positions[i]. The value of
/// this key is items[i].
struct Node {
    enum class Kind { kNull, kBoolean, kNumber, kText, kList, kTable };
    Kind kind = Kind::kNull;
    Position position;
    bool is_integer = false;  ///< kNumber: written without fraction and exponent
    bool boolean = false;
    double number = 0;
    std::string text;
    std::vector<Node> items;
    std::vector<std::string> keys;
    std::vector<Position> key_positions;

    /// The value of `key`, or null if the table has no such key. O(keys).
    const Node* find(std::string_view key) const;
};

/// "a number", "a list" and so on, for messages.
const char* kind_name(Node::Kind kind);

enum class Syntax { kToml, kJson, kCsv };

/// JSON for names that end in .json (any case), CSV for .csv, .tsv and .txt, TOML otherwise.
Syntax syntax_of(std::string_view file_name);

/// The tree of a text. Throws qapfw::Error (kInput) with `file`:line:column if the text is not well-formed, if a key
/// occurs twice in one table, or if values nest deeper than 64.
Node parse_document(std::string_view text, Syntax syntax, const std::string& file);

/// Throws qapfw::Error (kInput): "file:line:column: message".
[[noreturn]] void fail_at(const std::string& file, Position position, const std::string& message);

}  // namespace qapfw::uaflp
