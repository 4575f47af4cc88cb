// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/in_processes.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <system_error>

#include "framework/cli/exit_codes.hpp"
#include "framework/cli/installation.hpp"
#include "framework/config/duration.hpp"
#include "framework/host/console.hpp"
#include "framework/host/log.hpp"
#include "framework/host/named_libraries.hpp"
#include "framework/host/signal_watch.hpp"
#include "framework/processes/launcher.hpp"

namespace qapfw::framework {
namespace {

/// Returns the path of the MPI component, which is a library. Empty: this process works alone.
std::filesystem::path wanted_component(const std::string& how, const std::optional<Launch>& launch) {
    const bool by_launch = how == "auto" && launch && launch->processes != 1;
    if (how == "none" || (how == "auto" && !by_launch)) return {};
    const std::filesystem::path component = mpi_component();
    if (!component.empty()) return component;
    const std::string why =
        by_launch ? fmt::format("a launcher such as mpirun or srun started this process ({} is set)", launch->sign)
                  : std::string("--processes mpi is given");
    throw Error(ErrorKind::kUsage, fmt::format("{}, but this program was built without MPI; --processes none lets each "
                                               "process run by itself",
                                               why));
}

constexpr std::chrono::hours kLongestSilence{1};

/// Makes all processes use process 0's limit of silence: the longest time without a sign of life (see Watch).
void agree_on_silence(Processes& processes) {
    const char* const given = std::getenv("QAPFW_PROCESS_SILENCE");
    const std::string text = processes.share(given != nullptr ? std::string(given) : std::string());
    if (text.empty()) return;
    using Seconds = std::chrono::duration<double>;
    const Seconds silence(try_parse_duration(text).value_or(0));
    if (silence < Watch::kShortestSilence || silence > kLongestSilence) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("QAPFW_PROCESS_SILENCE: a duration from {} s to {} h was wanted, found \"{}\"",
                                Seconds(Watch::kShortestSilence).count(), kLongestSilence.count(), text));
    }
    processes.watch().set_silence(std::chrono::duration_cast<std::chrono::milliseconds>(silence));
}

}  // namespace

std::filesystem::path mpi_component() {
    if (const auto named = library_named_by("QAPFW_MPI_COMPONENT")) {
        if (!named->refusal.empty()) throw Error(ErrorKind::kPlugin, named->refusal);
        return named->file;
    }
    std::error_code error;
    std::filesystem::path path = installation_prefix() / "lib/qapfw/exchange/mpi.so";
    return std::filesystem::exists(path, error) ? path : std::filesystem::path();
}

ProcessGroup::ProcessGroup(const std::string& how) {
    const std::optional<Launch> launch = find_launch();
    const std::filesystem::path component = wanted_component(how, launch);
    if (component.empty()) {
        processes_ = std::make_shared<Processes>();
        return;
    }
    SignalWatch::block_signals();
    processes_ =
        std::make_shared<Processes>(component, launch ? launch->processes : 0, ReturnCodes{kProcessLost, exit_code_of});
    if (!processes_->leads()) set_console_level(LogLevel::kOff);
}

void ProcessGroup::begin() {
    if (processes_->alone()) return;
    processes_->begin_watch();
    agree_on_silence(*processes_);
}

int ProcessGroup::tell_failure() {
    if (processes_->alone()) throw;
    Watch& watch = processes_->watch();
    processes_->fail(std::current_exception());
    const bool told = processes_->leads() ? watch.ending().is_told : watch.ending().is_told || watch.wait_until_told();
    if (!told) console_line("qapfw: " + watch.ending().text);
    return watch.ending().code;
}

int ProcessGroup::leave(int code) {
    return processes_->leave(code);
}

}  // namespace qapfw::framework
