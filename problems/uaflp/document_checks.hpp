// SPDX-License-Identifier: Apache-2.0
// Checked access to the nodes of a document: a wrong value becomes an Error with file:line:column.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "problems/uaflp/document.hpp"

namespace qapfw::uaflp {

class DocumentChecks {
  public:
    using Names = std::vector<std::string_view>;

    explicit DocumentChecks(std::string file) : file_(std::move(file)) {}

    [[noreturn]] void fail(Position at, const std::string& message) const { fail_at(file_, at, message); }

    /// Each function returns the checked value or throws; `what` names the value in the message.
    const Node& of_kind(const Node& node, Node::Kind kind, const std::string& what) const;
    const Node& list_of(const Node& node, size_t count, const std::string& what) const;
    const std::string& text(const Node& node, const std::string& what) const;
    /// Requires a number of at most 1e30 in absolute value; positive() also requires at least 1e-30.
    double finite(const Node& node, const std::string& what) const;
    double positive(const Node& node, const std::string& what) const;
    double not_negative(const Node& node, const std::string& what) const;
    /// Requires a whole number from 1 to `limit`.
    size_t number_up_to(const Node& node, size_t limit, const std::string& what) const;

    /// The value of `key`; throws if it is missing.
    const Node& required(const Node& table, std::string_view key, const std::string& where) const;
    void only_keys(const Node& table, const Names& allowed, const std::string& where) const;

  private:
    std::string file_;
};

}  // namespace qapfw::uaflp
