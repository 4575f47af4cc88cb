// SPDX-License-Identifier: Apache-2.0
// Random parents for operators_task.hpp, and memory for their children.
#pragma once

#include <cstdint>
#include <vector>

#include "qapfw/kernels/random_permutation.hpp"
#include "tests/support/operators_task.hpp"

namespace qapfw::test {

class OperatorsData {
  public:
    OperatorsData(std::uint32_t n, std::uint32_t pairs)
        : mothers(n * pairs),
          mother_bits(n * pairs),
          fathers(n * pairs),
          father_bits(n * pairs),
          children(std::size_t{n} * pairs * kMadeOfPair),
          child_bits(children.size()),
          scratch(n * pairs) {
        for (std::uint16_t k = 0; k < n; ++k) {
            if (k % 5 != 2) movable.push_back(k);
        }
        for (std::uint32_t pair = 0; pair < pairs; ++pair) {
            draw(mothers.data() + pair * n, mother_bits.data() + pair * n, n, 2 * pair);
            draw(fathers.data() + pair * n, father_bits.data() + pair * n, n, 2 * pair + 1);
        }
        task = {mothers.data(),
                fathers.data(),
                mother_bits.data(),
                father_bits.data(),
                movable.data(),
                children.data(),
                child_bits.data(),
                scratch.data(),
                77,
                n,
                static_cast<std::uint32_t>(movable.size())};
    }
    OperatorsData(const OperatorsData&) = delete;
    OperatorsData& operator=(const OperatorsData&) = delete;

    std::vector<std::uint16_t> mothers;
    std::vector<std::uint8_t> mother_bits;
    std::vector<std::uint16_t> fathers;
    std::vector<std::uint8_t> father_bits;
    std::vector<std::uint16_t> children;
    std::vector<std::uint8_t> child_bits;
    std::vector<std::uint16_t> scratch, movable;
    OperatorsTask task{};

  private:
    void draw(std::uint16_t* perm, std::uint8_t* bits, std::uint32_t n, std::uint32_t number) {
        for (std::uint32_t k = 0; k < n; ++k) {
            perm[k] = static_cast<std::uint16_t>((k + 7) % n);
            bits[k] = static_cast<std::uint8_t>(kernels::draw(3, 0, number, 2, k) % 4 == 0 ? 1 : 0);
        }
        kernels::shuffle(perm, movable.data(), static_cast<std::uint32_t>(movable.size()), 3, 0, number, 1);
    }
};

}  // namespace qapfw::test
