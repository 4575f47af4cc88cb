// SPDX-License-Identifier: Apache-2.0
// The contents of a ConfigDocument, for the files that parse it and check it.
#pragma once

#include "framework/config/config.hpp"
#include "framework/config/node.hpp"

namespace qapfw::framework {

struct ConfigDocument::Impl {
    Node root;
    std::string source;
    std::filesystem::path folder;  ///< the document's folder, absolute
};

/// A TOML value, or a bare word that is taken as text: "--set problem.instance=tai60a". `where`: for messages.
Node option_value(const std::string& text, const std::string& where);

}  // namespace qapfw::framework
