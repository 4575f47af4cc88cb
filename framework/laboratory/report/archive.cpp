// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/archive.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <set>
#include <vector>

#include "framework/host/working_folder.hpp"
#include "framework/laboratory/report/encoders.hpp"
#include "framework/record/atomic_file.hpp"
#include "framework/record/folder.hpp"
#include "qapfw/error.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// Standard output of `tar` with these arguments.
std::string output_of_tar(const std::vector<std::string>& words) {
    std::vector<char*> argv;
    for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
    argv.push_back(nullptr);
    int ends[2] = {-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw Error(ErrorKind::kIo,
                    fmt::format("cannot make a pipe to read the output of tar: {}", std::strerror(errno)));
    const Descriptor reading(ends[0]);
    Descriptor writing(ends[1]);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, writing.get(), STDOUT_FILENO);
    pid_t process = -1;
    const int started = posix_spawnp(&process, argv[0], &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    writing = Descriptor();
    if (started != 0)
        throw Error(ErrorKind::kIo, fmt::format("an archive needs the program tar: {}", std::strerror(started)));
    std::string bytes;
    std::vector<char> piece(std::size_t{1} << 16);
    for (;;) {
        const ssize_t count = read(reading.get(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        bytes.append(piece.data(), static_cast<std::size_t>(count));
    }
    int status = 0;
    while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw Error(ErrorKind::kIo, "tar could not make the archive; the message of tar is above");
    return bytes;
}

}  // namespace

void write_archive_notes(const StudyFolder& folder, const Plan& plan, std::size_t done) {
    std::set<std::string> instances;
    for (const Cell& cell : plan.cells) instances.insert(cell.instance);
    const std::string text = fmt::format(
        R"(# {}

Experiments with qapfw {}: {} of {} runs, {} cells with {} seeds each.

| | |
| --- | --- |
| `report.html` | the report; open it in a browser |
| `tables/`, `runs.csv`, `plots/` | its tables and figures as files |
| `study.toml`, `cells/` | the study as it was written, and each cell's whole configuration |
| `runs/<cell>/s<seed>/` | a record of each run: configuration, result, trace, solution |

With qapfw, in this folder:

    qapfw study report .                # makes report and tables again from the records
    qapfw verify runs/<cell>/s<seed>    # evaluates a record's solutions again
    qapfw study run study.toml --work /tmp/again

The instances: {}. The program generates some of them; instance files are not part of this archive. Each
record holds the fingerprint of its instance's data, so that another file of the same name is noticed.
)",
        markdown_text(plan.study.title), QAPFW_VERSION, done, plan.run_count(), plan.cells.size(), plan.study.seeds,
        markdown_text(fmt::format("{}", fmt::join(instances, ", "))));
    write_atomically(folder.path() / "README.md", text, Durability::kProcess);
}

std::string archive_of(const StudyFolder& folder) {
    const std::filesystem::path place = absolute_path(folder.path()).lexically_normal();
    const std::filesystem::path whole = place.filename().empty() ? place.parent_path() : place;
    const std::string name = "./" + whole.filename().string();
    std::vector<std::string> words = {"tar",       "--create",  "--gzip",          "--file=-",       "--sort=name",
                                      "--owner=0", "--group=0", "--numeric-owner", "--no-wildcards", "--anchored"};
    for (const char* own :
         {"claims", "aside", "study.sqlite", "study.sqlite-wal", "study.sqlite-shm", "study.sqlite-journal"})
        words.push_back("--exclude=" + name + "/" + own);
    words.insert(words.end(), {"--no-anchored", "--exclude=checkpoint.previous.bin", "--exclude=lock",
                               "--directory=" + whole.parent_path().string(), name});
    return output_of_tar(words);
}

}  // namespace qapfw::framework::laboratory
