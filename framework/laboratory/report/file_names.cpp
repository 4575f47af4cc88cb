// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/file_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "framework/laboratory/statistics/bootstrap.hpp"

namespace qapfw::framework::laboratory {
namespace {

constexpr std::size_t kLongest = 120;  // bytes: file systems allow 255, and a prefix and a suffix are added

bool is_plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("._-+=,").find(c) != std::string_view::npos;
}

std::string in_small_letters(std::string name) {
    for (char& c : name) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name;
}

std::string spelt(const std::string& label) {
    std::string name = label;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return !is_plain(c); }, '_');
    if (!name.empty() && name.front() == '.') name.front() = '_';
    if (!name.empty() && name.back() == '.') name.back() = '_';
    if (name == label && !name.empty() && name.size() <= kLongest) return name;
    const std::uint64_t hash = statistics::seed_of(label);
    return fmt::format("{}-{:08x}", name.substr(0, kLongest), (hash ^ hash >> 32U) & 0xffffffffU);
}

}  // namespace

std::string FileNames::name_for(const std::string& label) {
    const std::string first = spelt(label);
    std::string name = first;
    for (int number = 2; !taken_.insert(in_small_letters(name)).second; ++number)
        name = fmt::format("{}-{}", first, number);
    return name;
}

}  // namespace qapfw::framework::laboratory
