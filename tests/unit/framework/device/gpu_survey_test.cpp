// SPDX-License-Identifier: Apache-2.0
// Tests the survey of GPUs that are not open yet: with an emulated NVML, without NVML, and with a library that is not
// NVML.
#include "framework/device/gpu_survey.hpp"

#include <doctest/doctest.h>

#include "framework/device/nvml.hpp"
#include "tests/unit/framework/device/device_test_tools.hpp"

namespace qapfw::framework {
namespace {

TEST_CASE("an NVML that is missing or is another library gives a message with the reason") {
    {
        const EnvironmentVariable none("QAPFW_NVML", "/no/such/libnvml.so");
        CHECK(contains(ask_nvml().reason, "no NVML is found: /no/such/libnvml.so"));
        CHECK(ask_nvml().path.empty());
    }
    const EnvironmentVariable other("QAPFW_NVML", "libm.so.6");
    CHECK(contains(ask_nvml().reason, "lacks the function nvmlInit_v2"));
}

TEST_CASE("the system's NVML is not asked about a driver of another name") {
    const EnvironmentVariable driver("QAPFW_LIBCUDA", "/some/libcuda.so.1"), nvml("QAPFW_NVML", std::nullopt);
    CHECK(contains(ask_nvml().reason, "QAPFW_LIBCUDA names another driver"));
}

#if QAPFW_HAVE_CUDA
using Numbers = std::vector<int>;

TEST_CASE("CUDA_VISIBLE_DEVICES gives the GPUs of its plain numbers, up to the first that no GPU has") {
    CHECK(visible_gpus(nullptr, 3) == Numbers{0, 1, 2});
    CHECK(visible_gpus("2,0", 3) == Numbers{2, 0});
    CHECK(visible_gpus("1,3,0", 3) == Numbers{1});
    CHECK(visible_gpus("1,-1,0", 3) == Numbers{1});
    CHECK(visible_gpus("", 3) == Numbers{});
    CHECK(visible_gpus("-1", 3) == Numbers{});
    for (const char* list : {"1,1", "GPU-8932f937", "0,MIG-1", "0, 1", ",0", "0x1", "99999999999"}) {
        CHECK_MESSAGE(!visible_gpus(list, 3), list);
    }
}

TEST_CASE("the number of multiprocessors follows from that of cores where a multiprocessor's cores are known") {
    CHECK(multiprocessors_of(16896, 90) == 132);
    CHECK(multiprocessors_of(6912, 80) == 108);
    CHECK(multiprocessors_of(18944, 100) == 148);
    CHECK(multiprocessors_of(16896, 60) == 0);
    CHECK(multiprocessors_of(16896, 130) == 0);
    CHECK(multiprocessors_of(100, 90) == 0);
}

#ifdef QAPFW_EMULATED_CUDA
/// Selects the NVML and NVRTC of emulated GPUs.
struct Emulated {
    explicit Emulated(const std::string& count) : gpus("QAPFW_EMULATED_GPUS", count) {}
    EnvironmentVariable gpus;
    EnvironmentVariable nvml{"QAPFW_NVML", std::string(QAPFW_EMULATED_CUDA) + "/libnvml.so"};
    EnvironmentVariable nvrtc{"QAPFW_NVRTC", std::string(QAPFW_EMULATED_CUDA) + "/libnvrtc.so"};
    EnvironmentVariable visible{"CUDA_VISIBLE_DEVICES", std::nullopt};
};

Numbers ordinals_of(const GpuSurvey& survey) {
    Numbers ordinals;
    for (const auto& gpu : survey.gpus) ordinals.push_back(static_cast<int>(gpu->table()->ordinal));
    return ordinals;
}

TEST_CASE("the GPUs of a request are surveyed, in its order, and those of one process alone") {
    Emulated emulated("4");
    CHECK(ordinals_of(survey_gpus({})) == Numbers{0, 1, 2, 3});
    DeviceRequest request;
    request.place = 1;
    request.places = 2;
    CHECK(ordinals_of(survey_gpus(request)) == Numbers{2, 3});
    request.ordinals = {3, 1};
    CHECK(ordinals_of(survey_gpus(request)) == Numbers{1});
    emulated.visible.set("1,2,3");
    CHECK(ordinals_of(survey_gpus({})) == Numbers{0, 1, 2});
    CHECK(contains(survey_gpus(request).why_none, "device 3 does not exist"));
    request.ordinals = {1, 1};
    CHECK(contains(survey_gpus(request).why_none, "device 1 is given twice"));
    emulated.visible.set("");
    CHECK(survey_gpus({}).why_none == "CUDA_VISIBLE_DEVICES is \"\"");
}

TEST_CASE("nothing is known of GPUs that are divided, of several models, shared out, or have no NVRTC") {
    Emulated emulated("2");
    const auto why_with = [](const char* name, const char* value) {
        const EnvironmentVariable variable(name, value);
        const GpuSurvey survey = survey_gpus({});
        CHECK(survey.gpus.empty());
        return survey.why_none;
    };
    CHECK(contains(why_with("QAPFW_EMULATED_MIG", "1"), "divided into MIG instances"));
    CHECK(why_with("QAPFW_EMULATED_OTHER_MODEL", "1") == "the GPUs are of several models");
    CHECK(contains(why_with("QAPFW_EMULATED_NVML_ERROR", "9"), "NVML does not answer: starting it"));
    CHECK(contains(why_with("CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", "50"), "MPS"));
    CHECK(contains(why_with("QAPFW_NVRTC", "/no/such/libnvrtc.so"), "NVRTC cannot be used"));
    CHECK(why_with("QAPFW_EMULATED_GPUS", "0") == "NVML finds no GPU");
}

TEST_CASE("a surveyed GPU has its sizes, takes announcements, refuses all other calls, and remembers the refusal") {
    const Emulated emulated("1");
    std::string sentence;
    DeviceRequest request;
    request.set_error = [&sentence](const std::string& text) { sentence = text; };
    const GpuSurvey survey = survey_gpus(request);
    REQUIRE(survey.gpus.size() == 1);
    const SurveyedGpu& gpu = *survey.gpus[0];
    const qapfw_device& table = *gpu.table();
    CHECK(table.multiprocessors == 2);
    CHECK(table.compute_capability == 89);
    CHECK(table.memory_free == std::uint64_t{1} << 30);
    CHECK(std::string(table.name) == "emulated GPU");
    const OneText kernel("a.cuh", "", "a");
    CHECK(table.prepare(table.context, &kernel.request, 1) == QAPFW_OK);
    table.release(table.context, 0);
    CHECK_FALSE(gpu.has_refused());
    std::uint64_t address = 0;
    CHECK(table.allocate(table.context, 8, &address) == QAPFW_ERROR_UNSUPPORTED);
    CHECK(sentence == "GPU 0 (emulated GPU) is not opened yet");
    CHECK(gpu.has_refused());
    qapfw_kernel* out = nullptr;
    CHECK(table.kernel(table.context, &kernel.request, &out) == QAPFW_ERROR_UNSUPPORTED);
    CHECK(table.finished(table.context, nullptr) == -QAPFW_ERROR_UNSUPPORTED);
}
#endif
#endif

}  // namespace
}  // namespace qapfw::framework
