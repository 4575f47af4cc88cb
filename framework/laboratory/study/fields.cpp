// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/fields.hpp"
#include "common/nearest_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework::laboratory {

void fail_at(const std::string& where, const std::string& message) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: {}", where, message));
}

Fields::Fields(const Node& table, std::string place) : table_(table), place_(std::move(place)) {
    if (table.type != Node::Type::kTable) throw mismatch(table, place_, "a table");
}

const Node* Fields::find(const std::string& key) {
    asked_.push_back(key);
    return table_.find(key);
}

const Node& Fields::need(const std::string& key, const std::string& wanted) {
    if (const Node* node = find(key)) return *node;
    fail_at(table_.where,
            fmt::format("{} must have the key {}: {}", place_.empty() ? "the study" : place_, key, wanted));
}

std::string Fields::text(const std::string& key, const std::string& otherwise) {
    const Node* node = find(key);
    if (node == nullptr) return otherwise;
    if (node->type != Node::Type::kText) throw mismatch(*node, label(key), "a text");
    return node->text;
}

std::string Fields::need_text(const std::string& key) {
    const Node& node = need(key, "a text");
    if (node.type != Node::Type::kText || node.text.empty())
        throw mismatch(node, label(key), "a text that is not empty");
    return node.text;
}

bool Fields::boolean(const std::string& key, bool otherwise) {
    const Node* node = find(key);
    if (node == nullptr) return otherwise;
    if (node->type != Node::Type::kBoolean) throw mismatch(*node, label(key), "true or false");
    return node->boolean;
}

double Fields::number(const std::string& key, double low, double high, double otherwise) {
    const Node* node = find(key);
    if (node == nullptr) return otherwise;
    const double value = node->type == Node::Type::kInteger ? static_cast<double>(node->integer) : node->real;
    const bool right =
        (node->type == Node::Type::kInteger || node->type == Node::Type::kReal) && value >= low && value <= high;
    if (!right) throw mismatch(*node, label(key), fmt::format("a number from {} to {}", low, high));
    return value;
}

std::optional<std::uint64_t> Fields::count(const std::string& key, std::uint64_t least, std::uint64_t most) {
    const Node* node = find(key);
    if (node == nullptr) return std::nullopt;
    const bool right = node->type == Node::Type::kInteger && node->integer >= 0 &&
                       static_cast<std::uint64_t>(node->integer) >= least &&
                       static_cast<std::uint64_t>(node->integer) <= most;
    if (!right) throw mismatch(*node, label(key), fmt::format("an integer from {} to {}", least, most));
    return static_cast<std::uint64_t>(node->integer);
}

std::vector<std::string> Fields::texts(const std::string& key) {
    const Node* node = find(key);
    if (node == nullptr) return {};
    if (node->type == Node::Type::kText) return {node->text};
    if (node->type != Node::Type::kList) throw mismatch(*node, label(key), "a text or a list of texts");
    std::vector<std::string> texts;
    for (const Node& item : node->items) {
        if (item.type != Node::Type::kText) throw mismatch(item, label(key), "a list of texts");
        texts.push_back(item.text);
    }
    return texts;
}

std::vector<const Node*> Fields::tables(const std::string& key) {
    const Node* node = find(key);
    if (node == nullptr) return {};
    if (node->type != Node::Type::kList) throw mismatch(*node, label(key), fmt::format("tables, each as [[{}]]", key));
    std::vector<const Node*> tables;
    for (const Node& item : node->items) {
        if (item.type != Node::Type::kTable)
            throw mismatch(item, label(key), fmt::format("tables, each as [[{}]]", key));
        tables.push_back(&item);
    }
    return tables;
}

std::string Fields::choice(const std::string& key, const std::vector<std::string>& known,
                           const std::string& otherwise) {
    const Node* node = find(key);
    if (node == nullptr) return otherwise;
    if (node->type == Node::Type::kText && std::find(known.begin(), known.end(), node->text) != known.end())
        return node->text;
    throw mismatch(*node, label(key), fmt::format("one of \"{}\"", fmt::join(known, "\", \"")));
}

void Fields::finish() const {
    for (const Member& member : table_.members) {
        if (std::find(asked_.begin(), asked_.end(), member.key) != asked_.end()) continue;
        std::string message =
            fmt::format("unknown {} \"{}\" in {}", member.value.type == Node::Type::kTable ? "table" : "key",
                        member.key, place_.empty() ? "the study" : place_);
        const auto near = common::nearest_names(member.key, asked_);
        message += near.empty() ? fmt::format("; known: {}", fmt::join(asked_, ", "))
                                : fmt::format("; did you mean {}?", fmt::join(near, " or "));
        fail_at(member.where, message);
    }
}

}  // namespace qapfw::framework::laboratory
