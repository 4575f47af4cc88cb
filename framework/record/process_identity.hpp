// SPDX-License-Identifier: Apache-2.0
// Facts that identify a process among all processes of all machines, even after its machine was restarted.
#pragma once

#include <cstdint>
#include <string>

namespace qapfw::framework {

/// The start of the process, in the kernel's ticks since the machine's start. 0: the process does not exist, or has
/// ended and is not reaped yet.
std::uint64_t start_of_process(std::int64_t process);

/// The id that the operating system made at the machine's last start; empty: unknown.
std::string boot_of_machine();

/// The namespace in which process numbers are valid (containers have their own); empty: unknown.
std::string namespace_of_processes();

std::string host_name();

}  // namespace qapfw::framework
