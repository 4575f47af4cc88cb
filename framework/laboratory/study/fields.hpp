// SPDX-License-Identifier: Apache-2.0
// Reads the keys of one table of a study file. Keys that were never requested are unknown: finish() throws for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "framework/config/node.hpp"

namespace qapfw::framework::laboratory {

class Fields {
  public:
    /// `place`: name of the table in messages, such as "[[algorithms]]".
    Fields(const Node& table, std::string place);

    const Node* find(const std::string& key);
    /// Returns the value of `key`. Throws if the key is missing; `wanted` describes the value in the message.
    const Node& need(const std::string& key, const std::string& wanted);

    // If the key is missing, need_text throws, and the other functions below return `otherwise` or an empty value. All
    // throw for a value of another type or outside the range.
    std::string text(const std::string& key, const std::string& otherwise);
    std::string need_text(const std::string& key);
    bool boolean(const std::string& key, bool otherwise);
    double number(const std::string& key, double low, double high, double otherwise);
    std::optional<std::uint64_t> count(const std::string& key, std::uint64_t least, std::uint64_t most);
    /// Returns the texts of `key`: its value may be one text, or a list of texts.
    std::vector<std::string> texts(const std::string& key);
    /// Returns the tables of `key`, whose value is a list of tables. Empty if the key is missing.
    std::vector<const Node*> tables(const std::string& key);
    std::string choice(const std::string& key, const std::vector<std::string>& known, const std::string& otherwise);

    /// Throws if the table has a key that no call of these functions asked for.
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
