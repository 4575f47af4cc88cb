// SPDX-License-Identifier: Apache-2.0
// Exceptions of the standard library must become a kind of error and a message.
#include "framework/host/failure.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <new>
#include <stdexcept>

#include "tests/support/temporary_folder.hpp"

using namespace qapfw;
using namespace qapfw::framework;
using qapfw::test::contains;

namespace {

template <class Exception>
Failure failure(const Exception& exception) {
    return qapfw::framework::failure_of(std::make_exception_ptr(exception));
}

std::error_code code(std::errc number) {
    return std::make_error_code(number);
}

}  // namespace

TEST_CASE("a limit of threads or memory is no defect: the message says which limit") {
    const Failure threads =
        failure(std::system_error(code(std::errc::resource_unavailable_try_again), "thread::thread"));
    CHECK(threads.kind == ErrorKind::kMemory);
    CHECK(contains(threads.text, "a thread cannot be started: "));
    CHECK(contains(threads.text, "ulimit -u"));
    CHECK(failure(std::bad_alloc()).kind == ErrorKind::kMemory);
    CHECK(contains(failure(std::bad_alloc()).text, "out of memory"));
    CHECK(failure(std::system_error(code(std::errc::not_enough_memory))).kind == ErrorKind::kMemory);
}

TEST_CASE("an error of a file names the file and is one of input or output") {
    const Failure denied =
        failure(std::filesystem::filesystem_error("status", "/some/file", code(std::errc::permission_denied)));
    CHECK(denied.kind == ErrorKind::kIo);
    CHECK(denied.text == "/some/file: Permission denied");
    const Failure files =
        failure(std::filesystem::filesystem_error("open", "/a", "/b", code(std::errc::too_many_files_open)));
    CHECK(contains(files.text, "/a and /b: "));
    CHECK(contains(files.text, "ulimit -n"));
}

TEST_CASE("our own errors stay as they are, and the rest is a defect") {
    const Failure own = failure(Error(ErrorKind::kInput, "x: wrong"));
    CHECK(own.kind == ErrorKind::kInput);
    CHECK(own.text == "x: wrong");
    CHECK(failure(std::logic_error("oops")).kind == ErrorKind::kInternal);
    CHECK(failure(7).text == "an unknown error");
}
