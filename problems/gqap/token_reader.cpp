// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/token_reader.hpp"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
bool begins_number(std::string_view word) {
    return !word.empty() && (word[0] == '-' || word[0] == '+' || (word[0] >= '0' && word[0] <= '9'));
}
/// The first 40 characters of a word, with ? instead of those that a terminal cannot show.
std::string shown(std::string_view word) {
    std::string text;
    for (const char c : word.substr(0, 40)) text += c >= ' ' && c < 127 ? c : '?';
    return text;
}

}  // namespace

TokenReader::TokenReader(std::string_view text, std::string source) : text_(text), source_(std::move(source)) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
}

void TokenReader::skip_blanks() {
    while (at_ < text_.size()) {
        const char c = text_[at_];
        if (c == '\n') {
            ++line_;
            at_start_ = true;
            ++at_;
        } else if (is_blank(c)) {
            ++at_;
        } else if (at_start_ && c == '#') {
            at_ = std::min(text_.find('\n', at_), text_.size());
        } else {
            return;
        }
    }
}

std::string_view TokenReader::word() {
    skip_blanks();
    word_line_ = line_;
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_])) ++at_;
    at_start_ = at_start_ && at_ == begin;
    return text_.substr(begin, at_ - begin);
}

std::string_view TokenReader::peek() {
    const TokenReader before = *this;
    const std::string_view next = word();
    *this = before;
    return next;
}

std::int64_t TokenReader::integer(const char* what) {
    std::string_view text = word();
    if (text.empty()) fail(fmt::format("wanted {}, found the end of the file", what));
    std::int64_t value = 0;
    const bool plus = text[0] == '+' && text.size() > 1 && text[1] != '-';
    const char* begin = text.data() + (plus ? 1 : 0);
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(begin, end, value);
    if (read.ec == std::errc::result_out_of_range) fail(fmt::format("{} is {}, beyond 64 bits", what, shown(text)));
    const char* rest = read.ptr;
    // A whole number may be written with zeros behind the point, such as 3.0.
    if (read.ec == std::errc() && rest != end && *rest == '.') {
        for (++rest; rest != end && *rest == '0';) ++rest;
    }
    if (read.ec == std::errc() && rest == end) return value;
    const bool signs = text.size() > 1 && (text[1] == '+' || text[1] == '-');
    const bool fraction = begins_number(text) && !signs && text.find_first_not_of("+-0123456789.eE") == text.npos;
    fail(fmt::format("{} is \"{}\"; a whole number was wanted{}", what, shown(text),
                     fraction ? "; multiply all flows (or distances) and assignment costs, or all weights and "
                                "capacities, by 10, 100, ..."
                              : ""));
}

std::int64_t TokenReader::integer(const char* what, std::int64_t least, std::int64_t most) {
    const std::int64_t value = integer(what);
    if (value < least || value > most)
        fail(fmt::format("{} is {}; a number from {} to {} was wanted", what, value, least, most));
    return value;
}

std::string TokenReader::rest_of_line() {
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    std::string_view line = text_.substr(at_, end - at_);
    at_ = end;
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    return std::string(line);
}

bool TokenReader::at_line_end() {
    while (at_ < text_.size() && text_[at_] != '\n' && is_blank(text_[at_])) ++at_;
    return at_ == text_.size() || text_[at_] == '\n';
}

std::size_t TokenReader::numbers_left() const {
    TokenReader rest = *this;
    std::size_t count = 0;
    while (begins_number(rest.word())) ++count;
    return count;
}

void TokenReader::fail(const std::string& what) const {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}: {}", source_, word_line_, what));
}

}  // namespace qapfw::gqap
