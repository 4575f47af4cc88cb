// SPDX-License-Identifier: Apache-2.0
#include "framework/record/solution_file.hpp"

#include <fmt/core.h>

#include <bit>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr std::string_view kSolutionMagic = "QAPFWSL1";
constexpr std::string_view kSolutionPrefix = "solution-", kSolutionEnding = ".bin";
static_assert(std::endian::native == std::endian::little);

}  // namespace

std::string solution_bytes(const SolutionValues& values) {
    std::string bytes(kSolutionMagic);
    const auto add_number = [&](std::uint64_t number) {
        bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    };
    add_number(values.size());
    for (const auto& segment : values) add_number(segment.size());
    for (const auto& segment : values)
        bytes.append(reinterpret_cast<const char*>(segment.data()), segment.size() * sizeof segment[0]);
    return bytes;
}

std::string solution_file_name(std::string_view bytes) {
    return fmt::format("{}{:016x}{}", kSolutionPrefix, XXH3_64bits(bytes.data(), bytes.size()), kSolutionEnding);
}

bool is_solution_file(const std::string& name) {
    return name.size() == kSolutionPrefix.size() + 16 + kSolutionEnding.size() && name.starts_with(kSolutionPrefix) &&
           name.ends_with(kSolutionEnding) &&
           name.find_first_not_of("0123456789abcdef", kSolutionPrefix.size()) == kSolutionPrefix.size() + 16;
}

SolutionValues parse_solution_bytes(std::string_view bytes, const std::string& name) {
    const auto refuse = [&](const std::string& what) {
        throw Error(ErrorKind::kInput, fmt::format("{}: {}", name, what));
    };
    if (!is_solution_file(name))
        refuse("the name of a file with a solution was wanted, such as solution-0123456789abcdef.bin");
    if (solution_file_name(bytes) != name)
        refuse("the file was changed after it was written: its hash differs from the hash in its name");
    std::size_t at = kSolutionMagic.size();
    const auto number = [&] {
        std::uint64_t value = 0;
        if (bytes.size() - at < sizeof value) refuse("the file is cut short");
        std::memcpy(&value, bytes.data() + at, sizeof value);
        at += sizeof value;
        return value;
    };
    if (!bytes.starts_with(kSolutionMagic)) refuse("it does not begin with QAPFWSL1, so it is no solution file");
    const std::uint64_t segments = number();
    if (segments > bytes.size()) refuse("it states more segments than the file has bytes");
    std::vector<std::uint64_t> lengths(static_cast<std::size_t>(segments));
    for (std::uint64_t& length : lengths) length = number();
    SolutionValues values;
    for (const std::uint64_t length : lengths) {
        if (length > (bytes.size() - at) / sizeof(std::uint32_t)) refuse("the file is cut short");
        values.emplace_back(static_cast<std::size_t>(length));
        if (length == 0) continue;  // nothing to copy, and the address may be null
        std::memcpy(values.back().data(), bytes.data() + at, values.back().size() * sizeof(std::uint32_t));
        at += values.back().size() * sizeof(std::uint32_t);
    }
    if (at != bytes.size()) refuse("bytes follow the last value");
    return values;
}

void load_values(CostedSolution& solution, const ReadBeside& read) {
    if (!solution.file.empty()) solution.values = parse_solution_bytes(read(solution.file), solution.file);
}

}  // namespace qapfw::framework
