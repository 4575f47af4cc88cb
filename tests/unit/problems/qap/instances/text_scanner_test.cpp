// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/instances/text_scanner.hpp"

#include "tests/unit/problems/qap/support.hpp"

using namespace qapfw::qap;

TEST_CASE("tokens know their line and column, whatever the line ends") {
    const std::string source = "s";
    for (const std::string text : {"1 22\n  333\n\n4", "1 22\r\n  333\r\n\r\n4",
                                   "\xef\xbb\xbf"
                                   "1 22\n\t 333\n\n4\n"}) {
        TextScanner scanner(text, source);
        CHECK(scanner.count_remaining() == 4);
        CHECK(scanner.next()->at.column == 1);
        const auto second = scanner.next();
        CHECK(second->text == "22");
        CHECK(second->at.line == 1);
        CHECK(second->at.column == 3);
        const auto third = scanner.next();
        CHECK(third->at.line == 2);
        CHECK(third->at.column == 3);
        CHECK(scanner.next()->at.line == 4);
        CHECK_FALSE(scanner.next().has_value());
    }
}

TEST_CASE("commas separate only where that was asked for") {
    const std::string source = "s";
    CHECK(TextScanner("1,2, 3", source).count_remaining() == 2);
    CHECK(TextScanner("1,2, 3", source, TextScanner::Commas::kSeparate).count_remaining() == 3);
}

TEST_CASE("quoted tokens are short and printable") {
    CHECK(quote_token("abc") == "\"abc\"");
    CHECK(quote_token(std::string_view("a\x1b\0", 3)) == "\"a\\x1b\\x00\"");
    CHECK(quote_token(std::string(100, 'x')).size() == 45);
}

TEST_CASE("reading a missing file, a directory or a device fails with its name") {
    const test::TemporaryFolder folder;
    CHECK(read_text_file(folder.write("x", "abc")) == "abc");
    CHECK(read_text_file(folder.write("empty", "")).empty());
    CHECK_REFUSED(read_text_file(folder.path() / "absent"), (folder.path() / "absent").string() + ": ", "no such file");
    CHECK_REFUSED(read_text_file(folder.path()), folder.path().string() + ": ", "directory");
    CHECK_REFUSED(read_text_file("/dev/null"), "/dev/null: ", "device");
}
