// SPDX-License-Identifier: Apache-2.0
// The choice of the backend, and the report of `doctor`, with fake drivers.
#include "framework/device/device_manager.hpp"

#include <doctest/doctest.h>

#include "framework/device/device_report.hpp"
#include "framework/host/last_error.hpp"
#include "tests/unit/framework/device/device_test_tools.hpp"

namespace qapfw::framework {
namespace {

DeviceRequest request_for(const std::string& backend) {
    DeviceRequest request;
    request.backend = backend;
    request.cache.enabled = false;
    return request;
}

TEST_CASE("an unknown backend and repeated or negative devices are usage errors whatever the machine") {
    CHECK(error_of(ErrorKind::kUsage, [] { choose_devices(request_for("gpu")); }) ==
          "unknown backend \"gpu\": it must be auto, cpu or cuda");
    for (const char* backend : {"auto", "cpu", "cuda"}) {
        DeviceRequest request = request_for(backend);
        request.ordinals = {1, 0, 1};
        CHECK(error_of(ErrorKind::kUsage, [&] { choose_devices(request); }) == "device 1 is given twice");
        request.ordinals = {-1};
        CHECK(contains(error_of(ErrorKind::kUsage, [&] { choose_devices(request); }), "device -1 does not exist"));
    }
}

#if !QAPFW_HAVE_CUDA
TEST_CASE("a build without the CUDA headers uses the CPU and says why") {
    CHECK_FALSE(built_with_cuda());
    CHECK(choose_devices(request_for("auto")).backend == "cpu");
    CHECK(contains(choose_devices(request_for("auto")).reason, "this build has no CUDA backend"));
    CHECK(contains(error_of(ErrorKind::kDevice, [] { choose_devices(request_for("cuda")); }), "no CUDA backend"));
    CHECK_FALSE(report_devices().driver.found);
}
#else

/// Checks that auto gives the CPU and that cuda fails, both with a message that contains `part`.
void check_no_gpu(const std::string& part) {
    CAPTURE(part);
    const DeviceChoice choice = choose_devices(request_for("auto"));
    CHECK(choice.backend == "cpu");
    CHECK(choice.devices.empty());
    CHECK(contains(choice.reason, part));
    CHECK(error_of(ErrorKind::kDevice, [] { choose_devices(request_for("cuda")); }) == choice.reason);
}

TEST_CASE("backend cpu never touches the driver") {
    if (!FakeDriver::available()) return;
    const FakeDriver fake;
    CHECK(choose_devices(request_for("cpu")).backend == "cpu");
    CHECK(fake.log().empty());
}

TEST_CASE("without a driver library the reason says so") {
    const EnvironmentVariable none("QAPFW_LIBCUDA", "/no/such/libcuda.so.1");
    check_no_gpu("no NVIDIA driver is found: /no/such/libcuda.so.1");
    CHECK_FALSE(report_devices().driver.found);
}

TEST_CASE("a library that is no driver is refused") {
    const EnvironmentVariable other("QAPFW_LIBCUDA", "libm.so.6");
    check_no_gpu("is no CUDA driver");
}

TEST_CASE("an old driver is refused with its version and the one wanted") {
    if (!FakeDriver::available()) return;
    FakeDriver fake("-DFAKE_CUDA_OLD");
    fake.set("FAKE_CUDA_VERSION", "11080");
    check_no_gpu("supports CUDA 11.8; CUDA 12.4 or newer is needed");
    const DeviceReport report = report_devices();
    CHECK(report.driver.found);
    CHECK(report.driver.version == "11.8");
    CHECK(contains(report.driver.reason, "too old"));
    CHECK(report.gpus.empty());
    fake.set("FAKE_CUDA_VERSION", "13000");
    check_no_gpu("lacks the function cuFuncGetParamInfo");
}

TEST_CASE("no GPU, hidden GPUs and a driver that does not start are told apart") {
    if (!FakeDriver::available()) return;
    FakeDriver fake;
    fake.set("FAKE_CUDA_INIT", "100");
    check_no_gpu("the NVIDIA driver 13.0 finds no GPU");
    fake.set("FAKE_CUDA_INIT", "0");
    fake.set("CUDA_VISIBLE_DEVICES", "");
    check_no_gpu("no GPU is visible: CUDA_VISIBLE_DEVICES is \"\"");
    fake.set("CUDA_VISIBLE_DEVICES", "-1");
    check_no_gpu("no GPU is visible: CUDA_VISIBLE_DEVICES is \"-1\"");
    fake.set("CUDA_VISIBLE_DEVICES", "0");
    fake.set("FAKE_CUDA_INIT", "803");
    check_no_gpu("the NVIDIA driver 13.0 cannot be started: CUDA_ERROR_FAKE (a fake sentence)");
}

TEST_CASE("GPUs that are too old, closed or unknown to NVRTC are refused one by one") {
    if (!FakeDriver::available() || !have_nvrtc()) return;
    FakeDriver fake;
    fake.set("FAKE_CUDA_CAPABILITY", "75");
    check_no_gpu("GPU 0 (Fake 0) has compute capability 7.5, but 8.0 or newer is needed");
    fake.set("FAKE_CUDA_CAPABILITY", "199");
    check_no_gpu("has compute capability 19.9, for which NVRTC");
    fake.set("FAKE_CUDA_CAPABILITY", "90");
    fake.set("FAKE_CUDA_MODE", "2");
    check_no_gpu("is closed to programs");
    const DeviceReport report = report_devices();
    REQUIRE(report.gpus.size() == 1);
    CHECK_FALSE(report.gpus[0].usable);
    CHECK(contains(report.gpus[0].reason, "is closed to programs"));
}

TEST_CASE("a missing NVRTC, or one newer than the driver, is the reason") {
    if (!FakeDriver::available() || !have_nvrtc()) return;
    FakeDriver fake;
    {
        const EnvironmentVariable none("QAPFW_NVRTC", "/no/such/libnvrtc.so.13");
        check_no_gpu("NVRTC cannot be used: /no/such/libnvrtc.so.13");
        const DeviceReport report = report_devices();
        CHECK_FALSE(report.nvrtc.found);
        REQUIRE(report.gpus.size() == 1);
        CHECK_FALSE(report.gpus[0].usable);
    }
    if (Nvrtc::find()->major() < 13) return;
    fake.set("FAKE_CUDA_VERSION", "12040");
    const EnvironmentVariable newest("QAPFW_NVRTC", Nvrtc::find()->path());
    check_no_gpu("is newer than the driver, which runs CUDA 12.x");
}

TEST_CASE("a problem without device code runs on the CPU, and the driver is left alone") {
    if (!FakeDriver::available()) return;
    const FakeDriver fake;
    qapfw_problem_ref problem{};
    problem.id = "toy";
    problem.get_capability = [](const char*) -> const void* { return nullptr; };
    DeviceRequest request = request_for("auto");
    request.problem = &problem;
    CHECK(choose_devices(request).reason == "problem 'toy' offers no device code");
    request.backend = "cuda";
    CHECK(error_of(ErrorKind::kUnsupported, [&] { choose_devices(request); }) == "problem 'toy' offers no device code");
    CHECK(fake.log().empty());
}

TEST_CASE("a problem that has no device code for its instance says why") {
    if (!FakeDriver::available()) return;
    const FakeDriver fake;
    qapfw_problem_ref problem{};
    problem.id = "toy";
    problem.get_capability = [](const char*) -> const void* {
        static constexpr qapfw_problem_device device = {sizeof(qapfw_problem_device),
                                                        [](qapfw_problem*) -> const qapfw_device_problem* {
                                                            set_last_error("17 is too large for a GPU");
                                                            return nullptr;
                                                        },
                                                        nullptr};
        return &device;
    };
    DeviceRequest request = request_for("auto");
    request.problem = &problem;
    CHECK(choose_devices(request).reason == "problem 'toy': 17 is too large for a GPU");
    request.backend = "cuda";
    CHECK(error_of(ErrorKind::kUnsupported, [&] { choose_devices(request); }) ==
          "problem 'toy': 17 is too large for a GPU");
    CHECK(take_last_error().empty());
}

TEST_CASE("all usable GPUs are taken, or those asked for, in that order; a number that no GPU has is refused") {
    if (!FakeDriver::available() || !have_nvrtc()) return;
    FakeDriver fake;
    fake.set("FAKE_CUDA_GPUS", "3");
    DeviceRequest request = request_for("auto");
    {
        const DeviceChoice all = choose_devices(request);
        CHECK(all.backend == "cuda");
        REQUIRE(all.devices.size() == 3);
        CHECK(all.devices[2]->table()->ordinal == 2);
        CHECK(contains(all.reason, "found: Fake 0 (GPU 0, compute capability 9.0, driver 13.0, NVRTC "));
    }
    request.ordinals = {2, 0};
    const DeviceChoice two = choose_devices(request);
    REQUIRE(two.devices.size() == 2);
    CHECK(two.devices[0]->table()->ordinal == 2);
    CHECK(two.devices[1]->table()->ordinal == 0);
    request.ordinals = {3};
    CHECK(error_of(ErrorKind::kUsage, [&] { choose_devices(request); }) ==
          "device 3 does not exist: this process sees 3 GPUs, numbered from 0");
}

TEST_CASE("the report lists driver, NVRTC, GPUs and cache without creating a context") {
    if (!FakeDriver::available() || !have_nvrtc()) return;
    const TemporaryFolder folder;
    FakeDriver fake;
    fake.set("FAKE_CUDA_GPUS", "2");
    const DeviceReport report = report_devices({true, folder.path()});
    CHECK(report.built_with_cuda);
    CHECK(report.driver.found);
    CHECK(report.driver.version == "13.0");
    CHECK(contains(report.driver.path, "libcuda.so.1"));
    CHECK(report.nvrtc.found);
    REQUIRE(report.gpus.size() == 2);
    CHECK(report.gpus[1].name == "Fake 1");
    CHECK(report.gpus[1].usable);
    CHECK(report.gpus[1].memory_bytes == 1u << 30);
    CHECK(report.gpus[1].compute_capability == 90);
    CHECK(report.cache_writable);
    CHECK(report.cache_folder == folder.path());
    CHECK(fake.log() == "cuInit\n");
}
#endif

}  // namespace
}  // namespace qapfw::framework
