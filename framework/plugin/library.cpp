// SPDX-License-Identifier: Apache-2.0
// Loads a plugin library, looks up its entry and hashes the file.
#define BOOST_DLL_USE_STD_FS
#include "framework/plugin/library.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <xxhash.h>

#include <boost/dll/shared_library.hpp>
#include <fstream>
#include <list>
#include <memory>
#include <system_error>
#include <vector>

#include "framework/host/failure.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework {

namespace {

constexpr const char* kEntry = "qapfw_plugin_entry";

/// Returns the loader's message, with advice if too many files are open. Removes the text that Boost.DLL adds: this
/// text ends in a misleading "Bad file descriptor". Also removes the file's name, with which the message of the refusal
/// begins anyway.
std::string loader_message(const std::string& what, const std::filesystem::path& path) {
    const std::string begin = "dlerror system message: ";
    std::string message = what;
    if (const auto at = message.find(begin); at != std::string::npos) message.erase(0, at + begin.size());
    if (const auto at = message.rfind("): "); at != std::string::npos) message.erase(at);
    if (message.starts_with(path.string() + ": ")) message.erase(0, path.string().size() + 2);
    const auto files = std::make_error_code(std::errc::too_many_files_open);
    if (message.find(files.message()) != std::string::npos) message += advice_for(files);
    return message;
}

/// The loaded libraries. The list is never destroyed, so they are not unloaded at exit.
std::list<boost::dll::shared_library>& kept_libraries() {
    static auto& libraries = *new std::list<boost::dll::shared_library>();
    return libraries;
}

/// Checks that the entry is data, long enough for the fields that are read first, and part of this library. Throws
/// Error(kPlugin) if not. A lookup also finds symbols of other libraries to which this library is linked.
void check_symbol(const void* address, const std::filesystem::path& path) {
    Dl_info info{};
    void* extra = nullptr;
    if (dladdr1(address, &info, &extra, RTLD_DL_SYMENT) == 0 || extra == nullptr || info.dli_fname == nullptr) return;
    std::error_code ignored;
    if (!std::filesystem::equivalent(info.dli_fname, path, ignored)) {
        throw Error(ErrorKind::kPlugin,
                    fmt::format("it must export {} itself, found the symbol only in {}, a library to which it is "
                                "linked",
                                kEntry, info.dli_fname));
    }
    const auto& symbol = *static_cast<const ElfW(Sym)*>(extra);
    constexpr std::size_t kHead = offsetof(qapfw_plugin, component_count);
    const bool aligned = reinterpret_cast<std::uintptr_t>(address) % alignof(qapfw_plugin) == 0;
    if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size < kHead || !aligned) {
        throw Error(ErrorKind::kPlugin,
                    fmt::format("{} must be a constant of type qapfw_plugin, found {} of {} bytes", kEntry,
                                ELF64_ST_TYPE(symbol.st_info) == STT_FUNC ? "a function" : "data", symbol.st_size));
    }
}

}  // namespace

const qapfw_plugin& load_library(const std::filesystem::path& canonical) {
    namespace dll = boost::dll;
    dll::shared_library library;
    try {
        library.load(canonical, dll::load_mode::rtld_now | dll::load_mode::rtld_local);
    } catch (const std::system_error& error) {
        throw Error(ErrorKind::kPlugin,
                    fmt::format("it must be a shared library that loads with all its symbols, found: {}",
                                loader_message(error.what(), canonical)));
    }
    const auto& kept = kept_libraries().emplace_back(std::move(library));
    if (!kept.has(kEntry)) {
        throw Error(ErrorKind::kPlugin,
                    fmt::format("it must export the symbol {}, found none; it is no qapfw plugin", kEntry));
    }
    // The symbol is first taken as plain bytes, since a library may use this name for something other than a
    // qapfw_plugin. check_symbol() finds out.
    const auto* address = &kept.get<const std::byte>(kEntry);
    check_symbol(address, canonical);
    return *reinterpret_cast<const qapfw_plugin*>(address);
}

std::string hash_file(const std::filesystem::path& path) {
    const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state(XXH3_createState(), XXH3_freeState);
    std::ifstream file(path, std::ios::binary);
    if (state == nullptr || !file) throw Error(ErrorKind::kIo, fmt::format("{}: cannot be read", path.string()));
    XXH3_128bits_reset(state.get());
    std::vector<char> block(std::size_t{1} << 16U);  // small, so that malloc reuses freed memory
    while (file.read(block.data(), static_cast<std::streamsize>(block.size())) || file.gcount() > 0) {
        XXH3_128bits_update(state.get(), block.data(), static_cast<std::size_t>(file.gcount()));
    }
    if (file.bad()) throw Error(ErrorKind::kIo, fmt::format("{}: the file cannot be read", path.string()));
    const XXH128_hash_t hash = XXH3_128bits_digest(state.get());
    return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

}  // namespace qapfw::framework
