// SPDX-License-Identifier: Apache-2.0
// Tests the macros that tell device code which operators to compile.
#include <doctest/doctest.h>

#include <algorithm>

#include "plugins/pga_grid/device/pga_rules.hpp"
#include "qapfw/kernels/ga_base.hpp"
#include "qapfw/sdk/operator_parameters.hpp"

using namespace qapfw;

namespace {

using Texts = std::vector<std::string>;

template <class Papers>
Texts defines(kernels::Crossover crossover, kernels::Mutation mutation, std::uint32_t bits_offset = 0) {
    return sdk::operator_defines<Papers>(static_cast<std::uint32_t>(crossover), static_cast<std::uint32_t>(mutation),
                                         {bits_offset, 16});
}

/// Checks that the device code gets macros that name the operators. The device code gets no macros if the operators are
/// those of the algorithm's paper and there are no bay bits.
template <class Papers>
void check_all(const std::vector<kernels::Crossover>& papers) {
    for (std::uint32_t crossover = 0; crossover < kernels::kCrossoverCount; ++crossover) {
        for (std::uint32_t mutation = 0; mutation < kernels::kPermutationMutationCount; ++mutation) {
            for (const std::uint32_t offset : {0u, 32u}) {
                const auto kind = static_cast<kernels::Crossover>(crossover);
                const bool own = std::find(papers.begin(), papers.end(), kind) != papers.end() && mutation == 0;
                const Texts named = {"QAPFW_CROSSOVER=" + std::to_string(crossover),
                                     "QAPFW_MUTATION=" + std::to_string(mutation),
                                     "QAPFW_BITS_OFFSET=" + std::to_string(offset)};
                CHECK(defines<Papers>(kind, static_cast<kernels::Mutation>(mutation), offset) ==
                      (own && offset == 0 ? Texts{} : named));
            }
        }
    }
}

}  // namespace

TEST_CASE("device text is told every operator but its paper's, and where bay bits are") {
    check_all<kernels::GaPaperOperators>({kernels::Crossover::kPmx, kernels::Crossover::kOx});
    check_all<kernels::PgaPaperOperators>({kernels::Crossover::kMox});
}
