// SPDX-License-Identifier: Apache-2.0
#include "common/text_cursor.hpp"

#include <fmt/core.h>

#include <charconv>
#include <cmath>

#include "qapfw/error.hpp"

namespace qapfw::common {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

bool TextCursor::next_line(char comment, bool blank) {
    while (true) {
        if (line_ > 0) position_ = line_end_ + 1;
        if (position_ >= text_.size()) {
            position_ = line_end_ = text_.size();
            return false;
        }
        ++line_;
        const std::size_t end = text_.find('\n', position_);
        line_end_ = end == std::string_view::npos ? text_.size() : end;
        if (text_[position_] == comment && comment != '\0') continue;
        if (blank || !at_line_end()) return true;
    }
}

bool TextCursor::at_line_end() {
    while (position_ < line_end_ && is_blank(text_[position_])) ++position_;
    return position_ >= line_end_;
}

std::string_view TextCursor::word() {
    if (at_line_end()) return {};
    const std::size_t begin = position_;
    while (position_ < line_end_ && !is_blank(text_[position_])) ++position_;
    return text_.substr(begin, position_ - begin);
}

std::string_view TextCursor::rest_of_line() {
    const std::size_t begin = position_;
    position_ = line_end_;
    std::string_view rest = text_.substr(begin, line_end_ - begin);
    while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
    return rest;
}

std::int64_t TextCursor::integer(const char* what) {
    if (at_line_end()) fail(fmt::format("{} was wanted, the line ends", what));
    std::int64_t value = 0;
    const char* const begin = text_.data() + position_;
    const char* const end = text_.data() + line_end_;
    const auto read = std::from_chars(begin, end, value);
    if (read.ec != std::errc() || (read.ptr != end && !is_blank(*read.ptr))) {
        const std::string found(word());
        fail(fmt::format("{} was wanted, a whole number of at most 64 bits; found \"{}\"", what, found.substr(0, 40)));
    }
    position_ += static_cast<std::size_t>(read.ptr - begin);
    return value;
}

std::int64_t TextCursor::integer(const char* what, std::int64_t least, std::int64_t most) {
    const std::int64_t value = integer(what);
    if (value < least || value > most)
        fail(fmt::format("{} must be from {} to {}, found {}", what, least, most, value));
    return value;
}

std::int64_t TextCursor::whole_number(const char* what) {
    const std::string_view text = word();
    if (text.empty()) fail(fmt::format("{} was wanted, the line ends", what));
    const char* const end = text.data() + text.size();
    std::int64_t value = 0;
    const auto whole = std::from_chars(text.data(), end, value);
    if (whole.ec == std::errc() && whole.ptr == end) return value;
    double real = 0;
    const auto read = std::from_chars(text.data(), end, real);
    if (read.ec == std::errc() && read.ptr == end && std::abs(real) < 0x1p53 && real == std::floor(real))
        return static_cast<std::int64_t>(real);
    fail(fmt::format("{} was wanted, a whole number; found \"{}\"; multiply all weights until they are whole", what,
                     std::string(text.substr(0, 40))));
}

void TextCursor::require_bytes(std::int64_t count, std::int64_t bytes_each, const char* what) const {
    if (static_cast<std::uint64_t>(count) <= bytes_left() / static_cast<std::uint64_t>(bytes_each) + 1) return;
    fail(fmt::format("the header promises {} {}, but only {} bytes follow it", count, what, bytes_left()));
}

void TextCursor::require_count(std::uint64_t found, std::int64_t promised, const char* what) const {
    if (found == static_cast<std::uint64_t>(promised)) return;
    fail(fmt::format("the header promises {} {}, the file has {}", promised, what, found));
}

void TextCursor::fail(const std::string& what) const {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}: {}", source_, line_, what));
}

}  // namespace qapfw::common
