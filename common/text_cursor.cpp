// SPDX-License-Identifier: Apache-2.0
#include "common/text_cursor.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "qapfw/error.hpp"

namespace qapfw::common {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

}  // namespace

std::string whole_number_wanted(std::string_view what, std::string_view word, std::string_view all) {
    double real = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), real);
    const bool is_number = read.ec == std::errc() && read.ptr == word.data() + word.size() && std::isfinite(real);
    const auto may_group = [](char c) {
        return (c >= '0' && c <= '9') || c == ' ' || c == '.' || c == ',' || c == '\'';
    };
    std::string advice;
    if (is_number) {
        advice = fmt::format("; multiply {} until they are whole", all);
    } else if (!word.empty() && word[0] >= '0' && word[0] <= '9' && std::ranges::all_of(word, may_group)) {
        advice = fmt::format(
            "; write it without thousands separators; if it has decimals, multiply {} until they are whole", all);
    }
    return fmt::format("{} was wanted, a whole number; found {}{}", what, shown_word(word), advice);
}

std::optional<std::int64_t> whole_number_of(std::string_view word) {
    const char* const end = word.data() + word.size();
    std::int64_t value = 0;
    const auto whole = std::from_chars(word.data(), end, value);
    if (whole.ec == std::errc() && whole.ptr == end) return value;
    double real = 0;
    const auto read = std::from_chars(word.data(), end, real);
    if (read.ec != std::errc() || read.ptr != end || std::abs(real) >= 0x1p53 || real != std::floor(real))
        return std::nullopt;
    return static_cast<std::int64_t>(real);
}

std::string shown_word(std::string_view word) {
    constexpr std::size_t kMost = 40;
    const auto goes_on = [&](std::size_t k) { return (static_cast<unsigned char>(word[k]) & 0xc0) == 0x80; };
    std::size_t end = std::min(word.size(), kMost);
    while (end > 0 && end < word.size() && goes_on(end)) --end;  // does not cut inside a UTF-8 character
    std::string text = "\"";
    for (const char c : word.substr(0, end)) {
        const auto byte = static_cast<unsigned char>(c);
        text += byte < 0x20 || byte == 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    return text + (end < word.size() ? "...\"" : "\"");
}

bool TextCursor::next_line(char comment, bool blank) {
    while (true) {
        if (line_ > 0) position_ = line_end_ + 1;
        if (position_ >= text_.size()) {
            position_ = line_end_ = word_begin_ = text_.size();
            return false;
        }
        ++line_;
        line_begin_ = word_begin_ = position_;
        const std::size_t end = text_.find('\n', position_);
        line_end_ = end == std::string_view::npos ? text_.size() : end;
        if (text_[position_] == comment && comment != '\0') continue;
        if (blank || !at_line_end()) return true;
    }
}

bool TextCursor::at_line_end() {
    while (position_ < line_end_ && is_blank(text_[position_])) ++position_;
    word_begin_ = position_;
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
    if (at_line_end()) fail(fmt::format("{} was wanted, but the line ends", what));
    std::int64_t value = 0;
    const char* const begin = text_.data() + position_;
    const char* const end = text_.data() + line_end_;
    const auto read = std::from_chars(begin, end, value);
    if (read.ec != std::errc() || (read.ptr != end && !is_blank(*read.ptr))) {
        fail(fmt::format("{} was wanted, a whole number of at most 64 bits; found {}", what, shown_word(word())));
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

std::int64_t TextCursor::whole_number(const char* what, const char* all) {
    const std::string_view text = word();
    if (text.empty()) fail(fmt::format("{} was wanted, but the line ends", what));
    if (const auto value = whole_number_of(text)) return *value;
    fail(whole_number_wanted(what, text, all));
}

void TextCursor::require_bytes(std::int64_t count, std::int64_t bytes_each, const char* what) const {
    if (static_cast<std::uint64_t>(count) <= bytes_left() / static_cast<std::uint64_t>(bytes_each) + 1) return;
    fail(fmt::format("the header promises {} {}, but only {} bytes follow it", count, what, bytes_left()));
}

void TextCursor::require_count(std::uint64_t found, std::int64_t promised, const char* what) const {
    if (found == static_cast<std::uint64_t>(promised)) return;
    fail(fmt::format("the header promises {} {}, but the file has {}", promised, what, found));
}

void TextCursor::fail(const std::string& what) const {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}:{}: {}", source_, std::max<std::uint64_t>(line_, 1),
                                               word_begin_ - line_begin_ + 1, what));
}

void TextCursor::fail_at(std::string_view part, const std::string& what) const {
    const std::string_view before = text_.substr(0, static_cast<std::size_t>(part.data() - text_.data()));
    const std::size_t line_end = before.rfind('\n');
    const std::size_t column = before.size() - (line_end == before.npos ? 0 : line_end + 1) + 1;
    throw Error(ErrorKind::kInput,
                fmt::format("{}:{}:{}: {}", source_, 1 + std::count(before.begin(), before.end(), '\n'), column, what));
}

}  // namespace qapfw::common
