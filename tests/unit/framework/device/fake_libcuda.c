// SPDX-License-Identifier: Apache-2.0
// A CUDA driver for tests. Its "GPUs" are host memory. Environment variables, read at every call, control the driver.
// The driver has the kernel add_one(uint32_t* values, uint32_t count). Every other name gives a kernel that has no
// arguments and does nothing. This file is compiled at test time and needs no CUDA header. The variables, with their
// defaults or meanings:
//   FAKE_CUDA_VERSION (13000)  FAKE_CUDA_INIT (result of cuInit)  FAKE_CUDA_GPUS (1)  FAKE_CUDA_CAPABILITY (90)
//   FAKE_CUDA_MODE (compute mode)  FAKE_CUDA_MEMORY (bytes per GPU, 1 GiB)  FAKE_CUDA_LAUNCH (result of cuLaunchKernel)
//   FAKE_CUDA_SYNCHRONIZE (result of cuStreamSynchronize, cuStreamQuery and cuEventSynchronize)
//   FAKE_CUDA_BAD_MODULES (how many of the first module loads are refused)
//   FAKE_CUDA_LOG (file: one line for each call of note() below)
// With -DFAKE_CUDA_OLD the driver lacks cuFuncGetParamInfo, as drivers before 12.4 do.
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OK = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    NOT_FOUND = 500
};

static long setting(const char* name, long otherwise) {
    const char* text = getenv(name);
    return text != NULL && text[0] != '\0' ? atol(text) : otherwise;
}

// All allocations. An allocation that is never freed stays reachable here, as in a CUDA context, so no leak is
// reported.
static void* _Atomic owned[4096];
static void* grab(size_t bytes) {
    void* const memory = malloc(bytes);
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) {
        void* nothing = NULL;
        if (atomic_compare_exchange_strong(&owned[i], &nothing, memory)) return memory;
    }
    abort();
}
static void drop(void* memory) {
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; ++i) {
        void* it = memory;
        if (atomic_compare_exchange_strong(&owned[i], &it, NULL)) break;
    }
    free(memory);
}

static void note(const char* what) {
    const char* path = getenv("FAKE_CUDA_LOG");
    FILE* file = path != NULL ? fopen(path, "a") : NULL;
    if (file == NULL) return;
    fprintf(file, "%s\n", what);
    fclose(file);
}

int cuInit(unsigned flags) {
    (void)flags;
    note("cuInit");
    const char* visible = getenv("CUDA_VISIBLE_DEVICES");
    if (visible != NULL && (visible[0] == '\0' || visible[0] == '-')) return NO_DEVICE;
    return (int)setting("FAKE_CUDA_INIT", OK);
}
int cuDriverGetVersion(int* version) {
    *version = (int)setting("FAKE_CUDA_VERSION", 13000);
    return OK;
}
int cuGetErrorName(int error, const char** text) {
    *text = error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS" : error == 1 ? "CUDA_ERROR_INVALID_VALUE" : "CUDA_ERROR_FAKE";
    return OK;
}
int cuGetErrorString(int error, const char** text) {
    *text = error == 700 ? "an illegal memory access was encountered" : "a fake sentence";
    return OK;
}
int cuDeviceGetCount(int* count) {
    *count = (int)setting("FAKE_CUDA_GPUS", 1);
    return OK;
}
int cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return OK;
}
int cuDeviceGetName(char* name, int size, int device) {
    snprintf(name, (size_t)size, "Fake %d", device);
    return OK;
}
int cuDeviceTotalMem_v2(size_t* bytes, int device) {
    (void)device;
    *bytes = (size_t)setting("FAKE_CUDA_MEMORY", 1L << 30);
    return OK;
}
int cuDeviceGetAttribute(int* value, int which, int device) {
    (void)device;
    const int capability = (int)setting("FAKE_CUDA_CAPABILITY", 90);
    switch (which) {
        case 16:
            *value = 4;
            break;  // number of multiprocessors
        case 20:
            *value = (int)setting("FAKE_CUDA_MODE", 0);
            break;  // compute mode
        case 75:
            *value = capability / 10;
            break;
        case 76:
            *value = capability % 10;
            break;
        case 81:
            *value = 228 * 1024;
            break;  // shared memory per multiprocessor
        case 97:
            *value = 227 * 1024;
            break;  // largest shared memory of a CUDA block
        default:
            return INVALID_VALUE;
    }
    return OK;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
    note("retain");
    *context = (void*)(uintptr_t)(device + 1);
    return OK;
}
int cuDevicePrimaryCtxRelease_v2(int device) {
    (void)device;
    note("release");
    return OK;
}
int cuCtxSetCurrent(void* context) {
    (void)context;
    return OK;
}

// --- memory: the size precedes each allocation -----------------------------------------------------------------------
static _Atomic size_t used = 0;
int cuMemGetInfo_v2(size_t* free_bytes, size_t* total) {
    *total = (size_t)setting("FAKE_CUDA_MEMORY", 1L << 30);
    *free_bytes = *total - used;
    return OK;
}
int cuMemAlloc_v2(uint64_t* address, size_t bytes) {
    if (bytes > (size_t)setting("FAKE_CUDA_MEMORY", 1L << 30) - used) return OUT_OF_MEMORY;
    char* block = grab(bytes + 16);
    memcpy(block, &bytes, sizeof bytes);
    used += bytes;
    *address = (uint64_t)(uintptr_t)(block + 16);
    return OK;
}
int cuMemFree_v2(uint64_t address) {
    char* block = (char*)(uintptr_t)address - 16;
    size_t bytes;
    memcpy(&bytes, block, sizeof bytes);
    used -= bytes;
    drop(block);
    note("free");
    return OK;
}
int cuMemAllocHost_v2(void** memory, size_t bytes) {
    *memory = grab(bytes);
    return OK;
}
int cuMemFreeHost(void* memory) {
    drop(memory);
    return OK;
}
int cuMemcpyHtoDAsync_v2(uint64_t to, const void* from, size_t bytes, void* stream) {
    (void)stream;
    memcpy((void*)(uintptr_t)to, from, bytes);
    return OK;
}
int cuMemcpyDtoHAsync_v2(void* to, uint64_t from, size_t bytes, void* stream) {
    (void)stream;
    memcpy(to, (void*)(uintptr_t)from, bytes);
    return OK;
}
int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void* stream) {
    (void)stream;
    memmove((void*)(uintptr_t)to, (void*)(uintptr_t)from, bytes);
    return OK;
}
int cuMemsetD8Async(uint64_t to, unsigned char value, size_t bytes, void* stream) {
    (void)stream;
    memset((void*)(uintptr_t)to, value, bytes);
    return OK;
}

// --- streams and kernels ---------------------------------------------------------------------------------------------
int cuStreamCreate(void** stream, unsigned flags) {
    (void)flags;
    *stream = grab(1);
    return OK;
}
int cuStreamDestroy_v2(void* stream) {
    drop(stream);
    return OK;
}
int cuStreamSynchronize(void* stream) {
    (void)stream;
    return (int)setting("FAKE_CUDA_SYNCHRONIZE", OK);
}
int cuStreamQuery(void* stream) {
    (void)stream;
    return (int)setting("FAKE_CUDA_SYNCHRONIZE", OK);
}
int cuEventCreate(void** event, unsigned flags) {
    (void)flags;
    *event = grab(1);
    return OK;
}
int cuEventDestroy_v2(void* event) {
    drop(event);
    return OK;
}
int cuEventRecord(void* event, void* stream) {
    (void)event;
    (void)stream;
    return OK;
}
int cuEventSynchronize(void* event) {
    (void)event;
    return (int)setting("FAKE_CUDA_SYNCHRONIZE", OK);
}
int cuModuleLoadData(void** module, const void* image) {
    static _Atomic long loads = 0;
    (void)image;
    if (loads++ < setting("FAKE_CUDA_BAD_MODULES", 0)) return INVALID_IMAGE;
    *module = grab(1);
    return OK;
}
int cuModuleUnload(void* module) {
    drop(module);
    return OK;
}
int cuModuleGetFunction(void** function, void* module, const char* name) {
    (void)module;
    static char add_one[] = "add_one", other[] = "other";
    *function = strcmp(name, "add_one") == 0 ? add_one : other;
    return OK;
}
int cuFuncGetAttribute(int* value, int which, void* function) {
    (void)function;
    *value = which == 0 ? 512 : 0;  // most threads per CUDA block; 0 bytes of static shared memory
    return OK;
}
int cuFuncSetAttribute(void* function, int which, int value) {
    (void)function;
    (void)which;
    char line[64];
    snprintf(line, sizeof line, "shared %d", value);
    note(line);
    return OK;
}
#ifndef FAKE_CUDA_OLD
int cuFuncGetParamInfo(void* function, size_t index, size_t* offset, size_t* size) {
    const size_t count = strcmp(function, "add_one") == 0 ? 2 : 0;
    if (index >= count) return INVALID_VALUE;
    *offset = 8 * index;
    *size = index == 0 ? 8 : 4;
    return OK;
}
#endif
int cuLaunchKernel(void* function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void* stream, void** arguments, void** extra) {
    (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)stream, (void)extra;
    const int result = (int)setting("FAKE_CUDA_LAUNCH", OK);
    if (result != OK || strcmp(function, "add_one") != 0) return result;
    uint32_t* values = *(uint32_t**)arguments[0];
    const uint32_t count = *(uint32_t*)arguments[1];
    for (uint32_t i = 0; i < count; ++i) ++values[i];
    return OK;
}
int cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void* function, int threads, size_t shared) {
    (void)function;
    *blocks = shared > 0 ? (int)(228 * 1024 / shared) : 2048 / threads;
    return OK;
}
