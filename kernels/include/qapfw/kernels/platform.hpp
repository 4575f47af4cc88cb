// SPDX-License-Identifier: Apache-2.0
// Basics for code compiled by host compilers, nvcc and NVRTC: integer types (NVRTC has no standard headers), and the
// marker of functions for host and device.
#pragma once

#if defined(__CUDACC_RTC__)
using int8_t = signed char;
using uint8_t = unsigned char;
using int16_t = short;
using uint16_t = unsigned short;
using int32_t = int;
using uint32_t = unsigned int;
using int64_t = long long;
using uint64_t = unsigned long long;
using size_t = decltype(sizeof(0));
#else
#include <cstddef>
#include <cstdint>
#endif

/// QAPFW_HD marks functions for host and device. QAPFW_DEVICE marks functions that are only for the device, and exists
/// only in CUDA code.
#if defined(__CUDACC__) || defined(__CUDACC_RTC__)
#define QAPFW_HD __host__ __device__ __forceinline__
#define QAPFW_DEVICE __device__ __forceinline__
#else
#define QAPFW_HD inline
#endif
