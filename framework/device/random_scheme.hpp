// SPDX-License-Identifier: Apache-2.0
// The version of the random number scheme in the kernel headers with which this program was built. The run record names
// it.
#pragma once

namespace qapfw::framework {

int random_scheme_version();

}  // namespace qapfw::framework
