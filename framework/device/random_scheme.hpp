// SPDX-License-Identifier: Apache-2.0
// The version of the random number scheme of the kernels' headers that this program was built with, for the run record.
#pragma once

namespace qapfw::framework {

int random_scheme_version();

}  // namespace qapfw::framework
