// SPDX-License-Identifier: Apache-2.0
// Reports deaths that a plugin causes with its name. They come by a signal such as SIGSEGV, or by a call of exit(),
// which would end a run without a result and with exit code 0.
#pragma once

namespace qapfw::framework {

/// From now on until `expect_exit` both are reported on standard error; an exit() ends the process with `code`, a
/// signal as it would have. Call it once, before any thread exists.
void tell_plugin_deaths(int code);
/// The process may end from now on.
void expect_exit();

}  // namespace qapfw::framework
