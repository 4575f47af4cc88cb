// SPDX-License-Identifier: Apache-2.0
// The code of proposals that runs on every CPU, and the choice of an instruction set.
#include <cstdlib>
#include <string>

#include "problems/sparse_qap/walk/scalar_rows.hpp"
#include "qapfw/error.hpp"

namespace qapfw::sparse {

Propose propose_plain(Metric metric, bool wide) {
    return wide ? propose_of<WideRows>(metric) : propose_of<NarrowRows>(metric);
}

const char* isa_name(Isa isa) {
    static const char* const kNames[] = {"plain", "avx2", "avx512bw"};
    return kNames[static_cast<std::size_t>(isa)];
}

bool isa_supported(Isa isa) {
    switch (isa) {
        case Isa::kPlain:
            return true;
        case Isa::kAvx2:
            return __builtin_cpu_supports("avx2") != 0;
        case Isa::kAvx512:
            return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                   __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    }
    return false;
}

/// See walk_view.hpp. QAPFW_ISA may also be avx512, a name that problem qap uses; this problem takes it as avx512bw.
Isa preferred_isa() {
    const char* const variable = std::getenv("QAPFW_ISA");
    const std::string wanted = variable == nullptr ? "" : variable;
    for (const Isa isa : {Isa::kAvx512, Isa::kAvx2, Isa::kPlain}) {
        const bool same = wanted.empty() || wanted == isa_name(isa) || (wanted == "avx512" && isa == Isa::kAvx512);
        if (same && isa_supported(isa)) return isa;
    }
    throw Error(
        ErrorKind::kUsage,
        "QAPFW_ISA must be plain, avx2, avx512bw or avx512, and this processor must support that instruction set; "
        "found '" +
            wanted + "'");
}

Propose propose_for(Isa isa, Metric metric, bool wide) {
    if (wide || isa == Isa::kPlain) return propose_plain(metric, wide);
    return isa == Isa::kAvx512 ? propose_avx512(metric) : propose_avx2(metric);
}

}  // namespace qapfw::sparse
