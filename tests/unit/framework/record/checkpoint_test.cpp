// SPDX-License-Identifier: Apache-2.0
#include "framework/record/checkpoint.hpp"

#include <doctest/doctest.h>

#include <fstream>

#include "framework/record/recorded_data_paths.hpp"
#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"
#include "tests/unit/framework/record/sample_result.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

TEST_CASE("a checkpoint reads back bit for bit") {
    const Checkpoint before = sample_checkpoint();
    const Checkpoint after = decode_checkpoint(encode_checkpoint(before), "c");
    CHECK(encode_checkpoint(after) == encode_checkpoint(before));
    CHECK(after.state == before.state);
    CHECK(after.seed == before.seed);
    CHECK(after.counters.digest == before.counters.digest);
    CHECK(after.seconds_at_improvement == before.seconds_at_improvement);
}

TEST_CASE("a checkpoint cut at any byte is refused") {
    const std::string bytes = encode_checkpoint(sample_checkpoint());
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        CHECK_THROWS_AS(decode_checkpoint(bytes.substr(0, size), "c"), qapfw::Error);
    }
    CHECK_THROWS_AS(decode_checkpoint(bytes + "x", "c"), qapfw::Error);
}

TEST_CASE("a checkpoint with any byte changed is refused") {
    const std::string bytes = encode_checkpoint(sample_checkpoint());
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        for (const char flip : {'\x01', '\x80'}) {
            std::string damaged = bytes;
            damaged[k] = static_cast<char>(damaged[k] ^ flip);
            CHECK_THROWS_AS(decode_checkpoint(damaged, "c"), qapfw::Error);
        }
    }
}

TEST_CASE("the previous checkpoint is used where the last is damaged, with a warning") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    CHECK_FALSE(load_checkpoint(folder).checkpoint);
    Checkpoint checkpoint = sample_checkpoint();
    save_checkpoint(folder, checkpoint);
    checkpoint.counters.iterations = 1400;
    save_checkpoint(folder, checkpoint);
    LoadedCheckpoint loaded = load_checkpoint(folder);
    REQUIRE(loaded.checkpoint);
    CHECK(loaded.checkpoint->counters.iterations == 1400);
    CHECK(loaded.warnings.empty());

    place.write("checkpoint.bin", "QAPFWCK1 and then nonsense that is long enough to be a checkpoint");
    loaded = load_checkpoint(folder);
    REQUIRE(loaded.checkpoint);
    CHECK(loaded.checkpoint->counters.iterations == 700);
    REQUIRE(loaded.warnings.size() == 1);
    CHECK(loaded.warnings[0].find("the checkpoint is damaged") != std::string::npos);

    // As after a crash between two renames: that of the old checkpoint and that of the new one.
    std::filesystem::remove(place.path() / "checkpoint.bin");
    CHECK(load_checkpoint(folder).checkpoint->counters.iterations == 700);
}

TEST_CASE("a damaged checkpoint never takes the place of the good one before it") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    Checkpoint checkpoint = sample_checkpoint();
    save_checkpoint(folder, checkpoint);
    checkpoint.counters.iterations = 1400;
    save_checkpoint(folder, checkpoint);
    place.write("checkpoint.bin", "damaged");
    checkpoint.counters.iterations = 2100;
    save_checkpoint(folder, checkpoint, false);
    CHECK(load_checkpoint(folder).checkpoint->counters.iterations == 2100);
    std::filesystem::remove(place.path() / "checkpoint.bin");
    CHECK(load_checkpoint(folder).checkpoint->counters.iterations == 700);
}

TEST_CASE("a checkpoint that reads well but is refused by its reader is passed over") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    Checkpoint checkpoint = sample_checkpoint();
    save_checkpoint(folder, checkpoint);
    checkpoint.counters.iterations = 1400;
    save_checkpoint(folder, checkpoint);
    const LoadedCheckpoint loaded = load_checkpoint(folder, [](const Checkpoint& read) {
        return std::string(read.counters.iterations == 1400 ? "recorded cost 5, recomputed 7" : "");
    });
    CHECK(loaded.checkpoint->counters.iterations == 700);
    CHECK(loaded.warnings.at(0).ends_with("checkpoint.bin: recorded cost 5, recomputed 7"));
}

TEST_CASE(
    "the result names the data folders of a record, and its checkpoint is not decoded unless the result is damaged") {
    const TemporaryFolder place;
    const Folder folder(place.path());
    Checkpoint checkpoint = sample_checkpoint();
    checkpoint.data_paths = {"/of/the/checkpoint"};
    save_checkpoint(folder, checkpoint);
    RunResult result = sample_result();
    result.data_paths = {"/of/the/result"};
    place.write("result.json", to_json(result));
    CHECK(recorded_data_paths(place.path()) == std::vector<std::string>{"/of/the/result"});
    place.write("result.json", "{");
    CHECK(recorded_data_paths(place.path()) == std::vector<std::string>{"/of/the/checkpoint"});
}
