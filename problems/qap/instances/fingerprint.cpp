// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/fingerprint.hpp"

#include <xxhash.h>

#include <memory>

#include "problems/qap/setup.hpp"

namespace qapfw::qap {
namespace {

uint64_t fingerprint_of(const QapMatrices& m, const std::vector<int64_t>& first, const std::vector<int64_t>& second,
                        const FixedAssignments& fixed) {
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
    XXH3_64bits_reset(state.get());
    XXH3_64bits_update(state.get(), &m.n, sizeof m.n);
    for (const std::vector<int64_t>* matrix : {&first, &second, &m.linear}) {
        for (std::size_t begin = 0; begin < matrix->size(); begin += m.n) {
            set_up_row();
            XXH3_64bits_update(state.get(), matrix->data() + begin, m.n * sizeof(int64_t));
        }
    }
    if (fixed.count > 0) {
        XXH3_64bits_update(state.get(), fixed.mask.data(), fixed.mask.size());
        XXH3_64bits_update(state.get(), fixed.completion.data(), fixed.completion.size() * sizeof(uint16_t));
    }
    return XXH3_64bits_digest(state.get());
}

}  // namespace

uint64_t fingerprint(const QapMatrices& matrices, const FixedAssignments& fixed) {
    return fingerprint_of(matrices, matrices.a, matrices.b, fixed);
}

bool has_fingerprint(const QapMatrices& matrices, uint64_t wanted) {
    return fingerprint(matrices) == wanted || fingerprint_of(matrices, matrices.b, matrices.a, {}) == wanted;
}

}  // namespace qapfw::qap
