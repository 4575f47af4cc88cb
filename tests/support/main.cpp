// SPDX-License-Identifier: Apache-2.0
// main of every test program: doctest, and two additions for ctest. `--reporters=ctest --list-test-cases` writes the
// test cases as a ctest file; `--ctest-run` makes a passing case that printed MESSAGE("SKIPPED: ...") exit with
// kSkipCode.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cctype>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>

#include "tests/support/sanitized.hpp"

namespace {

constexpr int kSkipCode = 77;
bool skip_was_reported = false;
std::map<std::string, std::string> ctest_options;  // "--ctest-name=x" -> {"name", "x"}
std::string program;

/// Listens for messages that say that a case was skipped, and does nothing else.
struct SkipListener : doctest::IReporter {
    explicit SkipListener(const doctest::ContextOptions&) {}
    void report_query(const doctest::QueryData&) override {}
    void test_run_start() override {}
    void test_run_end(const doctest::TestRunStats&) override {}
    void test_case_start(const doctest::TestCaseData&) override {}
    void test_case_reenter(const doctest::TestCaseData&) override {}
    void test_case_end(const doctest::CurrentTestCaseStats&) override {}
    void test_case_exception(const doctest::TestCaseException&) override {}
    void subcase_start(const doctest::SubcaseSignature&) override {}
    void subcase_end() override {}
    void log_assert(const doctest::AssertData&) override {}
    void log_message(const doctest::MessageData& message) override {
        std::string_view text = message.m_string.c_str();
        skip_was_reported |= text.substr(0, 7) == "SKIPPED" || text.substr(0, 7) == "skipped";
    }
    void test_case_skipped(const doctest::TestCaseData&) override {}
};

/// Writes the ctest entries, one for each case. A program with a sanitizer takes longer to start than most cases take,
/// so it has one entry for each file. Names stand in CMake's bracket arguments; no name contains their end, ]====].
struct CtestReporter : SkipListener {
    explicit CtestReporter(const doctest::ContextOptions& options) : SkipListener(options), out(*options.cout) {}
    void report_query(const doctest::QueryData& query) override {
        std::string written;
        for (unsigned k = 0; k < query.num_data; ++k) {  // test cases of one file follow one another
            const doctest::TestCaseData& test = *query.data[k];
            if (!qapfw::kSanitized) {
                write(test, test.m_name, std::string("--test-case=") + test.m_name);
                continue;
            }
            std::string file = test.m_file.c_str();
            file.erase(0, file.rfind("/tests/") + 7);
            if (written != file) write(test, file, "--source-file=*/tests/" + file);
            written = file;
        }
    }
    void write(const doctest::TestCaseData& test, const std::string& what, const std::string& filter) {
        const std::string name = ctest_options["name"] + ": " + what;
        std::string labels = ctest_options["labels"] + " " + (test.m_test_suite == nullptr ? "" : test.m_test_suite);
        for (char& c : labels) c = c == ' ' ? ';' : c;
        std::string argument;
        for (const char c : filter) {
            if (c == ',') argument += '\\';
            argument += c;
        }
        out << "add_test([====[" << name << "]====] [====[" << program << "]====] --ctest-run [====[" << argument
            << "]====])\n"
            << "set_tests_properties([====[" << name << "]====] PROPERTIES SKIP_RETURN_CODE " << kSkipCode
            << " TIMEOUT " << ctest_options["timeout"] << " LABELS [====[" << labels << "]====])\n";
    }
    std::ostream& out;
};

REGISTER_LISTENER("skip", 1, SkipListener);
REGISTER_REPORTER("ctest", 1, CtestReporter);

}  // namespace

int main(int argc, char** argv) {
    bool run_by_ctest = false;
    program = argv[0];
    for (int k = 1; k < argc; ++k) {
        const std::string_view argument = argv[k];
        const std::size_t equals = argument.find('=');
        run_by_ctest |= argument == "--ctest-run";
        if (argument.substr(0, 8) == "--ctest-" && equals != std::string_view::npos) {
            ctest_options[std::string(argument.substr(8, equals - 8))] = argument.substr(equals + 1);
        }
    }
    doctest::Context context(argc, argv);
    const int result = context.run();
    return result == 0 && run_by_ctest && skip_was_reported ? kSkipCode : result;
}
