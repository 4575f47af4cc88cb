// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/unexpected_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <vector>

#include "framework/plugin/registry.hpp"

namespace qapfw::framework {
namespace {

/// The command that was chosen: the innermost.
const CLI::App& chosen_command(const CLI::App& app) {
    const auto inner = app.get_subcommands();
    return inner.empty() ? app : chosen_command(*inner.front());
}

/// Options whose names begin like the word, else those that are spelt almost like it.
std::vector<std::string> options_like(const CLI::App& command, const std::string& word) {
    std::vector<std::string> names, alike;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    std::copy_if(names.begin(), names.end(), std::back_inserter(alike),
                 [&](const std::string& name) { return name.starts_with(word); });
    return alike.empty() ? nearest_names(word, names) : alike;
}

}  // namespace

std::string unexpected_text(const CLI::App& app, const CLI::ExtrasError& error) {
    const CLI::App& command = chosen_command(app);
    const auto words = app.remaining(true);
    const auto option =
        std::find_if(words.begin(), words.end(), [](const std::string& word) { return word.starts_with("--"); });
    if (option == words.end()) return std::string("qapfw: ") + error.what();
    const std::string word = option->substr(0, option->find('='));
    const std::vector<std::string> alike = options_like(command, word);
    const std::string hint =
        alike.empty() ? "; --help lists them" : fmt::format("; did you mean {}?", fmt::join(alike, " or "));
    return fmt::format("qapfw: `{}` has no option {}{}", command.get_name(), word, hint);
}

std::string unknown_command_text(const CLI::App& app) {
    const CLI::App& command = chosen_command(app);
    const auto words = app.remaining(true);
    if (words.empty() || words.front().starts_with("-")) return {};
    std::vector<std::string> names;
    for (const CLI::App* known : command.get_subcommands(nullptr)) {
        if (!known->get_group().empty()) names.push_back(known->get_name());
    }
    const std::vector<std::string> near = nearest_names(words.front(), names);
    return fmt::format("qapfw: there is no command `{}{}`; {}", &command == &app ? "" : command.get_name() + " ",
                       words.front(),
                       near.empty() ? fmt::format("there are {}", fmt::join(names, ", "))
                                    : fmt::format("did you mean {}?", fmt::join(near, " or ")));
}

}  // namespace qapfw::framework
