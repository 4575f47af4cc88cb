// SPDX-License-Identifier: Apache-2.0
// Looks into a parsed document and describes its values.
#include "framework/config/node.hpp"

#include <fmt/format.h>

#include <utility>

namespace qapfw::framework {

namespace {

constexpr std::size_t kLongestShown = 80;

std::string shortened(const std::string& text) {
    if (text.size() <= kLongestShown) return text;
    std::size_t end = kLongestShown;
    // Does not cut inside a UTF-8 sequence.
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
    return text.substr(0, end) + "...";
}

}  // namespace

const Node* Node::find(const std::string& key) const {
    for (const Member& member : members) {
        if (member.key == key) return &member.value;
    }
    return nullptr;
}

Node* Node::find(const std::string& key) {
    return const_cast<Node*>(std::as_const(*this).find(key));
}

Node& Node::find_or_add(const std::string& key, const std::string& position) {
    if (Node* found = find(key)) return *found;
    Node value;
    value.where = position;
    return members.emplace_back(Member{key, position, std::move(value)}).value;
}

bool Node::remove(const std::string& key) {
    return std::erase_if(members, [&](const Member& member) { return member.key == key; }) > 0;
}

std::string found_value(const Node& node) {
    switch (node.type) {
        case Node::Type::kTable:
            return "a table";
        case Node::Type::kList:
            return node.items.empty() ? "an empty list" : "a list";
        case Node::Type::kText:
            return fmt::format("the text \"{}\"", shortened(node.text));
        case Node::Type::kInteger:
            return fmt::format("the integer {}", node.integer);
        case Node::Type::kReal:
            return fmt::format("the number {}", node.real);
        case Node::Type::kBoolean:
            return node.boolean ? "true" : "false";
        default:
            return "a date or time";
    }
}

Error mismatch(const Node& node, const std::string& label, const std::string& wanted) {
    return Error(ErrorKind::kUsage,
                 fmt::format("{}: {} must be {}, found {}", node.where, label, wanted, found_value(node)));
}

}  // namespace qapfw::framework
