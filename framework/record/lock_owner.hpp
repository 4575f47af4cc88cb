// SPDX-License-Identifier: Apache-2.0
// The holder of a lock, as its file says it, alive or not.
#pragma once

#include <cstdint>
#include <string>

namespace qapfw::framework {

struct LockOwner {
    std::string host;
    std::int64_t process = 0;
    std::uint64_t started = 0;     ///< of the process, in the kernel's ticks since the machine's start
    std::string boot, namespace_;  ///< of the machine's start and of its process numbers: they mean something within
    std::string since;             ///< UTC, for people

    static LockOwner self();
    /// Owner in the text of a lock's file; all empty where the text is something else.
    static LockOwner parse(const std::string& text);
    std::string text() const;
    /// "process 123 on host, since 2026-01-31T23:59:59Z".
    std::string name() const;
    /// True if the holder can be looked up from here: the same start of the same machine.
    bool is_near() const;
    /// True if an owner on this host is gone.
    bool is_gone() const;
};

}  // namespace qapfw::framework
