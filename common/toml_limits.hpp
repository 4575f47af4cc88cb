// SPDX-License-Identifier: Apache-2.0
// Bounds for TOML from strangers. A document of some kilobytes can nest its tables ten thousand deep ("a.a.a. ...").
// Parsers build and free such tables recursively, and could overflow the stack. Other documents have so many keys that
// parsing takes minutes. So the bounds are checked before a text is parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace qapfw::common {

/// The limits of one document.
struct TomlLimits {
    std::size_t key_parts = 16;                 ///< largest number of parts of a key such as a.b.c
    std::size_t brackets = 64;                  ///< largest number of brackets open at the same time
    std::size_t keys = 10'000;                  ///< largest number of keys of the whole document
    std::size_t bytes = std::size_t{1} << 20U;  ///< largest number of bytes of the whole document
};

/// The position where a document exceeds its bounds, and the message about it.
struct TomlExcess {
    std::size_t line = 1, column = 1;  ///< counted from 1; columns count bytes
    std::string message;               ///< what was wanted and what was found
};

namespace detail {

/// Counts keys, parts of keys and brackets of a document. Skips quoted texts and comments.
class TomlBounds {
  public:
    TomlBounds(std::string_view toml, const TomlLimits& limits) : toml_(toml), limits_(limits) {}

    std::optional<TomlExcess> find() {
        if (toml_.size() > limits_.bytes) return excess(0, "bytes", limits_.bytes, toml_.size());
        for (std::size_t at = 0; at < toml_.size(); ++at) {
            const char c = toml_[at];
            if (c == '\0') return here(at, "a zero byte, which no text has");
            if (c == '#') at = end_of_line(at);
            if (c == '"' || c == '\'') at = end_of_text(at);
            if (at >= toml_.size()) break;
            count(toml_[at]);
            if (parts_ > limits_.key_parts) return excess(at, "parts of a key", limits_.key_parts, parts_);
            if (open_ > limits_.brackets) return excess(at, "brackets within each other", limits_.brackets, open_);
            if (keys_ > limits_.keys) return excess(at, "keys", limits_.keys, keys_);
        }
        return std::nullopt;
    }

  private:
    void count(char c) {
        if (c == '.') ++parts_;
        if (c == '=') ++keys_;
        if (c == '[' || c == '{') ++open_;
        if ((c == ']' || c == '}') && open_ > 0) --open_;
        if (c == '\n' || c == '=' || c == ',' || c == '[' || c == ']' || c == '{' || c == '}') parts_ = 1;
    }
    std::size_t end_of_line(std::size_t at) const {
        const std::size_t end = toml_.find('\n', at);
        return end == std::string_view::npos ? toml_.size() : end;
    }
    /// Position of the last closing quote of the quoted text that starts at `at`. If the text is not closed: the line's
    /// end, or the document's end for a text of several lines.
    std::size_t end_of_text(std::size_t at) const {
        const char quote = toml_[at];
        const bool long_text = toml_.substr(at, 3) == std::string(3, quote);
        std::size_t k = at + (long_text ? 3 : 1);
        for (; k < toml_.size(); ++k) {
            if (quote == '"' && toml_[k] == '\\') {
                ++k;
            } else if (!long_text && (toml_[k] == quote || toml_[k] == '\n')) {
                return k;
            } else if (long_text && toml_.substr(k, 3) == std::string(3, quote)) {
                return k + 2;
            }
        }
        return toml_.size();
    }
    TomlExcess here(std::size_t at, const std::string& found) const {
        TomlExcess excess;
        for (std::size_t k = 0; k < at; ++k) {
            ++excess.column;
            if (toml_[k] != '\n') continue;
            ++excess.line;
            excess.column = 1;
        }
        excess.message = "found " + found;
        return excess;
    }
    TomlExcess excess(std::size_t at, const std::string& what, std::size_t most, std::size_t found) const {
        TomlExcess excess = here(at, std::to_string(found));
        excess.message = "there must be at most " + std::to_string(most) + " " + what + ", " + excess.message;
        return excess;
    }

    std::string_view toml_;
    const TomlLimits& limits_;
    std::size_t parts_ = 1, open_ = 0, keys_ = 0;
};

}  // namespace detail

/// The first position where the document exceeds `limits`, or has a zero byte outside quoted texts and comments.
/// Returns std::nullopt if there is no such position. O(bytes). A text that is no TOML may pass: the parser reports
/// what is wrong.
inline std::optional<TomlExcess> find_toml_excess(std::string_view toml, const TomlLimits& limits = {}) {
    return detail::TomlBounds(toml, limits).find();
}

}  // namespace qapfw::common
