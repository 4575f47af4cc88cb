// SPDX-License-Identifier: Apache-2.0
#include "qapfw/kernels/fbs_mirror.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/unit/kernels/fbs_individual.hpp"

using namespace qapfw::kernels;
using namespace qapfw::kernels::test;

namespace {

Individual image_of(Individual s, FbsImage image) {
    Individual made(s.size());
    fbs_make_image(made.view(), s.view(), s.size(), image);
    return made;
}

constexpr FbsImage kImages[] = {kFbsSame, kFbsUpsideDown, kFbsLeftRight, kFbsTurned};

}  // namespace

TEST_CASE("the images of a layout worked by hand") {
    const Individual s({3, 1, 0, 4, 2}, {0, 1, 1, 0});  // bays 3 1 | 0 | 4 2
    CHECK(image_of(s, kFbsSame) == s);
    CHECK(image_of(s, kFbsUpsideDown) == Individual({1, 3, 0, 2, 4}, {0, 1, 1, 0}));
    CHECK(image_of(s, kFbsLeftRight) == Individual({4, 2, 0, 3, 1}, {0, 1, 1, 0}));
    CHECK(image_of(s, kFbsTurned) == Individual({2, 4, 0, 1, 3}, {0, 1, 1, 0}));
    const Individual uneven({0, 1, 2, 3}, {1, 0, 0});  // 0 | 1 2 3
    CHECK(image_of(uneven, kFbsLeftRight) == Individual({1, 2, 3, 0}, {0, 0, 1}));
    CHECK(image_of(uneven, kFbsTurned) == Individual({3, 2, 1, 0}, {0, 0, 1}));
}

TEST_CASE("an image's image is the layout, and left-right of upside-down is turned") {
    for (const std::uint32_t n : {1u, 2u, 7u, 40u}) {
        for (std::uint32_t trial = 0; trial < 50; ++trial) {
            const Individual s = random_individual(n, trial);
            for (const FbsImage image : kImages) CHECK(image_of(image_of(s, image), image) == s);
            CHECK(image_of(image_of(s, kFbsUpsideDown), kFbsLeftRight) == image_of(s, kFbsTurned));
        }
    }
}

TEST_CASE("aligning an image of a layout with the layout gives the layout back") {
    for (std::uint32_t trial = 0; trial < 50; ++trial) {
        Individual s = random_individual(20, trial);
        std::uint16_t position[20];
        for (const FbsImage image : kImages) {
            Individual other = image_of(s, image), aligned(20);
            const Individual untouched = aligned;
            const bool changed = fbs_align(aligned.view(), s.view(), other.view(), position, 20);
            CHECK(changed == !(other == s));
            CHECK((changed ? aligned : other) == s);
            if (!changed) CHECK(aligned == untouched);
        }
    }
}
