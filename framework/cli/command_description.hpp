// SPDX-License-Identifier: Apache-2.0
// The command line as data, taken from the parser. The man page and the shells' completions are made from this data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace qapfw::framework {

struct OptionDescription {
    std::vector<std::string> names;    ///< "-o", "--output"; for a positional argument its name alone
    std::string value;                 ///< kind of value, such as FILE; empty for a flag
    std::vector<std::string> choices;  ///< the allowed words, if they are a fixed set
    std::string help;
    bool positional = false, required = false;
};

struct CommandDescription {
    std::string name;  ///< full name, as in "qapfw plugin list"
    std::string help;
    std::vector<OptionDescription> options;  ///< positional arguments first
    std::vector<CommandDescription> commands;

    std::string last_word() const { return name.substr(name.rfind(' ') + 1); }
};

CommandDescription describe_command_line(const CLI::App& app);

/// Returns `program` and all commands below it, in depth-first order.
std::vector<const CommandDescription*> all_commands(const CommandDescription& program);

/// Kind of completion that a shell offers for a value.
enum class Offer { kNothing, kFiles, kFolders, kPlugins, kAlgorithms, kInstances, kKeys, kChoices };
Offer offer_for(const OptionDescription& option);
/// The arguments with which `qapfw` lists the words of an offer; empty if the shell needs no such list.
std::string listing_command(Offer offer);

/// The description in the form of `man` (roff), `bash`, `zsh` or `fish`. Throws Error(kUsage) for any other.
std::string render_description(const CommandDescription& program, std::string_view form);

std::string man_page(const CommandDescription& program);
std::string bash_completion(const CommandDescription& program);
std::string zsh_completion(const CommandDescription& program);
std::string fish_completion(const CommandDescription& program);

}  // namespace qapfw::framework
