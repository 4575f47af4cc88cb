// SPDX-License-Identifier: Apache-2.0
// Compares random words with published ones, and tests the limits of a draw's coordinates.
#include <doctest/doctest.h>

#include "qapfw/kernels/philox.hpp"

using namespace qapfw::kernels;

TEST_CASE("ten rounds of Philox4x32 give the published words") {
    // The file kat_vectors of Random123 (J. K. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011)
    struct Known {
        Philox4 counter;
        uint32_t key[2];
        Philox4 words;
    };
    const Known all[] = {
        {{{0, 0, 0, 0}}, {0, 0}, {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}}},
        {{{~0u, ~0u, ~0u, ~0u}}, {~0u, ~0u}, {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}}},
        {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
         {0xa4093822, 0x299f31d0},
         {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}},
    };
    for (const Known& known : all) {
        const Philox4 words = philox4x32_10(known.counter, known.key[0], known.key[1]);
        for (int k = 0; k < 4; ++k) CHECK(words.word[k] == known.words.word[k]);
    }
}

TEST_CASE("a stream or a slot that does not fit 16 bits is refused with a message, and the largest ones are drawn") {
    CHECK(draw(1, 2, 3, 65535, 262143) == draw4(1, 2, 3, 65535, 65535).word[3]);
    CHECK_THROWS_WITH_AS(draw(1, 2, 3, 4, 262144),
                         "a random draw has stream 4 and slot 65536; both must be below 65536. A slot has four words, "
                         "so the index of a word must be below 262144",
                         std::out_of_range);
    CHECK_THROWS_AS(draw4(1, 2, 3, 65536, 0), std::out_of_range);
}
