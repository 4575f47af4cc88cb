// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/child_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sstream>
#include <utility>

#include "framework/record/folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// Makes the forked child run `program`, with standard error to `said`. Before exec, only a few functions are safe.
[[noreturn]] void become(const char* program, char* const* arguments, int said, pid_t parent) {
    setpgid(0, 0);  // the terminal's Ctrl-C goes to the parent only, which passes it on
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(127);  // the parent died before prctl could ask for a signal
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, nullptr);
    const int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(said, STDERR_FILENO);
    execv(program, arguments);
    _exit(127);
}

}  // namespace

std::filesystem::path this_program() {
    return std::filesystem::read_symlink("/proc/self/exe");
}

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const std::filesystem::path& said) {
    const std::string program = this_program().string();
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const Descriptor file = Folder(said.parent_path()).open_to_grow(said.filename().string());
    if (ftruncate(file.get(), 0) != 0)
        throw Error(ErrorKind::kIo, fmt::format("{}: cannot be written: {}", said.string(), std::strerror(errno)));
    const pid_t parent = getpid();
    process_ = fork();
    if (process_ == 0) become(program.c_str(), argv.data(), file.get(), parent);
    const int reason = errno;
    if (process_ < 0) throw Error(ErrorKind::kIo, fmt::format("cannot start a process: {}", std::strerror(reason)));
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept : process_(std::exchange(other.process_, -1)) {}

ChildProcess::~ChildProcess() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
}

std::optional<int> ChildProcess::ended() {
    int status = 0;
    const pid_t found = waitpid(process_, &status, WNOHANG);
    if (found == 0) return std::nullopt;
    process_ = -1;
    if (found < 0) return 127;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void ChildProcess::send(int signal) const {
    if (process_ > 0) kill(process_, signal);
}

std::string last_line(const std::filesystem::path& path) {
    std::istringstream text;
    try {
        text.str(read_file(path));
    } catch (const Error&) {
        return {};
    }
    std::string found;
    for (std::string line; std::getline(text, line);) {
        if (line.find_first_not_of(" \t\r") != std::string::npos) found = line;
    }
    return found.rfind("qapfw: ", 0) == 0 ? found.substr(7) : found;
}

}  // namespace qapfw::framework::laboratory
