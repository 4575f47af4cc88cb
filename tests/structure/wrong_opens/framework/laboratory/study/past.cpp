// SPDX-License-Identifier: Apache-2.0
// Opens a file without the hardened layer. check_direct_opens.sh must notice it.
#include <fstream>

std::string first_line(const char* path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}
