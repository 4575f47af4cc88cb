// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin new`: copies a skeleton of the SDK under another name, and fills in its marks.
// sdk/skeletons/README.md explains the marks.
#include <fmt/core.h>

#include <filesystem>
#include <sstream>
#include <vector>

#include "framework/cli/commands.hpp"
#include "framework/cli/environment.hpp"
#include "framework/cli/exit_codes.hpp"
#include "framework/cli/installation.hpp"
#include "framework/cli/presentation.hpp"
#include "framework/host/substitution.hpp"
#include "framework/record/folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

namespace fs = std::filesystem;

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

void refuse_wrong_name(const NewPluginOptions& options) {
    if (!is_snake_case(options.name)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("wanted a name in snake_case such as my_problem, found \"{}\"", options.name));
    }
    if (options.device && options.kind != "problem") {
        throw Error(ErrorKind::kUsage,
                    fmt::format("--device works for problems only; for device code of your {}, see the guide "
                                "write-device-code",
                                options.kind));
    }
    const Registry registry = scan_plugins(options.common, {}, false);
    for (const Component& component : registry.components()) {
        if (component.descriptor->id != options.name) continue;
        throw Error(ErrorKind::kUsage,
                    fmt::format("the name {} is taken: {} has a {} of that name; choose another", options.name,
                                component.path.string(), kind_name(component.descriptor->kind)));
    }
}

/// Turns a skeleton's texts into those of the new plugin. Keeps or drops the lines for GPUs.
class Rewriting {
  public:
    explicit Rewriting(const NewPluginOptions& options)
        : marks_{{"@name@", options.name}, {"@Name@", pascal_case(options.name)}, {"@kind@", options.kind}},
          device_(options.device) {}

    std::string renamed(const std::string& text) const { return with_marks_filled(text, marks_); }
    std::string text(const std::string& from) const {
        std::istringstream lines(from);
        std::string to;
        for (std::string line; std::getline(lines, line);) {
            if (line.ends_with("@device")) {
                if (!device_) continue;
                line.resize(line.find_last_not_of("/# ", line.size() - std::string("@device").size() - 1) + 1);
            }
            to += line + "\n";
        }
        return renamed(to);
    }
    bool takes(const fs::path& path) const { return device_ || *path.begin() != "device"; }

  private:
    Marks marks_;
    bool device_;
};

void copy_skeleton(const fs::path& from, const fs::path& to, const Rewriting& rewriting) {
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
        const fs::path relative = fs::relative(entry.path(), from);
        if (entry.is_directory() || !rewriting.takes(relative)) continue;
        const fs::path target = to / rewriting.renamed(relative.string());
        fs::create_directories(target.parent_path(), error);
        if (error) throw Error(ErrorKind::kIo, fmt::format("{}: {}", target.parent_path().string(), error.message()));
        write_atomically(target, rewriting.text(read_file(entry.path())), Durability::kProcess);
    }
}

/// A word quoted for the shell.
std::string shell_quoted(const std::string& word) {
    if (word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-") ==
        std::string::npos) {
        return word;
    }
    std::string quoted = "'";
    for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// Returns commands that the user can paste to build, test and install the plugin. Programs that the shell finds by
/// itself are written without a path.
std::string next_steps(const fs::path& folder, const std::string& name) {
    const fs::path prefix = installation_prefix();
    const bool usual = prefix == "/usr" || prefix == "/usr/local";
    return fmt::format(
        "  cd {}\n  cmake -S . -B build{}\n  cmake --build build\n"
        "  ctest --test-dir build --output-on-failure\n  {} run configs/{}.toml --plugin-path build\n"
        "  cmake --install build    # for your account: qapfw then needs no --plugin-path\n",
        shell_quoted(folder.string()), usual ? "" : " " + shell_quoted("-DCMAKE_PREFIX_PATH=" + prefix.string()),
        usual ? "qapfw" : shell_quoted((prefix / "bin/qapfw").string()), name);
}

}  // namespace

int command_plugin_new(const NewPluginOptions& options) {
    refuse_wrong_name(options);
    const fs::path skeletons = installation_prefix() / "share/qapfw/skeletons";
    std::error_code error;
    if (!fs::is_directory(skeletons / options.kind, error)) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: the SDK is not there; install it (Debian package qapfw-dev)", skeletons.string()));
    }
    const fs::path target = options.folder.empty() ? fs::path(options.name) : fs::path(options.folder);
    if (fs::exists(target, error) && !(fs::is_directory(target, error) && fs::is_empty(target, error)))
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: exists already; choose another folder with --out", target.string()));
    const Rewriting rewriting(options);
    copy_skeleton(fs::canonical(skeletons / "common"), target, rewriting);
    copy_skeleton(fs::canonical(skeletons / options.kind), target, rewriting);
    print(fmt::format("{}: the {} {}. Next:\n\n{}", target.string(), options.kind, options.name,
                      next_steps(target, options.name)));
    return kSuccess;
}

}  // namespace qapfw::framework
