// SPDX-License-Identifier: Apache-2.0
#include "framework/processes/launcher.hpp"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace qapfw::framework {
namespace {

std::uint32_t number_in(const char* name) {
    const char* text = std::getenv(name);
    std::uint32_t number = 0;
    if (text == nullptr || std::from_chars(text, text + std::strlen(text), number).ec != std::errc()) return 0;
    return number;
}

}  // namespace

std::optional<Launch> find_launch() {
    for (const char* size : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
        if (std::getenv(size) != nullptr) return Launch{size, number_in(size)};
    }
    for (const char* rank : {"PMI_RANK", "PMIX_RANK"}) {
        if (std::getenv(rank) != nullptr) return Launch{rank, number_in("SLURM_STEP_NUM_TASKS")};
    }
    return std::nullopt;
}

}  // namespace qapfw::framework
