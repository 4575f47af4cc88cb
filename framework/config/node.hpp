// SPDX-License-Identifier: Apache-2.0
// A parsed TOML document as plain data, with the position of each value. Other files use this data, so only one source
// file needs the header of the TOML parser, which takes long to compile.
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
    std::string text;             ///< value of a kText
    std::int64_t integer = 0;     ///< value of a kInteger
    double real = 0;              ///< value of a kReal
    bool boolean = false;         ///< value of a kBoolean
    std::vector<Member> members;  ///< entries of a kTable, in the order of the file
    std::vector<Node> items;      ///< entries of a kList
    std::string where;            ///< "file:line:column" or "--set algorithm.tenure"
    std::string option_text;      ///< the value as written on the command line; empty for values of a file
    bool from_option = false;     ///< from the command line: relative paths start at the working directory

    const Node* find(const std::string& key) const;
    Node* find(const std::string& key);
    Node& find_or_add(const std::string& key, const std::string& position);
    bool remove(const std::string& key);  ///< returns whether the key was there
};

struct Member {
    std::string key;
    std::string where;  ///< position of the key
    Node value;
};

/// The value that was found, in words for a message: "the integer 5", "the text \"x\"", "a list".
std::string found_value(const Node& node);

/// An Error with the text "WHERE: LABEL must be WANTED, found VALUE".
Error mismatch(const Node& node, const std::string& label, const std::string& wanted);

}  // namespace qapfw::framework
