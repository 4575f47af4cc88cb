// SPDX-License-Identifier: Apache-2.0
#include "framework/record/run_record.hpp"

#include <doctest/doctest.h>

#include "framework/host/log.hpp"
#include "qapfw/error.hpp"
#include "tests/unit/framework/plugin/bad_plugins.hpp"
#include "tests/unit/framework/record/full_disk.hpp"
#include "tests/unit/framework/record/sample_result.hpp"

using namespace qapfw::framework;
using namespace qapfw::framework::testing;

TEST_CASE("records are named by time, problem, instance, algorithm and seed, in plain letters") {
    CHECK(record_name(1767225599, "qap", "tai60a", "tabu", 42) == "20251231T235959Z-qap-tai60a-tabu-s42");
    CHECK(record_name(0, "qap", "../a b", "tabu", 1) == "19700101T000000Z-qap-.._a_b-tabu-s1");
}

TEST_CASE("a folder that exists is never used again") {
    const TemporaryFolder place;
    const auto first = create_new_folder(place.path() / "a/run");
    const auto second = create_new_folder(place.path() / "a/run");
    CHECK(first.filename() == "run");
    CHECK(second.filename() == "run-2");
    CHECK(create_new_folder(place.path() / "a/run").filename() == "run-3");
    place.write("file", "x");
    CHECK_THROWS_AS(create_new_folder(place.path() / "file/run"), qapfw::Error);
}

TEST_CASE("without a folder nothing is written and nothing fails") {
    RunRecord record;
    record.write_config("x");
    record.append_trace("y");
    record.write_checkpoint(sample_checkpoint());
    CHECK_FALSE(record.enabled());
    CHECK(record.failure().empty());
}

TEST_CASE("a record keeps all its pieces") {
    const TemporaryFolder place;
    RunRecord record;
    record.open(RecordFolder::open(place.path()));
    record.open_trace(0, {}, "head");
    record.write_config("a = 1\n");
    record.write_result("{}", Durability::kPower);
    record.append_trace("line");
    record.write_artefacts({{"solution.sln", "text/plain", "5 1\n"}, {"layout.svg", "image/svg+xml", "<svg/>"}});
    record.write_checkpoint(sample_checkpoint());
    CHECK(record.failure().empty());
    CHECK(read_file(place.path() / "config.toml") == "a = 1\n");
    CHECK(read_file(place.path() / "trace.jsonl") == "head\nline\n");
    CHECK(record.trace_bytes() == 10);
    CHECK(read_file(place.path() / "layout.svg") == "<svg/>");
    CHECK(load_checkpoint(Folder(place.path())).checkpoint);
}

TEST_CASE("an artefact can neither leave the folder nor replace the record's own files") {
    set_console_level(LogLevel::kOff);
    const TemporaryFolder place;
    RunRecord record;
    record.open(RecordFolder::open(place.folder("r")));
    record.open_trace(0, {}, "head");
    record.write_result("mine", Durability::kProcess);
    const std::string solution = "solution-0123456789abcdef.bin";
    for (const std::string name :
         {"../evil", "/tmp/qapfw-evil", "result.json", "checkpoint.bin", solution.c_str(), ".hidden", "", "a b"}) {
        record.write_artefacts({{name, "text/plain", "evil"}});
    }
    CHECK_FALSE(std::filesystem::exists(place.path() / "r" / solution));
    CHECK(read_file(place.path() / "r/result.json") == "mine");
    CHECK_FALSE(std::filesystem::exists(place.path() / "evil"));
    CHECK_FALSE(std::filesystem::exists("/tmp/qapfw-evil"));
    CHECK(record.failure().empty());
}

TEST_CASE("the first failure is kept and later writes are tried all the same") {
    set_console_level(LogLevel::kOff);
    const TemporaryFolder place;
    RunRecord record;
    record.open(RecordFolder::open(place.path()));
    {
        const FullDisk full(0);
        record.write_config("x");
    }
    CHECK(record.failure().find("config.toml") != std::string::npos);
    record.write_result("late", Durability::kProcess);
    CHECK(read_file(place.path() / "result.json") == "late");
    CHECK(record.failure().find("config.toml") != std::string::npos);
}

TEST_CASE("a record that another process took over is left alone") {
    set_console_level(LogLevel::kOff);
    const TemporaryFolder place;
    RunRecord record;
    record.open(RecordFolder::open(place.path()));
    std::filesystem::remove(place.path() / "lock");
    const auto other = RecordFolder::open(place.path());
    record.write_result("old", Durability::kProcess);
    CHECK_FALSE(std::filesystem::exists(place.path() / "result.json"));
    CHECK(record.failure().find("another process may have taken the record over") != std::string::npos);
}

TEST_CASE("names of any length and characters give records that can be made") {
    const std::string name = record_name(0, std::string(300, 'p'), std::string(230, 'i') + "/x", "a\x1b[31m", 1);
    CHECK(name.size() < 240);
    const TemporaryFolder place;
    CHECK_NOTHROW(create_new_folder(place.path() / name));
}
