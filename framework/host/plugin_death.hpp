// SPDX-License-Identifier: Apache-2.0
// Reports that a plugin ended the process, by a call of exit() or by SIGSEGV, SIGBUS, SIGFPE or SIGILL in its code.
// Without the report, a plugin's exit(0) would end a run without a result but with exit code 0.
#pragma once

namespace qapfw::framework {

/// From now on, reports on standard error that a plugin ended the process. After a signal, the report names the plugin
/// (signals are reported only on x86-64), and the signal ends the process as usual. Until `expect_exit` is called, any
/// exit() counts as a plugin's and ends the process with `code`. Call this once, before any thread exists.
void tell_plugin_deaths(int code);
/// From now on, exit() ends the process with its own exit code, and nothing is reported.
void expect_exit();

}  // namespace qapfw::framework
