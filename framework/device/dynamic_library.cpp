// SPDX-License-Identifier: Apache-2.0
#include "framework/device/dynamic_library.hpp"

#include <dlfcn.h>
#include <link.h>

namespace qapfw::framework {

DynamicLibrary::DynamicLibrary(const std::string& name)
    : handle_(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)), name_(name) {
    if (handle_ != nullptr) return;
    const char* text = dlerror();
    reason_ = text != nullptr ? text : "unknown reason";
}

DynamicLibrary::DynamicLibrary(const NamedLibrary& named) : name_(named.file), reason_(named.refusal) {
    if (reason_.empty()) *this = DynamicLibrary(named.file);
}

std::string DynamicLibrary::path() const {
    link_map* map = nullptr;
    if (handle_ == nullptr || dlinfo(handle_, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) return name_;
    return map->l_name;
}

void* DynamicLibrary::symbol(const char* name) const {
    return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

}  // namespace qapfw::framework
