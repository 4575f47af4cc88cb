// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/gpu_survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <numeric>
#include <string_view>
#include <utility>

#include "framework/device/cuda_driver.hpp"
#include "framework/device/device_table.hpp"
#include "framework/device/gpu_selection.hpp"
#include "framework/device/nvml.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

class UnopenedGpu final : public SurveyedGpu, private DeviceSlots {
  public:
    UnopenedGpu(const NvmlGpu& gpu, int ordinal, ErrorFunction set_error)
        : name_(gpu.name), table_(*this, std::move(set_error)) {
        qapfw_device& table = table_.c_table();
        table.ordinal = static_cast<std::uint32_t>(ordinal);
        table.name = name_.c_str();
        table.multiprocessors = multiprocessors_of(gpu.cores, gpu.compute_capability);
        table.compute_capability = gpu.compute_capability;
        table.memory_free = gpu.memory_free;
    }

    const qapfw_device* table() const override { return &table_.c_table(); }
    std::string description() const override {
        return fmt::format("{} (GPU {}, not opened)", name_, table_.c_table().ordinal);
    }
    const std::string& failure() const override { return table_.failure(); }
    bool has_refused() const override { return has_refused_; }

  private:
    [[noreturn]] void refuse() {
        has_refused_ = true;
        throw SlotError(QAPFW_ERROR_UNSUPPORTED,
                        fmt::format("GPU {} ({}) is not opened yet", table_.c_table().ordinal, name_));
    }
    void allocate(std::uint64_t, std::uint64_t*) override { refuse(); }
    void release(std::uint64_t) override {}
    void create_stream(qapfw_stream**) override { refuse(); }
    void destroy_stream(qapfw_stream*) override {}
    void upload(qapfw_stream*, std::uint64_t, const void*, std::uint64_t) override { refuse(); }
    void download(qapfw_stream*, void*, std::uint64_t, std::uint64_t) override { refuse(); }
    void copy(qapfw_stream*, std::uint64_t, std::uint64_t, std::uint64_t) override { refuse(); }
    void fill(qapfw_stream*, std::uint64_t, std::uint8_t, std::uint64_t) override { refuse(); }
    void synchronize(qapfw_stream*) override { refuse(); }
    void query(qapfw_stream*, bool*) override { refuse(); }
    void mark(qapfw_stream*) override { refuse(); }
    void reach_mark(qapfw_stream*) override { refuse(); }
    void prepare(const qapfw_kernel_request*, std::uint32_t) override {}
    void kernel(const qapfw_kernel_request*, qapfw_kernel**) override { refuse(); }
    void launch(qapfw_stream*, qapfw_kernel*, const qapfw_launch*) override { refuse(); }
    void occupancy(qapfw_kernel*, std::uint32_t, std::uint32_t, std::uint32_t*) override { refuse(); }
    void problem_view(const void**, std::uint64_t*) override { refuse(); }

    std::string name_;
    DeviceTable table_;
    std::atomic<bool> has_refused_{false};
};

bool is_same_model(const NvmlGpu& a, const NvmlGpu& b) {
    return a.name == b.name && a.compute_capability == b.compute_capability && a.cores == b.cores;
}

/// Says why the survey cannot rely on `gpus`, the GPUs that NVML lists. CUDA may show other GPUs, another order or only
/// parts of GPUs, or the number of multiprocessors is not known. Returns "" if there is no such reason.
std::string why_not_alike(const std::vector<NvmlGpu>& gpus) {
    if (gpus.empty()) return "NVML finds no GPU";
    for (const NvmlGpu& gpu : gpus) {
        if (!is_same_model(gpu, gpus.front())) return "the GPUs are of several models";
        if (gpu.is_divided) return fmt::format("a GPU ({}) is divided into MIG instances", gpu.name);
    }
    if (multiprocessors_of(gpus.front().cores, gpus.front().compute_capability) == 0) {
        return fmt::format("it is not known how many cores a multiprocessor of {} has", gpus.front().name);
    }
    // MPS may give each process a part of a GPU. CUDA then reports fewer multiprocessors.
    if (std::getenv("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE") != nullptr)
        return "MPS may give this process only a part of each GPU";
    return {};
}

/// Returns the GPUs that a run with this request would open, as indices in `visible`. Throws Error if the request
/// cannot be fulfilled.
std::vector<int> selected(const std::vector<NvmlGpu>& gpus, const std::vector<int>& visible, const Nvrtc& nvrtc,
                          const DeviceRequest& request) {
    check_request(request);
    check_ordinals(request.ordinals, static_cast<int>(visible.size()));
    for (std::size_t k = 0; k < visible.size(); ++k) {
        const NvmlGpu& gpu = gpus[static_cast<std::size_t>(visible[k])];
        GpuReport report;
        report.ordinal = static_cast<int>(k);
        report.name = gpu.name;
        report.compute_capability = gpu.compute_capability;
        if (const std::string why = why_not_usable(report, gpu.is_closed, &nvrtc); !why.empty()) {
            throw Error(ErrorKind::kDevice, why);
        }
    }
    std::vector<int> ordinals = request.ordinals;
    if (ordinals.empty()) {
        ordinals.resize(visible.size());
        std::iota(ordinals.begin(), ordinals.end(), 0);
    }
    return own_part(ordinals, request);
}

}  // namespace

std::optional<std::vector<int>> visible_gpus(const char* list, int count) {
    std::vector<int> visible;
    if (list == nullptr) {
        visible.resize(static_cast<std::size_t>(count));
        std::iota(visible.begin(), visible.end(), 0);
        return visible;
    }
    std::string_view rest = list;
    for (bool has_ended = false; !rest.empty();) {
        const std::string_view number = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), number.size() + 1));
        constexpr std::size_t kMostDigits = 4;
        const bool is_plain = !number.empty() && number.size() <= kMostDigits &&
                              std::ranges::all_of(number, [](char c) { return c >= '0' && c <= '9'; });
        if (!is_plain && number != "-1") return std::nullopt;
        const int ordinal = std::atoi(std::string(number).c_str());
        has_ended = has_ended || ordinal < 0 || ordinal >= count;
        if (has_ended) continue;
        if (std::ranges::count(visible, ordinal) > 0) return std::nullopt;
        visible.push_back(ordinal);
    }
    return visible;
}

std::uint32_t multiprocessors_of(std::uint32_t cores, std::uint32_t compute_capability) {
    std::uint32_t each = 0;
    switch (compute_capability) {
        case 70:
        case 72:
        case 75:
        case 80:
            each = 64;
            break;
        case 86:
        case 87:
        case 89:
        case 90:
            each = 128;
            break;
        default:
            each = compute_capability >= 100 && compute_capability < 130 ? 128 : 0;
    }
    return each == 0 || cores % each != 0 ? 0 : cores / each;
}

GpuSurvey survey_gpus(const DeviceRequest& request) {
    GpuSurvey survey;
    const auto unknown = [&survey](const std::string& why) {
        survey.gpus.clear();
        survey.why_none = why;
        return std::move(survey);
    };
    const NvmlAnswer nvml = ask_nvml();
    if (!nvml.reason.empty()) return unknown(nvml.reason);
    if (const std::string why = why_not_alike(nvml.gpus); !why.empty()) return unknown(why);
    if (nvml.cuda_version < CudaDriver::kOldestVersion) {
        return unknown(fmt::format("the NVIDIA driver is too old: it supports CUDA {}; CUDA {} or newer is needed",
                                   CudaDriver::version_name(nvml.cuda_version),
                                   CudaDriver::version_name(CudaDriver::kOldestVersion)));
    }
    const char* const list = std::getenv("CUDA_VISIBLE_DEVICES");
    const auto visible = visible_gpus(list, static_cast<int>(nvml.gpus.size()));
    if (!visible || visible->empty()) return unknown(fmt::format("CUDA_VISIBLE_DEVICES is \"{}\"", list));
    try {
        const auto nvrtc = Nvrtc::find(nvml.cuda_version / 1000);
        for (const int ordinal : selected(nvml.gpus, *visible, *nvrtc, request)) {
            const auto place = static_cast<std::size_t>((*visible)[static_cast<std::size_t>(ordinal)]);
            survey.gpus.push_back(std::make_unique<UnopenedGpu>(nvml.gpus[place], ordinal, request.set_error));
        }
    } catch (const Error& error) {
        return unknown(error.what());
    }
    return survey;
}

}  // namespace qapfw::framework
#endif
