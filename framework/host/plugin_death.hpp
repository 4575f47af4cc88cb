// SPDX-License-Identifier: Apache-2.0
// If a plugin causes the death of the process, reports this with the plugin's name. Causes are a signal such as
// SIGSEGV, or a call of exit(). Unreported, exit() would end a run without a result and with exit code 0.
#pragma once

namespace qapfw::framework {

/// Reports deaths that plugins cause, on standard error: those by a signal from now on, those by exit() until
/// `expect_exit` is called. Such an exit() ends the process with `code`; a signal ends it as usual. Call this once,
/// before any thread exists.
void tell_plugin_deaths(int code);
/// From now on, exit() ends the process normally.
void expect_exit();

}  // namespace qapfw::framework
