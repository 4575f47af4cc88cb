// SPDX-License-Identifier: Apache-2.0
// The number of departments that the emulated kernels are compiled for.
#pragma once

#define QAPFW_EMULATED_N 9
#define QAPFW_EMULATED_BITS_OFFSET 32
