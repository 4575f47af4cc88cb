// SPDX-License-Identifier: Apache-2.0
#include "framework/host/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "framework/host/printable.hpp"

namespace qapfw::framework {
namespace {

std::mutex console_mutex;
std::string live;  // the present text of the live line

constexpr const char* kEraseLine = "\r\x1b[K";

std::size_t terminal_width() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) return size.ws_col - 1u;
    return 79;
}

void put(const std::string& text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

}  // namespace

void console_line(std::string_view text) {
    const std::lock_guard lock(console_mutex);
    std::string out;
    if (!live.empty()) out += kEraseLine;
    out += printable_message(text);
    out += '\n';
    out += live;
    put(out);
}

void console_raw(const std::string& bytes) {
    const std::lock_guard lock(console_mutex);
    put((live.empty() ? std::string() : kEraseLine) + bytes + live);
}

void console_live(const std::string& text) {
    const std::lock_guard lock(console_mutex);
    live = printable(text).substr(0, terminal_width());
    put(kEraseLine + live);
}

void console_end_live() {
    const std::lock_guard lock(console_mutex);
    if (live.empty()) return;
    live.clear();
    put(kEraseLine);
}

bool stderr_draws() {
    const char* kind = std::getenv("TERM");
    return isatty(STDERR_FILENO) == 1 && kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

}  // namespace qapfw::framework
