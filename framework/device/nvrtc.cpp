// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/nvrtc.hpp"

#include <fmt/format.h>
#include <nvrtc.h>

#include <algorithm>
#include <utility>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr int kMajors[] = {13, 12};
constexpr int kOldestMinorOf12 = 4;

struct Candidate {
    NamedLibrary library;
    int major = 0;  ///< major version from the file's name; 0: unknown
};

std::vector<Candidate> candidates() {
    if (auto named = library_named_by("QAPFW_NVRTC")) return {{*std::move(named), 0}};
    std::vector<Candidate> all;
    for (const int major : kMajors) {
        auto named = library_named_by("CUDA_HOME", fmt::format("lib64/libnvrtc.so.{}", major));
        if (named) all.push_back({*std::move(named), major});
    }
    for (const char* folder : {"/usr/local/cuda/lib64/", ""}) {  // "" means the loader's path
        for (const int major : kMajors)
            all.push_back({{{}, fmt::format("{}libnvrtc.so.{}", folder, major), {}}, major});
    }
    return all;
}

}  // namespace

struct Nvrtc::Functions {
    decltype(&::nvrtcGetErrorString) error_string = nullptr;
    decltype(&::nvrtcVersion) version = nullptr;
    decltype(&::nvrtcGetNumSupportedArchs) architecture_count = nullptr;
    decltype(&::nvrtcGetSupportedArchs) architectures = nullptr;
    decltype(&::nvrtcCreateProgram) create = nullptr;
    decltype(&::nvrtcDestroyProgram) destroy = nullptr;
    decltype(&::nvrtcCompileProgram) compile = nullptr;
    decltype(&::nvrtcGetProgramLogSize) log_size = nullptr;
    decltype(&::nvrtcGetProgramLog) log = nullptr;
    decltype(&::nvrtcGetCUBINSize) binary_size = nullptr;
    decltype(&::nvrtcGetCUBIN) binary = nullptr;

    /// Loads the functions; returns false if one is missing.
    bool load(const DynamicLibrary& library) {
        const auto get = [&library](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(library.symbol(name));
            return function != nullptr;
        };
        return get(error_string, "nvrtcGetErrorString") && get(version, "nvrtcVersion") &&
               get(architecture_count, "nvrtcGetNumSupportedArchs") && get(architectures, "nvrtcGetSupportedArchs") &&
               get(create, "nvrtcCreateProgram") && get(destroy, "nvrtcDestroyProgram") &&
               get(compile, "nvrtcCompileProgram") && get(log_size, "nvrtcGetProgramLogSize") &&
               get(log, "nvrtcGetProgramLog") && get(binary_size, "nvrtcGetCUBINSize") && get(binary, "nvrtcGetCUBIN");
    }
};

Nvrtc::Nvrtc(const NamedLibrary& library) : library_(library) {
    auto functions = std::make_shared<Functions>();
    if (!library_.loaded()) {
        reason_ = library_.reason();
    } else if (!functions->load(library_) || functions->version(&major_, &minor_) != NVRTC_SUCCESS) {
        reason_ = library_.path() + " is no NVRTC of version 12.4 or newer";
    } else if (major_ < 12 || (major_ == 12 && minor_ < kOldestMinorOf12)) {
        reason_ = fmt::format("{} is NVRTC {}, but 12.4 or newer is needed", library_.path(), version());
    } else {
        int count = 0;
        functions->architecture_count(&count);
        std::vector<int> found(static_cast<std::size_t>(count > 0 ? count : 0));
        if (!found.empty()) functions->architectures(found.data());
        for (const int architecture : found) architectures_.push_back(static_cast<std::uint32_t>(architecture));
        std::ranges::sort(architectures_);
    }
    functions_ = std::move(functions);
}

std::string Nvrtc::version() const {
    return fmt::format("{}.{}", major_, minor_);
}

std::shared_ptr<const Nvrtc> Nvrtc::find(int newest_major) {
    std::string reason;
    std::vector<Candidate> too_new;
    for (const Candidate& candidate : candidates()) {
        if (candidate.major > newest_major) {
            too_new.push_back(candidate);
            continue;
        }
        const std::shared_ptr<const Nvrtc> found(new Nvrtc(candidate.library));
        if (found->reason_.empty() && found->major_ <= newest_major) return found;
        if (found->reason_.empty()) too_new.push_back(candidate);
        if (found->library_.loaded() || candidate.major == 0 || !candidate.library.refusal.empty())
            reason = found->reason_;
    }
    for (const Candidate& candidate : too_new) {  // serves only the message, which names an NVRTC that is too new
        const Nvrtc found(candidate.library);
        if (!found.reason_.empty()) continue;
        throw Error(ErrorKind::kDevice, fmt::format("NVRTC {} ({}) is newer than the driver, which runs CUDA {}.x: "
                                                    "install a newer driver or an older libnvrtc",
                                                    found.version(), found.path(), newest_major));
    }
    if (!reason.empty()) throw Error(ErrorKind::kDevice, "NVRTC cannot be used: " + reason);
    throw Error(
        ErrorKind::kDevice,
        "no NVRTC (libnvrtc.so.13 or libnvrtc.so.12) in $CUDA_HOME/lib64, /usr/local/cuda/lib64 or the loader's "
        "path; set the environment variable QAPFW_NVRTC to the file's path");
}

Nvrtc::Result Nvrtc::compile(const KernelProgram& program, std::uint32_t architecture, bool is_run) const {
    const auto check = [this](nvrtcResult result, const char* what) {
        if (result == NVRTC_SUCCESS) return;
        throw Error(ErrorKind::kDevice,
                    fmt::format("NVRTC {}: {}: {}", version(), what, functions_->error_string(result)));
    };
    std::vector<std::string> header_names, header_texts;
    for (const ProgramText& header : program.headers()) {
        header_names.emplace_back(header.name);
        header_texts.emplace_back(header.text);
    }
    std::vector<std::string> options = program.options();
    options.push_back(fmt::format("--gpu-architecture=sm_{}", architecture));
    constexpr int kFirstWithQuickCompilation = 13;
    if (!is_run && major_ >= kFirstWithQuickCompilation) options.emplace_back("--Ofast-compile=max");
    const auto pointers = [](const std::vector<std::string>& texts) {
        std::vector<const char*> all;
        for (const std::string& text : texts) all.push_back(text.c_str());
        return all;
    };
    nvrtcProgram handle = nullptr;
    check(functions_->create(&handle, program.source().c_str(), "qapfw", static_cast<int>(header_names.size()),
                             pointers(header_texts).data(), pointers(header_names).data()),
          "creating a program");
    const auto destroy = [this](nvrtcProgram* owned) { functions_->destroy(owned); };
    const std::unique_ptr<nvrtcProgram, decltype(destroy)> owner(&handle, destroy);

    const nvrtcResult outcome = functions_->compile(handle, static_cast<int>(options.size()), pointers(options).data());
    Result result;
    std::size_t size = 0;
    check(functions_->log_size(handle, &size), "reading the log");
    result.log.resize(size);
    check(functions_->log(handle, result.log.data()), "reading the log");
    while (!result.log.empty() && result.log.back() == '\0') result.log.pop_back();
    if (outcome == NVRTC_ERROR_OUT_OF_MEMORY || outcome == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE ||
        outcome == NVRTC_ERROR_INTERNAL_ERROR) {
        check(outcome, result.log.empty() ? "compiling" : result.log.c_str());
    }
    if (outcome != NVRTC_SUCCESS) {
        if (result.log.empty()) result.log = std::string("error: ") + functions_->error_string(outcome);
        return result;
    }
    check(functions_->binary_size(handle, &size), "reading the binary");
    result.binary.resize(size);
    check(functions_->binary(handle, result.binary.data()), "reading the binary");
    return result;
}

}  // namespace qapfw::framework
#endif
