// SPDX-License-Identifier: Apache-2.0
// Sorts embedded device texts so that they can be joined: each text comes after the texts that it includes.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "qapfw/abi/problem.h"

namespace qapfw::sdk {

namespace detail {

inline std::string_view file_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

/// True if `text` has a line #include "..." of a file called `file`.
inline bool includes(std::string_view text, std::string_view file) {
    constexpr std::string_view kInclude = "#include \"";
    for (std::size_t at = text.find(kInclude); at != text.npos; at = text.find(kInclude, at + 1)) {
        const std::size_t begin = at + kInclude.size(), end = text.find('"', begin);
        if (end != text.npos && file_name(text.substr(begin, end - begin)) == file) return true;
    }
    return false;
}

inline void append_with_included(std::span<const qapfw_text> all, std::size_t index, std::vector<bool>& visited,
                                 std::vector<qapfw_text>& ordered) {
    if (visited[index]) return;
    visited[index] = true;
    const std::string_view text(all[index].text, all[index].size);
    for (std::size_t other = 0; other < all.size(); ++other) {
        if (includes(text, file_name(all[other].name))) append_with_included(all, other, visited, ordered);
    }
    ordered.push_back(all[index]);
}

}  // namespace detail

/// All of `texts`, each after the texts that it includes.
inline std::vector<qapfw_text> in_include_order(std::span<const qapfw_text> texts) {
    std::vector<qapfw_text> ordered;
    std::vector<bool> visited(texts.size(), false);
    for (std::size_t k = 0; k < texts.size(); ++k) detail::append_with_included(texts, k, visited, ordered);
    return ordered;
}

/// Returns all texts that the file `root` includes, directly or through others, and then the text of `root` itself.
/// Returns an empty list if none of `texts` comes from a file of that name.
inline std::vector<qapfw_text> with_included(std::span<const qapfw_text> texts, std::string_view root) {
    std::vector<qapfw_text> ordered;
    std::vector<bool> visited(texts.size(), false);
    for (std::size_t k = 0; k < texts.size(); ++k) {
        if (detail::file_name(texts[k].name) == root) detail::append_with_included(texts, k, visited, ordered);
    }
    return ordered;
}

}  // namespace qapfw::sdk
