// SPDX-License-Identifier: Apache-2.0
#include "framework/laboratory/report/encoders.hpp"

#include <doctest/doctest.h>

using namespace qapfw::framework;
using namespace qapfw::framework::laboratory;

TEST_CASE("text in HTML never becomes markup") {
    CHECK(html_text("a <b onclick='x'> & \"c\"") == "a &lt;b onclick=&#39;x&#39;&gt; &amp; &quot;c&quot;");
    CHECK(html_text("größe") == "größe");
}

TEST_CASE("JSON in a script neither ends it nor begins a comment") {
    CHECK(json_in_script(R"({"a":"</script><!--"})") == R"({"a":"\u003c/script\u003e\u003c!--"})");
}

TEST_CASE("base64 is that of RFC 4648") {
    CHECK(base64("").empty());
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foo") == "Zm9v");
    CHECK(base64("foobar") == "Zm9vYmFy");
    CHECK(base64("\xff\xfe\xfd") == "//79");
    CHECK(svg_image_address("<svg/>") == "data:image/svg+xml;base64,PHN2Zy8+");
}

TEST_CASE("text in LaTeX never becomes a command, and stays on its line") {
    CHECK(latex_text("50 % of {a_b}\\c") == "50 \\% of \\{a\\_b\\}\\textbackslash{}c");
    CHECK(latex_text("a\nb\tc\x01") == "a b c ");
    CHECK(latex_text("[5pt]*\"<|>") == "{[}5pt{]}{*}\\char34{}\\textless{}\\textbar{}\\textgreater{}");
    CHECK(latex_text("-∞ ± 1 × 2") == "-$\\infty$ $\\pm$ 1 $\\times$ 2");
    CHECK(latex_text("x^^M~#&$") == "x\\textasciicircum{}\\textasciicircum{}M\\textasciitilde{}\\#\\&\\$");
    CHECK(latex_lines("[run]\n  seed = 1_0\n\nx") ==
          "\\texttt{{[}run{]}}\\newline\n\\texttt{~~seed = 1\\_0}\\newline\n\\texttt{}\\newline\n\\texttt{x}");
    CHECK(latex_lines("").empty());
    CHECK(latex_comment("a\n\\input{b}\r\x0b\x0c") == "a \\input{b}   ");
}

TEST_CASE("text in Markdown is neither HTML nor markup") {
    CHECK(markdown_text("a|b\n<i>&amp;") == "a\\|b<br>&lt;i&gt;&amp;amp;");
    CHECK(markdown_text("![x](y) *b* _c_ `d` ~e~ $f$ \\|") ==
          "!\\[x\\](y) \\*b\\* \\_c\\_ \\`d\\` \\~e\\~ \\$f\\$ \\\\\\|");
    CHECK(markdown_text("a\r\nb") == "a<br><br>b");
    CHECK(markdown_paragraph("# a\n# b") == "\\# a # b");
    CHECK(markdown_paragraph("-1") == "\\-1");
    CHECK(markdown_paragraph("a # b") == "a # b");
}

TEST_CASE("text in IOHprofiler's files stays in its quotes") {
    CHECK(ioh_text("a \"b\"\n%\tc") == "a 'b' % c");
}
