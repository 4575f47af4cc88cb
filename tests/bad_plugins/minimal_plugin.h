/* SPDX-License-Identifier: Apache-2.0 */
/* The minimal plugin. tests/abi builds the same file with the stored headers of the interface. */
#include "../abi/2.0/minimal.c"
