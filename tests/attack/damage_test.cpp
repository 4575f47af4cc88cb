// SPDX-License-Identifier: Apache-2.0
// Cuts the files of a record, flips bits in them, and forges states with right checksums. A resume must continue from
// the undamaged files, or refuse with a message. It must neither crash nor use wrong data.
#include <fstream>
#include <random>

#include "framework/record/checkpoint.hpp"
#include "tests/attack/attack.hpp"

namespace qapfw::attack {
namespace {

using framework::Checkpoint;

void write(const std::string& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary) << bytes;
}

/// Returns the bytes cut short if 3 divides `number`, else with one flipped bit; "x" if there are no bytes.
std::string damaged(const std::string& bytes, long number, std::mt19937& random) {
    if (bytes.empty()) return "x";
    const std::size_t place = random() % bytes.size();
    if (number % 3 == 0) return bytes.substr(0, place);
    std::string changed = bytes;
    changed[place] = static_cast<char>(changed[place] ^ (1 << (random() % 8)));
    return changed;
}

}  // namespace

TEST_CASE("whichever file of a record is cut or flipped, a resume ends right or refuses with a message") {
    const TemporaryFolder place;
    const std::string iterations = testing::make_killed_record(place / "x");
    const Json whole = Json::parse(testing::qapfw_run(testing::long_run(place / "whole", iterations)).out);
    std::mt19937 random(99);
    long done = 0, refused = 0;
    for (const char* name : {"result.json", "checkpoint.bin", "checkpoint.previous.bin", "trace.jsonl", "config.toml",
                             "solution.sln", "log.txt"}) {
        const bool may_refuse = name == std::string("config.toml");
        for (long number = 0; number < (is_whole() ? 40 : 2); ++number) {
            const std::string record = testing::copy_of(place / "x", place / "r");
            write(record + "/" + name, damaged(testing::contents(place / ("x/" + std::string(name))), number, random));
            // The limit is given on the command line, because a configuration that is cut may have lost its limit.
            const Ended resumed = testing::qapfw_run({"resume", record, "--iterations", iterations, "--json"});
            ++done;
            CHECK_MESSAGE(is_orderly(resumed), name << " " << resumed.code << " " << resumed.err);
            const bool right = resumed.code == 0 && same_end(parsed(resumed), whole);
            // A damaged limit of the configuration looks like a limit that the user has changed.
            const bool other = may_refuse && (resumed.code == 2 || resumed.code == 0);
            CHECK_MESSAGE((right || other), name << " " << resumed.code << " " << resumed.err);
            refused += right ? 0 : 1;
            if (!is_orderly(testing::qapfw_run({"verify", record}))) FAIL("verify crashed");
        }
    }
    MESSAGE(done << " damages, " << refused << " of the configuration refused or taken as another limit");
}

TEST_CASE("states forged with a right checksum crash no solver") {
    std::mt19937 random(7);
    long forged = 0, refused = 0;
    for (const SolverCase& solver : solver_cases()) {
        const bool own_state = solver.name == "tabu" || solver.name == "random_restart";
        if (!is_whole() && !own_state) continue;
        const TemporaryFolder place;
        const Ended first = testing::qapfw_run(
            with(solver.arguments, {"--iterations", std::to_string(solver.iterations / 3 + 1), "--out", place / "x"}));
        REQUIRE_MESSAGE(first.code == 0, solver.name << ": " << first.err);
        const std::string file = place / "x/checkpoint.bin";
        if (!std::filesystem::exists(file)) continue;
        const Checkpoint original = framework::decode_checkpoint(testing::contents(file), file);
        for (int number = 0; number < (is_whole() ? 40 : 3); ++number) {
            Checkpoint changed = original;
            auto& state = changed.state;
            const std::size_t at = state.empty() ? 0 : random() % state.size();
            if (number % 4 == 0) state.resize(at);
            if (number % 4 == 1) state.insert(state.end(), 1000, std::byte{0xff});
            for (std::size_t k = at; number % 4 == 2 && k < std::min(at + 8, state.size()); ++k)
                state[k] = std::byte{0xff};
            for (std::byte& byte : state) {
                if (number % 4 == 3 && random() % 20 == 0) byte = static_cast<std::byte>(random());
            }
            const std::string record = testing::copy_of(place / "x", place / "r");
            write(record + "/checkpoint.bin", framework::encode_checkpoint(changed));
            const Ended resumed =
                testing::qapfw_run({"resume", record, "--json", "--iterations", std::to_string(solver.iterations / 2)});
            CHECK_MESSAGE(is_orderly(resumed),
                          solver.name << " " << number << ": " << resumed.code << " " << resumed.err);
            ++forged;
            refused += resumed.code == 0 ? 0 : 1;
        }
    }
    MESSAGE(forged << " forged states, " << refused << " refused");
}

}  // namespace qapfw::attack
