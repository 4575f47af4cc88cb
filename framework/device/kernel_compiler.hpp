// SPDX-License-Identifier: Apache-2.0
// Turns programs into GPU binaries. A binary that is in memory or in the cache on disk is used again; else NVRTC
// compiles the program. Several binaries are made at the same time. All devices of a run use one compiler.
#pragma once

#include <cstdint>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "framework/device/kernel_cache.hpp"
#include "framework/device/kernel_program.hpp"
#include "framework/device/nvrtc.hpp"

namespace qapfw::framework {

using Binary = std::shared_ptr<const std::string>;

class KernelCompiler {
  public:
    /// `is_run`: true if the binaries will run. If false, NVRTC 13 and later do not optimise the binaries, so `cache`
    /// must be disabled.
    KernelCompiler(std::shared_ptr<const Nvrtc> nvrtc, const CacheSettings& cache, LogFunction log, bool is_run = true);
    ~KernelCompiler();

    /// [thread-safe] Returns the program's binary for GPUs of an architecture, and compiles it if necessary. Throws
    /// Error(kPlugin) if the program does not compile or lacks its entry, Error(kDevice) if NVRTC fails.
    Binary binary(const KernelProgram& program, std::uint32_t architecture);
    /// [thread-safe] Starts to make all binaries, on as many threads as the process may use, and returns. `binary`
    /// waits for a binary that is being made. Errors are thrown by `binary`, not here. The programs' texts must outlive
    /// this object.
    void prepare(std::vector<KernelProgram> programs, std::uint32_t architecture);
    /// [thread-safe] Forgets the binary `refused`, in memory and on disk, and compiles the program again. Call it if
    /// the driver refused this binary for `reason`.
    Binary replace(const KernelProgram& program, std::uint32_t architecture, const Binary& refused,
                   const std::string& reason);

    const Nvrtc& nvrtc() const { return *nvrtc_; }

  private:
    bool has_begun(const KernelProgram& program, std::uint32_t architecture);
    Binary find_or_compile(const KernelProgram& program, std::uint32_t architecture, const std::string& key);
    Binary compile(const KernelProgram& program, std::uint32_t architecture, const std::string& key);
    void log(std::int32_t level, const std::string& text);

    std::shared_ptr<const Nvrtc> nvrtc_;
    bool is_run_;
    LogFunction log_;
    std::mutex log_mutex_;
    KernelCache cache_;
    std::mutex mutex_;                                            ///< guards binaries_ and helpers_
    std::map<std::string, std::shared_future<Binary>> binaries_;  ///< compiled binaries by the hash of their key
    std::vector<std::jthread> helpers_;  ///< declared last: the threads use the other members, so they must end first
};

/// Number of threads that this process may use (its affinity mask), at least 1.
unsigned usable_threads();

}  // namespace qapfw::framework
