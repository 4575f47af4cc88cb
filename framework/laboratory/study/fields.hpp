// SPDX-License-Identifier: Apache-2.0
// Reads the keys of one table of a study file. finish() reports the keys that were never requested as unknown.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/config/node.hpp"

namespace qapfw::framework::laboratory {

class Fields {
  public:
    /// `place` names the table in messages: "[[algorithms]]".
    Fields(const Node& table, std::string place);

    const Node* find(const std::string& key);
    /// Throws if the key is missing; `wanted` describes its value in the message.
    const Node& need(const std::string& key, const std::string& wanted);

    // If the key is missing, the functions below return `otherwise` or nothing, except need_text. These functions throw
    // for a value of another type or outside the range.
    std::string text(const std::string& key, const std::string& otherwise);
    std::string need_text(const std::string& key);
    bool boolean(const std::string& key, bool otherwise);
    double number(const std::string& key, double low, double high, double otherwise);
    std::optional<std::uint64_t> count(const std::string& key, std::uint64_t least, std::uint64_t most);
    /// A text, or a list of texts.
    std::vector<std::string> texts(const std::string& key);
    /// A list of tables; empty if the key is missing.
    std::vector<const Node*> tables(const std::string& key);
    std::string choice(const std::string& key, const std::vector<std::string>& known, const std::string& otherwise);

    /// Throws for a key that was not requested.
    void finish() const;

    const std::string& where() const { return table_.where; }
    std::string label(const std::string& key) const { return place_.empty() ? key : place_ + " " + key; }

  private:
    const Node& table_;
    std::string place_;
    std::vector<std::string> asked_;
};

/// Throws Error(kUsage) with "where: message".
[[noreturn]] void fail_at(const std::string& where, const std::string& message);

}  // namespace qapfw::framework::laboratory
