// SPDX-License-Identifier: Apache-2.0
// Tools for the device tests: collected log lines, messages of expected errors, and a fake driver library.
#pragma once

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/device/device.hpp"
#include "framework/device/nvrtc.hpp"
#include "qapfw/error.hpp"
#include "tests/support/environment_variable.hpp"
#include "tests/support/temporary_folder.hpp"

namespace qapfw::framework {

using test::contains;
using test::EnvironmentVariable;
using test::TemporaryFolder;

/// Collects log lines with their levels.
struct LogLines {
    std::vector<std::pair<std::int32_t, std::string>> lines;
    LogFunction function() {
        return [this](std::int32_t level, const std::string& text) { lines.emplace_back(level, text); };
    }
    std::size_t count(std::int32_t level, const std::string& part) const {
        std::size_t found = 0;
        for (const auto& [line_level, text] : lines) {
            if (line_level == level && text.find(part) != std::string::npos) ++found;
        }
        return found;
    }
};

inline std::string read_bytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary) << bytes;
}

/// The message of the Error that `body` throws. The test fails if there is no Error, or one of another kind.
template <class Body>
std::string error_of(ErrorKind kind, Body body) {
    try {
        body();
    } catch (const Error& error) {
        CHECK(error.kind() == kind);
        return error.what();
    }
    FAIL("no error was thrown");
    return {};
}

/// Returns false, and prints a message, if there is no NVRTC.
inline bool have_nvrtc() {
#if QAPFW_HAVE_CUDA
    try {
        Nvrtc::find();
        return true;
    } catch (const Error& error) {
        MESSAGE("SKIPPED: " << error.what());
        return false;
    }
#else
    MESSAGE("SKIPPED: this build has no CUDA backend");
    return false;
#endif
}

/// Compiles fake_libcuda.c and points QAPFW_LIBCUDA at the library. The head of fake_libcuda.c lists the environment
/// variables that control the library.
class FakeDriver {
  public:
    /// Returns false, and prints a message, if there is no C compiler.
    static bool available() {
        if (std::system("cc --version > /dev/null 2>&1") == 0) return true;
        MESSAGE("SKIPPED: no C compiler (cc) to build the fake driver with");
        return false;
    }
    explicit FakeDriver(const std::string& flags = "")
        : library_("QAPFW_LIBCUDA", build(flags)), visible_("CUDA_VISIBLE_DEVICES", std::nullopt) {
        set("FAKE_CUDA_LOG", (folder_.path() / "log").string());
    }
    ~FakeDriver() {
        // Destroys the last setting first, since each destructor restores the value that its setting replaced.
        while (!settings_.empty()) settings_.pop_back();
    }
    FakeDriver(const FakeDriver&) = delete;
    FakeDriver& operator=(const FakeDriver&) = delete;
    /// Sets an environment variable until this object ends.
    void set(const std::string& name, const std::string& value) {
        settings_.push_back(std::make_unique<EnvironmentVariable>(name, value));
    }
    std::string log() const { return read_bytes(folder_.path() / "log"); }

  private:
    std::string build(const std::string& flags) {
        const std::string file = (folder_.path() / "libcuda.so.1").string();
        const std::string source = QAPFW_SOURCE_DIR "/tests/unit/framework/device/fake_libcuda.c";
        REQUIRE(std::system(("cc -std=c11 -shared -fPIC " + flags + " '" + source + "' -o '" + file + "'").c_str()) ==
                0);
        return file;
    }
    TemporaryFolder folder_;
    EnvironmentVariable library_;
    EnvironmentVariable visible_;
    std::vector<std::unique_ptr<EnvironmentVariable>> settings_;
};

inline qapfw_text text_of(const char* name, const std::string& text) {
    return {name, text.c_str(), text.size()};
}

/// Holds a kernel request and the one device text that the request refers to.
struct OneText {
    OneText(const char* name, std::string text, const char* entry, bool with_problem = false)
        : bytes_(std::move(text)),
          text_(text_of(name, bytes_)),
          request{sizeof(qapfw_kernel_request), 1, &text_, entry, 0, with_problem ? 1u : 0u, nullptr} {}
    OneText(const OneText&) = delete;
    OneText& operator=(const OneText&) = delete;

  private:
    std::string bytes_;
    qapfw_text text_;

  public:
    qapfw_kernel_request request;
};

}  // namespace qapfw::framework
