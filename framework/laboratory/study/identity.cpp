// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace qapfw::framework::laboratory {
namespace {

constexpr const char* kBetween = "; ";

std::vector<std::string> parts_of(const std::string& build) {
    std::vector<std::string> parts;
    const std::string between = kBetween;
    for (std::size_t begin = 0; begin < build.size();) {
        const std::size_t end = std::min(build.size(), build.find(between, begin));
        parts.push_back(build.substr(begin, end - begin));
        begin = end + between.size();
    }
    return parts;
}

/// Index of `value` in `known`; appends the value if it is new.
template <class Value>
std::size_t position_of(std::vector<Value>& known, const Value& value) {
    const auto found = std::find(known.begin(), known.end(), value);
    if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
    known.push_back(value);
    return known.size() - 1;
}

}  // namespace

std::string build_of(const RunIdentity& identity) {
    std::string text;
    for (const PluginIdentity& plugin : identity.plugins) {
        text += fmt::format("{}{} {} {} ({}, {})", text.empty() ? "" : kBetween, plugin.kind, plugin.id, plugin.version,
                            plugin.library, plugin.hash);
    }
    return text;
}

std::string build_difference(const std::string& before, const std::string& now) {
    const std::vector<std::string> old_parts = parts_of(before), new_parts = parts_of(now);
    const auto only_in = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
        std::vector<std::string> only;
        for (const std::string& part : a) {
            if (std::find(b.begin(), b.end(), part) == b.end()) only.push_back(part);
        }
        return only.empty() ? std::string("nothing else") : fmt::format("{}", fmt::join(only, kBetween));
    };
    return fmt::format("recorded {}, found {}", only_in(old_parts, new_parts), only_in(new_parts, old_parts));
}

std::vector<std::string> tell_data_apart(std::vector<RunRow>& rows) {
    std::map<std::string, std::vector<std::uint64_t>> met;
    for (RunRow& row : rows) {
        if (!row.source.empty()) continue;  // a row of published results has no data to compare
        const std::size_t position = position_of(met[row.instance], row.fingerprint);
        if (position == 0) continue;
        row.plain_instance = row.instance;
        row.instance = fmt::format("{} (data {:016x})", row.instance, row.fingerprint);
    }
    std::vector<std::string> sentences;
    for (const auto& [name, fingerprints] : met) {
        if (fingerprints.size() < 2) continue;
        std::vector<std::string> texts;
        for (const std::uint64_t fingerprint : fingerprints) texts.push_back(fmt::format("{:016x}", fingerprint));
        sentences.push_back(
            fmt::format("{}: there are runs on different data under this name (fingerprints {}); they are kept apart",
                        name, fmt::join(texts, ", ")));
    }
    return sentences;
}

std::vector<std::string> tell_builds_apart(std::vector<RunRow>& rows, bool pool) {
    std::map<std::string, std::vector<std::string>> met;
    for (RunRow& row : rows) {
        if (!row.source.empty()) continue;
        const std::size_t position = position_of(met[row.variant], row.build);
        if (position == 0 || pool) continue;
        row.plain_variant = row.variant;
        row.variant = fmt::format("{} (build {})", row.variant, position + 1);
    }
    std::vector<std::string> sentences;
    for (const auto& [variant, builds] : met) {
        if (builds.size() < 2) continue;
        sentences.push_back(fmt::format(
            "{}: its runs were made with {} builds of its plugins ({}); {}", variant, builds.size(),
            build_difference(builds.front(), builds.back()),
            pool ? "they are counted together, as asked" : "they are kept apart; --pool-builds counts them together"));
    }
    return sentences;
}

}  // namespace qapfw::framework::laboratory
