// SPDX-License-Identifier: Apache-2.0
#include "framework/device/random_scheme.hpp"

#include "qapfw/kernels/philox.hpp"

namespace qapfw::framework {

int random_scheme_version() {
    return kernels::kRandomSchemeVersion;
}

}  // namespace qapfw::framework
