// SPDX-License-Identifier: Apache-2.0
#include "framework/host/plugin_death.hpp"

#include <dlfcn.h>
#include <ucontext.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>

namespace qapfw::framework {
namespace {

std::atomic<bool> plugins_run{false};
std::atomic<pid_t> process_of_plugins{0};
int code_of_exit = 1;

/// Writes the text to standard error without using the heap, which may be broken.
void tell_end(const char* text) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

/// Path of the library or program whose code was running; empty if unknown, as on processors other than x86-64.
const char* crashed_library(void* context) {
#ifdef __x86_64__
    const auto* const state = static_cast<const ucontext_t*>(context);
    Dl_info found{};
    // NOLINTNEXTLINE: the register holds an address
    if (dladdr(reinterpret_cast<void*>(state->uc_mcontext.gregs[REG_RIP]), &found) != 0) return found.dli_fname;
#else
    (void)context;
#endif
    return "";
}

// Signal handler: names the plugin if its code crashed, then ends the process by the same signal. Not installed in
// builds with sanitizers, which report these signals themselves.
[[maybe_unused]] void end_by_signal(int signal, siginfo_t*, void* context) {
    const char* const library = crashed_library(context);
    if (std::strstr(library, ".qapfw.so") != nullptr) {
        tell_end("qapfw: the plugin ");
        tell_end(library);
        tell_end(" crashed with signal ");
        tell_end(signal == SIGSEGV ? "SIGSEGV" : signal == SIGBUS ? "SIGBUS" : signal == SIGFPE ? "SIGFPE" : "SIGILL");
        tell_end(
            "; `qapfw plugin check` shows which call crashes, and `qapfw resume` continues a run from its record\n");
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

void end_by_exit(int, void*) {
    if (!plugins_run || getpid() != process_of_plugins) return;
    tell_end("qapfw: a plugin ended the process by exit(); plugins throw or return a status instead\n");
    _exit(code_of_exit);
}

}  // namespace

void tell_plugin_deaths(int code) {
    code_of_exit = code;
    process_of_plugins = getpid();
    plugins_run = true;
    on_exit(end_by_exit, nullptr);
#if !defined(QAPFW_ADDRESS_SANITIZER) && !defined(QAPFW_THREAD_SANITIZER)
    struct sigaction action {};
    action.sa_sigaction = end_by_signal;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_NODEFER);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
#endif
}

void expect_exit() {
    plugins_run = false;
}

}  // namespace qapfw::framework
