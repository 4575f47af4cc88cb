// SPDX-License-Identifier: Apache-2.0
#include "framework/record/lock_owner.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>

#include "framework/record/checked_json.hpp"
#include "framework/record/process_identity.hpp"

namespace qapfw::framework {
namespace {

/// At most 255 bytes of the text, with '?' for control characters, so that a message can show it in one line. Other
/// users may have written the lock file.
std::string plain(std::string text) {
    text.resize(std::min<std::size_t>(text.size(), 255));
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = '?';
    }
    return text;
}

}  // namespace

LockOwner LockOwner::self() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    const std::int64_t process = ::getpid();
    return {host_name(),
            process,
            start_of_process(process),
            boot_of_machine(),
            namespace_of_processes(),
            fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", utc)};
}

LockOwner LockOwner::parse(const std::string& text) {
    const auto json = ParsedJson::parse(text, nullptr, false);
    LockOwner owner;
    if (!json.is_object()) return owner;
    try {
        owner.host = plain(json.at("host"));
        owner.process = json.at("process");
        owner.started = json.at("started");
        owner.boot = json.at("boot");
        owner.namespace_ = json.at("process_namespace");
        owner.since = plain(json.at("since"));
    } catch (const nlohmann::json::exception&) {
        return {};
    }
    return owner;
}

std::string LockOwner::text() const {
    const nlohmann::ordered_json json = {
        {"host", host},  {"process", process}, {"started", started}, {"boot", boot}, {"process_namespace", namespace_},
        {"since", since}};
    return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string LockOwner::name() const {
    if (host.empty()) return "an unknown process";
    return fmt::format("process {} on {}, since {}", process, host, since);
}

bool LockOwner::is_near() const {
    const LockOwner own = self();
    return started != 0 && !boot.empty() && boot == own.boot && namespace_ == own.namespace_;
}

bool LockOwner::is_gone() const {
    return start_of_process(process) != started;
}

}  // namespace qapfw::framework
