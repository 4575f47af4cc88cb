// SPDX-License-Identifier: Apache-2.0
#include "framework/conformance/sanitizers.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <vector>

#include "qapfw/error.hpp"

namespace qapfw::framework::conformance {
namespace {

/// Switches leak detection off, since the case leaks-nothing looks for leaks. That case measures how memory grows, so
/// the quarantine (freed memory that the sanitizer keeps back) is made small.
constexpr const char* kAddressOptions = "detect_leaks=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=16";
constexpr const char* kUndefinedOptions = "print_stacktrace=1";

std::string file_bytes(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// The name of the sanitizer runtime that the library loads. Throws Error(kUsage) if it loads none.
std::string runtime_of(const std::filesystem::path& library) {
    const std::string bytes = file_bytes(library);
    for (const std::string_view name : {"libasan.so", "libclang_rt.asan"}) {
        const std::size_t at = bytes.find(name);
        if (at != bytes.npos) return bytes.substr(at, bytes.find('\0', at) - at);
    }
    if (bytes.find("__asan_init") != bytes.npos) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: it does not load the sanitizer's runtime as a shared library; build it once more, "
                                "and add -shared-libasan to the flags of compiler and linker",
                                library.string()));
    }
    throw Error(ErrorKind::kUsage,
                fmt::format("{}: it was not compiled with -fsanitize=address; build it once more, with \"cmake -B "
                            "build-sanitized -DCMAKE_CXX_FLAGS=-fsanitize=address,undefined\", and check that library",
                            library.string()));
}

void add_options(const char* variable, const std::string& options) {
    const char* const given = std::getenv(variable);  // the user's options come last, so they win
    setenv(variable, (given == nullptr ? options : options + ":" + given).c_str(), 1);
}

/// The arguments of this process.
std::vector<std::string> own_arguments() {
    const std::string bytes = file_bytes("/proc/self/cmdline");
    std::vector<std::string> arguments;
    for (std::size_t at = 0; at < bytes.size(); at = bytes.find('\0', at) + 1)
        arguments.emplace_back(bytes.c_str() + at);
    return arguments;
}

}  // namespace

bool has_sanitizers() {
    return dlsym(RTLD_DEFAULT, "__asan_init") != nullptr;
}

void start_under_sanitizers(const std::filesystem::path& library) {
    if (has_sanitizers()) {
        unsetenv("LD_PRELOAD");  // programs that this one starts, such as compilers, run without the sanitizers
        return;
    }
    const std::string runtime = runtime_of(library);
    const char* const loaded = std::getenv("LD_PRELOAD");
    if (loaded != nullptr && std::string_view(loaded).find(runtime) != std::string_view::npos) {
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: its sanitizer's runtime, {}, is not found; install the compiler "
                                "that made this library",
                                library.string(), runtime));
    }
    setenv("LD_PRELOAD", (loaded == nullptr ? runtime : runtime + ":" + loaded).c_str(), 1);
    add_options("ASAN_OPTIONS", kAddressOptions);
    add_options("UBSAN_OPTIONS", kUndefinedOptions);
    std::vector<std::string> arguments = own_arguments();
    std::vector<char*> pointers;
    for (std::string& argument : arguments) pointers.push_back(argument.data());
    pointers.push_back(nullptr);
    execv("/proc/self/exe", pointers.data());
    throw Error(ErrorKind::kInternal, "the program cannot start itself once more");
}

std::string why_kernels_are_not_sanitized(const std::filesystem::path& emulated) {
    if (emulated.empty()) return "device code ran without sanitizers: the SDK's emulated GPUs are not installed";
    if (std::getenv("QAPFW_LIBCUDA") != nullptr || std::getenv("QAPFW_NVRTC") != nullptr)
        return "device code ran without sanitizers, because QAPFW_LIBCUDA or QAPFW_NVRTC is set; unset both "
               "environment variables";
    Dl_info runtime{};
    void* const symbol = dlsym(RTLD_DEFAULT, "__asan_init");
    if (symbol == nullptr || dladdr(symbol, &runtime) == 0 ||
        std::string_view(runtime.dli_fname).find("libasan") == std::string_view::npos) {
        return "device code ran without sanitizers: the emulated GPUs need the sanitizers of GCC, so compile the "
               "plugin with g++";
    }
    return {};
}

std::string finding_of_sanitizers(const std::string& output) {
    constexpr std::string_view kSummary = "SUMMARY: ", kUndefined = ": runtime error: ";
    const auto line_with = [&](std::size_t at) {
        const std::size_t before = output.rfind('\n', at), begin = before == output.npos ? 0 : before + 1;
        return output.substr(begin, output.find('\n', at) - begin);
    };
    if (const std::size_t at = output.find("SUMMARY: AddressSanitizer: "); at != output.npos)
        return line_with(at).substr(kSummary.size());
    const std::size_t at = output.find(kUndefined);
    return at == output.npos ? std::string() : line_with(at);
}

}  // namespace qapfw::framework::conformance
