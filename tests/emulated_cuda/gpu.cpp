// SPDX-License-Identifier: Apache-2.0
#include "tests/emulated_cuda/gpu.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <iterator>

namespace qapfw::emulated_cuda {
namespace {

/// First address of the emulated GPUs' memory, above 2^46. Arguments of a kernel that are not addresses are smaller
/// numbers, even the trails of the solver cas. So such an argument does not look like an address. The memory is far
/// from the program and its stack, since parts of host addresses may remain in the padding of arguments. The address
/// sanitizer has its heap at 0x600000000000, so programs with the sanitizer use 0x500000000000.
const std::uint64_t kFirstPlace = dlsym(RTLD_DEFAULT, "__asan_init") == nullptr ? 0x600000000000 : 0x500000000000;
constexpr std::uint64_t kPlacesOfGpu = std::uint64_t{1} << 40;
/// For each GPU: number of bytes used so far, counted from the start of its address range and including freed memory. A
/// number outside these bytes is not an address.
std::atomic<std::uint64_t> places_given[kMostGpus];
constexpr std::size_t kPage = 4096;

std::string address_text(CUdeviceptr address) {
    char text[32];
    std::snprintf(text, sizeof text, "address %#llx", address);
    return text;
}

template <class Handle, class Owned>
Owned& owned(const std::map<Handle, std::unique_ptr<Owned>>& all, Handle handle, const char* what) {
    const auto found = all.find(handle);
    if (found == all.end()) throw Refusal(CUDA_ERROR_INVALID_HANDLE, std::string("no ") + what + " of this context");
    return *found->second;
}

}  // namespace

GuardedMemory::GuardedMemory(std::size_t size, std::uint64_t place)
    : size_(size), mapped_((size + kPage - 1) / kPage * kPage + 2 * kPage) {
    void* const at = ::mmap(reinterpret_cast<void*>(place), mapped_, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | (place != 0 ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (at == MAP_FAILED) throw Refusal(CUDA_ERROR_OUT_OF_MEMORY, "the host gives no memory");
    mapping_ = static_cast<unsigned char*>(at);
    ::mprotect(mapping_ + kPage, mapped_ - 2 * kPage, PROT_READ | PROT_WRITE);
    begin_ = mapping_ + mapped_ - kPage - (size + 15) / 16 * 16;
    std::memset(begin_, 0xA5, size);
}

GuardedMemory::~GuardedMemory() {
    ::munmap(mapping_, mapped_);
}

Module::Module(const void* image) {
    Elf64_Ehdr header;
    std::memcpy(&header, image, sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_type != ET_DYN) {
        throw Refusal(CUDA_ERROR_INVALID_IMAGE, "this is no program of the emulated NVRTC");
    }
    // Linkers write the section headers last, so the file ends behind them.
    const std::size_t size = header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize;
    // Writes a file that exists only for a moment. dlopen recognises libraries by their names, so each file has a new
    // name.
    std::string name = std::filesystem::temp_directory_path() / "qapfw-emulated-XXXXXX";
    const int file = ::mkstemp(name.data());
    const bool written = file >= 0 && ::write(file, image, size) == static_cast<ssize_t>(size);
    handle_ = written ? ::dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL) : nullptr;
    ::close(file);
    ::unlink(name.c_str());
    if (handle_ == nullptr) throw Refusal(CUDA_ERROR_INVALID_IMAGE, written ? ::dlerror() : "no temporary file");
}

Module::~Module() {
    ::dlclose(handle_);
}

const KernelDescription* Module::kernel(const std::string& entry) const {
    return static_cast<const KernelDescription*>(::dlsym(handle_, (".text." + entry).c_str()));
}

void Stream::do_next() {
    const std::function<void()> next = std::move(work.front());
    work.pop_front();
    next();
}

void Gpu::allocate(CUdeviceptr* address, std::size_t size) {
    if (size == 0) throw Refusal(CUDA_ERROR_INVALID_VALUE, "no bytes are asked for");
    if (size > kMemory - used) throw Refusal(CUDA_ERROR_OUT_OF_MEMORY, "the memory is full");
    if (next_place == 0) next_place = kFirstPlace + static_cast<std::uint64_t>(ordinal) * kPlacesOfGpu;
    auto memory = std::make_unique<GuardedMemory>(size, next_place);
    next_place += memory->mapped();
    places_given[ordinal] = next_place - kFirstPlace - static_cast<std::uint64_t>(ordinal) * kPlacesOfGpu;
    used += size;
    *address = memory->address();
    buffers.emplace(*address, std::move(memory));
}

void Gpu::release(CUdeviceptr address) {
    const auto found = buffers.find(address);
    if (found == buffers.end())
        throw Refusal(CUDA_ERROR_INVALID_VALUE, address_text(address) + " is not the beginning of a buffer");
    synchronize_all();  // the real driver does this too
    used -= found->second->size();
    buffers.erase(found);
}

void* Gpu::range(CUdeviceptr address, std::size_t size) const {
    const auto after = buffers.upper_bound(address);
    if (after != buffers.begin()) {
        const GuardedMemory& buffer = *std::prev(after)->second;
        const std::uint64_t offset = address - buffer.address();
        if (offset <= buffer.size() && size <= buffer.size() - offset) return buffer.begin() + offset;
    }
    throw Refusal(CUDA_ERROR_INVALID_VALUE, std::to_string(size) + " bytes at " + address_text(address) +
                                                " lie in no buffer of GPU " + std::to_string(ordinal));
}

void Gpu::check_addresses(const void* argument, std::size_t size) const {
    for (std::size_t k = 0; k + sizeof(CUdeviceptr) <= size; k += sizeof(CUdeviceptr)) {
        CUdeviceptr word = 0;
        std::memcpy(&word, static_cast<const unsigned char*>(argument) + k, sizeof word);
        const std::uint64_t offset = word - kFirstPlace;
        if (word < kFirstPlace || offset / kPlacesOfGpu >= kMostGpus) continue;
        if (offset % kPlacesOfGpu < places_given[offset / kPlacesOfGpu]) range(word, 0);
    }
}

Stream& Gpu::stream(CUstream handle) const {
    return owned(streams, handle, "stream");
}

Event& Gpu::event(CUevent handle) const {
    return owned(events, handle, "event");
}

Module& Gpu::module(CUmodule handle) const {
    return owned(modules, handle, "module");
}

Function& Gpu::function(CUfunction handle) const {
    return owned(functions, handle, "kernel");
}

void Gpu::unload(CUmodule handle) {
    const Module& gone = module(handle);
    synchronize_all();
    std::erase_if(functions, [&](const auto& entry) { return entry.second->module == &gone; });
    modules.erase(handle);
}

void Gpu::synchronize(Stream& stream) {
    while (!stream.work.empty()) stream.do_next();
}

void Gpu::synchronize_all() {
    for (const auto& [handle, stream] : streams) synchronize(*stream);
}

void Gpu::close() {
    if (failure == CUDA_SUCCESS) synchronize_all();
    failure = CUDA_SUCCESS;
    streams.clear();
    events.clear();
    functions.clear();
    modules.clear();
    buffers.clear();
    used = 0;
}

}  // namespace qapfw::emulated_cuda
