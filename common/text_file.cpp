// SPDX-License-Identifier: Apache-2.0
// Reads files as text, see text_file.hpp. Handles gzip, the encodings of spreadsheets, and the line ends of any system.
#include "common/text_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <system_error>

#include "qapfw/error.hpp"

namespace qapfw::common {

namespace {

constexpr std::size_t kMaxFileBytes = std::size_t{1} << 31;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& what) {
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", path.string(), what));
}

/// Throws for a file whose first bytes belong to a format that is no text. The message says what to do.
void refuse_other_formats(std::string_view bytes, const std::filesystem::path& path) {
    struct Known {
        std::string_view begin;
        const char* what;
    };
    constexpr Known kKnown[] = {
        {{"PK\x03\x04", 4},
         "this is a workbook of a spreadsheet (xlsx, ods) or another zip archive; export the sheet to CSV "
         "(Save As, CSV UTF-8)"},
        {"\xd0\xcf\x11\xe0", "this is a workbook of a spreadsheet (xls); export the sheet to CSV (Save As, CSV UTF-8)"},
        {"%PDF", "this is a PDF file and not a text; export the table to CSV"},
        {"\x93NUMPY",
         "this is a NumPy array; write it with numpy.savetxt(file, array, delimiter=\",\"), or call "
         "qapfw.solve from Python"},
        {"BZh", "this file is compressed by bzip2; unpack it first (bunzip2)"},
        {"\xfd"
         "7zXZ",
         "this file is compressed by xz; unpack it first (unxz)"},
        {"\x28\xb5\x2f\xfd", "this file is compressed by zstd; unpack it first (unzstd)"},
    };
    for (const Known& known : kKnown) {
        if (bytes.starts_with(known.begin))
            throw Error(ErrorKind::kInput, fmt::format("{}: {}", path.string(), known.what));
    }
}

std::string unpacked(const std::string& bytes, const std::filesystem::path& path, std::size_t most) {
    z_stream stream{};
    constexpr int kGzip = 16 + MAX_WBITS;
    if (inflateInit2(&stream, kGzip) != Z_OK) refuse(path, "cannot be unpacked: out of memory");
    const std::unique_ptr<z_stream, int (*)(z_stream*)> ending(&stream, inflateEnd);
    std::string text;
    std::string part(std::size_t{1} << 16, '\0');
    std::size_t taken = 0;
    int status = Z_OK;
    while (text.size() < most) {
        if (stream.avail_in == 0) {
            const std::size_t next = std::min(bytes.size() - taken, std::size_t{1} << 30);
            stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data() + taken));
            stream.avail_in = static_cast<uInt>(next);
            taken += next;
        }
        stream.next_out = reinterpret_cast<Bytef*>(part.data());
        stream.avail_out = static_cast<uInt>(part.size());
        status = inflate(&stream, Z_NO_FLUSH);
        text.append(part.data(), part.size() - stream.avail_out);
        if (status == Z_STREAM_END) {  // a gzip file may hold several archives in a row
            if (stream.avail_in == 0 && taken == bytes.size()) break;
            inflateReset(&stream);
            continue;
        }
        if (status != Z_OK || (stream.avail_in == 0 && taken == bytes.size() && stream.avail_out != 0)) {
            if (bytes.size() == kHeadBytes) break;  // only the head of the file was wanted
            throw Error(ErrorKind::kInput, fmt::format("{}: the gzip archive is damaged or cut short", path.string()));
        }
    }
    if (text.size() > kMaxFileBytes)
        refuse(path, fmt::format("unpacks to more than {} bytes, the most that is read", kMaxFileBytes));
    return text;
}

void append_utf8(std::string& text, uint32_t code) {
    const auto tail = [&](unsigned shift) { text += static_cast<char>(0x80 | ((code >> shift) & 0x3f)); };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xc0 | (code >> 6));
        tail(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xe0 | (code >> 12));
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xf0 | (code >> 18));
        tail(12);
        tail(6);
        tail(0);
    }
}

/// Decodes UTF-16, which spreadsheets call "Unicode text"; a byte order mark announces it.
std::string from_utf16(std::string_view bytes, bool little) {
    const auto unit = [&](std::size_t k) {
        const auto first = static_cast<unsigned char>(bytes[k]), second = static_cast<unsigned char>(bytes[k + 1]);
        return static_cast<uint32_t>(little ? first | second << 8 : first << 8 | second);
    };
    std::string text;
    for (std::size_t k = 2; k + 1 < bytes.size(); k += 2) {
        uint32_t code = unit(k);
        const bool pair = code >= 0xd800 && code < 0xdc00 && k + 3 < bytes.size();
        if (pair) {
            code = 0x10000 + ((code - 0xd800) << 10) + (unit(k + 2) - 0xdc00);
            k += 2;
        }
        append_utf8(text, code);
    }
    return text;
}

bool is_utf8(std::string_view text) {
    for (std::size_t k = 0; k < text.size();) {
        std::uint64_t eight = 0;
        if (k + sizeof eight <= text.size()) std::memcpy(&eight, text.data() + k, sizeof eight);
        if (k + sizeof eight <= text.size() && (eight & 0x8080808080808080u) == 0) {
            k += sizeof eight;
            continue;
        }
        const auto byte = static_cast<unsigned char>(text[k]);
        const std::size_t length = byte < 0x80                   ? 1
                                   : byte >= 0xc2 && byte < 0xe0 ? 2
                                   : byte >= 0xe0 && byte < 0xf0 ? 3
                                   : byte >= 0xf0 && byte < 0xf5 ? 4
                                                                 : 0;
        if (length == 0 || k + length > text.size()) return false;
        for (std::size_t j = 1; j < length; ++j) {
            if ((static_cast<unsigned char>(text[k + j]) & 0xc0) != 0x80) return false;
        }
        k += length;
    }
    return true;
}

/// Decodes ISO 8859-1: old spreadsheets write Latin letters in one byte each.
std::string from_latin(std::string_view bytes) {
    std::string text;
    for (const char c : bytes) append_utf8(text, static_cast<unsigned char>(c));
    return text;
}

/// Replaces each lone CR by LF. CRLF stays.
void mend_line_ends(std::string& text) {
    if (text.find('\r') == text.npos) return;
    for (std::size_t k = 0; k < text.size(); ++k) {
        if (text[k] == '\r' && (k + 1 == text.size() || text[k + 1] != '\n')) text[k] = '\n';
    }
}

std::string read_bytes(const std::filesystem::path& path, std::size_t most) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::not_found) refuse(path, "no such file");
    if (error) refuse(path, "cannot be read: " + error.message());
    if (std::filesystem::is_directory(status)) refuse(path, "a file was wanted, but this is a directory");
    if (!std::filesystem::is_regular_file(status)) {
        refuse(path, "a regular file was wanted, but this is a device, pipe or socket (`qapfw solve` takes pipes)");
    }
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error) refuse(path, "cannot be read: " + error.message());
    if (size > kMaxFileBytes && most > kMaxFileBytes)
        refuse(path, fmt::format("has {} bytes, but at most {} are possible", size, kMaxFileBytes));
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in) refuse(path, fmt::format("cannot be opened: {}", std::strerror(errno)));
    std::string bytes(static_cast<std::size_t>(std::min<std::uintmax_t>(size, most)), '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (in.bad()) refuse(path, "reading failed");
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    return bytes;
}

std::string as_text(std::string bytes, const std::filesystem::path& path, std::size_t most) {
    if (bytes.starts_with("\x1f\x8b")) bytes = unpacked(bytes, path, most);
    refuse_other_formats(bytes, path);
    if (bytes.starts_with("\xff\xfe") || bytes.starts_with("\xfe\xff"))
        bytes = from_utf16(bytes, bytes.starts_with("\xff\xfe"));
    if (bytes.find('\0') != std::string::npos) {
        throw Error(
            ErrorKind::kInput,
            fmt::format("{}: a text was wanted (CSV, QAPLIB, TSPLIB, ...), but this is a binary file", path.string()));
    }
    if (most > kHeadBytes && !is_utf8(bytes)) bytes = from_latin(bytes);
    mend_line_ends(bytes);
    return bytes;
}

}  // namespace

namespace {

std::filesystem::path without_archive(const std::filesystem::path& path) {
    return path.extension() == ".gz" ? path.stem() : path.filename();
}

}  // namespace

std::string text_extension(const std::filesystem::path& path) {
    std::string extension = without_archive(path).extension().string();
    for (char& c : extension) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return extension;
}

std::string text_stem(const std::filesystem::path& path) {
    return without_archive(path).stem().string();
}

std::string text_of_bytes(std::string bytes, const std::filesystem::path& path) {
    std::string text = as_text(std::move(bytes), path, kMaxFileBytes + 1);
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    if (text.starts_with(kMark)) text.erase(0, kMark.size());
    return text;
}

std::string read_text_file(const std::filesystem::path& path) {
    return as_text(read_bytes(path, kMaxFileBytes + 1), path, kMaxFileBytes + 1);
}

std::string read_text_head(const std::filesystem::path& path) {
    return as_text(read_bytes(path, kHeadBytes), path, kHeadBytes);
}

}  // namespace qapfw::common
