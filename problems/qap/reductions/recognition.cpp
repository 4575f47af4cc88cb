// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/recognition.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <system_error>

#include "problems/qap/instances/generators.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "problems/qap/reductions/board.hpp"
#include "problems/qap/reductions/reduced_instance.hpp"

namespace qapfw::qap {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHead = 4096;  // bytes that tell a format

constexpr std::array kTsplibKeywords{"NAME",
                                     "TYPE",
                                     "COMMENT",
                                     "DIMENSION",
                                     "CAPACITY",
                                     "GRAPH_TYPE",
                                     "EDGE_TYPE",
                                     "EDGE_WEIGHT_TYPE",
                                     "NODE_TYPE",
                                     "NODE_COORD_TYPE",
                                     "EDGE_WEIGHT_FORMAT"};

std::string head_of(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    std::string head(kHead, '\0');
    in.read(head.data(), static_cast<std::streamsize>(head.size()));
    head.resize(static_cast<std::size_t>(in.gcount()));
    return head;
}

bool is_tsplib_keyword(std::string_view word) {
    word = word.substr(0, word.find(':'));
    return std::find(kTsplibKeywords.begin(), kTsplibKeywords.end(), word) != kTsplibKeywords.end();
}

/// What the file's ending promises; nothing where it promises nothing.
std::optional<Recognised> by_extension(const fs::path& path) {
    std::string extension = path.extension().string();
    for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (extension == ".csv") return Recognised{"a CSV file of two matrices"};
    if (extension == ".tsp" || extension == ".atsp") return Recognised{"a TSPLIB file", "reduction=tsp\n"};
    if (extension == ".clq" || extension == ".col") return Recognised{"a DIMACS graph", "reduction=clique\n"};
    if (extension == ".dat") return Recognised{"a QAPLIB file"};
    return std::nullopt;
}

/// What the file's first word says.
std::optional<Recognised> by_content(const fs::path& path) {
    const std::string head = head_of(path), source = path.string();
    TextScanner scanner(head, source);
    const std::optional<Token> first = scanner.next();
    if (!first) return std::nullopt;
    const std::string_view word = first->text;
    if (is_tsplib_keyword(word)) return Recognised{"a TSPLIB file", "reduction=tsp\n"};
    if (word == "c" || word == "p") return Recognised{"a DIMACS graph", "reduction=clique\n"};
    const bool number = std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    return number ? std::optional(Recognised{"a QAPLIB file"}) : std::nullopt;
}

std::optional<Recognised> recognise_file(const fs::path& path) {
    // A TSPLIB or DIMACS file says so in its first word whatever it is called; a matrix may be called anything else.
    const std::optional<Recognised> content = by_content(path), ending = by_extension(path);
    if (content && !content->parameters.empty()) return content;
    return ending ? ending : content;
}

/// The first file of each place that the reference names.
std::vector<fs::path> named_files(const std::string& reference, const InstanceSearch& search) {
    std::vector<fs::path> files;
    for (const FilePlaces& places : {FilePlaces{}, kTsplibPlaces, kDimacsPlaces}) {
        const auto file = find_file(reference, search, places);
        if (file && std::find(files.begin(), files.end(), *file) == files.end()) files.push_back(*file);
    }
    return files;
}

}  // namespace

std::vector<Recognised> recognise_instance(const std::string& reference, const InstanceSearch& search) {
    std::vector<Recognised> ways;
    for (const fs::path& file : named_files(reference, search)) {
        std::error_code error;
        if (!fs::is_regular_file(file, error)) continue;
        if (auto way = recognise_file(file)) ways.push_back(*std::move(way));
    }
    if (!ways.empty() || reference.find('/') != std::string::npos) return ways;
    if (parse_board(reference)) return {{"a chessboard that is generated"}};
    if (generated_size(reference)) return {{"an instance that is generated"}};
    return {};
}

}  // namespace qapfw::qap
