// SPDX-License-Identifier: Apache-2.0
#include "problems/sparse_qap/graphs/whole_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "qapfw/error.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace qapfw;
using namespace qapfw::sparse;
using qapfw::test::TemporaryFolder;

namespace {

/// A gzip archive of one block that is not compressed. The checksum and the size at the end are correct for "a b\n".
std::string archive() {
    return std::string(
        "\x1f\x8b\x08\0\0\0\0\0\0\x03\x01\x04\0\xfb\xff"
        "a b\n"
        "\xa1\xe9\x8d\x2d\x04\0\0\0",
        27);
}

std::string refusal_of(const std::filesystem::path& file) {
    try {
        read_whole_file(file);
    } catch (const Error& error) {
        return error.what();
    }
    return "read";
}

}  // namespace

TEST_CASE("a gzip archive is read whole, or refused if it is cut short or damaged") {
    const TemporaryFolder folder;
    CHECK(read_whole_file(folder.write("whole.gz", archive())) == "a b\n");
    const std::string fault = "the gzip archive is damaged or cut short";
    for (const std::size_t size : {12u, 17u, 19u, 20u, 26u})
        CHECK(qapfw::test::contains(refusal_of(folder.write("cut.gz", archive().substr(0, size))), fault));
    std::string wrong = archive();
    wrong[16] = 'x';
    CHECK(qapfw::test::contains(refusal_of(folder.write("wrong.gz", wrong)), fault));
}

TEST_CASE("a file that cannot be opened is refused with the system's reason") {
    const TemporaryFolder folder;
    CHECK(qapfw::test::contains(refusal_of(folder.path() / "none"), "the file cannot be opened: No such file"));
    CHECK(qapfw::test::contains(refusal_of(folder.path()), "the file cannot be"));
}
