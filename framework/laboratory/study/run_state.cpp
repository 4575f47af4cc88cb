// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/run_state.hpp"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "framework/record/atomic_file.hpp"
#include "framework/record/json_parts.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {

const char* name_of(StudyState state) {
    static constexpr const char* kNames[]{"missing", "started", "done", "failed", "unreadable", "of other data"};
    return kNames[static_cast<std::size_t>(state)];
}

bool is_trouble(StudyState state) {
    return state == StudyState::kFailed || state == StudyState::kUnreadable || state == StudyState::kOtherData;
}

RunStatus status_of(const StudyFolder& folder, const RunKey& run) {
    RunStatus status;
    const std::filesystem::path record = folder.record(run);
    const std::filesystem::path result = record / "result.json";
    std::error_code error;
    if (std::filesystem::is_regular_file(result, error)) {
        try {
            status.result = parse_result(read_file(result), result.string());
            status.state =
                status.result->finished && status.result->error.empty() ? StudyState::kDone : StudyState::kStarted;
        } catch (const Error& failure) {
            return {StudyState::kUnreadable, failure.what(), std::nullopt};
        }
        const std::uint64_t found = status.result->identity.fingerprint;
        if (run.cell->fingerprint && found != *run.cell->fingerprint) {
            return {
                StudyState::kOtherData,
                fmt::format("{}: its instance had data with the fingerprint {:016x}, but the plan's data have {:016x}",
                            result.string(), found, *run.cell->fingerprint),
                std::nullopt};
        }
    } else if (std::filesystem::is_regular_file(record / "config.toml", error)) {
        status.state = StudyState::kStarted;
    }
    if (status.state == StudyState::kDone) return status;
    if (const auto failure = read_failure(folder, run)) {
        status.state = StudyState::kFailed;
        status.reason = failure->message;
    }
    return status;
}

void write_failure(const StudyFolder& folder, const RunKey& run, const RunFailure& failure) {
    const Json json = {
        {"run", run.name()}, {"exit_code", failure.code}, {"attempts", failure.attempts}, {"message", failure.message}};
    write_atomically(folder.failure(run), json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n",
                     Durability::kProcess);
}

std::optional<RunFailure> read_failure(const StudyFolder& folder, const RunKey& run) {
    const std::filesystem::path file = folder.failure(run);
    std::error_code error;
    if (!std::filesystem::is_regular_file(file, error)) return std::nullopt;
    try {
        const ParsedJson json = ParsedJson::parse(read_file(file));
        return RunFailure{json.at("exit_code"), json.at("attempts"), json.at("message")};
    } catch (const std::exception& damaged) {
        return RunFailure{0, 1, fmt::format("{}: damaged: {}", file.string(), damaged.what())};
    }
}

}  // namespace qapfw::framework::laboratory
