// SPDX-License-Identifier: Apache-2.0
#include "framework/host/named_libraries.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "framework/host/trust.hpp"

namespace qapfw::framework {

namespace {

namespace fs = std::filesystem;

constexpr const char* kLibraries[] = {"QAPFW_LIBCUDA", "QAPFW_NVRTC", "QAPFW_NVML", "QAPFW_MPI_COMPONENT"};
/// Variables that the loader obeys before this program begins.
constexpr const char* kOfLoader[] = {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"};

std::atomic<bool> writable_allowed{false};

std::string refusal_of(const char* variable, const std::string& file) {
    std::error_code error;
    const fs::path canonical = fs::canonical(file, error);
    if (error) return {};  // the loader reports what is wrong with the file
    const fs::path folder = fs::canonical(fs::absolute(file, error).parent_path(), error);
    const std::string reason = distrust_library(canonical, error ? canonical.parent_path() : folder);
    if (reason.empty()) return {};
    return fmt::format("{} names {}: {}; load it all the same with --allow-writable-plugins", variable, file, reason);
}

}  // namespace

std::optional<NamedLibrary> library_named_by(const char* variable, const std::string& below) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') return std::nullopt;
    const std::string file = below.empty() ? std::string(value) : std::string(value) + "/" + below;
    const bool checked = file.find('/') != std::string::npos && !writable_allowed.load();
    return NamedLibrary{variable, file, checked ? refusal_of(variable, file) : std::string()};
}

void allow_writable_libraries() {
    writable_allowed.store(true);
}

std::vector<NamedLibrary> libraries_named_by_environment() {
    std::vector<NamedLibrary> all;
    for (const char* variable : kLibraries) {
        if (auto named = library_named_by(variable)) all.push_back(*std::move(named));
    }
    for (const char* folder : {"lib64/libnvrtc.so.13", "lib64/libnvrtc.so.12"}) {
        std::error_code error;
        auto named = library_named_by("CUDA_HOME", folder);
        if (named && fs::exists(named->file, error)) all.push_back(*std::move(named));
    }
    for (const char* variable : kOfLoader) {
        if (const char* value = std::getenv(variable); value != nullptr && *value != '\0') {
            all.push_back({variable, value, {}});
        }
    }
    return all;
}

}  // namespace qapfw::framework
