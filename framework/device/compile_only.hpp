// SPDX-License-Identifier: Apache-2.0
// Compiles kernels for several GPU generations on a machine that has no GPU and no driver: tests use it to prove that
// every kernel of every plugin compiles with every problem.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "framework/device/device.hpp"
#include "framework/device/device_problem.hpp"

namespace qapfw::framework {

struct CompiledKernel {
    std::string entry;
    std::uint32_t architecture = 0;  ///< 90 for sm_90
    std::uint64_t binary_bytes = 0;
};

/// The oldest supported architecture (sm_80) and a recent one. Code that compiles for both is expected to compile for
/// those between.
inline const std::vector<std::uint32_t> kTestedArchitectures = {80, 100};

/// Compiles every request for every architecture. Throws Error(kDevice) if no NVRTC is found, and Error(kPlugin) for
/// the first request that does not compile. `problem` may be empty if no request needs it. The disk cache is neither
/// read nor written.
std::vector<CompiledKernel> compile_only(const std::optional<DeviceProblem>& problem,
                                         std::span<const qapfw_kernel_request> requests,
                                         const std::vector<std::uint32_t>& architectures = kTestedArchitectures);

/// A device that compiles for all of `architectures`, uses the host's memory and refuses to launch. Give it to a
/// plugin's code, which requests its kernels; `compiled()` then lists them.
class CompileOnlyDevice : public Device {
  public:
    virtual const std::vector<CompiledKernel>& compiled() const = 0;
};
std::unique_ptr<CompileOnlyDevice> make_compile_only_device(
    const qapfw_problem_ref* problem, const std::vector<std::uint32_t>& architectures = kTestedArchitectures,
    LogFunction log = {}, ErrorFunction set_error = {});

}  // namespace qapfw::framework
