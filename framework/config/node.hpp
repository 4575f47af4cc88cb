// SPDX-License-Identifier: Apache-2.0
// A parsed TOML document as plain data with positions, so that the parser's costly header stays in one source file.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qapfw/error.hpp"

namespace qapfw::framework {

struct Member;

struct Node {
    enum class Type { kTable, kList, kText, kInteger, kReal, kBoolean, kOther };
    Type type = Type::kTable;
    std::string text;             ///< kText
    std::int64_t integer = 0;     ///< kInteger
    double real = 0;              ///< kReal
    bool boolean = false;         ///< kBoolean
    std::vector<Member> members;  ///< kTable, in the order of the file
    std::vector<Node> items;      ///< kList
    std::string where;            ///< "file:line:column" or "--set algorithm.tenure"
    std::string option_text;      ///< the value as it stood on the command line; empty for a file's values
    bool from_option = false;     ///< relative paths then start at the working directory

    const Node* find(const std::string& key) const;
    Node* find(const std::string& key);
    Node& find_or_add(const std::string& key, const std::string& position);
    bool remove(const std::string& key);  ///< whether it was there
};

struct Member {
    std::string key;
    std::string where;  ///< of the key
    Node value;
};

/// "the integer 5", "the text \"x\"", "a list": what stands there, for messages.
std::string found_value(const Node& node);

/// "where: label must be wanted, found ...".
Error mismatch(const Node& node, const std::string& label, const std::string& wanted);

}  // namespace qapfw::framework
