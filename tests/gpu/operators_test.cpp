// SPDX-License-Identifier: Apache-2.0
// Checks that every operator of the library gives the same results on warps of a real GPU as on one thread of the host.
// Skipped if there is no GPU.
#include <doctest/doctest.h>

#include <array>
#include <fstream>
#include <sstream>
#include <string>

#include "framework/device/device_manager.hpp"
#include "qapfw/sdk/device.hpp"
#include "tests/support/operators_data.hpp"

namespace {

using namespace qapfw;
using namespace qapfw::test;

std::string support_text(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(std::string(QAPFW_SOURCE_DIR "/tests/support/") + name).rdbuf();
    return text.str();
}

template <class T>
T* address_of(const sdk::DeviceBuffer<T>& buffer) {
    return reinterpret_cast<T*>(buffer.address(0));
}

/// Makes the children of all pairs on the GPU.
void run_on_gpu(const qapfw_device& gpu, OperatorsData& data, std::uint32_t pairs) {
    const std::string task_text = support_text("operators_task.hpp"), text = support_text("operators_kernel.cuh");
    sdk::Kernel kernel(gpu, {{{"test/operators_task.hpp", task_text.c_str(), task_text.size()},
                              {"test/operators_kernel.cuh", text.c_str(), text.size()}},
                             "qapfw_test_operators",
                             {},
                             false});
    sdk::Stream stream(gpu);
    const sdk::DeviceBuffer<std::uint16_t> mothers(stream, data.mothers), fathers(stream, data.fathers),
        movable(stream, data.movable), scratch(gpu, data.scratch.size()), children(gpu, data.children.size());
    const sdk::DeviceBuffer<std::uint8_t> mother_bits(stream, data.mother_bits), father_bits(stream, data.father_bits),
        child_bits(gpu, data.child_bits.size());
    OperatorsTask task = data.task;
    task.mothers = address_of(mothers);
    task.fathers = address_of(fathers);
    task.mother_bits = address_of(mother_bits);
    task.father_bits = address_of(father_bits);
    task.movable = address_of(movable);
    task.children = address_of(children);
    task.child_bits = address_of(child_bits);
    task.scratch = address_of(scratch);
    kernel.launch(stream, pairs, 32, 0, task);
    children.download(stream, data.children);
    child_bits.download(stream, data.child_bits);
    stream.synchronize();
}

}  // namespace

TEST_CASE("every operator makes the same child on a warp of the GPU as on one thread of the host") {
    framework::DeviceRequest request;
    std::string error;
    request.set_error = [&](const std::string& text) { error = text; };
    const framework::DeviceChoice choice = framework::choose_devices(request);
    if (choice.devices.empty()) {
        MESSAGE("SKIPPED: " << choice.reason);
        return;
    }
    for (const std::uint32_t n : {1u, 2u, 3u, 12u, 33u, 100u, 300u}) {
        CAPTURE(n);
        constexpr std::uint32_t kPairs = 100;
        OperatorsData host(n, kPairs), gpu(n, kPairs);
        for (std::uint32_t pair = 0; pair < kPairs; ++pair) make_children(host.task, pair, kernels::ThreadGroup{});
        run_on_gpu(*choice.devices[0]->table(), gpu, kPairs);
        INFO(error);
        CHECK(gpu.children == host.children);
        CHECK(gpu.child_bits == host.child_bits);
    }
}
