// SPDX-License-Identifier: Apache-2.0
// Layouts by slicing trees as device code, made of the same kernels that the host uses, with costs of the same bits.
// The view is all that a search needs (qapfw/kernels/slicing_annealing.hpp). The host describes the instance by the
// macro UAFLP_N, the number of departments, before this text.
#include "qapfw/kernels/slicing_cost.hpp"

namespace qapfw::device {

struct Problem {
    using View = kernels::SlicingView;
    using Cost = double;
    static constexpr int kPositions = UAFLP_N;
    static constexpr int kBits = 0;
};

}  // namespace qapfw::device
