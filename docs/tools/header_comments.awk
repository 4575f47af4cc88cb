# SPDX-License-Identifier: Apache-2.0
# Filter of Doxygen for the public headers: their comments as Doxygen marks them. The first comment of a file is about the
# file; one behind a declaration is about that declaration; any other about what follows.
# Doxygen takes file:line:column for an address.
{ gsub(/file:line:column/, "file, line, column") }
FNR == 1 { head = 1; cpp_head = 0; inside_block = 0 }
/SPDX-License-Identifier/ { print ""; next }
# Heads of C++ headers: lines of // up to the first other line.
head && /^\/\/ / {
    print cpp_head ? "/// " substr($0, 4) : "/// \\file\n/// " substr($0, 4)
    cpp_head = 1
    next
}
head && /^\/\/$/ { print "///"; next }
head && cpp_head { head = 0 }
head && /^\/\* / { sub(/^\/\* /, "/** \\file\n * "); head = 0; print; next }
/^#/ { head = 0 }
# The first member of every table means the same.
/^ *uint32_t struct_size;$/ { print $0 " /**< Bytes of this struct as its maker was compiled: members beyond are absent. */"; next }
# Several members in one declaration: the comment behind it is about each.
/^ *[A-Za-z_][A-Za-z_0-9:<> *]* [A-Za-z_0-9]+( = [^,;]*|[{][^,;]*[}])?(, [A-Za-z_0-9]+( = [^,;]*|[{][^,;]*[}])?)+; *(\/\/\/<|\/\*) / {
    comment = $0
    sub(/^[^;]*; *(\/\/\/<|\/\*) */, "", comment)
    sub(/ *\*\/$/, "", comment)
    count = split(substr($0, 1, index($0, ";") - 1), names, /, /)
    type = names[1]
    sub(/ [A-Za-z_0-9]+( = .*|[{].*)?$/, "", type)
    line = ""
    for (k = 1; k <= count; ++k) line = line (k == 1 ? "" : " " type " ") names[k] "; /**< " comment " */"
    print line
    next
}
# C comments.
/^[ \t]*\/\* / { sub(/\/\* /, "/** "); print; next }
/[;,{] *\/\* / { sub(/\/\* /, "/**< "); print; next }
/^ *[A-Z0-9_]+ = [0-9]+ *\/\* / { sub(/\/\* /, "/**< "); print; next }
{ print }
