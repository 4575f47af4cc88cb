// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/kernel_compiler.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

std::string subject_of(const KernelProgram& program) {
    return fmt::format("kernel '{}' of plugin {}", program.entry(), program.plugin());
}

/// True if the binary has a kernel `entry`. (A cubin has a section for each kernel's code, named after the kernel.)
bool has_entry(const std::string& binary, const std::string& entry) {
    const std::string section = ".text." + entry;
    return binary.find(section + '\0') != binary.npos;
}

}  // namespace

unsigned usable_threads() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) != 0) return 1;
    return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

KernelCompiler::KernelCompiler(std::shared_ptr<const Nvrtc> nvrtc, const CacheSettings& cache, LogFunction log,
                               bool is_run)
    : nvrtc_(std::move(nvrtc)),
      is_run_(is_run),
      log_(std::move(log)),
      cache_(cache, [this](std::int32_t level, const std::string& text) { this->log(level, text); }) {}

KernelCompiler::~KernelCompiler() {
    for (std::jthread& helper : helpers_) helper.request_stop();
}

Binary KernelCompiler::binary(const KernelProgram& program, std::uint32_t architecture) {
    const std::string key = program.key(architecture, "NVRTC " + nvrtc_->version());
    const std::string hash = hash_text(key);
    std::promise<Binary> promise;
    std::shared_future<Binary> future;
    bool mine = false;
    {
        const std::lock_guard lock(mutex_);
        const auto [entry, inserted] = binaries_.try_emplace(hash);
        if (inserted) entry->second = promise.get_future().share();
        mine = inserted;
        future = entry->second;
    }
    if (mine) {
        try {
            promise.set_value(find_or_compile(program, architecture, key));
        } catch (...) {
            promise.set_exception(std::current_exception());
            const std::lock_guard lock(mutex_);
            binaries_.erase(hash);
        }
    }
    Binary binary = future.get();
    if (!has_entry(*binary, program.entry())) {
        throw Error(ErrorKind::kPlugin,
                    fmt::format("the device texts of plugin {} define no extern \"C\" __global__ function '{}'",
                                program.plugin(), program.entry()));
    }
    return binary;
}

Binary KernelCompiler::find_or_compile(const KernelProgram& program, std::uint32_t architecture,
                                       const std::string& key) {
    auto cached = cache_.load(key);
    std::unique_ptr<EntryLock> lock;
    if (!cached) {
        lock = cache_.lock(key);
        cached = cache_.load(key);  // another process may have stored it meanwhile
    }
    if (!cached) return compile(program, architecture, key);
    log(QAPFW_LOG_INFO, fmt::format("{} for sm_{}: cached", subject_of(program), architecture));
    return std::make_shared<const std::string>(std::move(*cached));
}

Binary KernelCompiler::compile(const KernelProgram& program, std::uint32_t architecture, const std::string& key) {
    const auto start = std::chrono::steady_clock::now();
    Nvrtc::Result result = nvrtc_->compile(program, architecture, is_run_);
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (!result.log.empty()) log(QAPFW_LOG_DEBUG, "NVRTC: " + result.log);
    if (result.binary.empty()) {
        throw Error(ErrorKind::kPlugin, compile_error_text(result.log, subject_of(program)));
    }
    log(QAPFW_LOG_INFO,
        fmt::format("{} for sm_{}: compiled in {:.0f} ms", subject_of(program), architecture, time.count()));
    cache_.store(key, result.binary);
    return std::make_shared<const std::string>(std::move(result.binary));
}

bool KernelCompiler::has_begun(const KernelProgram& program, std::uint32_t architecture) {
    const std::string hash = hash_text(program.key(architecture, "NVRTC " + nvrtc_->version()));
    const std::lock_guard lock(mutex_);
    return binaries_.contains(hash);
}

void KernelCompiler::prepare(std::vector<KernelProgram> programs, std::uint32_t architecture) {
    struct Work {
        std::vector<KernelProgram> programs;
        std::atomic<std::size_t> next = 0;
    };
    std::erase_if(programs, [&](const KernelProgram& program) { return has_begun(program, architecture); });
    const auto work = std::make_shared<Work>();
    work->programs = std::move(programs);
    const auto help = [this, work, architecture](const std::stop_token& stop) {
        for (std::size_t i = work->next++; i < work->programs.size() && !stop.stop_requested(); i = work->next++) {
            try {
                binary(work->programs[i], architecture);
            } catch (...) {  // every thread that waits for this binary gets the error
            }
        }
    };
    const std::size_t threads = std::min<std::size_t>(usable_threads(), work->programs.size());
    const std::lock_guard lock(mutex_);
    try {
        for (std::size_t i = 0; i < threads; ++i) helpers_.emplace_back(help);
    } catch (const std::system_error&) {  // no more threads can be started; binary() compiles when it is called
    }
}

Binary KernelCompiler::replace(const KernelProgram& program, std::uint32_t architecture, const Binary& refused,
                               const std::string& reason) {
    const std::string key = program.key(architecture, "NVRTC " + nvrtc_->version());
    const std::string hash = hash_text(key);
    {
        const std::lock_guard lock(mutex_);
        const auto found = binaries_.find(hash);
        // Another device may have replaced this binary already.
        if (found != binaries_.end() && found->second.get() == refused) {
            binaries_.erase(found);
            cache_.discard(key, reason);
        }
    }
    return binary(program, architecture);
}

void KernelCompiler::log(std::int32_t level, const std::string& text) {
    const std::lock_guard lock(log_mutex_);
    if (log_) log_(level, text);
}

}  // namespace qapfw::framework
#endif
