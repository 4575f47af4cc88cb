// SPDX-License-Identifier: Apache-2.0
#include "framework/device/device_manager.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "framework/device/cuda_backend.hpp"
#include "framework/device/device_problem.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

bool has_device_code(const qapfw_problem_ref& problem) {
    return problem.get_capability != nullptr && problem.get_capability(QAPFW_PROBLEM_DEVICE) != nullptr;
}

Error without_device_code(const qapfw_problem_ref& problem) {
    return Error(ErrorKind::kUnsupported, fmt::format("problem '{}' offers no device code", problem.id));
}

DeviceChoice choose_cuda(const DeviceRequest& request) {
    const auto describe = [&request] {
        if (request.described) return request.described;
        std::optional<DeviceProblem> problem = describe_device_problem(request.problem);
        if (request.problem != nullptr && !problem) throw without_device_code(*request.problem);
        return problem;
    };
    if (request.problem != nullptr && !has_device_code(*request.problem)) throw without_device_code(*request.problem);
    DeviceChoice choice;
    choice.devices = open_cuda_devices(request, describe);
    choice.backend = "cuda";
    for (const auto& device : choice.devices) {
        choice.reason += (choice.reason.empty() ? "" : ", ") + device->description();
    }
    choice.reason = (request.backend == "cuda" ? "asked for: " : "found: ") + choice.reason;
    return choice;
}

}  // namespace

void check_request(const DeviceRequest& request) {
    if (request.backend != "auto" && request.backend != "cpu" && request.backend != "cuda") {
        throw Error(ErrorKind::kUsage,
                    fmt::format("unknown backend \"{}\": it must be auto, cpu or cuda", request.backend));
    }
    std::vector<int> sorted = request.ordinals;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end()) {
        throw Error(ErrorKind::kUsage, fmt::format("device {} is given twice", *twice));
    }
    if (!sorted.empty() && sorted[0] < 0) {
        throw Error(ErrorKind::kUsage, fmt::format("device {} does not exist: devices are numbered from 0", sorted[0]));
    }
}

DeviceChoice choose_devices(const DeviceRequest& request) {
    check_request(request);
    if (request.backend == "cpu") return {{}, "cpu", "asked for"};
    if (request.backend == "cuda") return choose_cuda(request);
    try {
        return choose_cuda(request);
    } catch (const Error& error) {
        if (error.kind() != ErrorKind::kDevice && error.kind() != ErrorKind::kUnsupported) throw;
        return {{}, "cpu", error.what()};
    }
}

}  // namespace qapfw::framework
