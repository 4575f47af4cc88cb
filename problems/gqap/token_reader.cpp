// SPDX-License-Identifier: Apache-2.0
#include "problems/gqap/token_reader.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <charconv>
#include <cstring>
#include <memory>
#include <system_error>

#include "qapfw/error.hpp"

namespace qapfw::gqap {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30;

bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}
bool begins_number(std::string_view word) {
    return !word.empty() && (word[0] == '-' || word[0] == '+' || (word[0] >= '0' && word[0] <= '9'));
}
/// What a terminal can show of a word.
std::string shown(std::string_view word) {
    std::string text;
    for (const char c : word.substr(0, 40)) text += c >= ' ' && c < 127 ? c : '?';
    return text;
}

}  // namespace

std::string read_file(const std::filesystem::path& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error)) {
        throw Error(ErrorKind::kIo, fmt::format("{}: wanted a file that can be read", path.string()));
    }
    const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
    if (!file) throw Error(ErrorKind::kIo, fmt::format("{}: {}", path.string(), std::strerror(errno)));
    std::string text;
    char block[1 << 16];
    for (int count = 0; (count = gzread(file.get(), block, sizeof block)) != 0;) {
        if (count < 0) throw Error(ErrorKind::kIo, fmt::format("{}: it cannot be read to its end", path.string()));
        text.append(block, static_cast<std::size_t>(count));
        if (text.size() > kMostBytes) throw Error(ErrorKind::kInput, path.string() + ": it has more than 1 GiB");
    }
    return text;
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
        } else if (at_start_ && c == comment_) {
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
    const char* begin = text.data() + (text[0] == '+' ? 1 : 0);
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(begin, end, value);
    if (read.ec == std::errc::result_out_of_range) fail(fmt::format("{} is {}, beyond 64 bits", what, shown(text)));
    const char* rest = read.ptr;
    if (read.ec == std::errc() && rest != end && *rest == '.') {  // "3.0"
        for (++rest; rest != end && *rest == '0';) ++rest;
    }
    if (read.ec == std::errc() && rest == end) return value;
    const bool fraction = begins_number(text) && text.find_first_not_of("+-0123456789.eE") == text.npos;
    fail(fmt::format("{} is \"{}\"; a whole number was wanted{}", what, shown(text),
                     fraction ? ", multiply all numbers of this kind by 10, 100, ..." : ""));
}

std::int64_t TokenReader::integer(const char* what, std::int64_t least, std::int64_t most) {
    const std::int64_t value = integer(what);
    if (value < least || value > most) fail(fmt::format("{} is {}; {} to {} was wanted", what, value, least, most));
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

bool TokenReader::next_line(bool blank) {
    if (!at_start_ || at_ != 0) {
        const std::size_t end = text_.find('\n', at_);
        if (end == text_.npos) return false;
        at_ = end + 1;
        ++line_;
    }
    at_start_ = true;
    for (; at_ < text_.size(); ++line_) {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        const std::string_view line = text_.substr(at_, end - at_);
        const std::size_t word = line.find_first_not_of(" \t\r\v\f");
        word_line_ = line_;
        if (word == line.npos ? blank : line[word] != comment_) return true;
        if (end == text_.size()) return false;
        at_ = end + 1;
    }
    return false;
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
