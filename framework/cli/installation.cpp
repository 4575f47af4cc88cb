// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/installation.hpp"

#include <system_error>

namespace qapfw::framework {

namespace fs = std::filesystem;

fs::path documents_folder() {
    const fs::path folder = installation_prefix() / "share/doc/qapfw";
    std::error_code error;
    return fs::is_directory(folder / "guides", error) ? folder : fs::path();
}

fs::path find_configuration(const std::string& name) {
    std::error_code error;
    if (name.empty() || fs::path(name).is_absolute() || fs::exists(name, error)) return name;
    const fs::path folder = installation_prefix() / "share/qapfw/configs";
    for (const std::string& file : {name, name + ".toml"}) {
        if (fs::is_regular_file(folder / file, error)) return folder / file;
    }
    return name;
}

}  // namespace qapfw::framework
