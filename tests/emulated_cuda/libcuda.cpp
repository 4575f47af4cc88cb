// SPDX-License-Identifier: Apache-2.0
// A CUDA driver without a GPU: the functions that the program uses, working on host memory, with the errors of the real
// driver. Work waits in its stream until a thread synchronises; this thread then does the work. The reason of a refused
// call is written to standard error. Variables:
//   QAPFW_EMULATED_GPUS: number of GPUs; 1 by default
//   QAPFW_EMULATED_LOAD_SECONDS, QAPFW_EMULATED_OPEN_SECONDS: time to load each module, and to open each GPU
//   QAPFW_EMULATED_THREADS: a GPU is lost when more threads than this number use it
#pragma GCC visibility push(default)
#include <cuda.h>
#pragma GCC visibility pop

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "tests/emulated_cuda/gpu.hpp"

namespace {

using namespace qapfw::emulated_cuda;

Gpu gpus[kMostGpus];
/// The calling thread's GPU (null: none), and the number of the context that the thread uses.
thread_local Gpu* current = nullptr;
thread_local std::uint64_t current_context = 0;

/// Sleeps for the seconds that the environment variable gives; not at all if the variable is not set.
void take_time(const char* variable) {
    const char* const seconds = std::getenv(variable);
    if (seconds != nullptr) std::this_thread::sleep_for(std::chrono::duration<double>(std::atof(seconds)));
}

CUresult refuse(const char* function, CUresult result, const char* reason) {
    std::fprintf(stderr, "emulated GPU: %s: %s\n", function, reason);
    return result;
}

/// Calls `work` with the GPU, and turns an exception of `work` into a result of CUDA. After an exception other than a
/// Refusal, the GPU counts as lost.
template <class Work>
CUresult on(Gpu& gpu, const char* function, const Work& work) {
    try {
        work(gpu);
        return CUDA_SUCCESS;
    } catch (const Refusal& refusal) {
        return refuse(function, refusal.result, refusal.what());
    } catch (const std::exception& error) {  // a failure of a kernel
        gpu.failure = CUDA_ERROR_LAUNCH_FAILED;
        return refuse(function, gpu.failure, error.what());
    }
}

/// True if at most QAPFW_EMULATED_THREADS threads have used the GPU, the calling thread included. Always true if
/// this environment variable is not set.
bool may_use(Gpu& gpu) {
    const char* const text = std::getenv("QAPFW_EMULATED_THREADS");
    if (text == nullptr) return true;
    gpu.threads.insert(std::this_thread::get_id());
    return gpu.threads.size() <= static_cast<std::size_t>(std::atoi(text));
}

/// Calls `work` with the GPU whose context is current in the calling thread.
template <class Work>
CUresult on_current(const char* function, const Work& work) {
    if (current == nullptr) return refuse(function, CUDA_ERROR_INVALID_CONTEXT, "no context is current");
    const std::lock_guard lock(current->mutex);
    if (current->references == 0 || current->context != current_context) {
        return refuse(function, CUDA_ERROR_CONTEXT_IS_DESTROYED, "the context was released");
    }
    if (current->failure == CUDA_SUCCESS && !may_use(*current)) {
        current->failure = CUDA_ERROR_ECC_UNCORRECTABLE;
        return refuse(function, current->failure,
                      "too many threads use the GPU, so it is lost (QAPFW_EMULATED_THREADS)");
    }
    return current->failure != CUDA_SUCCESS ? current->failure : on(*current, function, work);
}

template <class Work>
CUresult on_device(const char* function, CUdevice device, const Work& work) {
    if (device < 0 || device >= gpu_count()) return refuse(function, CUDA_ERROR_INVALID_DEVICE, "there is no such GPU");
    const std::lock_guard lock(gpus[device].mutex);
    gpus[device].ordinal = device;
    return on(gpus[device], function, work);
}

/// Stores an object of the GPU under a new handle.
template <class Handle, class Owned>
Handle keep(std::map<Handle, std::unique_ptr<Owned>>& all, std::unique_ptr<Owned> object) {
    const Handle handle = reinterpret_cast<Handle>(object.get());
    all.emplace(handle, std::move(object));
    return handle;
}

// --- launches --------------------------------------------------------------------------------------------------------

struct Launch {
    std::string entry;
    const KernelDescription* kernel;
    std::uint32_t grid[3], block[3], shared_bytes;
    std::vector<std::vector<unsigned char>> arguments;

    void run() const {
        const GuardedMemory shared(shared_bytes, 0);
        std::vector<void*> pointers;
        for (const auto& argument : arguments) pointers.push_back(const_cast<unsigned char*>(argument.data()));
        try {
            kernel->run(pointers.data(), grid, block, shared.begin());
        } catch (const std::exception& error) {
            throw std::runtime_error(entry + ": " + error.what());
        }
    }
};

void check_limits(const Function& function, const Launch& launch) {
    const auto check = [&](bool holds, CUresult result, const char* reason) {
        if (!holds) throw Refusal(result, function.entry + ": " + reason);
    };
    const auto& [x, y, z] = launch.grid;
    check(x > 0 && y > 0 && z > 0 && x < 1u << 31 && y < 1u << 16 && z < 1u << 16, CUDA_ERROR_INVALID_VALUE,
          "a grid has no blocks or too many along an axis");
    check(launch.block[0] > 0 && launch.block[0] <= 1024, CUDA_ERROR_INVALID_VALUE,
          "a block must have 1 to 1024 threads");
    check(launch.block[0] <= function.kernel->most_threads, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
          "a block has more threads than its launch bounds");
    check(launch.shared_bytes <= function.shared_allowed, CUDA_ERROR_INVALID_VALUE,
          "a block has more dynamic shared memory than the kernel's attribute allows");
    check(z == 1 && launch.block[1] == 1 && launch.block[2] == 1, CUDA_ERROR_NOT_SUPPORTED,
          "the emulation supports only blocks of one dimension and grids of two");
}

}  // namespace

// --- the driver and its GPUs -----------------------------------------------------------------------------------------

CUresult cuInit(unsigned) {
    return gpu_count() > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int* version) {
    *version = CUDA_VERSION;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult result, const char** text) {
    static thread_local char name[32];
    std::snprintf(name, sizeof name, "CUDA error %d", static_cast<int>(result));
    *text = name;
    return CUDA_SUCCESS;
}

CUresult cuGetErrorString(CUresult, const char** text) {
    *text = "emulated";
    return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
    *count = gpu_count();
    return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice* device, int ordinal) {
    return on_device(__func__, ordinal, [&](Gpu& gpu) { *device = gpu.ordinal; });
}

CUresult cuDeviceGetName(char* name, int size, CUdevice device) {
    return on_device(__func__, device, [&](Gpu&) { std::snprintf(name, static_cast<std::size_t>(size), "%s", kName); });
}

CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice device) {
    return on_device(__func__, device, [&](Gpu&) { *bytes = kMemory; });
}

CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice device) {
    static const std::map<CUdevice_attribute, int> values = {
        {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, kMultiprocessors},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, CU_COMPUTEMODE_DEFAULT},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, kCapability / 10},
        {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, kCapability % 10},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, Gpu::kShared},
        {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, Gpu::kShared + 1024}};
    const auto found = values.find(attribute);
    if (found == values.end()) return refuse(__func__, CUDA_ERROR_INVALID_VALUE, "this attribute is not emulated");
    return on_device(__func__, device, [&](Gpu&) { *value = found->second; });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice device) {
    take_time("QAPFW_EMULATED_OPEN_SECONDS");
    return on_device(__func__, device, [&](Gpu& gpu) {
        if (gpu.references++ == 0) ++gpu.context;
        *context = reinterpret_cast<CUcontext>(&gpu);
    });
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device) {
    return on_device(__func__, device, [](Gpu& gpu) {
        if (gpu.references == 0) throw Refusal(CUDA_ERROR_INVALID_CONTEXT, "the context is not held");
        if (--gpu.references == 0) gpu.close();
    });
}

CUresult cuCtxSetCurrent(CUcontext context) {
    auto* const gpu = reinterpret_cast<Gpu*>(context);
    if (gpu != nullptr) {
        const std::lock_guard lock(gpu->mutex);
        if (gpu->references == 0) return refuse(__func__, CUDA_ERROR_INVALID_CONTEXT, "the context was released");
        current_context = gpu->context;
    }
    current = gpu;
    return CUDA_SUCCESS;
}

// --- memory ----------------------------------------------------------------------------------------------------------

CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
    return on_current(__func__, [&](Gpu& gpu) {
        *total = kMemory;
        *free = kMemory - gpu.used;
    });
}

CUresult cuMemAlloc(CUdeviceptr* address, std::size_t size) {
    return on_current(__func__, [&](Gpu& gpu) { gpu.allocate(address, size); });
}

CUresult cuMemFree(CUdeviceptr address) {
    return on_current(__func__, [&](Gpu& gpu) { gpu.release(address); });
}

CUresult cuMemAllocHost(void** memory, std::size_t size) {
    return on_current(__func__, [&](Gpu&) { *memory = std::malloc(size); });
}

CUresult cuMemFreeHost(void* memory) {
    return on_current(__func__, [&](Gpu&) { std::free(memory); });
}

CUresult cuMemcpyHtoDAsync(CUdeviceptr to, const void* from, std::size_t size, CUstream stream) {
    return on_current(__func__, [&](Gpu& gpu) {
        void* const target = gpu.range(to, size);
        const auto* const first = static_cast<const unsigned char*>(from);
        // The bytes are copied before the call returns, since the caller's memory is pageable.
        gpu.stream(stream).work.push_back([target, bytes = std::vector<unsigned char>(first, first + size)] {
            std::memcpy(target, bytes.data(), bytes.size());
        });
    });
}

CUresult cuMemcpyDtoHAsync(void* to, CUdeviceptr from, std::size_t size, CUstream stream) {
    return on_current(__func__, [&](Gpu& gpu) {
        const void* const source = gpu.range(from, size);
        gpu.stream(stream).work.push_back([=] { std::memcpy(to, source, size); });
    });
}

CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t size, CUstream stream) {
    return on_current(__func__, [&](Gpu& gpu) {
        void* const target = gpu.range(to, size);
        const void* const source = gpu.range(from, size);
        gpu.stream(stream).work.push_back([=] { std::memmove(target, source, size); });
    });
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t size, CUstream stream) {
    return on_current(__func__, [&](Gpu& gpu) {
        void* const target = gpu.range(to, size);
        gpu.stream(stream).work.push_back([=] { std::memset(target, value, size); });
    });
}

// --- streams ---------------------------------------------------------------------------------------------------------

CUresult cuStreamCreate(CUstream* stream, unsigned) {
    return on_current(__func__, [&](Gpu& gpu) { *stream = keep(gpu.streams, std::make_unique<Stream>()); });
}

CUresult cuStreamDestroy(CUstream stream) {
    return on_current(__func__, [&](Gpu& gpu) {
        gpu.synchronize(gpu.stream(stream));
        gpu.streams.erase(stream);
    });
}

CUresult cuStreamSynchronize(CUstream stream) {
    return on_current(__func__, [&](Gpu& gpu) { gpu.synchronize(gpu.stream(stream)); });
}

CUresult cuStreamQuery(CUstream stream) {
    return on_current(__func__, [&](Gpu& gpu) { gpu.synchronize(gpu.stream(stream)); });
}

CUresult cuEventCreate(CUevent* event, unsigned) {
    return on_current(__func__, [&](Gpu& gpu) { *event = keep(gpu.events, std::make_unique<Event>()); });
}

CUresult cuEventDestroy(CUevent event) {
    return on_current(__func__, [&](Gpu& gpu) {
        const Event& gone = gpu.event(event);
        if (gone.stream != nullptr) gpu.synchronize(gpu.stream(gone.stream));  // work of the stream refers to the event
        gpu.events.erase(event);
    });
}

CUresult cuEventRecord(CUevent event, CUstream stream) {
    return on_current(__func__, [&](Gpu& gpu) {
        Event& place = gpu.event(event);
        place.stream = stream;
        gpu.stream(stream).work.push_back([&place, number = ++place.recorded] { place.reached = number; });
    });
}

/// Does all of the stream's work before the event, but no later work.
CUresult cuEventSynchronize(CUevent event) {
    return on_current(__func__, [&](Gpu& gpu) {
        const Event& place = gpu.event(event);
        while (place.reached < place.recorded) gpu.stream(place.stream).do_next();
    });
}

// --- kernels ---------------------------------------------------------------------------------------------------------

CUresult cuModuleLoadData(CUmodule* module, const void* image) {
    take_time("QAPFW_EMULATED_LOAD_SECONDS");
    return on_current(__func__, [&](Gpu& gpu) { *module = keep(gpu.modules, std::make_unique<Module>(image)); });
}

CUresult cuModuleUnload(CUmodule module) {
    return on_current(__func__, [&](Gpu& gpu) { gpu.unload(module); });
}

CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* entry) {
    return on_current(__func__, [&](Gpu& gpu) {
        const Module& owner = gpu.module(module);
        const KernelDescription* const kernel = owner.kernel(entry);
        if (kernel == nullptr) throw Refusal(CUDA_ERROR_NOT_FOUND, std::string("no kernel ") + entry);
        *function = keep(gpu.functions, std::make_unique<Function>(Function{entry, kernel, &owner}));
    });
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute attribute, CUfunction function) {
    return on_current(__func__, [&](Gpu& gpu) {
        const Function& its = gpu.function(function);
        // The host's compiler does not report the size of static shared memory.
        *value = attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? static_cast<int>(its.kernel->most_threads) : 0;
    });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    return on_current(__func__, [&](Gpu& gpu) {
        const bool possible = attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES && value >= 0 &&
                              static_cast<std::uint32_t>(value) <= Gpu::kShared;
        if (!possible) throw Refusal(CUDA_ERROR_INVALID_VALUE, "this attribute cannot have this value");
        gpu.function(function).shared_allowed = static_cast<std::uint32_t>(value);
    });
}

CUresult cuFuncGetParamInfo(CUfunction function, std::size_t index, std::size_t* offset, std::size_t* size) {
    bool found = false;
    const CUresult result = on_current(__func__, [&](Gpu& gpu) {
        const KernelDescription& kernel = *gpu.function(function).kernel;
        found = index < kernel.argument_count;
        *offset = 0;  // qapfw does not use the offset
        if (found) *size = kernel.argument_sizes[index];
    });
    return result != CUDA_SUCCESS || found ? result : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void** arguments,
                        void**) {
    return on_current(__func__, [&](Gpu& gpu) {
        const Function& its = gpu.function(function);
        Launch launch{its.entry, its.kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes, {}};
        check_limits(its, launch);
        for (std::uint32_t k = 0; k < its.kernel->argument_count; ++k) {
            const auto* const first = static_cast<const unsigned char*>(arguments[k]);
            gpu.check_addresses(first, its.kernel->argument_sizes[k]);
            launch.arguments.emplace_back(first, first + its.kernel->argument_sizes[k]);
        }
        gpu.stream(stream).work.push_back([launch = std::move(launch)] { launch.run(); });
    });
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     std::size_t shared_bytes) {
    return on_current(__func__, [&](Gpu& gpu) {
        if (shared_bytes > gpu.function(function).shared_allowed)
            throw Refusal(CUDA_ERROR_INVALID_VALUE, "too much shared memory");
        constexpr std::size_t kReserved = 1024;  // bytes of shared memory that CUDA reserves in each CUDA block
        const std::size_t by_shared = (Gpu::kShared + kReserved) / (shared_bytes + kReserved);
        *blocks = static_cast<int>(std::min<std::size_t>(by_shared, 1536 / static_cast<std::size_t>(threads)));
    });
}
