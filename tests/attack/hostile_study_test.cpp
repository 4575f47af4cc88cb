// SPDX-License-Identifier: Apache-2.0
// Files that another user put into a study's folder: FIFOs and links with the names of the program's own files, an
// index made to hang its reader, an index that somebody has locked.
#include <fcntl.h>
#include <sys/stat.h>

#include <fstream>

#include "framework/laboratory/study/sqlite.hpp"
#include "tests/attack/attack.hpp"

namespace qapfw::attack {
namespace {

namespace fs = std::filesystem;
using framework::laboratory::Database;
using testing::contents;

constexpr const char* kHostileStudy = R"(seeds = 2
[problem]
plugin = "qap"
[run]
iterations = 100
threads = 1
[device]
backend = "cpu"
[[instances]]
names = ["tai10a"]
[[algorithms]]
name = "tabu"
set = { algorithm.plugin = "tabu", algorithm.searches = 1 }
)";
constexpr double kPatience = 30;  // seconds; a run of this study takes less than one

class Study {
  public:
    explicit Study(const std::string& more = "") { place_.write("s.toml", more + kHostileStudy); }
    fs::path work() const { return place_.path() / "runs/s"; }
    const TemporaryFolder& place() const { return place_; }
    Ended run(const std::vector<std::string>& words) const {
        return testing::qapfw_run_within(kPatience, with({"study"}, words), {.folder = place_.path().string()});
    }
    std::string cell() const {
        for (const auto& entry : fs::directory_iterator(work() / "runs")) return entry.path().filename().string();
        return {};
    }
    /// Puts a claim on the first run. `owner`: the text of its owner file; if empty, the claim has no such file.
    void claim(const std::string& owner) const {
        const fs::path folder = work() / "claims" / (cell() + ".s1.1");
        fs::create_directories(folder);
        if (!owner.empty()) std::ofstream(folder / "owner") << owner;
    }
    void forget_first_run() const { fs::remove_all(work() / "runs" / cell() / "s1"); }
    std::string clock() const { return (work() / "claims" / (".clock-" + std::to_string(geteuid()))).string(); }

  private:
    TemporaryFolder place_;
};

void put_fifo(const std::string& path) {
    fs::remove_all(path);
    REQUIRE(mkfifo(path.c_str(), 0666) == 0);
}

}  // namespace

TEST_CASE("a FIFO in the place of a study's own file does not block the program") {
    const Study study;
    REQUIRE(study.run({"run", "s.toml", "--quiet"}).code == 0);
    put_fifo(study.clock());
    study.forget_first_run();
    study.claim("elsewhere boot space\n1 1\n");
    const fs::path owner = study.work() / "claims" / (study.cell() + ".s1.1") / "owner";
    fs::last_write_time(owner, fs::file_time_type::clock::now() - std::chrono::hours(1));
    // The FIFO in the place of the study's clock must be replaced, and the silent owner must count as dead.
    const Ended silent = study.run({"run", "s.toml", "--quiet"});
    CHECK_MESSAGE(silent.code == 0, silent.err);
    CHECK(fs::is_regular_file(fs::symlink_status(study.clock())));

    study.forget_first_run();
    study.claim("");
    put_fifo(owner.string());
    const Ended nobody = study.run({"run", "s.toml", "--quiet"});
    CHECK_MESSAGE(nobody.code == 0, nobody.err);

    put_fifo((study.work() / "study.sqlite").string());
    const Ended reported = study.run({"report", "runs/s"});
    CHECK_MESSAGE(reported.code == 0, reported.err);
    CHECK(fs::is_regular_file(fs::symlink_status(study.work() / "study.sqlite")));
    for (const char* file : {"plan.json", "study.toml"}) {
        put_fifo((study.work() / file).string());
        const Ended ended = study.run({"run", "s.toml", "--quiet"});
        CHECK_MESSAGE(ended.code == 0, file << ended.err);
    }
    const std::string cell = (study.work() / "cells" / (study.cell() + ".toml")).string();
    put_fifo(cell);
    study.forget_first_run();
    CHECK(study.run({"run", "s.toml", "--quiet"}).code == 0);
}

TEST_CASE("a FIFO in the place of the lock of a study that measures times is reported") {
    const Study study("timing = \"exclusive\"\n");
    REQUIRE(study.run({"run", "s.toml", "--quiet"}).code == 0);
    for (const auto& entry : fs::directory_iterator(study.work() / "claims")) {
        if (test::contains(entry.path().filename().string(), ".exclusive-")) put_fifo(entry.path().string());
    }
    const Ended ended = study.run({"run", "s.toml", "--quiet"});
    CHECK(ended.code == 6);
    CHECK_MESSAGE(test::contains(ended.err, "it must be a regular file without a second name"), ended.err);
}

TEST_CASE("no link in a study's folder leads the program to a file elsewhere") {
    const Study study;
    REQUIRE(study.run({"run", "s.toml", "--quiet"}).code == 0);
    const fs::path precious = study.place().write("precious", "precious");
    const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(100);
    const auto link = [&](const fs::path& path) {
        fs::remove_all(path);
        fs::create_symlink(precious, path);
        fs::last_write_time(precious, long_ago);
    };
    const auto check_untouched = [&](const Ended& ended) {
        CHECK_MESSAGE(ended.code == 0, ended.err);
        CHECK(contents(precious) == "precious");
        CHECK(fs::last_write_time(precious) == long_ago);
    };
    link(study.clock());
    link(study.work() / "study.sqlite");
    study.forget_first_run();
    study.claim("elsewhere boot space\n1 1\n");
    fs::last_write_time(study.work() / "claims" / (study.cell() + ".s1.1") / "owner", long_ago);
    check_untouched(study.run({"run", "s.toml", "--quiet"}));
    check_untouched(study.run({"report", "runs/s"}));
    for (const char* file : {"report.html", "runs.csv", "tables/results.csv"}) {
        link(study.work() / file);
        check_untouched(study.run({"report", "runs/s"}));
    }
    const fs::path elsewhere = study.place().folder("elsewhere");
    fs::remove_all(study.work() / "tables");
    fs::create_directory_symlink(elsewhere, study.work() / "tables");
    const Ended led = study.run({"report", "runs/s"});
    CHECK(led.code == 6);
    CHECK_MESSAGE(test::contains(led.err, "/tables: cannot open the folder: "), led.err);
    CHECK(fs::is_empty(elsewhere));
}

TEST_CASE("an index that was made to hang its reader is made anew") {
    const Study study;
    REQUIRE(study.run({"run", "s.toml", "--quiet"}).code == 0);
    REQUIRE(study.run({"report", "runs/s"}).code == 0);
    const fs::path index = study.work() / "study.sqlite";
    const std::string sound = contents(index), table = contents(study.work() / "runs.csv");
    const auto check_made_anew = [&](const std::string& what) {
        CAPTURE(what);
        const Ended ended = study.run({"report", "runs/s"});
        CHECK_MESSAGE(ended.code == 0, ended.err);
        CHECK(test::contains(ended.err, "study.sqlite: "));
        CHECK(test::contains(ended.err, "; the index is made again"));
        CHECK(contents(study.work() / "runs.csv") == table);
    };
    for (const char* statements :
         {"DROP TABLE run; CREATE VIEW run AS WITH RECURSIVE n(k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM n) SELECT k "
          "AS run, hex(zeroblob(1000)) AS stamp, 0 AS cost FROM n",
          "CREATE TRIGGER t AFTER INSERT ON run BEGIN DELETE FROM run; END", "CREATE TABLE more (a)",
          "DROP INDEX improvement_run", "ALTER TABLE run ADD COLUMN more", "PRAGMA user_version = 1"}) {
        Database database(sound);
        database.run(statements);
        std::ofstream(index, std::ios::binary) << database.file();
        check_made_anew(statements);
    }
    for (const std::string& text : {std::string("no database"), std::string(), sound.substr(0, sound.size() / 2)}) {
        std::ofstream(index, std::ios::binary) << text;
        check_made_anew(std::to_string(text.size()) + " bytes");
    }
    // A flipped byte may make pages of the index lead to one another without end.
    for (const long k : chosen(static_cast<long>(sound.size()) - 1, 12)) {
        std::string flipped = sound;
        flipped[static_cast<std::size_t>(k)] = static_cast<char>(flipped[static_cast<std::size_t>(k)] ^ 0x41);
        std::ofstream(index, std::ios::binary) << flipped;
        CHECK_MESSAGE(study.run({"report", "runs/s"}).code == 0, k);
    }
}

TEST_CASE("an index that others have locked, or that cannot be written, is neither waited for nor lost") {
    const Study study;
    REQUIRE(study.run({"run", "s.toml", "--quiet"}).code == 0);
    REQUIRE(study.run({"report", "runs/s"}).code == 0);
    const fs::path index = study.work() / "study.sqlite";
    const int file = open(index.c_str(), O_RDWR | O_CLOEXEC);
    struct flock lock {};
    lock.l_type = F_WRLCK;  // locks the bytes that SQLite itself locks, from its pending byte on
    lock.l_start = 0x40000000;
    lock.l_len = 512;
    REQUIRE(fcntl(file, F_SETLK, &lock) == 0);
    const Ended locked = study.run({"report", "runs/s"});
    CHECK(locked.code == 0);
    CHECK(locked.seconds < 8);
    close(file);
    // A folder already has the name of the new index, so the index cannot be written. The same happens to a user who
    // may only read the study.
    study.place().write("runs/s/study.sqlite.new/in the way", "");
    study.forget_first_run();
    const Ended elsewhere = study.run({"report", "runs/s", "--out", "page"});
    CHECK_MESSAGE(elsewhere.code == 0, elsewhere.err);
    CHECK(test::contains(elsewhere.err, "study.sqlite.new: cannot open: "));
    CHECK(fs::exists(study.place().path() / "page/report.html"));
}

TEST_CASE("what strangers write into a study's records and titles stays text in its report") {
    const std::string script = "<script>attack()</script>";
    const Study study("title = '</script>" + script + "'\nnotes = 'see @SCRIPT@, " + script + "'\n");
    REQUIRE(study.run({"run", "s.toml", "--quiet"}).code == 0);
    const fs::path record = study.work() / "runs" / study.cell() / "s1";
    std::ofstream(record / "layout.svg") << "<svg></svg><img src=\"data:,\" OnError=\"attack()\">";
    std::ofstream(record / "other.svg") << "<svg onload=\"attack()\">" << script << "</svg>";
    REQUIRE(study.run({"report", "runs/s"}).code == 0);
    const std::string page = contents(study.work() / "report.html");
    CHECK(test::contains(page, "attack()"));  // the title is shown
    for (const char* live : {"<script>attack", "OnError=\"attack", "onload=\"attack", "<svg onload"})
        CHECK_MESSAGE(page.find(live) == std::string::npos, live);
    CHECK(page.find("@SCRIPT@") != std::string::npos);
    CHECK(page.find("default-src 'none'") != std::string::npos);
}

}  // namespace qapfw::attack
