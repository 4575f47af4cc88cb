// SPDX-License-Identifier: Apache-2.0
// The instruction sets for which costs and the swap neighbourhood are compiled, and the choice of one at run time.
#pragma once

#include <cstdint>

namespace qapfw::qap {

/// Instruction sets. Each set includes the sets before it.
enum class Isa : uint8_t {
    kPlain,     ///< whatever the compiler targets by default
    kAvx2,      ///< AVX2
    kAvx512Bw,  ///< AVX-512 F, BW, DQ, VL
    kAvx512,    ///< AVX-512 F, BW, DQ, VL and VNNI
};

const char* isa_name(Isa isa);
bool isa_supported(Isa isa);
/// The best instruction set of this processor, or the one named by the environment variable QAPFW_ISA (plain, avx2,
/// avx512bw, avx512). Throws Error(kUsage) if the name is unknown or the processor does not have that instruction set.
Isa preferred_isa();

}  // namespace qapfw::qap
