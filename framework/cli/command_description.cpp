// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/command_description.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Splits "TEXT:{a,b}", the parser's form of a type with its choices.
void split_type(const std::string& text, OptionDescription& option) {
    const auto colon = text.find(':');
    option.value = text.substr(0, colon);
    const auto open = text.find('{'), close = text.find('}');
    if (open == text.npos || close == text.npos) return;
    std::string word;
    for (const char c : text.substr(open + 1, close - open - 1) + ',') {
        if (c != ',') {
            word += c;
        } else {
            option.choices.push_back(std::move(word));
            word.clear();
        }
    }
}

OptionDescription describe_option(const CLI::Option& from) {
    OptionDescription option;
    option.positional = from.get_positional();
    if (option.positional) {
        option.names.push_back(from.get_single_name());
    } else {
        for (const std::string& name : from.get_snames()) option.names.push_back("-" + name);
        for (const std::string& name : from.get_lnames()) option.names.push_back("--" + name);
    }
    if (from.get_items_expected_max() > 0) split_type(from.get_type_name(), option);
    // The parser does not know the choices of options that become keys of the configuration, such as --backend. So they
    // are listed here.
    if (option.value == "BACKEND") option.choices = {"auto", "cpu", "cuda"};
    if (option.value == "METRIC") option.choices = {"euclidean", "manhattan", "chebyshev", "haversine"};
    option.help = from.get_description();
    option.required = from.get_required();
    return option;
}

CommandDescription describe(const CLI::App& app, const std::string& above) {
    CommandDescription command;
    command.name = above + app.get_name();
    command.help = app.get_description();
    const auto options = app.get_options([](const CLI::Option* option) { return !option->get_group().empty(); });
    for (const bool positional : {true, false}) {
        for (const CLI::Option* option : options) {
            if (option->get_positional() == positional) command.options.push_back(describe_option(*option));
        }
    }
    for (const CLI::App* child : app.get_subcommands([](const CLI::App* a) { return !a->get_group().empty(); })) {
        command.commands.push_back(describe(*child, command.name + " "));
    }
    return command;
}

void collect(const CommandDescription& command, std::vector<const CommandDescription*>& all) {
    all.push_back(&command);
    for (const CommandDescription& child : command.commands) collect(child, all);
}

}  // namespace

CommandDescription describe_command_line(const CLI::App& app) {
    return describe(app, "");
}

std::vector<const CommandDescription*> all_commands(const CommandDescription& program) {
    std::vector<const CommandDescription*> all;
    collect(program, all);
    return all;
}

Offer offer_for(const OptionDescription& option) {
    if (!option.choices.empty()) return Offer::kChoices;
    if (option.value == "ID") return Offer::kPlugins;
    if (option.value == "FOLDER" || option.value == "RUN_DIR") return Offer::kFolders;
    if (option.value == "ALGORITHM") return Offer::kAlgorithms;
    if (option.value == "INSTANCE") return Offer::kInstances;
    if (option.value == "KEY=VALUE") return Offer::kKeys;
    if (option.value == "FILE" || option.value == "PATH") return Offer::kFiles;
    return Offer::kNothing;
}

std::string listing_command(Offer offer) {
    switch (offer) {
        case Offer::kPlugins:
            return "self-completion plugins 2>/dev/null";
        case Offer::kAlgorithms:
            return "self-completion algorithms 2>/dev/null";
        case Offer::kInstances:
            return "self-completion instances 2>/dev/null";
        case Offer::kKeys:
            return "self-completion keys 2>/dev/null";
        default:
            return {};
    }
}

std::string render_description(const CommandDescription& program, std::string_view form) {
    if (form == "man") return man_page(program);
    if (form == "bash") return bash_completion(program);
    if (form == "zsh") return zsh_completion(program);
    if (form == "fish") return fish_completion(program);
    throw Error(ErrorKind::kUsage, fmt::format("wanted man, bash, zsh or fish, found \"{}\"", form));
}

}  // namespace qapfw::framework
