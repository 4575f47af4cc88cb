// SPDX-License-Identifier: Apache-2.0
// The process that holds a lock, as the lock's file names it. The process may have ended.
#pragma once

#include <cstdint>
#include <string>

namespace qapfw::framework {

struct LockOwner {
    std::string host;
    std::int64_t process = 0;
    std::uint64_t started = 0;  ///< start of the process, in the kernel's ticks since the machine's start
    /// `boot`: id that the system makes at each start of the machine. `namespace_`: id of the namespace in which the
    /// process number is valid.
    std::string boot, namespace_;
    std::string since;  ///< time when the lock was taken, in UTC, for display

    static LockOwner self();
    /// The owner named by a lock file's text; all fields are empty if the text is something else.
    static LockOwner parse(const std::string& text);
    std::string text() const;
    /// "process 123 on host, since 2026-01-31T23:59:59Z".
    std::string name() const;
    /// True if the holder can be looked up here: it started on this machine after the machine's last start, in this
    /// process's namespace.
    bool is_near() const;
    /// True if the holder has ended; only for a holder that is near.
    bool is_gone() const;
};

}  // namespace qapfw::framework
