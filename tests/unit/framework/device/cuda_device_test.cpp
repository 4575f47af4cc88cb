// SPDX-License-Identifier: Apache-2.0
// A device's function table and the SDK's C++ classes over this table. The tests use the real NVRTC and a fake driver
// (fake_libcuda.c).
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <numeric>
#include <set>
#include <thread>

#include "framework/device/device_manager.hpp"
#include "framework/device/device_problem.hpp"
#include "qapfw/sdk/device.hpp"
#include "tests/unit/framework/device/device_test_tools.hpp"

namespace qapfw::framework {
namespace {

TEST_CASE("a view gets its buffers' addresses, empty buffers none, and nothing outside the view is written") {
    const std::array<std::uint64_t, 3> view{1, 2, 3};
    const std::array<char, 5> bytes{};
    std::array<qapfw_view_buffer, 2> buffers{{{bytes.data(), bytes.size(), 16}, {nullptr, 0, 0}}};
    qapfw_device_problem problem{};
    problem.view = view.data();
    problem.view_size = sizeof(view);
    problem.buffers = buffers.data();
    problem.buffer_count = buffers.size();
    int placed = 0;
    const auto place = [&](const void* data, std::uint64_t size) -> std::uint64_t {
        ++placed;
        CHECK(data == bytes.data());
        CHECK(size == 5);
        return 77;
    };
    const std::vector<std::byte> built = build_view(problem, place);
    std::array<std::uint64_t, 3> found{};
    std::memcpy(found.data(), built.data(), sizeof(found));
    CHECK(found == std::array<std::uint64_t, 3>{0, 2, 77});
    CHECK(placed == 1);
    for (const std::uint64_t offset : {17ull, 24ull, ~0ull, ~0ull - 7}) {
        buffers[0].view_offset = offset;
        error_of(ErrorKind::kPlugin, [&] { build_view(problem, place); });
    }
    CHECK(placed == 1);
}

#if QAPFW_HAVE_CUDA

const std::string kTexts =
    "extern \"C\" __global__ void add_one(unsigned* values, unsigned count) {\n"
    "    if (threadIdx.x < count) ++values[threadIdx.x];\n"
    "}\n"
    "extern \"C\" __global__ void other() {}\n";

sdk::KernelRequest request_of(const char* entry) {
    return {{text_of("toy/texts.cuh", kTexts)}, entry, {}, false};
}

/// A fake driver and its only GPU. The GPU is opened with its own log and its own kernel cache.
struct FakeGpu {
    FakeGpu() { open(); }
    void open() {
        DeviceRequest request;
        request.backend = "cuda";
        request.cache = {true, folder.path()};
        request.log = log.function();
        request.set_error = [](const std::string& text) { error = text; };
        choice = choose_devices(request);
    }
    const qapfw_device& table() const { return *choice.devices.at(0)->table(); }
    /// Checks that `body` throws a StatusError of this status. Returns the message that the device reported.
    template <class Body>
    std::string sentence(qapfw_status status, Body body) {
        try {
            body();
        } catch (const sdk::StatusError& thrown) {
            CHECK(thrown.status() == status);
            return error;
        }
        FAIL("nothing was thrown");
        return {};
    }
    FakeDriver fake;
    TemporaryFolder folder;
    LogLines log;
    static inline thread_local std::string error;
    DeviceChoice choice;
};

bool can_fake() {
    return FakeDriver::available() && have_nvrtc();
}

TEST_CASE("every slot of the table is there and the GPU's figures are filled in") {
    if (!can_fake()) return;
    FakeGpu gpu;
    const qapfw_device& table = gpu.table();
    CHECK(table.struct_size == sizeof(qapfw_device));
    CHECK(std::string(table.name) == "Fake 0");
    CHECK(table.multiprocessors == 4);
    CHECK(table.compute_capability == 90);
    CHECK(table.shared_bytes_per_block == 227 * 1024);
    CHECK(table.shared_bytes_per_multiprocessor == 228 * 1024);
    CHECK(table.memory_free == 1u << 30);
    const auto complete = [](auto... slots) { return ((slots != nullptr) && ...); };
    CHECK(complete(table.allocate, table.release, table.create_stream, table.destroy_stream, table.upload,
                   table.download, table.copy, table.fill, table.synchronize, table.finished, table.prepare,
                   table.kernel, table.launch, table.occupancy, table.problem_view, table.mark, table.reach_mark));
}

TEST_CASE("a kernel runs on buffers in stream order, and downloads arrive when the stream is found finished") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Stream stream(gpu.table());
    std::vector<unsigned> values(100);
    std::iota(values.begin(), values.end(), 0u);
    sdk::DeviceBuffer<unsigned> buffer(stream, values), second(gpu.table(), 100);
    sdk::Kernel kernel(gpu.table(), request_of("add_one"));
    kernel.launch(stream, 1, 128, 0, buffer, 100u);
    second.copy_from(stream, buffer, 100);
    std::vector<unsigned> back(100, 7);
    second.download(stream, back);
    CHECK(back[0] == 7);
    CHECK(stream.finished());
    CHECK(back[0] == 1);
    CHECK(back[99] == 100);
    second.fill(stream, 0xff);
    second.download(stream, std::span(back).first(3), 97);
    stream.synchronize();
    CHECK(back[2] == 0xffffffffu);
    CHECK(back[3] == 4);
}

TEST_CASE("a mark that is reached brings the downloads before it and not those after it") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Stream stream(gpu.table());
    const std::vector<unsigned> values = {1, 2, 3};
    const sdk::DeviceBuffer<unsigned> buffer(stream, values);
    const auto download = [&](std::vector<unsigned>& to) { buffer.download(stream, to); };
    std::vector<unsigned> early(3), marked(3), late(3), later(3);
    stream.reach_mark();  // waits for all enqueued work, since there is no mark yet
    download(early);
    stream.mark();
    download(marked);
    stream.mark();
    download(late);
    CHECK(early[0] == 0);
    stream.reach_mark();
    CHECK(early == values);
    CHECK(marked == values);
    CHECK(late[0] == 0);
    stream.reach_mark();  // the same mark again
    CHECK(late[0] == 0);
    download(later);
    stream.mark();
    stream.synchronize();
    CHECK(late == values);
    CHECK(later == values);
    late.assign(3, 0);
    download(late);
    stream.reach_mark();  // this mark was reached before, so nothing happens
    CHECK(late[0] == 0);
    stream.synchronize();
    CHECK(late == values);
    gpu.fake.set("FAKE_CUDA_SYNCHRONIZE", "700");
    CHECK(contains(gpu.sentence(QAPFW_ERROR_DEVICE, [&] { stream.reach_mark(); }), "noticed by reach_mark"));
    gpu.fake.set("FAKE_CUDA_SYNCHRONIZE", "0");
}

TEST_CASE("downloads larger than the staging memory keep the order of all downloads") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Stream stream(gpu.table());
    sdk::DeviceBuffer<std::uint8_t> buffer(gpu.table(), 1u << 20);
    std::vector<std::uint8_t> back(1u << 20);
    buffer.fill(stream, 1);
    buffer.download(stream, std::span(back).first(1000));
    buffer.fill(stream, 2);
    buffer.download(stream, back);
    stream.synchronize();
    CHECK(std::accumulate(back.begin(), back.end(), 0u) == 2u << 20);
    for (int i = 0; i < 3; ++i) {
        buffer.fill(stream, 3);
        buffer.download(stream, std::span(back).first(200'000));
        buffer.fill(stream, 4);
        buffer.download(stream, std::span(back).first(100'000));
    }
    stream.synchronize();
    CHECK(back[99'999] == 4);
    CHECK(back[100'000] == 3);
}

TEST_CASE("memory exhaustion names the GPU and the sizes and leaves the device usable") {
    if (!can_fake()) return;
    FakeGpu gpu;
    gpu.fake.set("FAKE_CUDA_MEMORY", "1048576");
    const std::string text =
        gpu.sentence(QAPFW_ERROR_MEMORY, [&] { sdk::DeviceBuffer<char>(gpu.table(), 2u << 20).size(); });
    CHECK(text ==
          "GPU 0 (Fake 0) has too little memory: 2.00 MiB (2097152 bytes) wanted, 1.00 MiB (1048576 bytes) of "
          "1.00 MiB (1048576 bytes) free");
    CHECK_NOTHROW(sdk::DeviceBuffer<char>(gpu.table(), 1u << 19));
    CHECK_THROWS_AS(sdk::DeviceBuffer<double>(gpu.table(), ~std::size_t{0} / 4), Error);
}

TEST_CASE("copies outside an allocation are refused before the driver sees them") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Stream stream(gpu.table());
    sdk::DeviceBuffer<char> buffer(gpu.table(), 64);
    char byte = 0;
    const qapfw_device& table = gpu.table();
    CHECK(table.upload(table.context, stream.get(), buffer.address() + 60, &byte, 5) == QAPFW_ERROR);
    CHECK(gpu.error == "GPU 0 (Fake 0): an upload of 5 bytes at byte 60 goes beyond its allocation of 64 bytes");
    CHECK(table.download(table.context, stream.get(), &byte, 12, 1) == QAPFW_ERROR);
    CHECK(contains(gpu.error, "at the address 0xc, where nothing is allocated"));
    CHECK(table.copy(table.context, stream.get(), buffer.address(), buffer.address(), ~0ull) == QAPFW_ERROR);
    CHECK(table.fill(table.context, stream.get(), buffer.address() + 65, 1, 1) == QAPFW_ERROR);
    CHECK(table.fill(table.context, stream.get(), buffer.address() + 64, 1, 0) == QAPFW_OK);
    CHECK(table.synchronize(table.context, nullptr) == QAPFW_ERROR);
    CHECK_THROWS_AS(buffer.upload(stream, std::array<char, 65>{}), Error);
}

TEST_CASE("a fatal error names its cause and the kernel, and everything afterwards fails with it") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Stream stream(gpu.table());
    sdk::DeviceBuffer<unsigned> buffer(gpu.table(), 10);
    sdk::Kernel kernel(gpu.table(), request_of("add_one"));
    kernel.launch(stream, 1, 32, 0, buffer, 10u);
    gpu.fake.set("FAKE_CUDA_SYNCHRONIZE", "700");
    const std::string first = gpu.sentence(QAPFW_ERROR_DEVICE, [&] { stream.synchronize(); });
    CHECK(first ==
          "GPU 0 (Fake 0) failed and is no longer used: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was "
          "encountered), noticed by synchronize after kernel 'add_one' of plugin toy");
    gpu.fake.set("FAKE_CUDA_SYNCHRONIZE", "0");
    CHECK(gpu.choice.devices[0]->failure() == first);
    CHECK(gpu.sentence(QAPFW_ERROR_DEVICE, [&] { stream.synchronize(); }) == first);
    CHECK(gpu.sentence(QAPFW_ERROR_DEVICE, [&] { stream.finished(); }) == first);
    CHECK(gpu.sentence(QAPFW_ERROR_DEVICE, [&] { kernel.launch(stream, 1, 32, 0, buffer, 10u); }) == first);
    CHECK(gpu.sentence(QAPFW_ERROR_DEVICE, [&] { sdk::DeviceBuffer<char>(gpu.table(), 1).size(); }) == first);
    CHECK(gpu.sentence(QAPFW_ERROR_DEVICE, [&] { sdk::Kernel(gpu.table(), request_of("other")); }) == first);
    CHECK_FALSE(contains(gpu.fake.log(), "free"));  // no calls are made on a dead context
}

constexpr std::size_t kThreads = 4;

/// Runs body(k) in a thread for each k below kThreads.
template <class Body>
void in_threads(const Body& body) {
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < kThreads; ++k) threads.emplace_back(body, k);
    for (std::thread& thread : threads) thread.join();
}

/// True if a kernel in a new stream of the calling thread gives the right values. The kernel increments 100
/// elements that are all `number`. number % 3 selects how the thread waits for the download.
bool works_alone(const qapfw_device& table, unsigned number) {
    sdk::Stream stream(table);
    sdk::Kernel kernel(table, request_of("add_one"));
    sdk::DeviceBuffer<unsigned> buffer(stream, std::vector<unsigned>(100, number)), second(table, 100);
    kernel.launch(stream, 1, 128, 60 * 1024, buffer, 100u);
    second.copy_from(stream, buffer, 100);
    std::vector<unsigned> back(100);
    second.download(stream, back);
    stream.mark();
    if (number % 3 == 0) stream.reach_mark();
    if (number % 3 == 1) stream.synchronize();
    while (number % 3 == 2 && !stream.finished()) std::this_thread::yield();
    return back == std::vector<unsigned>(100, number + 1);
}

TEST_CASE("threads with streams of their own share a GPU") {
    if (!can_fake()) return;
    FakeGpu gpu;
    std::atomic<int> right = 0;
    in_threads([&](std::size_t k) {
        for (unsigned t = 0; t < 60; ++t)
            right += works_alone(gpu.table(), 1000 * static_cast<unsigned>(k) + t) ? 1 : 0;
    });
    CHECK(right == 240);
    CHECK(gpu.log.count(QAPFW_LOG_INFO, "compiled in ") == 1);
}

TEST_CASE("a fatal error that several threads notice gives all of them the same message") {
    if (!can_fake()) return;
    FakeGpu gpu;
    gpu.fake.set("FAKE_CUDA_SYNCHRONIZE", "700");
    std::array<std::string, kThreads> told;
    in_threads([&](std::size_t k) {
        try {
            sdk::Stream stream(gpu.table());
            sdk::Kernel kernel(gpu.table(), request_of("other"));
            kernel.launch(stream, 1, 32, 0);
            stream.synchronize();
        } catch (const sdk::StatusError& thrown) {
            if (thrown.status() == QAPFW_ERROR_DEVICE) told[k] = FakeGpu::error;
        }
    });
    gpu.fake.set("FAKE_CUDA_SYNCHRONIZE", "0");
    CHECK(contains(told[0], "GPU 0 (Fake 0) failed and is no longer used: CUDA_ERROR_ILLEGAL_ADDRESS"));
    CHECK(std::set<std::string>(told.begin(), told.end()).size() == 1);
}

TEST_CASE("an unfinished stream is not finished") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Stream stream(gpu.table());
    gpu.fake.set("FAKE_CUDA_SYNCHRONIZE", "600");
    CHECK_FALSE(stream.finished());
    gpu.fake.set("FAKE_CUDA_SYNCHRONIZE", "0");
    CHECK(stream.finished());
}

TEST_CASE("a launch that cannot be right is refused by name") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Stream stream(gpu.table());
    sdk::DeviceBuffer<unsigned> buffer(gpu.table(), 10);
    sdk::Kernel kernel(gpu.table(), request_of("add_one"));
    CHECK(gpu.sentence(QAPFW_ERROR, [&] { kernel.launch(stream, 1, 32, 0, buffer); }) ==
          "GPU 0 (Fake 0): kernel 'add_one' of plugin toy takes 2 arguments, but 1 are given");
    CHECK(contains(gpu.sentence(QAPFW_ERROR,
                                [&] {
                                    kernel.launch(stream, 1, {32, 32}, 0, buffer, 10u);
                                }),
                   "is launched with 1024 threads per CUDA block, but only 1 to 512 are possible"));
    CHECK(contains(
        gpu.sentence(QAPFW_ERROR, [&] { kernel.launch(stream, 1, 32, 228 * 1024, buffer, 10u); }),
        "needs 228.00 KiB (233472 bytes) of shared memory per CUDA block, but the GPU has 227.00 KiB (232448 bytes)"));
    CHECK(contains(gpu.sentence(QAPFW_ERROR,
                                [&] {
                                    kernel.launch(stream, {2, 0}, 32, 0, buffer, 10u);
                                }),
                   "is launched with an empty grid of 2x0x1"));
    gpu.fake.set("FAKE_CUDA_LAUNCH", "1");
    CHECK(contains(gpu.sentence(QAPFW_ERROR,
                                [&] {
                                    kernel.launch(stream, {5, 6}, 32, 64, buffer, 10u);
                                }),
                   "launching kernel 'add_one' of plugin toy with grid 5x6x1, block 32x1x1, 64 bytes of dynamic shared "
                   "memory: CUDA_ERROR_INVALID_VALUE"));
    gpu.fake.set("FAKE_CUDA_LAUNCH", "0");
    CHECK_NOTHROW(kernel.launch(stream, 1, 32, 0, buffer, 10u));
}

TEST_CASE("more than 48 KiB of shared memory is asked for once, and occupancy is 0 where no block fits") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Stream stream(gpu.table());
    sdk::Kernel kernel(gpu.table(), request_of("other"));
    kernel.launch(stream, 1, 32, 48 * 1024);
    CHECK_FALSE(contains(gpu.fake.log(), "shared"));
    CHECK(kernel.occupancy(128, 100 * 1024) == 2);
    for (int i = 0; i < 3; ++i) kernel.launch(stream, 1, 32, 100 * 1024);
    const std::string log = gpu.fake.log();
    CHECK(contains(log, "shared 102400"));
    CHECK(log.find("shared") == log.rfind("shared"));
    CHECK(kernel.occupancy(128, 0) == 16);
    CHECK(kernel.occupancy(513, 0) == 0);
    CHECK(kernel.occupancy(128, 300 * 1024) == 0);
}

TEST_CASE("a binary that the driver refuses is deleted from the cache and compiled anew, once") {
    if (!can_fake()) return;
    FakeGpu gpu;
    sdk::Kernel(gpu.table(), request_of("other"));
    gpu.choice = {};
    gpu.log.lines.clear();
    gpu.open();
    // The fake driver now refuses its module loads 1 and 2. Load 1 has already succeeded, so only load 2 fails.
    gpu.fake.set("FAKE_CUDA_BAD_MODULES", "2");
    sdk::Kernel(gpu.table(), request_of("other"));
    CHECK(gpu.log.count(QAPFW_LOG_INFO, "cached") == 1);
    CHECK(gpu.log.count(QAPFW_LOG_WARNING, "the driver refuses it: CUDA_ERROR_FAKE") == 1);
    CHECK(gpu.log.count(QAPFW_LOG_INFO, "compiled in ") == 1);
    gpu.fake.set("FAKE_CUDA_BAD_MODULES", "99");
    gpu.choice = {};
    gpu.open();
    CHECK(contains(gpu.sentence(QAPFW_ERROR, [&] { sdk::Kernel(gpu.table(), request_of("other")); }),
                   "loading kernel 'other' of plugin toy"));
}

TEST_CASE("a device frees what a plugin left behind, and kernels that need a problem say so if there is none") {
    if (!can_fake()) return;
    FakeGpu gpu;
    const qapfw_device& table = gpu.table();
    std::uint64_t address = 0;
    qapfw_stream* stream = nullptr;
    CHECK(table.allocate(table.context, 100, &address) == QAPFW_OK);
    CHECK(table.create_stream(table.context, &stream) == QAPFW_OK);
    CHECK(table.allocate(table.context, 0, &address) == QAPFW_OK);
    CHECK(address == 0);
    table.release(table.context, 0);
    const void* view = nullptr;
    std::uint64_t size = 0;
    CHECK(table.problem_view(table.context, &view, &size) == QAPFW_ERROR_UNSUPPORTED);
    gpu.choice = {};
    CHECK(contains(gpu.fake.log(), "free\nrelease\n"));
}
#endif

}  // namespace
}  // namespace qapfw::framework
