// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/study/study_folder.hpp"

#include <fmt/core.h>

#include "framework/record/atomic_file.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

namespace fs = std::filesystem;

void make_folder(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        throw Error(ErrorKind::kIo, fmt::format("{}: cannot create the folder: {}", path.string(), error.message()));
}

/// Writes the file unless it already holds these bytes.
void write_if_other(const fs::path& path, const std::string& bytes) {
    std::error_code error;
    if (fs::is_regular_file(path, error) && read_file(path) == bytes) return;
    write_atomically(path, bytes, Durability::kProcess);
}

}  // namespace

std::string RunKey::name() const {
    return fmt::format("{}.s{}", cell->id, seed);
}

fs::path StudyFolder::record(const RunKey& run) const {
    return path_ / "runs" / run.cell->id / fmt::format("s{}", run.seed);
}

fs::path StudyFolder::aside(const RunKey& run) const {
    make_folder(path_ / "aside");
    std::error_code error;
    for (int number = 1;; ++number) {
        fs::path path = path_ / "aside" / fmt::format("{}-{}", run.name(), number);
        if (!fs::exists(path, error)) return path;
    }
}

void StudyFolder::write(const Plan& plan, const std::string& study_text) const {
    for (const char* folder : {"cells", "runs", "claims", "failed"}) make_folder(path_ / folder);
    for (const Cell& cell : plan.cells) write_if_other(config(cell), cell.config);
    if (!study_text.empty()) write_if_other(path_ / "study.toml", study_text);
    write_if_other(this->plan(), plan_json(plan));
}

bool has_plan(const fs::path& folder) {
    std::error_code error;
    return fs::is_regular_file(StudyFolder(folder).plan(), error);
}

Plan read_plan(const fs::path& folder) {
    if (!has_plan(folder))
        throw Error(ErrorKind::kUsage,
                    fmt::format("{}: not the folder of a study: it holds no plan.json", folder.string()));
    const fs::path file = StudyFolder(folder).plan();
    return parse_plan(read_file(file), file.string());
}

std::vector<RunKey> runs_of(const Plan& plan) {
    std::vector<RunKey> runs;
    runs.reserve(plan.run_count());
    for (std::uint32_t k = 0; k < plan.study.seeds; ++k) {
        for (const Cell& cell : plan.cells) runs.push_back({&cell, cell.first_seed + k});
    }
    return runs;
}

}  // namespace qapfw::framework::laboratory
