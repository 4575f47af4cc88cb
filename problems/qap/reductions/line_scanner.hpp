// SPDX-License-Identifier: Apache-2.0
// Tokens of texts in which line breaks matter: the next token can be seen in advance, and the rest of a line can be
// read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "problems/qap/instances/text_scanner.hpp"

namespace qapfw::qap {

class LineScanner {
  public:
    LineScanner(std::string_view text, const std::string& source) : scanner_(text, source) { ahead_ = scanner_.next(); }

    /// The token that next() will return.
    const std::optional<Token>& peek() const { return ahead_; }
    std::optional<Token> next();
    /// Reads the remaining tokens on the line of `token`, which next() returned before.
    std::vector<Token> rest_of_line(const Token& token);

    /// The position where the next token begins, or where the text ends.
    TextPosition position() const { return ahead_ ? ahead_->at : scanner_.position(); }
    const std::string& source() const { return scanner_.source(); }
    [[noreturn]] void fail(TextPosition at, const std::string& what) const { scanner_.fail(at, what); }

  private:
    TextScanner scanner_;
    std::optional<Token> ahead_;
};

/// Returns the token's value. Throws Error(kInput) unless it is a whole number from `least` to `greatest`. `what` names
/// the number in the message ("the weight of an edge").
int64_t parse_whole(const Token& token, const std::string& source, const std::string& what, int64_t least,
                    int64_t greatest);

}  // namespace qapfw::qap
