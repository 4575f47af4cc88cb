// SPDX-License-Identifier: Apache-2.0
// Reads a file of numbers quickly, line by line. Its messages name the line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace qapfw::common {

/// Returns a word of a file as messages show it: between quotes and cut to 40 bytes. Control characters become \xNN.
std::string shown_word(std::string_view word);
/// Returns a message which says that `what` must be a whole number, but that `word` was found. If `word` is a number,
/// such as 0.5, the message proposes to multiply the numbers that `all` names until they are whole.
std::string whole_number_wanted(std::string_view what, std::string_view word, std::string_view all);
/// Returns the whole number that a word is, such as 5, 5.0 or 5e3; nothing for any other word. A number with a point or
/// an exponent must be below 2^53.
std::optional<std::int64_t> whole_number_of(std::string_view word);

class TextCursor {
  public:
    /// `text` must outlive this object; `source` begins the messages.
    TextCursor(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {}

    /// Goes to the start of the next line; false at the text's end. The first call gives the first line. Skips lines
    /// that begin with `comment` and, unless `blank` is true, empty lines.
    bool next_line(char comment, bool blank);
    /// True if the line has no further word.
    bool at_line_end();
    /// The next word of the line; empty at its end.
    std::string_view word();
    /// The next word of the line as a whole number; `what` names it in messages.
    std::int64_t integer(const char* what);
    /// The next word of the line as a whole number. Throws if the number is below `least` or above `most`.
    std::int64_t integer(const char* what, std::int64_t least, std::int64_t most);
    /// The next word of the line as a whole number, which may be written as "3.0" or "1e3". If the word is a number
    /// such as 0.5, the error message proposes to multiply the numbers that `all` names.
    std::int64_t whole_number(const char* what, const char* all = "all weights");
    /// The rest of the present line.
    std::string_view rest_of_line();

    /// Throws if a header promises more numbers than the bytes after it can hold.
    void require_bytes(std::int64_t count, std::int64_t bytes_each, const char* what) const;
    /// Throws if a header promises another number of entries than was found.
    void require_count(std::uint64_t found, std::int64_t promised, const char* what) const;

    std::uint64_t bytes_left() const { return text_.size() - position_; }
    std::uint64_t line() const { return line_; }
    std::string_view text() const { return text_; }
    /// Throws Error(kInput) with the position of the last word read, or of the line's end if a word is missing.
    [[noreturn]] void fail(const std::string& what) const;
    /// Throws Error(kInput) with the position of `part`. `part` must point into the text, and may lie in an earlier
    /// line.
    [[noreturn]] void fail_at(std::string_view part, const std::string& what) const;

  private:
    std::string_view text_;
    std::string source_;
    std::size_t position_ = 0, line_begin_ = 0, line_end_ = 0, word_begin_ = 0;
    std::uint64_t line_ = 0;
};

}  // namespace qapfw::common
