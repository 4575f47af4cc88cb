/* SPDX-License-Identifier: Apache-2.0 */
/* The minimal plugin, which is also the one that is built with the stored headers of the interface. */
#include "../abi/2.0/minimal.c"
