// SPDX-License-Identifier: Apache-2.0
#include "framework/study/sqlite.hpp"

#include <fmt/core.h>
#include <sqlite3.h>

#include "qapfw/error.hpp"

namespace qapfw::framework {
namespace {
constexpr int kPatience = 10000;  // milliseconds while another process writes
}

Database::Database(const std::filesystem::path& path) : name_(path.string()) {
    if (sqlite3_open(name_.c_str(), &handle_) != SQLITE_OK) {
        const std::string reason = handle_ != nullptr ? sqlite3_errmsg(handle_) : "out of memory";
        sqlite3_close(handle_);
        throw Error(ErrorKind::kIo, fmt::format("{}: cannot be opened: {}", name_, reason));
    }
    sqlite3_busy_timeout(handle_, kPatience);
}

Database::~Database() {
    sqlite3_close(handle_);
}

void Database::fail() const {
    throw Error(ErrorKind::kIo, fmt::format("{}: {}", name_, sqlite3_errmsg(handle_)));
}

void Database::run(const char* sql) {
    if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
}

Statement::Statement(const Database& database, const char* sql) : database_(database) {
    if (sqlite3_prepare_v2(database.handle(), sql, -1, &statement_, nullptr) != SQLITE_OK) database.fail();
}

Statement::~Statement() {
    sqlite3_finalize(statement_);
}

Statement& Statement::bind(int place, std::int64_t value) {
    if (sqlite3_bind_int64(statement_, place, value) != SQLITE_OK) database_.fail();
    return *this;
}

Statement& Statement::bind(int place, double value) {
    if (sqlite3_bind_double(statement_, place, value) != SQLITE_OK) database_.fail();
    return *this;
}

Statement& Statement::bind(int place, std::string_view value) {
    const auto size = static_cast<int>(value.size());
    if (sqlite3_bind_text(statement_, place, value.data(), size, SQLITE_TRANSIENT) != SQLITE_OK) database_.fail();
    return *this;
}

Statement& Statement::bind(int place, const std::optional<double>& value) {
    if (value) return bind(place, *value);
    if (sqlite3_bind_null(statement_, place) != SQLITE_OK) database_.fail();
    return *this;
}

bool Statement::step() {
    const int code = sqlite3_step(statement_);
    if (code != SQLITE_ROW && code != SQLITE_DONE) database_.fail();
    return code == SQLITE_ROW;
}

void Statement::execute() {
    step();
    reset();
}

void Statement::reset() {
    sqlite3_reset(statement_);
}

std::int64_t Statement::integer(int column) const {
    return sqlite3_column_int64(statement_, column);
}

double Statement::real(int column) const {
    return sqlite3_column_double(statement_, column);
}

std::optional<double> Statement::optional_real(int column) const {
    if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
    return real(column);
}

std::string Statement::text(int column) const {
    const auto* found = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
    return found == nullptr ? std::string() : std::string(found);
}

}  // namespace qapfw::framework
