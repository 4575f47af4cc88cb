// SPDX-License-Identifier: Apache-2.0
// Splits text into tokens separated by blanks, and knows the position of each token. All readers of the QAP problem
// report errors as "source:line:column: what is wrong". Lines and columns count from 1, columns in bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/text_file.hpp"

namespace qapfw::qap {

/// The characters that separate tokens within a line.
inline constexpr std::string_view kBlanks = " \t\r\v\f";

/// A position in a text; line and column count from 1, columns in bytes.
struct TextPosition {
    uint32_t line = 1;
    uint32_t column = 1;
};

/// A run of characters without separators. It is a view of the scanned text, which must outlive the token.
struct Token {
    std::string_view text;
    TextPosition at;
};

/// Throws Error(kInput) with the message "source:line:column: what".
[[noreturn]] void fail_at(const std::string& source, TextPosition at, const std::string& what);

/// Returns the token between quotes. If it has more than 40 bytes, "..." stands for the bytes after the first 40. Bytes
/// outside printable ASCII become \xNN, so that any terminal can show the text.
std::string quote_token(std::string_view token);

/// Reads tokens one after the other. Separators are space, tab, CR, LF, vertical tab and form feed, and commas if asked
/// for. A UTF-8 byte order mark at the start is skipped. Neither the text nor its name is copied.
class TextScanner {
  public:
    enum class Commas { kPartOfToken, kSeparate };
    /// Comments reach to the end of their line. They begin with # or //, or with "c" as the first word of a line.
    enum class Comments { kNone, kSkipped };

    TextScanner(std::string_view text, const std::string& source, Commas commas = Commas::kPartOfToken,
                Comments comments = Comments::kNone);

    /// The next token, or nothing at the end of the text.
    std::optional<Token> next();

    /// The scanner's position: directly behind the token that next() returned last, or at the end of the text.
    TextPosition position() const { return at_; }

    /// The number of remaining tokens. O(length of the text).
    std::size_t count_remaining() const;

    const std::string& source() const { return *source_; }
    [[noreturn]] void fail(TextPosition at, const std::string& what) const { fail_at(*source_, at, what); }

  private:
    bool separates(char c) const;
    bool at_comment() const;
    void advance();

    std::string_view text_;
    const std::string* source_;
    std::size_t offset_ = 0;
    TextPosition at_;
    Commas commas_;
    Comments comments_;
    uint32_t last_line_ = 0;  // line of the token that next() returned last
};

/// The text without a leading UTF-8 byte order mark.
std::string_view without_byte_order_mark(std::string_view text);

using common::kHeadBytes;
using common::read_text_file;
using common::read_text_head;
using common::text_extension;
using common::text_stem;

}  // namespace qapfw::qap
