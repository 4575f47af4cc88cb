// SPDX-License-Identifier: Apache-2.0
// Replaces the CUDA part in a build without the CUDA headers. The functions only say that the build cannot use GPUs.
#if !QAPFW_HAVE_CUDA
#include "framework/device/compile_only.hpp"
#include "framework/device/cuda_backend.hpp"
#include "framework/device/gpu_survey.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr const char* kReason =
    "this build has no CUDA backend: the CUDA toolkit's headers were not found when it was built";

}  // namespace

bool built_with_cuda() {
    return false;
}

std::vector<std::unique_ptr<Device>> open_cuda_devices(const DeviceRequest&,
                                                       const std::function<std::optional<DeviceProblem>()>&) {
    throw Error(ErrorKind::kDevice, kReason);
}

void report_cuda(DeviceReport& report) {
    report.driver.reason = kReason;
    report.nvrtc.reason = kReason;
    report.nvml.reason = kReason;
}

GpuSurvey survey_gpus(const DeviceRequest&) {
    return {{}, kReason};
}

std::vector<CompiledKernel> compile_only(const std::optional<DeviceProblem>&, std::span<const qapfw_kernel_request>,
                                         const std::vector<std::uint32_t>&) {
    throw Error(ErrorKind::kDevice, kReason);
}

std::unique_ptr<CompileOnlyDevice> make_compile_only_device(const qapfw_problem_ref*, const std::vector<std::uint32_t>&,
                                                            LogFunction, ErrorFunction) {
    throw Error(ErrorKind::kDevice, kReason);
}

}  // namespace qapfw::framework
#endif
