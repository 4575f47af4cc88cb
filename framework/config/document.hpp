// SPDX-License-Identifier: Apache-2.0
// What a ConfigDocument holds; shared by its parsing and its checking.
#pragma once

#include "framework/config/config.hpp"
#include "framework/config/node.hpp"

namespace qapfw::framework {

struct ConfigDocument::Impl {
    Node root;
    std::string source;
    std::filesystem::path folder;  ///< absolute
};

}  // namespace qapfw::framework
