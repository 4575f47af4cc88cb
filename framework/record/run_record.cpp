// SPDX-License-Identifier: Apache-2.0
#include "framework/record/run_record.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <cstring>
#include <ctime>

#include "framework/host/log.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr int kMostSuffixes = 10000;

std::string safe_name(const std::string& text) {
    std::string safe;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
                           c == '_' || c == '-';
        safe += plain ? c : '_';
    }
    return safe;
}

/// An artefact's name must stay inside the folder and must not replace the record's own files.
bool is_plain_file_name(const std::string& name) {
    if (name.empty() || name.front() == '.' || safe_name(name) != name) return false;
    for (const char* own : {"config.toml", "result.json", "trace.jsonl", "log.txt"}) {
        if (name == own) return false;
    }
    return name.rfind("checkpoint.", 0) != 0;
}

}  // namespace

std::string record_name(std::int64_t unix_seconds, const std::string& problem, const std::string& instance,
                        const std::string& algorithm, std::uint64_t seed) {
    const auto time = static_cast<std::time_t>(unix_seconds);
    std::tm utc{};
    gmtime_r(&time, &utc);
    return fmt::format("{:%Y%m%dT%H%M%SZ}-{}-{}-{}-s{}", utc, safe_name(problem), safe_name(instance),
                       safe_name(algorithm), seed);
}

std::filesystem::path create_new_folder(const std::filesystem::path& folder) {
    std::error_code error;
    if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
    for (int suffix = 1; suffix <= kMostSuffixes && !error; ++suffix) {
        std::filesystem::path candidate = folder;
        if (suffix > 1) candidate += fmt::format("-{}", suffix);
        if (std::filesystem::create_directory(candidate, error)) return candidate;
    }
    throw Error(ErrorKind::kIo, fmt::format("{}: cannot create the folder: {}", folder.string(),
                                            error ? error.message() : "too many with this name"));
}

void RunRecord::open(const std::filesystem::path& folder, std::uint64_t trace_bytes, const std::string& trace_head) {
    folder_ = folder;
    attempt([&] {
        trace_.open(folder_ / "trace.jsonl", trace_bytes);
        if (trace_.size() == 0) trace_.append(trace_head);
    });
}

void RunRecord::fail(const std::string& reason) {
    if (!failure_.empty()) return;
    failure_ = reason;
    log_warning("the run goes on, but its record is incomplete: {}", reason);
}

void RunRecord::attempt(const std::function<void()>& action) {
    if (!enabled()) return;
    try {
        action();
    } catch (const Error& error) {
        fail(error.what());
    }
}

void RunRecord::write_config(const std::string& toml) {
    attempt([&] { write_atomically(folder_ / "config.toml", toml, Durability::kProcess); });
}

void RunRecord::write_result(const std::string& json, Durability durability) {
    attempt([&] { write_atomically(folder_ / "result.json", json, durability); });
}

void RunRecord::write_artefacts(const std::vector<Artefact>& artefacts) {
    for (const Artefact& artefact : artefacts) {
        if (!is_plain_file_name(artefact.name)) {
            log_warning("the problem's file \"{}\" is not recorded: not a plain file name", artefact.name);
            continue;
        }
        attempt([&] { write_atomically(folder_ / artefact.name, artefact.bytes, Durability::kProcess); });
    }
}

void RunRecord::append_trace(const std::string& line) {
    attempt([&] { trace_.append(line); });
}

void RunRecord::write_checkpoint(const Checkpoint& checkpoint) {
    attempt([&] {
        trace_.sync();  // the checkpoint counts on its lines
        save_checkpoint(folder_, checkpoint);
    });
}

}  // namespace qapfw::framework
