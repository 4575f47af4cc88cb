// SPDX-License-Identifier: Apache-2.0
// Splits text into tokens with their line and column; see text_scanner.hpp.
#include "problems/qap/instances/text_scanner.hpp"

#include <fmt/format.h>

#include "qapfw/error.hpp"

namespace qapfw::qap {

void fail_at(const std::string& source, TextPosition at, const std::string& what) {
    throw Error(ErrorKind::kInput, fmt::format("{}:{}:{}: {}", source, at.line, at.column, what));
}

std::string quote_token(std::string_view token) {
    constexpr std::size_t kLongest = 40;
    std::string out = "\"";
    for (const char c : token.substr(0, kLongest)) {
        if (c >= 0x20 && c < 0x7f) {
            out += c;
        } else {
            out += fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
        }
    }
    return out + (token.size() > kLongest ? "...\"" : "\"");
}

std::string_view without_byte_order_mark(std::string_view text) {
    constexpr std::string_view kMark = "\xef\xbb\xbf";
    return text.substr(0, kMark.size()) == kMark ? text.substr(kMark.size()) : text;
}

TextScanner::TextScanner(std::string_view text, const std::string& source, Commas commas, Comments comments)
    : text_(without_byte_order_mark(text)), source_(&source), commas_(commas), comments_(comments) {}

bool TextScanner::separates(char c) const {
    switch (c) {
        case ' ':
        case '\t':
        case '\r':
        case '\n':
        case '\v':
        case '\f':
            return true;
        case ',':
            return commas_ == Commas::kSeparate;
        default:
            return false;
    }
}

void TextScanner::advance() {
    if (text_[offset_] == '\n') {
        ++at_.line;
        at_.column = 1;
    } else {
        ++at_.column;
    }
    ++offset_;
}

bool TextScanner::at_comment() const {
    if (comments_ == Comments::kNone) return false;
    const std::string_view rest = text_.substr(offset_);
    if (rest.starts_with('#') || rest.starts_with("//")) return true;
    const bool word = rest.starts_with('c') && (rest.size() == 1 || separates(rest[1]));
    return word && at_.line != last_line_;
}

std::optional<Token> TextScanner::next() {
    while (offset_ < text_.size()) {
        if (separates(text_[offset_])) {
            advance();
        } else if (at_comment()) {
            while (offset_ < text_.size() && text_[offset_] != '\n') advance();
        } else {
            break;
        }
    }
    if (offset_ == text_.size()) return std::nullopt;
    last_line_ = at_.line;
    const std::size_t begin = offset_;
    const TextPosition at = at_;
    while (offset_ < text_.size() && !separates(text_[offset_])) advance();
    return Token{text_.substr(begin, offset_ - begin), at};
}

std::size_t TextScanner::count_remaining() const {
    TextScanner ahead = *this;
    std::size_t count = 0;
    while (ahead.next()) ++count;
    return count;
}

}  // namespace qapfw::qap
