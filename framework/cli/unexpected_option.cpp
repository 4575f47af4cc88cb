// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/unexpected_option.hpp"
#include "common/nearest_names.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {
namespace {

/// The innermost command that was chosen.
const CLI::App& chosen_command(const CLI::App& app) {
    const auto inner = app.get_subcommands();
    return inner.empty() ? app : chosen_command(*inner.front());
}

/// Options whose names begin with the word; if there are none, options whose names are spelt almost like it.
std::vector<std::string> options_like(const CLI::App& command, const std::string& word) {
    std::vector<std::string> names, alike;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    std::copy_if(names.begin(), names.end(), std::back_inserter(alike),
                 [&](const std::string& name) { return name.starts_with(word); });
    return alike.empty() ? common::nearest_names(word, names) : alike;
}

bool is_option(const std::string& word) {
    return word.size() > 1 && word.front() == '-';
}

/// The command's name with the names of the commands above it, such as "plugin list" for `qapfw plugin list`.
std::string path_of(const CLI::App& command) {
    const CLI::App* const parent = command.get_parent();
    if (parent == nullptr) return "";
    const std::string above = path_of(*parent);
    return above.empty() ? command.get_name() : above + " " + command.get_name();
}

std::string unknown_option_text(const CLI::App& command, const std::string& option) {
    const std::string word = option.substr(0, option.find('='));
    const std::vector<std::string> alike = options_like(command, word);
    const std::string hint =
        alike.empty() ? "; --help lists its options" : fmt::format("; did you mean {}?", fmt::join(alike, " or "));
    return fmt::format("qapfw: `{}` has no option {}{}", command.get_name(), word, hint);
}

std::string no_command_text(const CLI::App& command, bool is_program, const std::string& word) {
    std::vector<std::string> names;
    for (const CLI::App* known : command.get_subcommands(nullptr)) {
        if (!known->get_group().empty()) names.push_back(known->get_name());
    }
    if (names.empty()) return {};
    const std::vector<std::string> near = common::nearest_names(word, names);
    return fmt::format("qapfw: there is no command `{}{}`; {}", is_program ? "" : command.get_name() + " ", word,
                       near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                    : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

}  // namespace

std::string unexpected_text(const CLI::App& app, const CLI::ExtrasError& error) {
    const CLI::App& command = chosen_command(app);
    const auto words = app.remaining(true);
    const auto option = std::find_if(words.begin(), words.end(), is_option);
    if (option != words.end()) return unknown_option_text(command, *option);
    if (words.empty()) return std::string("qapfw: ") + error.what();
    return fmt::format("qapfw: `{}` takes no further word, found \"{}\"; `qapfw {} --help` shows what it takes",
                       command.get_name(), words.front(), path_of(command));
}

std::string unknown_command_text(const CLI::App& app) {
    const CLI::App& command = chosen_command(app);
    const auto words = app.remaining(true);
    if (words.empty()) return {};
    if (is_option(words.front())) return unknown_option_text(command, words.front());
    return no_command_text(command, &command == &app, words.front());
}

std::string unknown_help_text(const CLI::App& app, const std::vector<std::string>& words) {
    const CLI::App* command = &app;
    for (const std::string& word : words) {
        if (word.starts_with("-")) continue;
        const auto known = command->get_subcommands([&](const CLI::App* a) { return a->get_name() == word; });
        if (known.empty()) return no_command_text(*command, command == &app, word);
        command = known.front();
    }
    return {};
}

}  // namespace qapfw::framework
