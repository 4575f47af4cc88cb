// SPDX-License-Identifier: Apache-2.0
// Tests that libraries named by environment variables are trusted or refused by the same rules as plugins.
#include "framework/host/named_libraries.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/support/temporary_folder.hpp"

using namespace qapfw::framework;
using namespace qapfw::test;

TEST_CASE("a library that the environment names is refused where others could have changed it") {
    const TemporaryFolder folder;
    const auto file = folder.write("open/lib.so", "x");
    setenv("QAPFW_LIBCUDA", file.c_str(), 1);
    CHECK(library_named_by("QAPFW_LIBCUDA").value().refusal.empty());
    std::filesystem::permissions(file.parent_path(), std::filesystem::perms(0777));
    const auto named = library_named_by("QAPFW_LIBCUDA");
    CHECK(named.value().refusal == "QAPFW_LIBCUDA names " + file.string() + ": " + file.parent_path().string() +
                                       " must not be writable by everyone, found permissions 777; load it all the same "
                                       "with --allow-writable-plugins");
    // The variable may also name a link to the library, or the library's folder.
    std::filesystem::create_symlink(file, folder.path() / "link.so");
    setenv("QAPFW_LIBCUDA", (folder / "link.so").c_str(), 1);
    CHECK(contains(library_named_by("QAPFW_LIBCUDA").value().refusal, "must not be writable by everyone"));
    setenv("QAPFW_LIBCUDA", folder.path().c_str(), 1);
    CHECK(contains(library_named_by("QAPFW_LIBCUDA", "open/lib.so").value().refusal, "must not be writable"));
    unsetenv("QAPFW_LIBCUDA");
}

TEST_CASE("a variable that is not set names no library, and what is not there is left to the loader") {
    unsetenv("QAPFW_NVML");
    CHECK_FALSE(library_named_by("QAPFW_NVML"));
    setenv("QAPFW_NVML", "", 1);
    CHECK_FALSE(library_named_by("QAPFW_NVML"));
    setenv("QAPFW_NVML", "/no/such/library.so", 1);
    CHECK(library_named_by("QAPFW_NVML").value().refusal.empty());
    setenv("QAPFW_NVML", "libnvidia-ml.so.1", 1);
    CHECK(library_named_by("QAPFW_NVML").value().refusal.empty());
    unsetenv("QAPFW_NVML");
}
