// SPDX-License-Identifier: Apache-2.0
#include "framework/cli/exit_codes.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <new>
#include <sstream>

#include "framework/engine/incumbent.hpp"
#include "framework/record/folder_lock.hpp"

using namespace qapfw::framework;
using qapfw::Error;
using qapfw::ErrorKind;

TEST_CASE("every kind of error has its exit code") {
    CHECK(exit_code_of(ErrorKind::kUsage) == 2);
    CHECK(exit_code_of(ErrorKind::kInput) == 2);
    CHECK(exit_code_of(ErrorKind::kPlugin) == 3);
    CHECK(exit_code_of(ErrorKind::kDevice) == 4);
    CHECK(exit_code_of(ErrorKind::kMemory) == 5);
    CHECK(exit_code_of(ErrorKind::kIo) == 6);
    CHECK(exit_code_of(ErrorKind::kInternal) == 1);
    CHECK(exit_code_of(ErrorKind::kUnsupported) == 12);
    CHECK(exit_code_of(std::make_exception_ptr(CostMismatch("x"))) == 7);
    CHECK(exit_code_of(std::make_exception_ptr(FolderInUse("x"))) == 9);
    CHECK(exit_code_of(std::make_exception_ptr(Error(ErrorKind::kDevice, "x"))) == 4);
    CHECK(exit_code_of(std::make_exception_ptr(std::bad_alloc())) == 5);
    CHECK(exit_code_of(std::make_exception_ptr(5)) == 1);
}

TEST_CASE("the documented table names every exit code") {
    std::ifstream file(std::string(QAPFW_SOURCE_DIR) + "/docs/exit-codes.md");
    std::ostringstream text;
    text << file.rdbuf();
    for (int code = 0; code <= kUnsupported; ++code) {
        CHECK(text.str().find("\n| " + std::to_string(code) + " |") != std::string::npos);
    }
}
