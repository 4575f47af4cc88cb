// SPDX-License-Identifier: Apache-2.0
// Finds an instance by name, and its best known value.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "problems/uaflp/document.hpp"
#include "problems/uaflp/instance.hpp"
#include "problems/uaflp/nearest_name.hpp"
#include "qapfw/error.hpp"
#include "qapfw/sdk/find_file.hpp"

namespace qapfw::uaflp {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostBytesLookedAt = std::size_t{1} << 20U;  // bytes read to see whether a file is a layout

bool is_instance_file(const fs::path& path) {
    const std::string name = path.filename().string();
    const bool known = path.extension() == ".json" || path.extension() == ".toml";
    return known && name != "verified_solutions.json";
}

/// The folders to search for an instance, in this order: each data folder, then its subfolder uaflp, then its other
/// subfolders, sorted by name.
std::vector<fs::path> folders(const std::vector<std::string>& data_dirs) {
    std::vector<fs::path> all;
    for (const std::string& dir : data_dirs) {
        all.emplace_back(dir);
        for (fs::path& below : sdk::folders_below(dir, "uaflp")) all.push_back(std::move(below));
    }
    return all;
}

bool is_file(const fs::path& path) {
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// The fields of the line for `name` in a table with a header; empty if there is no such line. `number` becomes the
/// line's number.
std::vector<std::string> line_of(const fs::path& csv, const std::string& name, unsigned& number) {
    std::ifstream stream(csv);
    std::string line;
    for (number = 1; std::getline(stream, line); ++number) {
        std::istringstream cells(line);
        std::vector<std::string> fields;
        for (std::string field; std::getline(cells, field, ',');) fields.push_back(field);
        fields.resize(4);
        if (number > 1 && fields[0] == name) return fields;
    }
    return {};
}

/// Reads the best known cost of `name` from a file. After a header, the file has one line per instance:
/// "instance,best_known_fbs_cost,status,bay_height" if `has_height`, else "instance,best_known_slicing_cost,source".
std::optional<BestKnown> best_known_in(const fs::path& csv, const std::string& name, bool has_height) {
    unsigned number = 0;
    const std::vector<std::string> fields = line_of(csv, name, number);
    if (fields.empty()) return std::nullopt;
    try {
        return BestKnown{std::stod(fields[1]), fields[2], has_height ? std::stod(fields[3]) : 0};
    } catch (const std::exception&) {
        throw Error(ErrorKind::kInput,
                    fmt::format("{}:{}:1: cost \"{}\"{}", csv.string(), number, fields[1],
                                has_height ? fmt::format(" and bay height \"{}\" must be numbers", fields[3])
                                           : " must be a number"));
    }
}

UaflpInstance read_with_best_known(const fs::path& path) {
    UaflpInstance instance = read_instance(path.string());
    const std::string stem = path.stem().string();
    if (instance.name.empty()) instance.name = stem;
    instance.best_known = best_known_in(path.parent_path() / "best_known.csv", stem, true);
    instance.best_known_slicing = best_known_in(path.parent_path() / "best_known_slicing.csv", stem, false);
    return instance;
}

bool speaks_of_a_layout(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    in >> std::ws;
    const bool is_table = syntax_of(path.string()) == Syntax::kCsv;
    if (!is_instance_file(path) && in.peek() != '{' && !is_table) return false;
    std::string text(kMostBytesLookedAt, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    const auto has = [&](const char* word) { return text.find(word) != std::string::npos; };
    if (is_table) {  // a row that begins with "plant", and the words "name" and "area"
        const auto row = [&](char separator) { return ("\n" + text).find(std::string("\nplant") + separator); };
        const bool plant = std::min({row(','), row(';'), row('\t')}) != std::string::npos;
        return plant && has("name") && has("area");
    }
    return has("plant") && (has("areas") || has("departments"));
}

/// The file for a name in the data directories; empty if there is none.
fs::path file_named(const std::string& name, const std::vector<std::string>& data_dirs) {
    if (name.find('/') != std::string::npos) return {};
    for (const fs::path& folder : folders(data_dirs)) {
        for (const char* suffix : {".toml", ".json", ".csv", ""}) {
            const fs::path path = folder / (name + suffix);
            if (!is_file(path)) continue;
            if (is_instance_file(path) || (syntax_of(path.string()) == Syntax::kCsv && speaks_of_a_layout(path)))
                return path;
        }
    }
    return {};
}

/// Parses the name of a generated instance: "F60" has size 60, "F60-s7" also has seed 7. Returns nothing for any other
/// text.
std::optional<GeneratorOptions> generator_reference(std::string_view text) {
    if (text.empty() || text.front() != 'F') return std::nullopt;
    GeneratorOptions options;
    const char* const end = text.data() + text.size();
    const auto size = std::from_chars(text.data() + 1, end, options.size);
    if (size.ec != std::errc()) return std::nullopt;
    if (size.ptr == end) return options;
    const std::string_view rest(size.ptr, static_cast<size_t>(end - size.ptr));
    if (!rest.starts_with("-s")) return std::nullopt;
    const auto seed = std::from_chars(size.ptr + 2, end, options.seed);
    return seed.ec == std::errc() && seed.ptr == end ? std::optional(options) : std::nullopt;
}

[[noreturn]] void fail_unknown(const std::string& reference, const std::vector<std::string>& data_dirs) {
    const std::vector<std::string> known = list_instances(data_dirs);
    std::string searched;
    for (const std::string& dir : data_dirs) searched += (searched.empty() ? "" : ", ") + dir;
    throw Error(ErrorKind::kInput,
                fmt::format("no UA-FLP instance \"{}\": wanted a file, a name in the data directories ({}), or F<n> "
                            "for a generated one{}",
                            reference, searched.empty() ? "none given; set QAPFW_DATA or give --data" : searched,
                            did_you_mean(reference, {known.begin(), known.end()})));
}

}  // namespace

bool UaflpInstance::is_empty_space(size_t d) const {
    if (!departments[d].dummy) return false;
    for (size_t j = 0; j < size(); ++j) {
        if (flow_between(d, j) > 0) return false;
    }
    return true;
}

bool UaflpInstance::is_practical() const {
    const auto has = [](const Department& d) {
        return d.blocked || d.place || d.door || d.walls != 0 || d.floor != 0 || d.area_tolerance > 0 ||
               d.move_cost > 0;
    };
    return practice.floors > 1 || !practice.points.empty() || !practice.pairs.empty() ||
           std::any_of(departments.begin(), departments.end(), has);
}

UaflpInstance load_instance(const std::string& reference, const std::vector<std::string>& data_dirs) {
    if (reference.empty())
        throw Error(ErrorKind::kInput, "the name of the UA-FLP instance is empty; a file or a name was wanted");
    if (is_file(reference)) return read_with_best_known(reference);
    if (const fs::path path = file_named(reference, data_dirs); !path.empty()) return read_with_best_known(path);
    if (const auto options = generator_reference(reference)) return generate_instance(*options);
    fail_unknown(reference, data_dirs);
}

std::string recognise_instance(const std::string& reference, const std::vector<std::string>& data_dirs) {
    const fs::path path = is_file(reference) ? fs::path(reference) : file_named(reference, data_dirs);
    if (!path.empty()) return speaks_of_a_layout(path) ? "a layout file" : "";
    return generator_reference(reference) ? "a layout that is generated" : "";
}

std::vector<std::string> list_instances(const std::vector<std::string>& data_dirs) {
    std::set<std::string> names;
    for (const fs::path& folder : folders(data_dirs)) {
        const bool is_ours = folder.filename() == "uaflp";  // other folders may have TOML and JSON files of any kind
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder, ignored)) {
            if (!is_file(entry.path()) || !is_instance_file(entry.path())) continue;
            if (is_ours || speaks_of_a_layout(entry.path())) names.insert(entry.path().stem().string());
        }
    }
    return {names.begin(), names.end()};
}

}  // namespace qapfw::uaflp
