// SPDX-License-Identifier: Apache-2.0
// Files made by an attacker: each must be refused at once with a message.
#include <fstream>

#include "tests/attack/attack.hpp"

namespace qapfw::attack {
namespace {

std::string repeated(const std::string& part, int times) {
    std::string text;
    for (int k = 0; k < times; ++k) text += part;
    return text;
}

std::string many_keys(int count) {
    std::string json = "{";
    for (int k = 0; k < count; ++k) json += (k == 0 ? "\"k" : ",\"k") + std::to_string(k) + "\":0";
    return json + "}";
}

std::vector<std::pair<std::string, std::string>> configurations() {
    return {{"nested header", "[" + repeated("a.", 10000) + "a]\n"},
            {"nested key", repeated("a.", 10000) + "a = 1\n"},
            {"nested lists", "a = " + repeated("[", 100000)},
            {"nested inline tables", "a = " + repeated("{a=", 100000)},
            {"headers below each other", repeated("[[a]]\n[a.a]\n", 20000)},
            {"many keys", "[run]\n" + repeated("a = 1\n", 200000)},
            {"zero byte", std::string("[run]\nseed = 1\n") + '\0' + "rest"},
            {"no text", std::string(5000, '\xff')},
            {"escapes", "[run]\n\"a\\u001b[31m\\nqapfw: all is well\" = 1\n"}};
}

/// Checks that the input is refused with exit code 2 within some seconds. The message must have no escape sequence, and
/// the input must not add a line to the message.
void check_refused(const Ended& ended, const std::string& what) {
    CHECK_MESSAGE(ended.code == 2, what << ": " << ended.code << " " << ended.err.substr(0, 500));
    CHECK_MESSAGE(ended.seconds < 5 + testing::kSlack, what);
    CHECK_MESSAGE(ended.err.find('\x1b') == std::string::npos, what);
    CHECK_MESSAGE(ended.err.find("\nqapfw: all is well") == std::string::npos, what);
    CHECK_MESSAGE(ended.err.size() < 5000, what);
}

}  // namespace

TEST_CASE("configurations made to harm are refused, as files for a run and in records") {
    const TemporaryFolder place;
    long count = 0;
    for (const auto& [what, text] : configurations()) {
        const std::string file = place.write("c.toml", text).string();
        check_refused(testing::qapfw_run({"validate", file}), what);
        std::filesystem::remove_all(place / "r");
        std::filesystem::create_directories(place / "r");
        std::filesystem::copy(file, place / "r/config.toml");
        place.write("r/result.json", "{}");
        for (const char* command : {"verify", "resume"})
            check_refused(testing::qapfw_run({command, place / "r"}), what);
        count += 3;
    }
    MESSAGE(count << " hostile configurations refused");
}

TEST_CASE("layouts and instances made to harm are refused") {
    const TemporaryFolder place;
    const std::vector<std::pair<std::string, std::string>> files = {
        {"many_keys.json", many_keys(300000)},
        {"zero.json", std::string("{\"a\": 1}") + '\0' + " garbage"},
        {"deep.json", repeated("[", 100000)},
        {"deep.toml", "[" + repeated("a.", 10000) + "a]\n"},
        {"zero.toml", std::string("a = 1\n\0b", 8)}};
    for (const auto& [name, text] : files) {
        const std::string file = place.write(name, text).string();
        const std::vector<std::string> base = {
            "validate", "--set", "problem.plugin=uaflp", "--set", "algorithm.plugin=random_restart", "--set"};
        check_refused(testing::qapfw_run(with(base, {"problem.instance=" + file})), "instance " + name);
        check_refused(testing::qapfw_run(with(
                          {"run", "--set", "output.record=false", "--iterations", "1", "--set", "problem.plugin=uaflp",
                           "--set", "problem.instance=F5", "--set", "algorithm.plugin=random_restart", "--set"},
                          {"problem.initial=" + file})),
                      "layout " + name);
    }
    MESSAGE((2 * files.size()) << " hostile files refused");
}

TEST_CASE("results and locks made to harm neither crash nor stop a resume for good") {
    const TemporaryFolder place;
    const std::string iterations = testing::make_killed_record(place / "x");
    const std::vector<std::pair<std::string, std::string>> files = {
        {"result.json", repeated("[", 1000000)},     {"result.json", many_keys(100000)},
        {"result.json", std::string(1000, '\0')},    {"trace.jsonl", repeated("{\"a\":", 100000)},
        {"trace.jsonl", std::string(1000000, '\n')}, {"checkpoint.previous.bin", std::string(1000000, '\xff')}};
    for (const auto& [name, text] : files) {
        const std::string record = testing::copy_of(place / "x", place / "r");
        place.write("r/" + name, text);
        CHECK(is_orderly(testing::qapfw_run({"verify", record})));
        const Ended resumed = testing::qapfw_run({"resume", record, "--iterations", iterations, "--json"});
        CHECK_MESSAGE(resumed.code == 0, name << " " << resumed.err);
    }
    const std::string record = testing::copy_of(place / "x", place / "r");
    place.write("r/lock", "{\"host\": \"a\\u001b[31m\\nqapfw: all is well\", \"process\": 1");
    const Ended refused = testing::qapfw_run({"resume", record});
    CHECK(refused.code == 9);
    CHECK(refused.err.find("remove ") != std::string::npos);
    MESSAGE((files.size() + 1) << " hostile records");
}

TEST_CASE("a configuration runs nobody's code unless the user says so") {
    const TemporaryFolder place;
    const auto plugin = testing::bad_plugin("fine");
    std::filesystem::create_directories(place / "theirs");
    std::filesystem::copy(plugin, place / "theirs/fine.qapfw.so");
    const std::string text = "[problem]\nplugin = \"qap\"\ninstance = \"tai12a\"\n[algorithm]\nplugin = \"tabu\"\n";
    const std::string config = place.write("c.toml", text + "[plugins]\npath = \"theirs\"\n").string();
    const Ended told = testing::qapfw_run({"validate", config});
    CHECK(told.code == 0);
    CHECK(told.err.find("is used only with --allow-plugins-from-config") != std::string::npos);
    const Ended allowed = testing::qapfw_run({"validate", config, "--allow-plugins-from-config"});
    CHECK(allowed.err.find("is used only with") == std::string::npos);
    const std::string loose = place.write("d.toml", text + "[plugins]\nallow_writable = true\n").string();
    const Ended refused = testing::qapfw_run({"validate", loose});
    CHECK(refused.code == 2);
    CHECK(refused.err.find("--allow-writable-plugins") != std::string::npos);
}

}  // namespace qapfw::attack
