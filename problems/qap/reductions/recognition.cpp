// SPDX-License-Identifier: Apache-2.0
#include "problems/qap/reductions/recognition.hpp"

#include <algorithm>
#include <array>
#include <system_error>

#include "problems/qap/instances/generators.hpp"
#include "problems/qap/instances/table_text.hpp"
#include "problems/qap/instances/text_scanner.hpp"
#include "problems/qap/reductions/board.hpp"
#include "problems/qap/reductions/reduced_instance.hpp"
#include "qapfw/error.hpp"

namespace qapfw::qap {
namespace {

namespace fs = std::filesystem;

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

/// `head`: the first bytes of a file that begins with lines "c ...". True if the first other line begins with "p", or
/// if `head` has no other line. If false, the "c" lines are comments of another format, such as QAPLIB.
bool is_dimacs(const std::string& head, const std::string& source) {
    TextScanner scanner(head, source);
    uint32_t line = 0;
    while (const std::optional<Token> token = scanner.next()) {
        if (token->at.line == line) continue;
        line = token->at.line;
        if (token->text == "p") return true;
        if (token->text != "c") return false;
    }
    return true;  // only comments, in the part that was read
}

bool is_tsplib_keyword(std::string_view word) {
    word = word.substr(0, word.find(':'));
    return std::find(kTsplibKeywords.begin(), kTsplibKeywords.end(), word) != kTsplibKeywords.end();
}

/// The kind of file that the extension stands for; nothing for unknown extensions.
std::optional<Recognised> by_extension(const fs::path& path) {
    const std::string extension = text_extension(path);
    if (extension == ".csv" || extension == ".tsv" || extension == ".tab") return Recognised{"a table of two matrices"};
    if (extension == ".tsp" || extension == ".atsp") return Recognised{"a TSPLIB file", "reduction=tsp\n"};
    if (extension == ".clq" || extension == ".col") return Recognised{"a DIMACS graph", "reduction=clique\n"};
    if (extension == ".dat") return Recognised{"a QAPLIB file"};
    return std::nullopt;
}

/// Recognises the kind of a file by the first words of its text. Returns nothing if the content is unknown.
std::optional<Recognised> by_content(const fs::path& path) {
    std::string head;
    try {
        head = read_text_head(path);
    } catch (const Error& error) {
        // The file may be a workbook or an archive. When it is read as an instance, an error message says what to do.
        return error.kind() == ErrorKind::kInput ? std::optional(Recognised{"a file that is no text"}) : std::nullopt;
    }
    const std::string source = path.string();
    TextScanner words(head, source);
    const std::optional<Token> word = words.next();
    if (!word) return std::nullopt;
    if (word->text.starts_with("%%MatrixMarket")) return Recognised{"a MatrixMarket matrix"};
    if (is_tsplib_keyword(word->text)) return Recognised{"a TSPLIB file", "reduction=tsp\n"};
    if (word->text == "p" || (word->text == "c" && is_dimacs(head, source)))
        return Recognised{"a DIMACS graph", "reduction=clique\n"};
    TextScanner scanner(head, source, TextScanner::Commas::kPartOfToken, TextScanner::Comments::kSkipped);
    const std::optional<Token> first = scanner.next();
    if (!first) return std::nullopt;
    const bool number =
        std::all_of(first->text.begin(), first->text.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (number && !is_table_text(head)) return Recognised{"a QAPLIB file"};
    // A text without numbers, such as a sentence with a comma, is no matrix. But if names fill `head`, numbers may
    // follow in the rest of the file.
    const bool numbers = head.size() >= kHeadBytes || head.find_first_of("0123456789") != std::string::npos;
    return numbers && is_table_text(head) ? std::optional(Recognised{"a table of two matrices"}) : std::nullopt;
}

/// True for files in the formats of problem gqap, which also begin with numbers.
bool is_of_gqap(const fs::path& path) {
    const std::string extension = text_extension(path);
    return extension == ".gqap" || extension == ".qsap" || extension == ".gap";
}

/// True if a row begins with the cell "plant": the file describes a layout.
bool speaks_of_a_plant(const fs::path& path) {
    std::string head;
    try {
        head = read_text_head(path);
    } catch (const Error&) {
        return false;
    }
    for (std::size_t at = head.find("plant"); at != std::string::npos; at = head.find("plant", at + 1)) {
        const bool begins_line = at == 0 || head[at - 1] == '\n';
        const char next = at + 5 < head.size() ? head[at + 5] : ' ';
        if (begins_line && (next == ',' || next == ';' || next == '\t')) return true;
    }
    return false;
}

std::optional<Recognised> recognise_file(const fs::path& path) {
    if (is_of_gqap(path) || speaks_of_a_plant(path)) return std::nullopt;
    // If the text begins as a TSPLIB or DIMACS file does, the text decides. Otherwise a known extension decides. For
    // an unknown extension the text decides again, since files with matrices may have any extension.
    const std::optional<Recognised> content = by_content(path), ending = by_extension(path);
    if (content && !content->parameters.empty()) return content;
    return ending ? ending : content;
}

/// The files that the reference may mean: at most one for each of the formats QAPLIB, TSPLIB and DIMACS.
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
