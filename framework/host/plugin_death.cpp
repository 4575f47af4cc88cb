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

std::atomic<bool> running{false};
std::atomic<pid_t> main_process{0};
int exit_code = 1;

/// Writes texts without memory of its own: the heap may be broken.
void say(const char* text) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
}

/// The library whose code was running; empty where that is not known.
const char* library_of(void* context) {
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

void die(int signal, siginfo_t*, void* context) {
    const char* const library = library_of(context);
    if (std::strstr(library, ".qapfw.so") != nullptr) {
        say("qapfw: the plugin ");
        say(library);
        say(" crashed with signal ");
        say(signal == SIGSEGV ? "SIGSEGV" : signal == SIGBUS ? "SIGBUS" : signal == SIGFPE ? "SIGFPE" : "SIGILL");
        say("; `qapfw plugin check` shows in which call, and a record can be resumed\n");
    }
    std::signal(signal, SIG_DFL);
    raise(signal);
}

void end(int, void*) {
    if (!running || getpid() != main_process) return;
    say("qapfw: a plugin ended the process by exit(); plugins throw or return a status instead\n");
    _exit(exit_code);
}

}  // namespace

void tell_plugin_deaths(int code) {
    exit_code = code;
    main_process = getpid();
    running = true;
    on_exit(end, nullptr);
#if !defined(QAPFW_ADDRESS_SANITIZER) && !defined(QAPFW_THREAD_SANITIZER)
    struct sigaction action {};
    action.sa_sigaction = die;
    action.sa_flags = static_cast<int>(SA_SIGINFO | SA_NODEFER);
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) sigaction(signal, &action, nullptr);
#endif
}

void expect_exit() {
    running = false;
}

}  // namespace qapfw::framework
