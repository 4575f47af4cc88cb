// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/file_names.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

namespace {

std::string name_of(const std::string& label) {
    return FileNames().name_for(label);
}

}  // namespace

TEST_CASE("a plain label is its own name") {
    for (const char* label : {"tai20a", "results", "T+1", "random_restart", "tenure=2n", "Table4.1", "-"})
        CHECK(name_of(label) == label);
}

TEST_CASE("a label that cannot be a file name gets a checksum, the same one in every report") {
    CHECK(name_of("T 1").substr(0, 4) == "T_1-");
    CHECK(name_of("T 1") != name_of("T/1"));
    CHECK(name_of("T 1").size() == 3 + 1 + 8);
    FileNames names;
    names.name_for("T_1");
    names.name_for("T/1");
    CHECK(names.name_for("T 1") == name_of("T 1"));
    for (const char* label : {"", ".", "..", ".hidden", "a/b", "../up", "工場", "a\nb"}) {
        const std::string name = name_of(label);
        CHECK(name.find_first_of("/\n") == std::string::npos);
        CHECK(name.front() != '.');
        CHECK(std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
    }
}

TEST_CASE("no two labels of a folder share a name, in capitals or not") {
    FileNames names;
    std::set<std::string> seen;
    const std::string again = name_of("T 1");  // a plain label that equals the name made for another label
    for (const std::string& label :
         {std::string("T 1"), again, std::string("t_1"), std::string("T_1"), std::string("T_1"), std::string("T_1-2"),
          std::string(300, 'x') + "1", std::string(300, 'x') + "2"}) {
        std::string name = names.name_for(label);
        CHECK(name.size() <= 160);
        std::transform(name.begin(), name.end(), name.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; });
        CHECK_MESSAGE(seen.insert(name).second, label);
    }
}
