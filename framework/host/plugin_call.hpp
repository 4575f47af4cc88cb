// SPDX-License-Identifier: Apache-2.0
// Calls across the C interface. A failing status becomes an Error with the plugin's message. An exception that leaves a
// plugin breaks the plugin's contract and becomes an Error too.
#pragma once

#include <exception>
#include <string>

#include "framework/host/last_error.hpp"
#include "qapfw/abi/base.h"
#include "qapfw/error.hpp"

namespace qapfw::framework {

/// Throws the Error for a failing status. Its text begins with `owner`, the plugin object (such as "problem qap"). If
/// the plugin left no message, the text also names `action`, the function that failed.
[[noreturn]] void throw_status(qapfw_status status, const std::string& owner, const char* action);
/// The status (QAPFW_ERROR_...) that a plugin gets if its call of the framework fails with an error of this kind.
qapfw_status status_of(ErrorKind kind);

template <class Call>
void call_plugin(const std::string& owner, const char* action, Call&& call) {
    take_last_error();
    qapfw_status status = QAPFW_OK;
    try {
        status = call();
    } catch (const std::exception& error) {
        throw Error(ErrorKind::kPlugin, owner + ": an exception left the plugin in " + action + ": " + error.what());
    } catch (...) {
        throw Error(ErrorKind::kPlugin, owner + ": an exception of unknown type left the plugin in " + action);
    }
    if (status != QAPFW_OK) throw_status(status, owner, action);
}

}  // namespace qapfw::framework
