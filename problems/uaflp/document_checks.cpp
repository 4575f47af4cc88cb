// SPDX-License-Identifier: Apache-2.0
// See document_checks.hpp.
#include "problems/uaflp/document_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problems/uaflp/nearest_name.hpp"

namespace qapfw::uaflp {
namespace {

/// Numbers above kGreatest, and positive numbers below kLeast, are refused, so that no cost overflows.
constexpr double kGreatest = 1e30;
constexpr double kLeast = 1e-30;

}  // namespace

const Node& DocumentChecks::of_kind(const Node& node, Node::Kind kind, const std::string& what) const {
    if (node.kind == kind) return node;
    fail(node.position, fmt::format("{} must be {}, not {}", what, kind_name(kind), kind_name(node.kind)));
}

const Node& DocumentChecks::required(const Node& table, std::string_view key, const std::string& where) const {
    if (const Node* node = table.find(key)) return *node;
    fail(table.position, fmt::format("{} lacks \"{}\"", where, key));
}

double DocumentChecks::finite(const Node& node, const std::string& what) const {
    of_kind(node, Node::Kind::kNumber, what);
    if (std::abs(node.number) > kGreatest && std::isfinite(node.number)) {
        fail(node.position,
             fmt::format("{} is {}, but its absolute value must be at most {}", what, node.number, kGreatest));
    }
    if (!std::isfinite(node.number)) fail(node.position, fmt::format("{} is {}, not finite", what, node.number));
    return node.number;
}

double DocumentChecks::positive(const Node& node, const std::string& what) const {
    const double value = finite(node, what);
    if (!(value > 0)) fail(node.position, fmt::format("{} is {}, but it must be above 0", what, value));
    if (value < kLeast) fail(node.position, fmt::format("{} is {}, but it must be at least {}", what, value, kLeast));
    return value;
}

double DocumentChecks::not_negative(const Node& node, const std::string& what) const {
    const double value = finite(node, what);
    if (value < 0) fail(node.position, fmt::format("{} is {}, but it must not be negative", what, value));
    return value;
}

size_t DocumentChecks::number_up_to(const Node& node, size_t limit, const std::string& what) const {
    const double value = finite(node, what);
    if (value >= 1 && value <= static_cast<double>(limit) && value == std::floor(value)) {
        return static_cast<size_t>(value);
    }
    fail(node.position, fmt::format("{} is {}, but it must be a whole number from 1 to {}", what, value, limit));
}

const std::string& DocumentChecks::text(const Node& node, const std::string& what) const {
    return of_kind(node, Node::Kind::kText, what).text;
}

const Node& DocumentChecks::list_of(const Node& node, size_t count, const std::string& what) const {
    of_kind(node, Node::Kind::kList, what);
    if (node.items.size() == count) return node;
    fail(node.position, fmt::format("{} has {} entries, must have {}", what, node.items.size(), count));
}

void DocumentChecks::only_keys(const Node& table, const Names& allowed, const std::string& where) const {
    for (size_t i = 0; i < table.keys.size(); ++i) {
        if (std::find(allowed.begin(), allowed.end(), table.keys[i]) != allowed.end()) continue;
        fail(table.key_positions[i],
             fmt::format("unknown key \"{}\" in {}{}", table.keys[i], where, did_you_mean(table.keys[i], allowed)));
    }
}

}  // namespace qapfw::uaflp
