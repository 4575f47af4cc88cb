// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin new`: the SDK's template under another name. The template is a whole library with a problem and a
// solver, which keep each other company in its tests.
#include <fmt/core.h>

#include <filesystem>
#include <vector>

#include "framework/cli/commands.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/record/atomic_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

namespace fs = std::filesystem;

/// Words of the template and what becomes of them.
using Renames = std::vector<std::pair<std::string, std::string>>;

bool is_snake_case(const std::string& name) {
    if (name.empty() || name.front() < 'a' || name.front() > 'z') return false;
    return name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos;
}

std::string pascal_case(const std::string& name) {
    std::string text;
    bool upper = true;
    for (const char c : name) {
        if (c == '_') {
            upper = true;
            continue;
        }
        text += upper && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        upper = false;
    }
    return text;
}

/// The library goes by the name that was asked for, whichever of the two components that is.
Renames renames_for(const std::string& library, const std::string& problem, const std::string& solver) {
    return {{"project(linear_ordering", "project(" + library},
            {"NAME linear_ordering", "NAME " + library},
            {"qapfw-plugin-linear_ordering", "qapfw-plugin-" + library},
            {"embedded/linear_ordering_texts", "embedded/" + library + "_texts"},
            {"linear_ordering", problem},
            {"LinearOrdering", pascal_case(problem)},
            {"iterated_swap", solver},
            {"IteratedSwap", pascal_case(solver)}};
}

std::string replace_all(std::string text, const Renames& renames) {
    for (const auto& [from, to] : renames) {
        for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
            text.replace(at, from.size(), to);
        }
    }
    return text;
}

fs::path installed_template() {
    std::error_code error;
    const fs::path binary = fs::read_symlink("/proc/self/exe", error);
    return binary.parent_path().parent_path() / "share/qapfw/template_plugin";
}

void copy_renamed(const fs::path& from, const fs::path& to, const Renames& renames) {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
        const fs::path target = to / replace_all(fs::relative(entry.path(), from).string(), renames);
        if (entry.is_directory()) {
            fs::create_directories(target, error);
        } else {
            fs::create_directories(target.parent_path(), error);
            write_atomically(target, replace_all(read_file(entry.path()), renames), Durability::kProcess);
        }
        if (error) throw Error(ErrorKind::kIo, fmt::format("{}: {}", target.string(), error.message()));
    }
}

}  // namespace

int command_plugin_new(const NewPluginOptions& options) {
    if (!is_snake_case(options.name)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("wanted a name in snake_case such as my_problem, found \"{}\"", options.name));
    }
    const fs::path source = options.sdk_template.empty() ? installed_template() : fs::path(options.sdk_template);
    std::error_code error;
    if (!fs::is_directory(source, error)) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: the template is not there; install the SDK or name it with "
                                                   "--template",
                                                   source.string()));
    }
    const fs::path target = options.folder.empty() ? fs::path(options.name) : fs::path(options.folder);
    if (fs::exists(target, error) && !(fs::is_directory(target, error) && fs::is_empty(target, error))) {
        throw Error(ErrorKind::kUsage, fmt::format("{}: exists already", target.string()));
    }
    const bool problem = options.kind == "problem";
    const std::string& name = options.name;
    copy_renamed(source, target,
                 problem ? renames_for(name, name, name + "_search") : renames_for(name, name + "_problem", name));
    print(
        fmt::format("{0}: a library with the {1} {2}. Next:\n\n  cmake -S {0} -B {0}/build\n  cmake --build {0}/build\n"
                    "  ctest --test-dir {0}/build\n",
                    target.string(), options.kind, options.name));
    return kSuccess;
}

}  // namespace qapfw::framework
