// SPDX-License-Identifier: Apache-2.0
#include "framework/device/kernel_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <sstream>

#include "embedded/kernel_headers.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr std::string_view kKeyFormat = "qapfw kernel key 1";
constexpr std::string_view kHeaderPrefix = "qapfw/kernels/";  ///< prefix of the names in kernel_headers()

ProgramText program_text(const qapfw_text& text) {
    if (text.name == nullptr || text.text == nullptr) {
        throw Error(ErrorKind::kPlugin, "a plugin gave a device text (source code for GPUs) without a name or bytes");
    }
    return {text.name, {text.text, text.size}};
}

/// Calls `visit` with the name in each #include of `text`.
template <class Visit>
void for_each_include(std::string_view text, Visit visit) {
    constexpr std::string_view kWord = "include";
    constexpr std::string_view kBlank = " \t";
    for (std::size_t at = text.find(kWord); at != text.npos; at = text.find(kWord, at + 1)) {
        const std::size_t before = text.substr(0, at).find_last_not_of(kBlank);
        const std::size_t open = text.find_first_not_of(kBlank, at + kWord.size());
        if (before == text.npos || text[before] != '#' || open == text.npos) continue;
        if (text[open] != '"' && text[open] != '<') continue;
        const std::size_t close = text.find_first_of("\">\n", open + 1);
        if (close != text.npos) visit(text.substr(open + 1, close - open - 1));
    }
}

bool has_name(const std::vector<ProgramText>& texts, std::string_view name) {
    return std::ranges::find(texts, name, &ProgramText::name) != texts.end();
}

/// Adds each kernel header that `text` includes, directly or through other headers, once to `found`. An include in a
/// comment counts too; the only effect is a header that nobody needs.
void collect_headers(std::string_view text, std::vector<ProgramText>& found) {
    for_each_include(text, [&](std::string_view name) {
        const auto header = std::ranges::find(kernel_headers(), name, &ProgramText::name);
        if (header == kernel_headers().end() || has_name(found, name)) return;
        found.push_back(*header);
        collect_headers(header->text, found);
    });
}

std::string_view file_of(std::string_view name) {
    return name.substr(name.rfind('/') + 1);
}

/// Adds to `found` an empty header for each include that names one of `texts`. The program joins all texts in order
/// anyway, so such an include must add nothing. The includes serve only compilers that read the texts as files. Names
/// are compared without folders.
void collect_joined(const std::vector<ProgramText>& texts, std::vector<ProgramText>& found) {
    for (const ProgramText& text : texts) {
        for_each_include(text.text, [&](std::string_view name) {
            const auto is_file = [&](const ProgramText& other) { return file_of(other.name) == file_of(name); };
            if (!has_name(found, name) && std::ranges::any_of(texts, is_file)) found.push_back({name, ""});
        });
    }
}

/// Refuses options that make the binary depend on files, or that choose another GPU than the cache key states.
void check_option(const std::string& option, const std::string& plugin) {
    static constexpr std::string_view kRefused[] = {
        "-I",          "--include-path", "-include", "--pre-include", "-arch", "--gpu-architecture", "-pch", "--pch",
        "-create-pch", "--create-pch",   "-use-pch", "--use-pch",     "-dlto", "--dlink-time-opt"};
    for (const std::string_view refused : kRefused) {
        if (option.starts_with(refused)) {
            throw Error(ErrorKind::kPlugin,
                        fmt::format("plugin {} gives the compiler option {}, which is not allowed: kernels are "
                                    "compiled without include files and for the GPU that runs them",
                                    plugin, option));
        }
    }
}

void append_section(std::string& key, std::string_view kind, std::string_view name, std::string_view text) {
    fmt::format_to(std::back_inserter(key), "{} {} {}\n{}\n", kind, name, text.size(), text);
}

}  // namespace

const std::vector<ProgramText>& kernel_headers() {
    static const std::vector<ProgramText> headers = [] {
        std::vector<ProgramText> all;
        for (std::uint32_t i = 0; i < embedded::kTextCount; ++i) {
            all.push_back(program_text(embedded::kTexts[i]));
        }
        return all;
    }();
    return headers;
}

std::string plugin_of(std::string_view text_name) {
    return std::string(text_name.substr(0, text_name.find('/')));
}

KernelProgram::KernelProgram(const std::optional<DeviceProblem>& problem, const qapfw_kernel_request& request) {
    if (request.struct_size < sizeof(qapfw_kernel_request) || request.text_count == 0 || request.texts == nullptr ||
        request.entry == nullptr || request.entry[0] == '\0' || (request.define_count > 0 && !request.defines)) {
        throw Error(
            ErrorKind::kPlugin,
            "a kernel request of a plugin is incomplete: struct_size is too small, or texts or entry is empty, or "
            "define_count is above 0 without defines");
    }
    entry_ = request.entry;
    plugin_ = plugin_of(program_text(request.texts[0]).name);
    options_ = {"-std=c++20", "-default-device", "--no-source-include", "-lineinfo"};
    if (request.with_problem != 0) {
        if (!problem) {
            throw Error(ErrorKind::kPlugin,
                        fmt::format("kernel '{}' of plugin {} needs a problem with device code", entry_, plugin_));
        }
        const qapfw_device_problem& code = *problem->code;
        for (std::uint32_t i = 0; i < code.text_count; ++i) texts_.push_back(program_text(code.texts[i]));
        if (problem->movable_positions) {
            options_.push_back("-DQAPFW_MOVABLE_POSITIONS=" + *problem->movable_positions);
        }
        if (problem->segments) options_.push_back("-DQAPFW_SEGMENTS=" + *problem->segments);
        std::istringstream words(code.options != nullptr ? code.options : "");
        const std::string owner = texts_.empty() ? "of the problem" : plugin_of(texts_[0].name);
        for (std::string option; words >> option;) {
            check_option(option, owner);
            options_.push_back(option);
        }
    }
    for (std::uint32_t i = 0; i < request.text_count; ++i) texts_.push_back(program_text(request.texts[i]));
    for (std::uint32_t i = 0; i < request.define_count; ++i) {
        options_.push_back(std::string("-D") + request.defines[i]);
    }
    for (const ProgramText& text : texts_) collect_headers(text.text, headers_);
    collect_joined(texts_, headers_);
    std::ranges::sort(headers_, {}, &ProgramText::name);
}

std::string KernelProgram::source() const {
    std::string source;
    for (const ProgramText& text : texts_) {
        fmt::format_to(std::back_inserter(source), "#line 1 \"{}\"\n{}\n", text.name, text.text);
    }
    return source;
}

std::string KernelProgram::key(std::uint32_t architecture, std::string_view compiler) const {
    std::string key = fmt::format("{}\ncompiler {}\narchitecture sm_{}\n", kKeyFormat, compiler, architecture);
    for (const std::string& option : options_) append_section(key, "option", "-", option);
    for (const ProgramText& header : headers_) append_section(key, "header", header.name, header.text);
    for (const ProgramText& text : texts_) append_section(key, "text", text.name, text.text);
    return key;
}

std::string compile_error_text(std::string_view log, const std::string& subject) {
    std::istringstream lines{std::string(log)};
    std::string unlocated;
    for (std::string line; std::getline(lines, line);) {
        if (unlocated.empty() && line.find("error") != line.npos) unlocated = line;
        // A line with an error has the form "<text name>(<line>): error: <message>". Instead of "error:", it may have
        // "catastrophic error:" or "error #20014-D:".
        const std::size_t close = line.find("): ");
        if (close == line.npos) continue;
        const std::string_view severity = std::string_view(line).substr(close + 3);
        const std::size_t open = line.rfind('(', close);
        const std::size_t message = line.find(": ", close + 3);
        if (!severity.starts_with("error") && !severity.starts_with("catastrophic error")) continue;
        if (open == line.npos || message == line.npos) continue;
        const std::string name = line.substr(0, open);
        const std::string number = line.substr(open + 1, close - open - 1);
        const std::string text = line.substr(message + 2);
        const std::size_t slash = name.find('/');
        if (name.starts_with(kHeaderPrefix) || slash == name.npos) {
            return fmt::format("{}, {}:{}: {}", subject, name, number, text);
        }
        return fmt::format("plugin {}, {}:{}: {}", name.substr(0, slash), name.substr(slash + 1), number, text);
    }
    return fmt::format("{}: {}", subject, unlocated.empty() ? "NVRTC gave no reason" : unlocated);
}

}  // namespace qapfw::framework
