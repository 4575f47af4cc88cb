// SPDX-License-Identifier: Apache-2.0
// The work of a trial's child process.
#include "framework/plugin/trial_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>

#include <cerrno>
#include <cstring>
#include <exception>

#include "framework/plugin/descriptor.hpp"
#include "framework/plugin/library.hpp"

namespace qapfw::framework {

namespace {

void write_all(int pipe, const std::string& bytes) {
    std::size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t written = write(pipe, bytes.data() + done, bytes.size() - done);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return;  // the parent notices that the report is cut short
        done += static_cast<std::size_t>(written);
    }
}

/// Separates this child from its parent, because a plugin may misbehave. The child gets a process group of its own,
/// default signal handlers, /dev/null as standard input, output and error, and no core file. The parent's exit handlers
/// do not run in the child. If the parent dies, the child is killed.
void isolate() {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0);
    for (int number = 1; number < NSIG; ++number) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const rlimit no_core{0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    if (const int null = open("/dev/null", O_RDWR); null >= 0) {
        for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(null, standard);
    }
    // Exit handlers run in reverse order. So this one runs before those inherited from the parent, and ends the process
    // before they can run.
    on_exit([](int status, void*) { _exit(status); }, nullptr);
}

TrialResult check_library(const std::filesystem::path& library, int pipe) {
    write_all(pipe, {kStageLoad});
    const qapfw_plugin& plugin = load_library(library);
    write_all(pipe, {kStageDescriptor});
    TrialResult result;
    result.refusal = check_plugin(plugin);
    if (!result.refusal.empty()) return result;
    for (std::uint32_t k = 0; k < plugin.component_count; ++k) {
        const qapfw_component& component = *plugin.components[k];
        result.identities.push_back({component.kind, component.id});
        if (result.refusal.empty()) result.refusal = check_capabilities(component);
    }
    return result;
}

TrialResult try_library(const std::filesystem::path& library, int pipe) {
    try {
        return check_library(library, pipe);
    } catch (const std::exception& error) {
        return {{}, error.what()};
    } catch (...) {
        return {{}, "it must load without an exception, found one of an unknown type"};
    }
}

void append_number(std::string& bytes, std::uint64_t number) {
    char raw[sizeof(number)];
    std::memcpy(raw, &number, sizeof(number));
    bytes.append(raw, sizeof(number));
}

/// Removes an 8-byte number from the front of `bytes` and returns it; nothing if fewer bytes are left.
std::optional<std::uint64_t> take_number(std::string_view& bytes) {
    std::uint64_t number = 0;
    if (bytes.size() < sizeof(number)) return std::nullopt;
    std::memcpy(&number, bytes.data(), sizeof(number));
    bytes.remove_prefix(sizeof(number));
    return number;
}

std::optional<std::string> take_text(std::string_view& bytes) {
    const auto size = take_number(bytes);
    if (!size || *size > bytes.size()) return std::nullopt;
    std::string text(bytes.substr(0, *size));
    bytes.remove_prefix(*size);
    return text;
}

}  // namespace

std::string encode_results(const std::vector<TrialResult>& results) {
    std::string payload;
    const auto append_text = [&payload](const std::string& text) {
        append_number(payload, text.size());
        payload += text;
    };
    for (const TrialResult& result : results) {
        append_text(result.refusal);
        append_number(payload, result.identities.size());
        for (const Identity& identity : result.identities) {
            append_number(payload, identity.kind);
            append_text(identity.id);
        }
    }
    std::string bytes;
    append_number(bytes, payload.size());
    append_number(bytes, XXH3_64bits(payload.data(), payload.size()));
    return bytes + payload;
}

std::optional<std::vector<TrialResult>> decode_results(const std::string& bytes) {
    std::string_view rest = bytes;
    const auto size = take_number(rest);
    const auto checksum = take_number(rest);
    if (!size || !checksum || rest.size() != *size || XXH3_64bits(rest.data(), rest.size()) != *checksum) {
        return std::nullopt;
    }
    std::vector<TrialResult> results;
    while (!rest.empty()) {
        TrialResult& result = results.emplace_back();
        const auto refusal = take_text(rest);
        const auto identities = take_number(rest);
        if (!refusal || !identities) return std::nullopt;
        result.refusal = *refusal;
        for (std::uint64_t k = 0; k < *identities; ++k) {
            const auto kind = take_number(rest);
            const auto id = take_text(rest);
            if (!kind || !id) return std::nullopt;
            result.identities.push_back({static_cast<std::uint32_t>(*kind), *id});
        }
    }
    return results;
}

void run_trial_child(std::span<const std::filesystem::path> libraries, int pipe) {
    isolate();
    std::vector<TrialResult> results;
    for (const std::filesystem::path& library : libraries) {
        results.push_back(try_library(library, pipe));
        if (!results.back().refusal.empty()) break;
    }
    write_all(pipe, kStageResult + encode_results(results));
    _exit(0);
}

}  // namespace qapfw::framework
