// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/encoders.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "framework/host/substitution.hpp"

namespace qapfw::framework::laboratory {
namespace {

/// The text with control characters and line ends replaced by spaces.
std::string on_one_line(std::string_view text) {
    std::string line(text);
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    }
    return line;
}

}  // namespace

std::string html_text(std::string_view text) {
    return with_characters_replaced(text,
                                    {{'<', "&lt;"}, {'>', "&gt;"}, {'&', "&amp;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string json_in_script(std::string_view json) {
    // These characters occur only inside JSON strings, where an escape means the same character.
    return with_characters_replaced(json, {{'<', "\\u003c"}, {'>', "\\u003e"}});
}

std::string svg_image_address(std::string_view svg) {
    return "data:image/svg+xml;base64," + base64(svg);
}

std::string base64(std::string_view bytes) {
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    out.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        const std::size_t there = bytes.size() - k < 3 ? bytes.size() - k : 3;
        std::uint32_t three = 0;
        for (std::size_t b = 0; b < 3; ++b)
            three = three << 8U | (b < there ? static_cast<unsigned char>(bytes[k + b]) : 0U);
        for (std::size_t d = 0; d < 4; ++d) out += d <= there ? kDigits[three >> (18 - 6 * d) & 63U] : '=';
    }
    return out;
}

std::string latex_text(std::string_view text) {
    // Brackets and stars are escaped because they have a special meaning after the \\ that ends a row.
    static const std::map<char, std::string> kEscapes{{'&', "\\&"},
                                                      {'%', "\\%"},
                                                      {'$', "\\$"},
                                                      {'#', "\\#"},
                                                      {'_', "\\_"},
                                                      {'{', "\\{"},
                                                      {'}', "\\}"},
                                                      {'~', "\\textasciitilde{}"},
                                                      {'^', "\\textasciicircum{}"},
                                                      {'\\', "\\textbackslash{}"},
                                                      {'[', "{[}"},
                                                      {']', "{]}"},
                                                      {'*', "{*}"},
                                                      {'"', "\\char34{}"},
                                                      {'<', "\\textless{}"},
                                                      {'>', "\\textgreater{}"},
                                                      {'|', "\\textbar{}"}};
    const std::string escaped = with_characters_replaced(on_one_line(text), kEscapes);
    return with_marks_filled(escaped, {{"∞", "$\\infty$"}, {"±", "$\\pm$"}, {"×", "$\\times$"}});
}

std::string latex_lines(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
        if (!out.empty()) out += "\\newline\n";
        out += "\\texttt{";
        for (std::size_t k = 0; k < indent; ++k) out += '~';
        out += latex_text(line.substr(indent)) + "}";
    }
    return out;
}

std::string latex_comment(std::string_view text) {
    return on_one_line(text);
}

std::string markdown_text(std::string_view text) {
    static const std::map<char, std::string> kEscapes{{'\\', "\\\\"}, {'`', "\\`"},   {'*', "\\*"},   {'_', "\\_"},
                                                      {'[', "\\["},   {']', "\\]"},   {'|', "\\|"},   {'~', "\\~"},
                                                      {'<', "&lt;"},  {'>', "&gt;"},  {'&', "&amp;"}, {'$', "\\$"},
                                                      {'\n', "<br>"}, {'\r', "<br>"}, {'\t', " "}};
    return on_one_line(with_characters_replaced(text, kEscapes));
}

std::string markdown_paragraph(std::string_view text) {
    const std::string line = with_marks_filled(markdown_text(text), {{"<br>", " "}});
    const bool begins_a_block = !line.empty() && std::string_view("#+-=:").find(line.front()) != std::string_view::npos;
    return begins_a_block ? "\\" + line : line;
}

std::string ioh_text(std::string_view text) {
    return with_characters_replaced(on_one_line(text), {{'"', "'"}});
}

}  // namespace qapfw::framework::laboratory
