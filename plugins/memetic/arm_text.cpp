// SPDX-License-Identifier: Apache-2.0
#include "plugins/memetic/arm_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <vector>

#include "plugins/memetic/memetic_parameters.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/size_form.hpp"

namespace qapfw::memetic {
namespace {

template <class Number>
std::optional<Number> number(const std::string& text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// Reads a number from `least` to `most` from the text into `value`. Returns false if the text is not such a number.
template <class Number>
bool read_number(const std::string& text, Number least, Number most, Number& value) {
    const auto read = number<Number>(text);
    if (!read || !(*read >= least && *read <= most)) return false;
    value = *read;
    return true;
}

/// The index of the text in `names`; nothing if it is not there.
template <std::size_t kCount>
std::optional<std::size_t> index_of(const std::string& text, const char* const (&names)[kCount]) {
    const auto found = std::find(std::begin(names), std::end(names), text);
    if (found == std::end(names)) return std::nullopt;
    return static_cast<std::size_t>(found - std::begin(names));
}

/// Reads the number of moves of a mutation, or its range: "4" or "1-4". Returns false for any other text.
bool read_moves(const std::string& text, Arm& arm) {
    constexpr std::uint32_t kMost = 60'000;
    const std::size_t dash = text.find('-');
    if (!read_number(text.substr(0, dash), 1u, kMost, arm.least_moves)) return false;
    arm.most_moves = arm.least_moves;
    return dash == std::string::npos || read_number(text.substr(dash + 1), arm.least_moves, kMost, arm.most_moves);
}

bool read_crossover(const std::string& text, Arm& arm) {
    const auto k = index_of(text, kernels::kCrossoverNames);
    arm.crossover = k ? std::optional(static_cast<kernels::Crossover>(*k)) : std::nullopt;
    return k || text == "none";
}

bool read_replacement(const std::string& text, Arm& arm) {
    constexpr Replacement kReplacements[] = {Replacement::kParent, Replacement::kWorst, Replacement::kWalk};
    const auto k = index_of(text, {"parent", "worst", "walk"});
    if (k) arm.replacement = kReplacements[*k];
    return k.has_value();
}

bool read_flag(const std::string& text, bool& flag) {
    flag = text == "true";
    return flag || text == "false";
}

/// A key in the text of an arm.
struct Key {
    const char* name;
    std::string wanted;                               ///< the allowed values, as an error message lists them
    bool (*read)(const std::string& text, Arm& arm);  ///< returns false if the value is not allowed
};

const std::vector<Key>& keys() {
    using Text = const std::string&;
    static const std::vector<Key> all = {
        {"name", "a name", [](Text text, Arm& arm) { return !(arm.name = text).empty(); }},
        {"crossover", "one of none, pmx, ox, mox, uniform, cycle and path_relinking", read_crossover},
        {"crossover_rate", "a number from 0 to 1",
         [](Text text, Arm& arm) { return read_number(text, 0.0, 1.0, arm.crossover_rate); }},
        {"align", "true or false", [](Text text, Arm& arm) { return read_flag(text, arm.align); }},
        {"mutation", "a number from 0 to 1",
         [](Text text, Arm& arm) { return read_number(text, 0.0, 1.0, arm.mutation); }},
        {"moves", "a number from 1 to 60000 or a range such as 1-4", read_moves},
        {"replacement", "one of parent, worst and walk", read_replacement},
        {"elites", fmt::format("a number from 2 to {}", kMostElites),
         [](Text text, Arm& arm) { return read_number<std::uint32_t>(text, 2, kMostElites, arm.elites); }},
        {"broods", "a number from 1 to 1000",
         [](Text text, Arm& arm) { return read_number<std::uint32_t>(text, 1, 1000, arm.broods); }},
        {"improver", "an improver's id, \"given\" or \"none\"", [](Text text, Arm& arm) {
             arm.improver = text == "none" ? "" : text;
             return !text.empty();
         }}};
    return all;
}

/// Reads a word key=value of an arm's text. If the key is not one of keys(), it is a parameter of the improver.
void read_word(Arm& arm, const std::string& word, const std::string& place) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0) refuse(place, "every word", "of the form key=value", word);
    const std::string name = word.substr(0, equals), value = word.substr(equals + 1);
    for (const Key& key : keys()) {
        if (name != key.name) continue;
        if (!key.read(value, arm)) refuse(place, name, key.wanted, value);
        return;
    }
    arm.settings += (arm.settings.empty() ? "" : " ") + word;
}

}  // namespace

void refuse(const std::string& place, const std::string& key, const std::string& wanted, const std::string& found) {
    throw Error(ErrorKind::kUsage, fmt::format("{}: {} must be {}, found \"{:.80}\"", place, key, wanted, found));
}

std::uint64_t iterations_of(const std::string& settings, std::uint32_t n) {
    constexpr std::string_view kKey = "iterations=";
    std::istringstream words(settings);
    for (std::string word; words >> word;) {
        if (!word.starts_with(kKey)) continue;
        const std::string value = word.substr(kKey.size());
        const auto form = sdk::SizeForm::parse(value);
        return form ? static_cast<std::uint64_t>(form->of(n)) : number<std::uint64_t>(value).value_or(0);
    }
    return 0;
}

Arm read_arm(const std::string& text, const std::string& place) {
    Arm arm;
    std::set<std::string> seen;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const std::string key = word.substr(0, word.find('='));
        if (!seen.insert(key).second) {
            throw Error(ErrorKind::kUsage, fmt::format("{}: key \"{:.80}\" is given twice", place, key));
        }
        read_word(arm, word, place);
    }
    if (arm.improver.empty() && !arm.settings.empty()) {
        std::vector<const char*> names;
        for (const Key& key : keys()) names.push_back(key.name);
        throw Error(
            ErrorKind::kUsage,
            fmt::format("{}: \"{:.80}\" is unknown; the keys of an arm are {}; to set an improver's parameter, add "
                        "improver=ID",
                        place, arm.settings, fmt::join(names, ", ")));
    }
    return arm;
}

}  // namespace qapfw::memetic
