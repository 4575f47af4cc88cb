// SPDX-License-Identifier: Apache-2.0
// The mark that tells one process from all others, of other machines and of the time before a restart too.
#pragma once

#include <cstdint>
#include <string>

namespace qapfw::framework {

/// The process's beginning, in the kernel's ticks since the machine's start; 0: there is none, or it has ended and
/// nobody has asked for its status yet.
std::uint64_t start_of_process(std::int64_t process);

/// The kernel's name for this start of the machine; empty: unknown.
std::string boot_of_machine();

/// Within which process numbers mean something (containers have their own); empty: unknown.
std::string namespace_of_processes();

std::string host_name();

}  // namespace qapfw::framework
