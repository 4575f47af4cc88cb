// SPDX-License-Identifier: Apache-2.0
// Splits text into tokens with their line and column, and reads whole files as text; see text_scanner.hpp.
#include "problems/qap/instances/text_scanner.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "qapfw/error.hpp"

namespace qapfw::qap {

namespace {

constexpr std::uintmax_t kMaxFileBytes = std::uintmax_t{1} << 31;

}  // namespace

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

TextScanner::TextScanner(std::string_view text, const std::string& source, Commas commas)
    : text_(without_byte_order_mark(text)), source_(&source), commas_(commas) {}

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

std::optional<Token> TextScanner::next() {
    while (offset_ < text_.size() && separates(text_[offset_])) advance();
    if (offset_ == text_.size()) return std::nullopt;
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

std::string read_text_file(const std::filesystem::path& path) {
    const auto fail = [&](const std::string& what) {
        throw Error(ErrorKind::kIo, fmt::format("{}: {}", path.string(), what));
    };
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) fail("no such file");
    if (error) fail("cannot be read: " + error.message());
    if (std::filesystem::is_directory(status)) fail("a file was wanted, but this is a directory");
    if (!std::filesystem::is_regular_file(status))
        fail("a regular file was wanted, but this is a device, pipe or socket");
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) fail("cannot be read: " + error.message());
    if (size > kMaxFileBytes) fail(fmt::format("has {} bytes, at most {} are read", size, kMaxFileBytes));
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) fail(fmt::format("cannot be opened: {}", std::strerror(errno)));
    std::string text(static_cast<std::size_t>(size), '\0');
    in.read(text.data(), static_cast<std::streamsize>(size));
    if (in.bad()) fail("reading failed");
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
}

}  // namespace qapfw::qap
