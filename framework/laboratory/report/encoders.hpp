// SPDX-License-Identifier: Apache-2.0
// Text from users' files, encoded for each format of a report. Nothing in an encoded text can become markup, a script,
// a command or a formula. All writers of these formats use these functions; CSV has a function of its own in
// study/csv.hpp.
#pragma once

#include <string>
#include <string_view>

namespace qapfw::framework::laboratory {

/// Escapes a text for use in an HTML element or attribute.
std::string html_text(std::string_view text);
/// JSON for a script element of a page: nothing in it ends the element or begins a comment.
std::string json_in_script(std::string_view json);
/// Returns an SVG drawing as a data URL for an image. Browsers run no script in an image and load nothing for it.
std::string svg_image_address(std::string_view svg);
std::string base64(std::string_view bytes);

/// Text for a LaTeX document, on one line.
std::string latex_text(std::string_view text);
/// Several lines of text for a LaTeX column of fixed width, in typewriter type.
std::string latex_lines(std::string_view text);
/// Text for a LaTeX comment, without line breaks, so that all of it stays in the comment.
std::string latex_comment(std::string_view text);

/// Text for Markdown, in a table's cell or a heading. Line ends become <br>. Markup and HTML in the text are escaped.
std::string markdown_text(std::string_view text);
/// Returns the text as one line of Markdown that shows as a paragraph, never as a heading or a list.
std::string markdown_paragraph(std::string_view text);

/// Text to be put between quotes in an .info file of IOHprofiler. This format has no escapes, so double quotes become '
/// and line ends become spaces.
std::string ioh_text(std::string_view text);

}  // namespace qapfw::framework::laboratory
