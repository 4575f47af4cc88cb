// SPDX-License-Identifier: Apache-2.0
// The limits of a draw's coordinates.
#include <doctest/doctest.h>

#include "qapfw/kernels/philox.hpp"

using namespace qapfw::kernels;

TEST_CASE("a stream or a slot that does not fit 16 bits is refused in words, and the largest ones are drawn") {
    CHECK(draw(1, 2, 3, 65535, 262143) == draw4(1, 2, 3, 65535, 65535).word[3]);
    CHECK_THROWS_WITH_AS(draw(1, 2, 3, 4, 262144),
                         "a random draw has stream 4 and slot 65536; both must be below 65536 (an index, which stands "
                         "for four to a slot, below 262144)",
                         std::out_of_range);
    CHECK_THROWS_AS(draw4(1, 2, 3, 65536, 0), std::out_of_range);
}
