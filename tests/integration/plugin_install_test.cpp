// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin install` and `plugin remove`.
#include <doctest/doctest.h>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;

namespace {

/// A user of his own, with a packed plugin in a folder.
struct Author {
    TemporaryFolder place;
    std::filesystem::path packed = place / "minimal-1.2.3-abi2-linux-x86_64.qapfw.so";
    Author() { std::filesystem::copy_file(bad_plugin("fine"), packed); }
    Ended plugin(const std::vector<std::string>& words) const {
        std::vector<std::string> arguments{"plugin"};
        arguments.insert(arguments.end(), words.begin(), words.end());
        return qapfw_run(arguments, {.environment = {{"XDG_DATA_HOME", place / "data"}}});
    }
    void write_sum() const {
        const std::string command = "cd '" + packed.parent_path().string() + "' && sha256sum '" +
                                    packed.filename().string() + "' > '" + packed.filename().string() + ".sha256'";
        REQUIRE(std::system(command.c_str()) == 0);
    }
    bool is_listed() const { return plugin({"list"}).out.find("problem   minimal ") != std::string::npos; }
};

bool text_says(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a packed plugin is installed, found by runs, replaced by another version and removed") {
    const Author author;
    author.write_sum();
    CHECK(!author.is_listed());
    const Ended installed = author.plugin({"install", author.packed.string()});
    REQUIRE_MESSAGE(installed.code == 0, installed.err);
    CHECK(text_says(installed.out, "installed "));
    CHECK(text_says(installed.out, "/qapfw/plugins-2/minimal.qapfw.so with problem minimal"));
    CHECK(!text_says(installed.out, "not compared"));
    CHECK(author.is_listed());
    const std::filesystem::path newer = author.place / "minimal-1.3.0-abi2-linux-x86_64.qapfw.so";
    std::filesystem::copy_file(author.packed, newer);
    const Ended replaced = author.plugin({"install", newer.string()});
    CHECK(text_says(replaced.out, "replaced "));
    CHECK(text_says(replaced.out, "so its sum was not compared"));
    const Ended unknown = author.plugin({"remove", "maximal"});
    CHECK(unknown.code == 2);
    CHECK(text_says(unknown.err, "it has: minimal"));
    CHECK(author.plugin({"remove", "minimal"}).code == 0);
    CHECK(!author.is_listed());
    CHECK(text_says(author.plugin({"remove", "minimal"}).err, "no plugin \"minimal\" is installed in "));
}

TEST_CASE("what is no plugin, is broken or has another checksum is not installed") {
    const Author author;
    author.write_sum();
    std::filesystem::resize_file(author.packed, std::filesystem::file_size(author.packed) - 100);
    const Ended cut = author.plugin({"install", author.packed.string()});
    CHECK(cut.code == 2);
    CHECK(text_says(cut.err, "its SHA-256 is "));
    const Ended truncated = author.plugin({"install", bad_plugin("truncated").string()});
    CHECK(truncated.code == 3);
    CHECK(author.plugin({"install", bad_plugin("abi_too_new").string()}).code == 3);
    CHECK(author.plugin({"install", author.place / "none.qapfw.so"}).code == 2);
    CHECK(author.plugin({"install", author.place.write("notes.txt", "a")}).code == 2);
    CHECK(!std::filesystem::exists(author.place / "data/qapfw/plugins-2/truncated.qapfw.so"));
}
