// SPDX-License-Identifier: Apache-2.0
#include "framework/host/failure.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>

namespace qapfw::framework {

namespace {

/// True if the error code is one of the operating system. Libraries use the same numbers for other errors.
bool is_system(const std::error_code& code) {
    return code.category() == std::system_category() || code.category() == std::generic_category();
}

std::string text_of(const std::filesystem::filesystem_error& error) {
    std::string places = error.path1().string();
    if (!error.path2().empty()) places += " and " + error.path2().string();
    if (places.empty()) places = "a file or folder";
    return fmt::format("{}: {}{}", places, error.code().message(), advice_for(error.code()));
}

std::string text_of(const std::system_error& error) {
    const std::string advice = advice_for(error.code());
    if (advice.empty()) return error.what();
    // In the standard library, only the start of a thread fails with this code.
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    return fmt::format("{}: {}{}", thread ? "a thread cannot be started" : "the system refused", error.code().message(),
                       advice);
}

}  // namespace

ErrorKind kind_of(const std::error_code& code) {
    const bool limit = code == std::errc::resource_unavailable_try_again || code == std::errc::not_enough_memory;
    return limit ? ErrorKind::kMemory : ErrorKind::kIo;
}

std::string advice_for(const std::error_code& code) {
    if (!is_system(code)) return {};
    if (code == std::errc::resource_unavailable_try_again)
        return "; raise the limit of processes (ulimit -u) or of memory (ulimit -v), or take fewer threads "
               "(run.threads)";
    if (code == std::errc::not_enough_memory) return "; raise the limit of memory (ulimit -v)";
    if (code == std::errc::too_many_files_open) return "; raise the limit of open files (ulimit -n)";
    if (code == std::errc::too_many_files_open_in_system) return "; too many files are open on this machine";
    return {};
}

Failure failure_of(const std::exception_ptr& exception) {
    try {
        std::rethrow_exception(exception);
    } catch (const Error& error) {
        return {error.kind(), error.what()};
    } catch (const std::bad_alloc&) {
        return {ErrorKind::kMemory,
                "out of memory: the machine has no more, or a limit of ulimit -v or of a container is reached"};
    } catch (const std::filesystem::filesystem_error& error) {
        return {kind_of(error.code()), text_of(error)};
    } catch (const std::system_error& error) {
        if (!is_system(error.code())) return {ErrorKind::kInternal, error.what()};
        return {kind_of(error.code()), text_of(error)};
    } catch (const std::exception& error) {
        return {ErrorKind::kInternal, error.what()};
    } catch (...) {
        return {ErrorKind::kInternal, "an unknown error"};
    }
}

}  // namespace qapfw::framework
