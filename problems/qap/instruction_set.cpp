// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instruction_set.hpp"

#include <cstddef>
#include <cstdlib>
#include <string>

#include "qapfw/error.hpp"

namespace qapfw::qap {

const char* isa_name(Isa isa) {
    static const char* const kNames[] = {"plain", "avx2", "avx512bw", "avx512"};
    return kNames[static_cast<size_t>(isa)];
}

bool isa_supported(Isa isa) {
    const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    switch (isa) {
        case Isa::kPlain:
            return true;
        case Isa::kAvx2:
            return __builtin_cpu_supports("avx2") != 0;
        case Isa::kAvx512Bw:
            return avx512;
        case Isa::kAvx512:
            return avx512 && __builtin_cpu_supports("avx512vnni");
    }
    return false;
}

Isa preferred_isa() {
    constexpr Isa kAll[] = {Isa::kAvx512, Isa::kAvx512Bw, Isa::kAvx2, Isa::kPlain};
    const char* wanted = std::getenv("QAPFW_ISA");
    for (const Isa isa : kAll) {
        if (wanted != nullptr && *wanted != '\0' && std::string(wanted) != isa_name(isa)) continue;
        if (isa_supported(isa)) return isa;
    }
    throw Error(ErrorKind::kUsage,
                std::string("QAPFW_ISA must be plain, avx2, avx512bw or avx512, and this processor must support that "
                            "instruction set; found '") +
                    wanted + "'");
}

}  // namespace qapfw::qap
