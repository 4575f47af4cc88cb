// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/gpu_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

constexpr std::uint32_t kOldestCapability = 80;

}  // namespace

std::string why_not_usable(const GpuReport& gpu, bool is_closed, const Nvrtc* nvrtc) {
    const std::uint32_t major = gpu.compute_capability / 10, minor = gpu.compute_capability % 10;
    if (gpu.compute_capability < kOldestCapability) {
        return fmt::format("GPU {} ({}) has compute capability {}.{}, but {}.{} or newer is needed", gpu.ordinal,
                           gpu.name, major, minor, kOldestCapability / 10, kOldestCapability % 10);
    }
    if (is_closed) {
        return fmt::format(
            "GPU {} ({}) is closed to programs: its compute mode is \"prohibited\"; `nvidia-smi -c` changes it",
            gpu.ordinal, gpu.name);
    }
    if (nvrtc != nullptr && !std::ranges::binary_search(nvrtc->architectures(), gpu.compute_capability)) {
        return fmt::format("GPU {} ({}) has compute capability {}.{}, for which NVRTC {} ({}) does not compile",
                           gpu.ordinal, gpu.name, major, minor, nvrtc->version(), nvrtc->path());
    }
    return {};
}

void check_ordinals(const std::vector<int>& ordinals, int count) {
    for (std::size_t i = 0; i < ordinals.size(); ++i) {
        if (ordinals[i] < 0 || ordinals[i] >= count) {
            throw Error(ErrorKind::kUsage, fmt::format("device {} does not exist: this process sees {} GPU{}, numbered "
                                                       "from 0",
                                                       ordinals[i], count, count == 1 ? "" : "s"));
        }
    }
}

std::vector<int> own_part(const std::vector<int>& ordinals, const DeviceRequest& request) {
    const std::size_t count = ordinals.size(), place = request.place, places = request.places;
    if (places <= count) {
        const auto first = ordinals.begin();
        return {first + static_cast<std::ptrdiff_t>(count * place / places),
                first + static_cast<std::ptrdiff_t>(count * (place + 1) / places)};
    }
    if (request.shared) return {ordinals[place % count]};
    throw Error(ErrorKind::kUsage,
                fmt::format("{} processes of this host would share {} GPU{}: start at most one for each GPU, or set "
                            "device.shared = true or device.backend = \"cpu\"",
                            places, count, count == 1 ? "" : "s"));
}

}  // namespace qapfw::framework
#endif
