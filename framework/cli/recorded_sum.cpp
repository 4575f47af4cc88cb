// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/recorded_sum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

#include "framework/record/atomic_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 64;

/// A line of a checksum file. `name` is empty if the line has no name.
struct SumLine {
    std::string sum, name;
};

bool is_sum(std::string_view text) {
    return text.size() == kDigits &&
           std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
}

/// Parses "SHA256 (NAME) = SUM", "SUM  NAME", "SUM *NAME" or "SUM".
std::optional<SumLine> sum_line_of(std::string line) {
    while (!line.empty() && std::isspace(static_cast<unsigned char>(line.back())) != 0) line.pop_back();
    constexpr std::string_view kBegin = "SHA256 (", kMiddle = ") = ";
    SumLine found;
    if (const std::size_t middle = line.rfind(kMiddle); line.starts_with(kBegin) && middle != std::string::npos) {
        found = {line.substr(middle + kMiddle.size()), line.substr(kBegin.size(), middle - kBegin.size())};
    } else {
        found.sum = line.substr(0, kDigits);
        if (line.size() > kDigits && line[kDigits] != ' ') return std::nullopt;
        if (line.size() > kDigits + 2) found.name = fs::path(line.substr(kDigits + 2)).filename().string();
    }
    if (!is_sum(found.sum)) return std::nullopt;
    std::transform(found.sum.begin(), found.sum.end(), found.sum.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return found;
}

}  // namespace

std::optional<std::string> recorded_sha256(const fs::path& file) {
    const fs::path beside = file.string() + ".sha256";
    const std::string name = file.filename().string();
    const auto fail = [&](const std::string& found) {
        throw Error(ErrorKind::kInput, fmt::format("{}: wanted the SHA-256 of {}, found {}; fetch the .sha256 file "
                                                   "again, or delete the .sha256 file to install without a checksum",
                                                   beside.string(), name, found));
    };
    std::error_code error;
    if (!fs::exists(fs::symlink_status(beside, error))) return std::nullopt;
    const fs::file_status status = fs::status(beside, error);
    if (!fs::exists(status)) fail("a link to a file that is not there");
    if (!fs::is_regular_file(status)) fail("no regular file");
    std::istringstream text(read_file(beside));
    std::vector<SumLine> lines;
    bool is_empty = true;
    for (std::string line; std::getline(text, line);) {
        is_empty = false;
        if (const auto found = sum_line_of(line)) lines.push_back(*found);
    }
    if (is_empty) fail("an empty file");
    if (lines.empty()) fail("no 64 hex digits");
    const auto own = std::find_if(lines.begin(), lines.end(), [&](const SumLine& line) { return line.name == name; });
    if (own != lines.end()) return own->sum;
    if (lines.size() > 1) fail(fmt::format("{} lines of other files", lines.size()));
    return lines.front().sum;
}

}  // namespace qapfw::framework
