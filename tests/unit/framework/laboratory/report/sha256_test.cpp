// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/sha256.hpp"

#include <doctest/doctest.h>

#include <string>

#include "framework/laboratory/report/encoders.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

TEST_CASE("SHA-256 gives the digests of its standard") {
    CHECK(base64(sha256("")) == "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    CHECK(base64(sha256("abc")) == "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    CHECK(base64(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
          "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
    CHECK(base64(sha256(std::string(1000000, 'a'))) == "zcduXJkU+5KBocfihNc+Z/GAmkiklyAOBG05zMcRLNA=");
}
