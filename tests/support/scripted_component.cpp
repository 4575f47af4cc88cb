// SPDX-License-Identifier: Apache-2.0
#include "tests/support/scripted_component.hpp"

#include <cstring>

#include "framework/processes/component.h"

qapfw::test::Script* qapfw_script = nullptr;

namespace {

std::int32_t succeeded() {
    return qapfw_script->error.empty() ? 0 : 1;
}

std::int32_t open(std::uint32_t* rank, std::uint32_t* count) {
    *rank = qapfw_script->rank;
    *count = qapfw_script->count;
    return succeeded();
}

std::int32_t all_gather(const void* own, std::uint64_t size, void* all, std::uint64_t all_size,
                        std::int32_t (*go_on)(void* context), void* context) {
    if (go_on(context) == 0) return -1;
    const std::string bytes = qapfw_script->all_gather(std::string(static_cast<const char*>(own), size));
    if (bytes.size() != all_size) qapfw_script->error = "other sizes";
    if (succeeded() == 0) std::memcpy(all, bytes.data(), bytes.size());
    return succeeded();
}

}  // namespace

extern "C" {
__attribute__((visibility("default"))) extern const qapfw_mpi_component qapfw_mpi_component_v1;
const qapfw_mpi_component qapfw_mpi_component_v1 = {
    sizeof(qapfw_mpi_component),
    [] { return "scripted"; },
    open,
    all_gather,
    succeeded,
    [] { return qapfw_script->error.c_str(); },
};
}
