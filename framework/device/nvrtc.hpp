// SPDX-License-Identifier: Apache-2.0
// NVIDIA's run-time compiler, opened when GPUs are looked for. If $QAPFW_NVRTC is set, only this file is tried. Else
// the library is searched for in $CUDA_HOME/lib64, in /usr/local/cuda/lib64 and along the loader's path, in this order.
// In each of them, version 13 is tried before version 12.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "framework/device/dynamic_library.hpp"
#include "framework/device/kernel_program.hpp"

namespace qapfw::framework {

class Nvrtc {
  public:
    /// Returns the first usable NVRTC (12.4 or newer) whose major version is at most `newest_major`. The limit is
    /// needed because a driver cannot run binaries of a newer CUDA. Throws Error(kDevice) if no such NVRTC is found.
    static std::shared_ptr<const Nvrtc> find(int newest_major = 99);

    int major() const { return major_; }
    std::string version() const;  ///< the version as text: "13.0"
    std::string path() const { return library_.path(); }
    /// The GPU generations for which this NVRTC can compile, ascending: 75, 80, ...
    const std::vector<std::uint32_t>& architectures() const { return architectures_; }

    struct Result {
        std::string binary;  ///< cubin; empty if the program did not compile
        std::string log;
    };
    /// [thread-safe] Throws Error(kDevice) if NVRTC itself fails. Errors in the program are in the Result. `is_run`:
    /// true if the binary will run. If false, NVRTC 13 and later do not optimise it and need a third of the time.
    Result compile(const KernelProgram& program, std::uint32_t architecture, bool is_run = true) const;

  private:
    struct Functions;
    explicit Nvrtc(const NamedLibrary& library);

    DynamicLibrary library_;
    std::shared_ptr<const Functions> functions_;
    int major_ = 0;
    int minor_ = 0;
    std::vector<std::uint32_t> architectures_;
    std::string reason_;  ///< why NVRTC cannot be used
};

}  // namespace qapfw::framework
