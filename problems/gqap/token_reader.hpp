// SPDX-License-Identifier: Apache-2.0
// Words of a file with their lines, for the readers of instances.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace qapfw::gqap {

class TokenReader {
  public:
    /// `text` must outlive this object. Error messages begin with `source`. Lines that begin with # are skipped.
    TokenReader(std::string_view text, std::string source);

    /// Returns the next word and moves past this word. The word may be on a later line. At the end of the text, the
    /// result is empty.
    std::string_view word();
    /// Returns the next word, but does not move past it.
    std::string_view peek();
    /// The next word as a whole number; `what` names the number in messages.
    std::int64_t integer(const char* what);
    std::int64_t integer(const char* what, std::int64_t least, std::int64_t most);
    /// The rest of the present line, without blanks around it.
    std::string rest_of_line();
    /// True if the present line has no further word.
    bool at_line_end();
    /// Number of remaining words before the first one that does not begin like a number.
    std::size_t numbers_left() const;
    /// Remaining bytes; b bytes hold at most (b + 1) / 2 numbers.
    std::size_t bytes_left() const { return text_.size() - at_; }
    /// Throws Error(kInput) with the source and the line of the last word.
    [[noreturn]] void fail(const std::string& what) const;

  private:
    void skip_blanks();
    std::string_view text_;
    std::string source_;
    std::size_t at_ = 0;
    std::uint64_t line_ = 1, word_line_ = 1;
    bool at_start_ = true;  ///< true at the start of a line
};

}  // namespace qapfw::gqap
