// SPDX-License-Identifier: Apache-2.0
// The number of departments and the offset of the bay bits for which the emulated kernels are compiled.
#pragma once

#define QAPFW_EMULATED_N 9
#define QAPFW_EMULATED_BITS_OFFSET 32
