// SPDX-License-Identifier: Apache-2.0
#include "framework/library/session.hpp"

#include <unistd.h>

#include <utility>

#include "framework/library/installed_plugins.hpp"
#include "framework/problem/data_folders.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

LibrarySession::LibrarySession(SessionSettings settings)
    : settings_(std::move(settings)), process_(getpid()), data_paths_(data_folders(settings_.data_folders)) {
    const LogScope log(settings_.log_level, settings_.log);
    registry_ = installed_plugins(settings_.plugin_folders);
    for (const Refusal& refusal : registry_->refusals()) log_warning("plugin not used: {}", refusal.reason);
}

void LibrarySession::check_usable() const {
    if (process_ != getpid()) {
        throw Error(ErrorKind::kUsage,
                    "the session belongs to the process that opened it; open another session after fork()");
    }
    if (is_closing()) throw Error(ErrorKind::kUsage, "the session is being closed");
}

void LibrarySession::close() {
    closing_ = true;
    if (process_ != getpid()) return;  // a child process after fork() has no runs to wait for; only its parent has runs
    std::unique_lock lock(mutex_);
    left_.wait(lock, [this] { return runs_ == 0; });
}

LibrarySession::Visit::Visit(const LibrarySession& session)
    : session_(session), log_(session.settings_.log_level, session.settings_.log) {
    session.check_usable();
    const std::lock_guard lock(session.mutex_);
    ++session.runs_;
}

LibrarySession::Visit::~Visit() {
    const std::lock_guard lock(session_.mutex_);
    --session_.runs_;
    session_.left_.notify_all();
}

}  // namespace qapfw::framework
