// SPDX-License-Identifier: Apache-2.0
// SHA-256 (FIPS 180-4). The security policy of the report's page identifies the page's scripts and styles by this hash.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework::laboratory {

/// The 32 bytes of the digest.
std::string sha256(std::string_view bytes);

}  // namespace qapfw::framework::laboratory
