// SPDX-License-Identifier: Apache-2.0
// Conformance cases for a problem's device code. The code is compiled if an NVRTC is found. Static assertions compare
// the code's sizes and its type of costs with the host's. The code then runs on a GPU, or on an emulated GPU if there
// is no driver.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <random>

#include "framework/conformance/device_check_text.hpp"
#include "framework/conformance/fixture.hpp"
#include "framework/conformance/sanitizers.hpp"
#include "framework/device/compile_only.hpp"
#include "framework/device/device_manager.hpp"
#include "framework/device/dynamic_library.hpp"
#include "framework/host/last_error.hpp"
#include "qapfw/sdk/device.hpp"
#include "qapfw/sdk/problem_ref.hpp"

namespace qapfw::framework::conformance {
namespace {

constexpr std::uint32_t kSolutions = 8;
constexpr std::uint32_t kSwaps = 6;
constexpr std::uint32_t kMostPositions = 60;  // largest n for the check that evaluates all pairs after each swap

void device_text(const Subject& subject) {
    const Opened opened(subject);
    const auto* device = static_cast<const qapfw_problem_device*>(opened.problem.capability(QAPFW_PROBLEM_DEVICE));
    if (device == nullptr) throw Skip("it has no device code");
    const qapfw_device_problem* described = device->describe(opened.problem.ref()->problem);
    require(described != nullptr, "`describe` gives no device code");
    require(described->text_count > 0 && described->view_size > 0,
            "the device code needs at least one text and a view, but text_count or view_size is 0");
    std::string all;
    for (std::uint32_t k = 0; k < described->text_count; ++k) {
        all.append(described->texts[k].text, described->texts[k].size);
    }
    require(all.find("namespace qapfw::device") != std::string::npos && all.find("struct Problem") != std::string::npos,
            "the texts do not define qapfw::device::Problem");
    for (std::uint64_t k = 0; k < described->buffer_count; ++k) {
        const qapfw_view_buffer& buffer = described->buffers[k];
        require(buffer.view_offset + 8 <= described->view_size,
                fmt::format("buffer {}: view_offset leaves no room for an 8-byte address in the view", k));
        require(buffer.bytes != nullptr || buffer.size == 0, fmt::format("buffer {} has no bytes", k));
    }
}

/// Switches to emulated GPUs if there is no driver, or if the subject is always emulated. Changes nothing if emulated
/// GPUs are not installed, or if the user names a driver (QAPFW_LIBCUDA) or an NVRTC (QAPFW_NVRTC).
void use_emulated_devices(const Subject& subject) {
    if (subject.emulated_devices.empty() || std::getenv("QAPFW_LIBCUDA") != nullptr) return;
    if (std::getenv("QAPFW_NVRTC") != nullptr) return;
    if (!subject.always_emulated && DynamicLibrary("libcuda.so.1").loaded()) return;
    if (subject.always_emulated && why_kernels_are_not_sanitized(subject.emulated_devices).empty())
        setenv("QAPFW_EMULATED_SANITIZE", "1", 1);
    setenv("QAPFW_LIBCUDA", (subject.emulated_devices / "libcuda.so").c_str(), 1);
    setenv("QAPFW_NVRTC", (subject.emulated_devices / "libnvrtc.so").c_str(), 1);
}

std::string assertion(const std::string& condition, const std::string& sentence) {
    return fmt::format("static_assert({}, \"{}\");\n", condition, sentence);
}

/// Device code that compares qapfw::device::Problem with the host's problem: size of the view, number of positions,
/// type of costs, and number and offset of the bay bits.
std::string assertions(const Problem& problem, const qapfw_device_problem& device) {
    const qapfw_problem_info& info = problem.info();
    const qapfw_segment& order = info.encoding.segments[0];
    const bool exact = info.cost_kind == QAPFW_COST_INT64;
    std::string text = "using CheckedProblem = qapfw::device::Problem;\n";
    text += assertion(
        fmt::format("sizeof(CheckedProblem::View) == {}", device.view_size),
        fmt::format("the host's view has {} bytes (view_size), but qapfw::device::Problem::View has another size",
                    device.view_size));
    text +=
        assertion(fmt::format("CheckedProblem::kPositions == {}", order.length),
                  fmt::format("solutions have {} positions, but qapfw::device::Problem::kPositions has another value",
                              order.length));
    text += assertion(
        fmt::format("qapfw::kernels::problem_parts::kSame<CheckedProblem::Cost, {}>", exact ? "int64_t" : "double"),
        fmt::format("cost_kind is {}, but qapfw::device::Problem::Cost is another type",
                    exact ? "QAPFW_COST_INT64" : "QAPFW_COST_FLOAT64"));
    const bool has_bays = info.encoding.segment_count == 2 && info.encoding.segments[1].kind == QAPFW_SEGMENT_BAYS;
    if (!has_bays) {
        return text + assertion("!qapfw::kernels::problem_parts::MentionsBits<CheckedProblem>",
                                "solutions have no bits, but qapfw::device::Problem has kBits");
    }
    const qapfw_segment& bits = info.encoding.segments[1];
    text += assertion("qapfw::kernels::problem_parts::MentionsBits<CheckedProblem>",
                      fmt::format("solutions have {} bits, but qapfw::device::Problem has no kBits", bits.length));
    return text + assertion(fmt::format("CheckedProblem::kBits == {} && CheckedProblem::kBitsOffset == {}", bits.length,
                                        bits.offset),
                            fmt::format("solutions have {} bits from byte {} on, but kBits or kBitsOffset of "
                                        "qapfw::device::Problem has another value",
                                        bits.length, bits.offset));
}

/// The problem under test, its device code, and the source text of kernels that check this device code.
class DeviceBench {
  public:
    explicit DeviceBench(const Subject& subject) : opened_(subject) {
        try {
            device_ = describe_device_problem(problem().ref());
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::kDevice) throw Skip(error.what());
            throw;
        }
        if (!device_) throw Skip("it has no device code");
        text_ = std::string(kDeviceCheckText) + assertions(problem(), *device_->code);
    }
    const Problem& problem() const { return opened_.problem; }
    const std::optional<DeviceProblem>& device() const { return device_; }
    sdk::KernelRequest request(const char* entry) const {
        return {{{"conformance/check.cuh", text_.data(), text_.size()}}, entry, {}, true};
    }

  private:
    Opened opened_;
    std::optional<DeviceProblem> device_;
    std::string text_;
};

/// The reason why nothing was compiled (there is no compiler); empty if the program was compiled. Throws Error if the
/// compiler refuses the program.
std::string compile_check(const DeviceBench& bench) {
    try {
        const sdk::KernelRequest request = bench.request("qapfw_check_costs");
        const sdk::detail::KernelRequestView view(request);
        compile_only(bench.device(), {&view.get(), 1}, {90});
        return {};
    } catch (const Error& error) {
        if (error.kind() == ErrorKind::kDevice) return error.what();
        throw;
    }
}

void device_requirements(const Subject& subject) {
    const DeviceBench bench(subject);
    if (compile_check(bench).empty()) return;
    use_emulated_devices(subject);
    if (const std::string reason = compile_check(bench); !reason.empty()) throw Skip(reason);
}

/// A GPU, opened for the problem under test.
class OpenDevice {
  public:
    OpenDevice(const Subject& subject, const DeviceBench& bench) {
        use_emulated_devices(subject);
        DeviceRequest request;
        request.backend = "cuda";
        request.ordinals = {0};
        request.problem = bench.problem().ref();
        request.cache.enabled = false;
        request.set_error = [](const std::string& text) { set_last_error(text); };
        try {
            choice_ = choose_devices(request);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::kDevice) throw Skip(error.what());
            throw;
        }
    }
    const qapfw_device& table() const { return *choice_.devices.front()->table(); }

  private:
    DeviceChoice choice_;
};

/// Runs `body`. If a call to the device fails, throws an error with the device's message.
template <class Body>
void on_device(Body&& body) {
    try {
        body();
    } catch (const sdk::StatusError& error) {
        const std::string sentence = take_last_error();
        throw Error(ErrorKind::kPlugin, sentence.empty() ? error.what() : sentence);
    }
}

template <class T>
std::vector<T> downloaded(sdk::Stream& stream, const sdk::DeviceBuffer<T>& from) {
    std::vector<T> values(from.size());
    from.download(stream, values);
    stream.synchronize();
    return values;
}

std::span<const unsigned char> bytes_of(Batch& batch) {
    return {static_cast<const unsigned char*>(batch.at(0)), batch.stride * batch.costs.size()};
}

void require_cost(const Problem& problem, qapfw_cost found, qapfw_cost expected, const std::string& what) {
    const CostSpace& costs = problem.costs();
    const double tolerance = problem.has_approximate_device() ? CostSpace::kDeviceTolerance : 0;
    const bool same =
        tolerance > 0 ? costs.agree(found, expected, tolerance) : std::memcmp(&found, &expected, sizeof found) == 0;
    require(same, fmt::format("{} is {} on the device and {} by evaluate", what, costs.raw_text(found),
                              costs.raw_text(expected)));
}

void device_costs(const Subject& subject) {
    const DeviceBench bench(subject);
    const OpenDevice device(subject, bench);
    Batch batch(bench.problem(), kSolutions, 51);
    on_device([&] {
        sdk::Stream stream(device.table());
        sdk::Kernel kernel(device.table(), bench.request("qapfw_check_costs"));
        const sdk::DeviceBuffer<unsigned char> solutions(stream, bytes_of(batch));
        const sdk::DeviceBuffer<qapfw_cost> by_thread(device.table(), kSolutions), by_warp(device.table(), kSolutions);
        kernel.launch(stream, kSolutions, 32, 0, sdk::ProblemView(device.table()), solutions,
                      static_cast<std::uint32_t>(batch.stride / sizeof(std::uint16_t)), by_thread, by_warp);
        const auto thread_costs = downloaded(stream, by_thread), warp_costs = downloaded(stream, by_warp);
        for (std::uint32_t k = 0; k < kSolutions; ++k) {
            require_cost(bench.problem(), thread_costs[k], batch.costs[k], "the cost by one thread");
            require_cost(bench.problem(), warp_costs[k], batch.costs[k], "the cost by a warp");
        }
    });
}

/// Makes the device's swaps on the host too, and evaluates all pairs there.
class HostSwaps {
  public:
    HostSwaps(const Problem& problem, const void* solution)
        : problem_(problem), solution_(problem.info().encoding.solution_bytes) {
        const qapfw_encoding& encoding = problem.info().encoding;
        std::memcpy(solution_.data(), solution, encoding.solution_bytes);
        for (std::uint32_t k = 0; k < encoding.segments[0].length; ++k) {
            if (encoding.fixed == nullptr || encoding.fixed[k] == 0) free_.push_back(k);
        }
    }
    std::uint32_t places() const { return static_cast<std::uint32_t>(free_.size()); }
    qapfw_cost cost() const { return problem_.evaluate(solution_.data()); }
    void swap(std::uint32_t i, std::uint32_t j) {
        std::uint16_t* p = sdk::permutation_of(solution_.data());
        std::swap(p[free_[i]], p[free_[j]]);
    }
    qapfw_cost change(std::uint32_t i, std::uint32_t j) {
        const qapfw_cost before = cost();
        swap(i, j);
        const qapfw_cost after = cost();
        swap(i, j);
        return sdk::cost_difference(problem_.costs().kind, after, before);
    }
    /// The least delta of a swap of two positions; 0 if no delta is negative.
    qapfw_cost least_change() {
        qapfw_cost least{};
        for (std::uint32_t i = 0; i < places(); ++i) {
            for (std::uint32_t j = i + 1; j < places(); ++j) {
                const qapfw_cost own = change(i, j);
                if (problem_.costs().less(own, least)) least = own;
            }
        }
        return least;
    }

  private:
    const Problem& problem_;
    SolutionBuffer solution_;
    std::vector<std::uint32_t> free_;
};

struct DeviceDeltas {
    std::vector<std::uint32_t> moves;  ///< pairs of indices into the free positions
    std::vector<qapfw_cost> changes;
    std::vector<std::uint32_t> codes;
    std::vector<qapfw_cost> costs;
    std::uint64_t threads = 0;
};

/// The deltas that the device finds; nothing if the problem has no swap neighbourhood of its own.
std::optional<DeviceDeltas> deltas_on_device(const DeviceBench& bench, const OpenDevice& device, Batch& batch,
                                             std::uint32_t places) {
    sdk::Stream stream(device.table());
    const sdk::DeviceBuffer<std::uint64_t> layout_buffer(device.table(), 4);
    sdk::Kernel(device.table(), bench.request("qapfw_check_layout")).launch(stream, 1, 1, 0, layout_buffer);
    const std::vector<std::uint64_t> layout = downloaded(stream, layout_buffer);
    if (layout[0] == 0) return std::nullopt;
    if (layout[1] > device.table().shared_bytes_per_block)
        throw Skip("its swap neighbourhood needs more shared memory than a CUDA block of this GPU can have");
    DeviceDeltas found;
    found.threads = layout[2];
    std::mt19937_64 random(57);
    for (std::uint32_t k = 0; k < kSwaps; ++k) {
        const auto i = static_cast<std::uint32_t>(random() % places);
        found.moves.insert(found.moves.end(),
                           {i, (i + 1 + static_cast<std::uint32_t>(random() % (places - 1))) % places});
    }
    const sdk::DeviceBuffer<unsigned char> solutions(stream, bytes_of(batch));
    const sdk::DeviceBuffer<std::uint32_t> moves(stream, std::span<const std::uint32_t>(found.moves));
    const sdk::DeviceBuffer<unsigned char> workspace(device.table(), std::max<std::uint64_t>(layout[3], 256));
    const sdk::DeviceBuffer<qapfw_cost> changes(device.table(), kSwaps * found.threads), costs(device.table(), 2);
    const sdk::DeviceBuffer<std::uint32_t> codes(device.table(), kSwaps * found.threads);
    sdk::Kernel(device.table(), bench.request("qapfw_check_deltas"))
        .launch(stream, 1, static_cast<std::uint32_t>(found.threads), static_cast<std::uint32_t>(layout[1]),
                sdk::ProblemView(device.table()), solutions, moves, kSwaps, workspace, changes, codes, costs);
    found.changes = downloaded(stream, changes);
    found.codes = downloaded(stream, codes);
    found.costs = downloaded(stream, costs);
    return found;
}

void device_deltas(const Subject& subject) {
    const DeviceBench bench(subject);
    const Problem& problem = bench.problem();
    if (!sdk::is_permutation_16(problem.info().encoding))
        throw Skip("swaps on a device need one permutation of 16-bit elements");
    Batch batch(problem, 1, 53);
    HostSwaps host(problem, batch.at(0));
    if (host.places() < 2) throw Skip("it has no pair to swap");
    if (problem.info().n > kMostPositions)
        throw Skip(fmt::format("n = {} is too large to check by brute force", problem.info().n));
    if (problem.has_approximate_device()) throw Skip("its device code rounds costs");
    const OpenDevice device(subject, bench);
    on_device([&] {
        const auto found = deltas_on_device(bench, device, batch, host.places());
        if (!found) throw Skip("it has no swap neighbourhood of its own on the device");
        require_cost(problem, found->costs[0], host.cost(), "the cost from the swap neighbourhood's reset");
        for (std::uint32_t step = 0; step < kSwaps; ++step) {
            qapfw_cost least{};
            for (std::uint64_t k = step * found->threads; k < (step + 1) * found->threads; ++k) {
                const std::uint32_t i = found->codes[k] >> 16, j = found->codes[k] & 0xFFFFu;
                if (found->codes[k] == 0xFFFFFFFFu) continue;
                require(i < j && j < host.places(),
                        fmt::format("the device gives ({}, {}), which is not a pair of positions i < j", i, j));
                require_cost(problem, found->changes[k], host.change(i, j),
                             fmt::format("after {} swaps the delta of ({}, {})", step, i, j));
                if (problem.costs().less(found->changes[k], least)) least = found->changes[k];
            }
            require_cost(problem, least, host.least_change(), fmt::format("after {} swaps the least delta", step));
            host.swap(found->moves[2 * step], found->moves[2 * step + 1]);
        }
        require_cost(problem, found->costs[1], host.cost(), "the cost after the swaps");
    });
}

constexpr Case kDeviceCases[] = {
    {"device-text",
     "The device texts define qapfw::device::Problem, and the view has room for the address of each buffer.",
     device_text},
    {"device-requirements",
     "The device texts define all that searches need, and their types have the same sizes as on the host.",
     device_requirements},
    {"device-costs", "The device computes the same costs as evaluate.", device_costs},
    {"device-deltas", "Deltas of the device's own swap neighbourhood agree with full evaluation.", device_deltas},
};

}  // namespace

std::span<const Case> device_cases() {
    return kDeviceCases;
}

}  // namespace qapfw::framework::conformance
