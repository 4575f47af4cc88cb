// SPDX-License-Identifier: Apache-2.0
// An NVRTC that compiles for the host. Its compiler is $CXX; if that is unset, the C++ compiler of the build; if that
// is missing, `c++`. Its "cubin" is a shared library for the emulated driver. The parts of CUDA that kernels use are in
// tests/support. In the build tree hundreds of tests compile the same programs, so each program is compiled once: the
// folder `compiled` beside this library keeps the results until program_prefix.hpp or its includes change. Variables:
//   QAPFW_EMULATED_COMPILE_SECONDS: additional time of each compilation
//   QAPFW_EMULATED_COMPILE_ERROR: message with which every compilation fails
//   QAPFW_EMULATED_SANITIZE: compiles programs with the address and undefined-behaviour sanitizers, whose runtime the
//   process must have
#pragma GCC visibility push(default)
#include <nvrtc.h>
#pragma GCC visibility pop

#include <cuda.h>
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/emulated_cuda/kernel_description.hpp"
#include "tests/support/temporary_folder.hpp"

struct _nvrtcProgram {
    std::string source;
    std::vector<std::pair<std::string, std::string>> headers;  ///< names and texts
    std::string log, library;
};

namespace {

constexpr const char* kFlags = " " QAPFW_CXX_FLAGS " -shared";
constexpr const char* kSanitizerFlags =
    " -DQAPFW_ADDRESS_SANITIZER -fsanitize=address,undefined -fno-sanitize=vptr -g -fno-omit-frame-pointer";

bool sanitizes() {
    return std::getenv("QAPFW_EMULATED_SANITIZE") != nullptr;
}

std::string contents(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file, std::ios::binary).rdbuf();
    return text.str();
}

/// Turns the option "-DNAME=VALUE" into a #define line of the program. This line needs no quotes; a compiler option
/// would need quotes for the shell.
std::string define_line(std::string option) {
    option.erase(0, 2);
    const std::size_t equals = option.find('=');
    if (equals == option.npos) return "#define " + option + " 1\n";
    option[equals] = ' ';
    return "#define " + option + "\n";
}

/// Returns a line QAPFW_DESCRIBE_KERNEL(...) for each kernel of the program. Kernels begin with extern "C" __global__
/// void [__launch_bounds__(threads[, blocks])] entry(
std::string descriptions(const std::string& source) {
    // Parentheses within the launch bounds must not be nested.
    static const std::regex pattern(
        R"(extern "C" __global__ void\s+(?:__launch_bounds__\(((?:[^()]|\([^()]*\))*)\)\s*)?(\w+)\()");
    std::string text;
    for (std::sregex_iterator kernel(source.begin(), source.end(), pattern), end; kernel != end; ++kernel) {
        const std::string bounds = (*kernel)[1], entry = (*kernel)[2];
        text += "QAPFW_DESCRIBE_KERNEL(" + entry + (bounds.empty() ? "" : ", ") + bounds + ")\n";
    }
    return text;
}

std::string host_program(const std::string& source, const std::vector<std::string>& options) {
    static const std::regex dynamic(R"(extern __shared__ (?:__align__\(\d+\) )?([\w:]+) (\w+)\[\];)");
    std::string text;
    for (const std::string& option : options)
        if (option.starts_with("-D")) text += define_line(option);
    text += "#include \"tests/emulated_cuda/program_prefix.hpp\"\n";
    text += std::regex_replace(source, dynamic,
                               "$1* const $2 = static_cast<$1*>(qapfw::emulated_cuda::dynamic_shared_memory);");
    return text + "\n#line 1 \"descriptions of the kernels\"\n" + descriptions(source);
}

/// A path, quoted for the shell.
std::string shell_word(const std::filesystem::path& path) {
    return "'" + path.string() + "'";
}

/// The folder of this library.
std::filesystem::path own_folder() {
    Dl_info self{};
    if (dladdr(reinterpret_cast<const void*>(kFlags), &self) == 0) throw std::runtime_error("this library has no path");
    return std::filesystem::path(self.dli_fname).parent_path();
}

/// Returns the compiler with its flags and three include folders. Only the build tree has the first, `precompiled`. In
/// an installation, the last one (the prefix's include folder) holds the SDK's headers.
std::string compiler_with_headers() {
    const char* const chosen = std::getenv("CXX");
    const std::string usual = std::filesystem::exists(QAPFW_CXX_COMPILER) ? shell_word(QAPFW_CXX_COMPILER) : "c++";
    const std::filesystem::path folder = own_folder();
    return (chosen != nullptr && *chosen != 0 ? chosen : usual) + kFlags + (sanitizes() ? kSanitizerFlags : "") +
           " -I" + shell_word(folder / "precompiled") + " -I" + shell_word(folder / "include") + " -I" +
           shell_word(folder / "../../../include");
}

/// A compiled program that the build tree keeps in a file. The file holds the text that identifies the program, then
/// the library that the compiler made.
class Compiled {
  public:
    /// `text`: the compiler's command, the program and its headers. The library is kept only if `folder` has a folder
    /// `precompiled`, which only the build tree has.
    Compiled(std::string text, const std::filesystem::path& folder)
        : text_(std::move(text) + '\0'),
          file_(folder / "compiled" / std::to_string(std::hash<std::string>{}(text_))),
          is_kept_(std::filesystem::exists(folder / "precompiled")) {}

    /// Returns the library compiled from the program; empty if the folder does not have it.
    std::string find() const {
        std::string found = is_kept_ ? contents(file_) : std::string();
        return found.starts_with(text_) ? found.substr(text_.size()) : std::string();
    }
    /// Stores the library. Another process may do so at the same time; both write the same bytes.
    void keep(const std::string& library) const {
        if (!is_kept_ || library.empty()) return;
        std::filesystem::create_directory(file_.parent_path());
        const std::filesystem::path unfinished = file_.string() + '.' + std::to_string(::getpid());
        std::ofstream(unfinished, std::ios::binary) << text_ << library;
        std::filesystem::rename(unfinished, file_);
    }

  private:
    std::string text_;
    std::filesystem::path file_;
    bool is_kept_;
};

/// Runs the compiler. Returns the library's bytes; empty on failure, with the compiler's messages in `log`.
std::string compile(const _nvrtcProgram& program, const std::string& text, std::string& log) {
    const qapfw::test::TemporaryFolder folder;
    for (const auto& [name, header] : program.headers) folder.write("headers/" + name, header);
    folder.write("program.cpp", text);
    const std::string library = folder / "program.so";
    // With exec the compiler replaces the shell, so no shell stands between this process and the compiler.
    const std::string command = "exec 2>&1; exec " + compiler_with_headers() + " -I" + shell_word(folder / "headers") +
                                " -o " + shell_word(library) + " " + shell_word(folder / "program.cpp");
    FILE* const output = ::popen(command.c_str(), "r");
    if (output == nullptr) throw std::runtime_error("the compiler cannot be started");
    char block[4096];
    for (std::size_t count; (count = std::fread(block, 1, sizeof block, output)) > 0;) log.append(block, count);
    return ::pclose(output) == 0 ? contents(library) : std::string();
}

std::string find_or_compile(const _nvrtcProgram& program, const std::vector<std::string>& options, std::string& log) {
    const std::string text = host_program(program.source, options);
    std::string all = compiler_with_headers() + '\n' + text;
    for (const auto& [name, header] : program.headers) all += '\n' + name + '\n' + header;
    const Compiled compiled(std::move(all), own_folder());
    std::string library = compiled.find();
    if (library.empty()) compiled.keep(library = compile(program, text, log));
    return library;
}

nvrtcResult give(const std::string& text, char* to) {
    std::memcpy(to, text.c_str(), text.size() + 1);
    return NVRTC_SUCCESS;
}

}  // namespace

const char* nvrtcGetErrorString(nvrtcResult result) {
    return result == NVRTC_SUCCESS ? "success" : "the emulated NVRTC failed";
}

nvrtcResult nvrtcVersion(int* major, int* minor) {
    *major = CUDA_VERSION / 1000;
    // No real NVRTC has these version numbers. So a kernel cache never mixes kernels of real and emulated GPUs, nor
    // kernels with and without sanitizers.
    *minor = sanitizes() ? 98 : 99;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int* count) {
    *count = 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetSupportedArchs(int* architectures) {
    architectures[0] = qapfw::emulated_cuda::kCapability;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCreateProgram(nvrtcProgram* program, const char* source, const char*, int header_count,
                               const char* const* headers, const char* const* names) {
    *program = new _nvrtcProgram{source, {}, {}, {}};
    for (int k = 0; k < header_count; ++k) (*program)->headers.emplace_back(names[k], headers[k]);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram* program) {
    delete std::exchange(*program, nullptr);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int count, const char* const* options) {
    try {
        if (const char* const seconds = std::getenv("QAPFW_EMULATED_COMPILE_SECONDS"); seconds != nullptr) {
            std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
        }
        if (const char* const told = std::getenv("QAPFW_EMULATED_COMPILE_ERROR"); told != nullptr) {
            program->log = std::string("error: ") + told;
            return NVRTC_ERROR_COMPILATION;
        }
        program->library = find_or_compile(*program, {options, options + count}, program->log);
    } catch (const std::exception& error) {
        program->log = error.what();
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    return program->library.empty() ? NVRTC_ERROR_COMPILATION : NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, std::size_t* size) {
    *size = program->log.size() + 1;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char* log) {
    return give(program->log, log);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, std::size_t* size) {
    *size = program->library.size();
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char* cubin) {
    std::memcpy(cubin, program->library.data(), program->library.size());
    return NVRTC_SUCCESS;
}
