// SPDX-License-Identifier: Apache-2.0
#if QAPFW_HAVE_CUDA
#include "framework/device/compile_only.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "framework/device/device_table.hpp"
#include "framework/device/kernel_compiler.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {

/// Fills in the sizes of an H100, except for the memory (4 GiB), so that plugins choose the same kernels and launch
/// sizes as on a current GPU.
void fill_in_sizes(qapfw_device& table, std::uint32_t newest) {
    table.name = "compile-only device";
    table.multiprocessors = 132;
    table.compute_capability = newest;
    table.shared_bytes_per_block = 227 * 1024;
    table.shared_bytes_per_multiprocessor = 228 * 1024;
    table.memory_free = std::uint64_t{1} << 32;
}

class HostMemoryDevice final : public CompileOnlyDevice, private DeviceSlots {
  public:
    HostMemoryDevice(std::optional<DeviceProblem> problem, std::vector<std::uint32_t> architectures, LogFunction log,
                     ErrorFunction set_error)
        : problem_(std::move(problem)),
          architectures_(std::move(architectures)),
          compiler_(Nvrtc::find(), CacheSettings{false, {}}, std::move(log), false),
          table_(*this, std::move(set_error)) {
        fill_in_sizes(table_.c_table(), architectures_.empty() ? 90 : architectures_.back());
    }

    const qapfw_device* table() const override { return &table_.c_table(); }
    std::string description() const override { return table_.c_table().name; }
    const std::string& failure() const override { return table_.failure(); }
    const std::vector<CompiledKernel>& compiled() const override { return compiled_; }

  private:
    void allocate(std::uint64_t bytes, std::uint64_t* address) override {
        auto memory = std::make_unique<std::byte[]>(bytes);
        *address = reinterpret_cast<std::uint64_t>(memory.get());
        const std::lock_guard lock(mutex_);
        memory_[*address] = std::move(memory);
    }
    void release(std::uint64_t address) override {
        const std::lock_guard lock(mutex_);
        memory_.erase(address);
    }
    void create_stream(qapfw_stream** out) override {
        const std::lock_guard lock(mutex_);
        *out = reinterpret_cast<qapfw_stream*>(streams_.emplace_back(std::make_unique<int>()).get());
    }
    void destroy_stream(qapfw_stream*) override {}
    void upload(qapfw_stream*, std::uint64_t address, const void* bytes, std::uint64_t size) override {
        if (size > 0) std::memcpy(reinterpret_cast<void*>(address), bytes, size);
    }
    void download(qapfw_stream*, void* bytes, std::uint64_t address, std::uint64_t size) override {
        if (size > 0) std::memcpy(bytes, reinterpret_cast<const void*>(address), size);
    }
    void copy(qapfw_stream*, std::uint64_t to, std::uint64_t from, std::uint64_t size) override {
        if (size > 0) std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<const void*>(from), size);
    }
    void fill(qapfw_stream*, std::uint64_t address, std::uint8_t value, std::uint64_t size) override {
        if (size > 0) std::memset(reinterpret_cast<void*>(address), value, size);
    }
    void synchronize(qapfw_stream*) override {}
    void query(qapfw_stream*, bool* finished) override { *finished = true; }
    void mark(qapfw_stream*) override {}
    void reach_mark(qapfw_stream*) override {}
    void prepare(const qapfw_kernel_request* requests, std::uint32_t count) override {
        std::vector<KernelProgram> programs;
        for (std::uint32_t i = 0; i < count; ++i) programs.emplace_back(problem_, requests[i]);
        for (const std::uint32_t architecture : architectures_) compiler_.prepare(programs, architecture);
        for (std::uint32_t i = 0; i < count; ++i) kernel_of(programs[i]);
    }
    void kernel(const qapfw_kernel_request* request, qapfw_kernel** out) override {
        *out = reinterpret_cast<qapfw_kernel*>(const_cast<std::string*>(kernel_of({problem_, *request})));
    }
    void launch(qapfw_stream*, qapfw_kernel* kernel, const qapfw_launch*) override {
        throw SlotError(QAPFW_ERROR_UNSUPPORTED, fmt::format("kernel '{}' is compiled but not run: there is no GPU",
                                                             *reinterpret_cast<const std::string*>(kernel)));
    }
    void occupancy(qapfw_kernel*, std::uint32_t block_threads, std::uint32_t, std::uint32_t* blocks) override {
        constexpr std::uint32_t kThreadsPerMultiprocessor = 2048;
        *blocks = block_threads == 0 ? 0 : kThreadsPerMultiprocessor / block_threads;
    }
    void problem_view(const void** view, std::uint64_t* size) override {
        if (!problem_) throw SlotError(QAPFW_ERROR_UNSUPPORTED, "the problem offers no device code");
        const std::lock_guard lock(view_mutex_);
        if (view_.empty()) {
            view_ = build_view(*problem_->code, [this](const void* bytes, std::uint64_t count) {
                std::uint64_t address = 0;
                allocate(count, &address);
                upload(nullptr, address, bytes, count);
                return address;
            });
        }
        *view = view_.data();
        *size = view_.size();
    }

    /// Compiles a program for all architectures, unless that was done before. Returns the name of the program's
    /// entry function. The name stands for the kernel.
    const std::string* kernel_of(const KernelProgram& program) {
        const std::lock_guard lock(mutex_);
        const auto [entry, is_new] = kernels_.insert(program.key(0, "") + '\n' + program.entry());
        for (const std::uint32_t architecture : architectures_) {
            if (!is_new) break;
            compiled_.push_back({program.entry(), architecture, compiler_.binary(program, architecture)->size()});
        }
        return &*names_.insert(program.entry()).first;
    }

    std::optional<DeviceProblem> problem_;
    std::vector<std::uint32_t> architectures_;
    KernelCompiler compiler_;
    DeviceTable table_;
    std::mutex view_mutex_;  ///< guards view_
    std::mutex mutex_;       ///< guards everything below except view_
    std::map<std::uint64_t, std::unique_ptr<std::byte[]>> memory_;
    std::vector<std::unique_ptr<int>> streams_;
    std::vector<std::byte> view_;
    std::set<std::string> kernels_;  ///< the compiled kernels: for each, its program's key and the name of its entry
    std::set<std::string> names_;
    std::vector<CompiledKernel> compiled_;
};

}  // namespace

std::vector<CompiledKernel> compile_only(const std::optional<DeviceProblem>& problem,
                                         std::span<const qapfw_kernel_request> requests,
                                         const std::vector<std::uint32_t>& architectures) {
    KernelCompiler compiler(Nvrtc::find(), CacheSettings{false, {}}, {}, false);
    std::vector<KernelProgram> programs;
    for (const qapfw_kernel_request& request : requests) programs.emplace_back(problem, request);
    std::vector<CompiledKernel> compiled;
    for (const std::uint32_t architecture : architectures) {
        compiler.prepare(programs, architecture);
        for (const KernelProgram& program : programs) {
            compiled.push_back({program.entry(), architecture, compiler.binary(program, architecture)->size()});
        }
    }
    return compiled;
}

std::unique_ptr<CompileOnlyDevice> make_compile_only_device(const qapfw_problem_ref* problem,
                                                            const std::vector<std::uint32_t>& architectures,
                                                            LogFunction log, ErrorFunction set_error) {
    return std::make_unique<HostMemoryDevice>(describe_device_problem(problem), architectures, std::move(log),
                                              std::move(set_error));
}

}  // namespace qapfw::framework
#endif
