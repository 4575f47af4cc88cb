// SPDX-License-Identifier: Apache-2.0
// Completions for bash, zsh and fish, made from the command line's own description.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "framework/cli/command_description.hpp"
#include "framework/host/substitution.hpp"

namespace qapfw::framework {
namespace {

constexpr const char* kMade = "made by qapfw from its own description; do not edit.\n";

bool has_value(const OptionDescription& option) {
    return !option.positional && !option.value.empty();
}

// bash

const char* bash_offer(Offer offer) {
    static constexpr const char* kNames[]{"words",      "files",     "folders", "plugins",
                                          "algorithms", "instances", "keys",    "words"};
    return kNames[static_cast<std::size_t>(offer)];
}

/// `case` branches that complete an option's value. Options with the same kind of value share one branch.
std::string bash_values(const CommandDescription& program) {
    std::map<std::string, std::vector<std::string>> patterns;
    for (const CommandDescription* command : all_commands(program)) {
        for (const OptionDescription& option : command->options) {
            if (!has_value(option)) continue;
            const std::string action =
                fmt::format("offer={} words=\"{}\"", bash_offer(offer_for(option)), fmt::join(option.choices, " "));
            for (const std::string& name : option.names)
                patterns[action].push_back(fmt::format("'{} {}'", command->name, name));
        }
    }
    std::string text;
    for (const auto& [action, names] : patterns)
        text += fmt::format("        {}) {} ;;\n", fmt::join(names, " | "), action);
    return text;
}

std::string bash_commands(const CommandDescription& program) {
    std::string text;
    for (const CommandDescription* command : all_commands(program)) {
        std::vector<std::string> words, options;
        std::string offer = "words";
        for (const CommandDescription& child : command->commands) words.push_back(child.last_word());
        for (const OptionDescription& option : command->options) {
            if (!option.positional) {
                options.insert(options.end(), option.names.begin(), option.names.end());
            } else {
                if (offer_for(option) != Offer::kNothing) offer = bash_offer(offer_for(option));
                words.insert(words.end(), option.choices.begin(), option.choices.end());
            }
        }
        text += fmt::format("        '{}') offer={} words=\"{}\" options=\"{}\" ;;\n", command->name, offer,
                            fmt::join(words, " "), fmt::join(options, " "));
    }
    return text;
}

// zsh

/// A command's help for _describe, in single quotes. A colon would end the help, so colons are escaped.
std::string zsh_command_help(const std::string& text) {
    return with_characters_replaced(text, {{':', "\\:"}, {'\'', "'\\''"}});
}

/// Escapes a text for an argument of zsh's _arguments: its brackets, colons and single quotes.
std::string zsh_text(const std::string& text) {
    return with_characters_replaced(text, {{'[', "\\["}, {']', "\\]"}, {':', "\\:"}, {'\'', "'\\''"}});
}

std::string zsh_lister(Offer offer) {
    return std::string("_qapfw_") + bash_offer(offer);
}

std::string zsh_action(const OptionDescription& option) {
    switch (offer_for(option)) {
        case Offer::kFiles:
            return "_files";
        case Offer::kFolders:
            return "_files -/";
        case Offer::kPlugins:
        case Offer::kAlgorithms:
        case Offer::kInstances:
        case Offer::kKeys:
            return zsh_lister(offer_for(option));
        case Offer::kChoices:
            return fmt::format("({})", fmt::join(option.choices, " "));
        case Offer::kNothing:
            break;
    }
    return " ";
}

std::string zsh_option(const OptionDescription& option) {
    const std::string value = option.value.empty() ? "" : fmt::format(":{}:{}", option.value, zsh_action(option));
    if (option.positional)
        return fmt::format(" \\\n        '{}:{}:{}'", option.required ? "" : ":", option.value, zsh_action(option));
    std::string text;
    for (const std::string& name : option.names)
        text += fmt::format(" \\\n        '*{}[{}]{}'", name, zsh_text(option.help), value);
    return text;
}

std::string zsh_function(const std::string& command) {
    return "_" + with_characters_replaced(command, {{' ', "_"}, {'-', "_"}});
}

std::string zsh_commands(const CommandDescription& program) {
    std::string text;
    for (const CommandDescription* command : all_commands(program)) {
        text += zsh_function(command->name) + "() {\n";
        if (!command->commands.empty()) text += "    local curcontext=$curcontext state line\n    local -a commands\n";
        text += fmt::format("    _arguments{}", command->commands.empty() ? "" : " -C");
        for (const OptionDescription& option : command->options) text += zsh_option(option);
        if (!command->commands.empty()) {
            text +=
                " \\\n        '1: :->command' '*:: :->rest'\n    case $state in\n    command)\n        commands=(\n";
            std::string branches;
            for (const CommandDescription& child : command->commands) {
                text += fmt::format("            '{}:{}'\n", child.last_word(), zsh_command_help(child.help));
                branches += fmt::format("        {}) {} ;;\n", child.last_word(), zsh_function(child.name));
            }
            text += "        )\n        _describe command commands ;;\n    rest)\n        case $words[1] in\n" +
                    branches + "        esac ;;\n    esac\n";
        }
        text += "\n}\n\n";
    }
    return text;
}

// fish

std::string fish_quoted(const std::string& text) {
    return "'" + with_characters_replaced(text, {{'\\', "\\\\"}, {'\'', "\\'"}}) + "'";
}

/// Returns words for fish's command `complete`. The words say which values fish offers for an option.
std::string fish_value(const OptionDescription& option) {
    switch (offer_for(option)) {
        case Offer::kFiles:
            return " -F";
        case Offer::kFolders:
            return " -f -a '(__fish_complete_directories)'";
        case Offer::kPlugins:
        case Offer::kAlgorithms:
        case Offer::kKeys:
            return fmt::format(" -f -a '(qapfw {})'", listing_command(offer_for(option)));
        case Offer::kInstances:
            return fmt::format(" -F -a '(qapfw {})'", listing_command(Offer::kInstances));
        case Offer::kChoices:
            return fmt::format(" -f -a '{}'", fmt::join(option.choices, " "));
        case Offer::kNothing:
            break;
    }
    return " -f";
}

std::string fish_option(const std::string& start, const OptionDescription& option) {
    if (option.positional) return offer_for(option) == Offer::kFiles ? "" : start + fish_value(option) + "\n";
    std::string text = start;
    for (const std::string& name : option.names)
        text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.value.empty()) text += " -r" + fish_value(option);
    return text + " -d " + fish_quoted(option.help) + "\n";
}

std::string fish_commands(const CommandDescription& program) {
    std::string text;
    for (const CommandDescription* command : all_commands(program)) {
        const auto space = command->name.find(' ');
        const std::string place = space == command->name.npos ? "" : command->name.substr(space);
        const std::string start = fmt::format("complete -c qapfw -n '__fish_qapfw_at {}{}'",
                                              command->commands.empty() ? "below" : "exactly", place);
        for (const CommandDescription& child : command->commands)
            text += fmt::format("{} -f -a {} -d {}\n", start, child.last_word(), fish_quoted(child.help));
        for (const OptionDescription& option : command->options) text += fish_option(start, option);
        const bool positional = !command->options.empty() && command->options.front().positional;
        if (command->commands.empty() && !positional) text += start + " -f\n";
    }
    return text;
}

}  // namespace

std::string bash_completion(const CommandDescription& program) {
    std::string names;
    for (const CommandDescription* command : all_commands(program))
        names += fmt::format("{}'{}'", names.empty() ? "" : " | ", command->name);
    return fmt::format(R"(# Completion of qapfw for bash, {0}
_qapfw() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    local command=qapfw offer= words= options= word k
    COMPREPLY=()
    for ((k = 1; k < COMP_CWORD; ++k)); do
        case "$command ${{COMP_WORDS[k]}}" in
        {1}) command="$command ${{COMP_WORDS[k]}}" ;;
        esac
    done
    case "$command $previous" in
{2}    esac
    if [ -z "$offer" ]; then
        case $command in
{3}        esac
        if [[ $current == -* ]]; then offer=words words=$options; fi
    fi
    case $offer in
        files) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        folders) compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
        instances | keys | algorithms | plugins)
            [ "$offer" != keys ] || compopt -o nospace
            if [ "$offer" = instances ]; then
                compopt -o filenames
                mapfile -t COMPREPLY < <(compgen -f -- "$current")
            fi
            while IFS= read -r word; do
                if [[ $word == "$current"* ]]; then COMPREPLY+=("$word"); fi
            done < <("${{COMP_WORDS[0]}}" self-completion "$offer" 2>/dev/null) ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    esac
}}
complete -F _qapfw qapfw
)",
                       kMade, names, bash_values(program), bash_commands(program));
}

std::string zsh_completion(const CommandDescription& program) {
    std::string listers;
    for (const Offer offer : {Offer::kPlugins, Offer::kAlgorithms, Offer::kKeys, Offer::kInstances}) {
        listers += fmt::format(
            "{}() {{\n    local -a words\n    words=(${{(f)\"$(_call_program words qapfw {})\"}})\n    compadd{} -a "
            "words\n{}}}\n",
            zsh_lister(offer), listing_command(offer), offer == Offer::kKeys ? " -S ''" : "",
            offer == Offer::kInstances ? "    _files\n" : "");
    }
    return fmt::format(
        "#compdef qapfw\n# Completion of qapfw for zsh, {}{}\n{}"
        "if [[ $funcstack[1] == _qapfw ]]; then _qapfw \"$@\"; else compdef _qapfw qapfw; fi\n",
        kMade, listers, zsh_commands(program));
}

std::string fish_completion(const CommandDescription& program) {
    return fmt::format(R"(# Completion of qapfw for fish, {}
# Whether the command line's words, without options, are the given ones (exactly) or begin with them (below).
function __fish_qapfw_at
    set -l how $argv[1]
    set -l wanted $argv
    set -e wanted[1]
    set -l words (commandline -opc)
    set -e words[1]
    set words (string match -v -- '-*' $words)
    set -l last (count $wanted)
    if test $how = exactly; and test (count $words) -ne $last
        return 1
    end
    test (count $words) -ge $last; or return 1
    test $last -eq 0; or test "$words[1..$last]" = "$wanted"
end
{})",
                       kMade, fish_commands(program));
}

}  // namespace qapfw::framework
