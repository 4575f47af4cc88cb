// SPDX-License-Identifier: Apache-2.0
// `qapfw plugin install` and `plugin remove`.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/integration/process.hpp"

using namespace qapfw::testing;

namespace {

/// A user with a data folder that no other test has, and with a packed plugin.
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
    std::filesystem::path folder() const { return place / "data/qapfw/plugins-2"; }
    /// Installs a copy of a library under another name.
    Ended install_as(const std::filesystem::path& library, const std::string& name) const {
        const std::filesystem::path copy = place / name;
        std::filesystem::copy_file(library, copy, std::filesystem::copy_options::overwrite_existing);
        return plugin({"install", copy.string()});
    }
    std::size_t installed_count() const {
        std::size_t count = 0;
        if (!std::filesystem::exists(folder())) return 0;
        for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder())) ++count;
        return count;
    }
    bool is_listed() const { return plugin({"list"}).out.find("problem   minimal ") != std::string::npos; }
};

std::filesystem::path bundled(const std::string& name) {
    return std::filesystem::path(QAPFW_BUILD_DIR) / "lib/qapfw/plugins-2" / (name + ".qapfw.so");
}

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
    CHECK(text_says(replaced.out, "so its checksum was not compared"));
    const Ended unknown = author.plugin({"remove", "maximal"});
    CHECK(unknown.code == 2);
    CHECK(text_says(unknown.err, "it has: minimal"));
    CHECK(author.plugin({"remove", "minimal"}).code == 0);
    CHECK(!author.is_listed());
    CHECK(text_says(author.plugin({"remove", "minimal"}).err, "no plugin \"minimal\" is installed in "));
}

TEST_CASE("a file that is not a plugin, is broken or has another checksum is not installed") {
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
    const Ended folder = author.plugin({"install", author.packed.parent_path().string()});
    CHECK(folder.code == 2);
    CHECK(text_says(folder.err, "found a folder; name a file in it"));
    CHECK(author.plugin({"install", author.place.write("notes.txt", "a")}).code == 2);
    CHECK(!std::filesystem::exists(author.place / "data/qapfw/plugins-2/truncated.qapfw.so"));
}

TEST_CASE("a library with the components of another installed one is refused, and the first stays in use") {
    const Author author;
    REQUIRE(author.plugin({"install", author.packed.string()}).code == 0);
    const Ended twin = author.install_as(bad_plugin("twin"), "twin-1.0.qapfw.so");
    CHECK(twin.code == 3);
    CHECK(text_says(twin.err, "minimal.qapfw.so already offers problem minimal"));
    CHECK(text_says(twin.err, "qapfw plugin remove minimal"));
    CHECK(author.install_as(bad_plugin("namesake"), "namesake-1.0.qapfw.so").code == 3);
    CHECK(author.installed_count() == 1);
    CHECK(author.is_listed());
}

TEST_CASE("plugins are told apart by what stands before the last version of their names") {
    const Author author;
    CHECK(author.install_as(bad_plugin("fine"), "two-3opt-1.0.qapfw.so").code == 0);
    CHECK(author.install_as(bundled("tabu"), "two-4opt-1.0-abi2-linux-x86_64.qapfw.so").code == 0);
    CHECK(std::filesystem::exists(author.folder() / "two-3opt.qapfw.so"));
    CHECK(std::filesystem::exists(author.folder() / "two-4opt.qapfw.so"));
    CHECK(text_says(author.install_as(bad_plugin("fine"), "two-3opt-2.0-rc1.qapfw.so").out, "replaced "));
    const Ended other = author.install_as(bundled("local_search"), "two-3opt-3.0.qapfw.so");
    CHECK(other.code == 3);
    CHECK(text_says(other.err, "two-3opt.qapfw.so is another plugin, with problem minimal"));
    CHECK(author.is_listed());
}

TEST_CASE("an installed library that takes the place of a bundled one says so") {
    const Ended installed = Author().install_as(bundled("tabu"), "mine-1.0.qapfw.so");
    CHECK(installed.code == 0);
    CHECK(text_says(installed.out, "warning: "));
    CHECK(text_says(installed.out, "that library comes first, so its components are used"));
}

TEST_CASE("a folder that others may write gets no plugin, unless that is allowed") {
    const Author author;
    std::filesystem::create_directories(author.folder());
    std::filesystem::permissions(author.folder(), std::filesystem::perms(0777));
    const Ended refused = author.plugin({"install", author.packed.string()});
    CHECK(refused.code == 3);
    CHECK(text_says(refused.err, "must not be writable by everyone, found permissions 777"));
    CHECK(author.installed_count() == 0);
    CHECK(author.plugin({"install", "--allow-writable-plugins", author.packed.string()}).code == 0);
}

TEST_CASE("names by which a plugin could not be listed or removed are refused") {
    const Author author;
    for (const char* name : {"-1.0.qapfw.so", "..qapfw.so", ".hidden-1.0.qapfw.so", "a\nb-1.0.qapfw.so"}) {
        const Ended odd = author.install_as(bad_plugin("fine"), name);
        CHECK_MESSAGE(odd.code == 2, name);
        CHECK_MESSAGE(text_says(odd.err, "rename the file"), odd.err);
    }
    CHECK(author.installed_count() == 0);
}

TEST_CASE("a link in the place of a new file is not followed, and nothing is left of a failure") {
    const Author author;
    std::filesystem::create_directories(author.folder() / "minimal.qapfw.so");
    const std::string kept = author.place.write("kept.txt", "kept");
    for (const char* name : {".minimal.qapfw.so.part", "minimal.qapfw.so.new"})
        std::filesystem::create_symlink(kept, author.folder() / name);
    CHECK(author.plugin({"install", author.packed.string()}).code == 6);
    CHECK(!std::filesystem::exists(author.folder() / "minimal.qapfw.so.new"));
    CHECK(text_says(author.plugin({"remove", "minimal"}).err, "the folder has none"));
    std::filesystem::remove(author.folder() / "minimal.qapfw.so");
    CHECK(author.plugin({"install", author.packed.string()}).code == 0);
    CHECK(std::filesystem::file_size(kept) == 4);
}

TEST_CASE("checksum files of all common forms are read, and a wrong one gives a message") {
    const Author author;
    author.write_sum();
    const std::filesystem::path beside = author.packed.string() + ".sha256";
    const std::string name = author.packed.filename().string();
    std::string sum;
    std::ifstream(beside) >> sum;
    const std::string other(64, '0');
    const auto says = [&](const std::string& text, const char* part) {
        std::ofstream(beside, std::ios::trunc) << text;
        const Ended ended = author.plugin({"install", author.packed.string()});
        CHECK_MESSAGE((ended.code == 2 && text_says(ended.err, part)), ended.err);
    };
    for (const std::string& text :
         {"SHA256 (" + name + ") = " + sum + "\n", other + "  another.so\n" + sum + " *" + name + "\n", sum}) {
        std::ofstream(beside, std::ios::trunc) << text;
        const Ended ended = author.plugin({"install", author.packed.string()});
        CHECK_MESSAGE((ended.code == 0 && !text_says(ended.out, "not compared")), ended.err);
    }
    says("", "found an empty file");
    says("<html>", "found no 64 hex digits");
    says(other + "  one.so\n" + other + "  two.so\n", "found 2 lines of other files");
    says("SHA256 (" + name + ") = " + other, ".sha256 says 000");
    std::filesystem::remove(beside);
    std::filesystem::create_symlink("nowhere", beside);
    CHECK(text_says(author.plugin({"install", author.packed.string()}).err, "a link to a file that is not there"));
    std::filesystem::remove(beside);
    REQUIRE(mkfifo(beside.c_str(), 0600) == 0);
    CHECK(text_says(author.plugin({"install", author.packed.string()}).err, "found no regular file"));
}

TEST_CASE("a folder of plugins that cannot be read is told as such") {
    const Author author;
    std::filesystem::create_directories(author.folder().parent_path());
    std::ofstream(author.folder()) << "no folder";
    const Ended removed = author.plugin({"remove", "minimal"});
    CHECK(removed.code == 6);
    CHECK(text_says(removed.err, "plugins-2: cannot read: Not a directory"));
}
