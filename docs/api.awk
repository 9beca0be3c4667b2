# api.awk: the API page from the comments of the headers: awk -f docs/api.awk sparse_formats.h sparse.h sparse_io.h > docs/api.md
# What is public is declared in part I of sparse_formats.h and in front of the implementation of sparse_io.h: functions and
# types that begin with sparse_ but not with sparse_p_. A comment belongs to the declarations behind it, up to a blank line.
function shown(text) { gsub(/[ \t]+/, " ", text); gsub(/ ?SPARSE_(NODISCARD|API|P_API_COLD|UNUSED|P_INLINE)/, "", text)
    gsub(/^ +| +$/, "", text); sub(/^static inline /, "", text); sub(/;$/, "", text); return text }
function name_of(text,    name) {
    if (match(text, /sparse_[a-z][a-z0-9_]*\(/)) return substr(text, RSTART, RLENGTH - 1)
    return "" }
function escaped(text) { gsub(/\*/, "\\*", text); gsub(/</, "\\&lt;", text); return text }
# the comment as paragraphs: lines that are indented further are text as it is
function put_comment(    n, line, lines, plain) {
    lines = split(comment, line, "\n"); plain = 1
    for (n = 1; n <= lines; n++) {
        if (line[n] ~ /^    /) { if (plain) print ""; plain = 0; print line[n]; continue }
        if (!plain && line[n] != "") print ""
        plain = 1; print escaped(line[n])
    }
    print "" }
function put_heading() {
    if (section != "" && section != headed) { print "## " section "\n"; headed = section } }
function declare(text,    name) {
    name = name_of(text)
    if (name == "" || name ~ /^sparse_p_/ || (name in done) || section ~ /^level /) return # verbs of level types: >>levels
    done[name] = 1; put_heading()
    print "### " name "\n"
    print "    " shown(text) "\n"
    if (comment != "") { put_comment(); comment = "" } else print "Documented with the name above.\n" }
function define_type(text, name) {
    if (name ~ /^sparse_p_/ || name !~ /^sparse_/ || (name in done)) return
    done[name] = 1; put_heading()
    print "### " name "\n"
    n = split(text, line, "\n")
    for (k = 1; k <= n; k++) if (line[k] != "") print "    " line[k]
    print ""
    if (comment != "") { put_comment(); comment = "" } }
BEGIN {
    print "# API reference\n"
    print "Every public function and type: its declaration, and the comment that stands over it in the header. Made by"
    print "`make api` from `sparse_formats.h` and `sparse_io.h`. Results that begin with `E_` are those of"
    print "[errors.md](errors.md), without `SPARSE_`. [kernels.md](kernels.md) describes `SPARSE_KERNEL`;"
    print "[encodings.md](encodings.md) describes `SPARSE_TENSOR` and the functions that it defines for each type, such as"
    print "`csr_pack`; [howto](howto/README.md) has a program for each task.\n" }
FNR == 1 { public = FILENAME !~ /lattice/; section = ""; depth = 0; comment = "" }
/^\/\* =====/ && FILENAME ~ /formats/ { public = 0 }
/^#if SPARSE_P_DEFINED/ && FILENAME ~ /io/ { public = 0 }
!public { next }
/^#if SPARSE_P_DEFINED/ { skip = 1 }
skip && /^#endif/ { skip = 0; next }
skip { next }
/^\/\*/ && !depth {
    text = $0
    while (text !~ /\*\// && (getline more) > 0) text = text "\n" more
    if (match(text, /^\/\* >>[a-z ,]+/)) { section = substr(text, 6, RLENGTH - 5); sub(/ +$/, "", section); sub(/, defined.*/, "", section) }
    sub(/^\/\* ?(>>[^\n]*\n? *)?/, "", text); sub(/ *\*\/.*$/, "", text); gsub(/\n   /, "\n", text); comment = text; next }
/^[ \t]*$/ { comment = ""; next }
/^typedef/ && /[{(]/ || /^typedef/ {
    text = $0
    while (text !~ /;[ \t]*(\/\*.*\*\/)?$/ || (text ~ /\{/ && text !~ /\n?\}[^}]*;/)) { if ((getline more) <= 0) break; text = text "\n" more }
    name = text; sub(/;[^;]*$/, "", name)
    if (match(name, /\(?\*?sparse_[a-z0-9_]+\)?\([^()]*\)$/)) { name = substr(name, RSTART, RLENGTH); gsub(/[(*]/, " ", name); sub(/^ +/, "", name); sub(/[ )].*/, "", name) }
    else { sub(/.*[ }*]/, "", name) }
    define_type(text, name); next }
/^(SPARSE_NODISCARD|SPARSE_API|SPARSE_P_API_COLD|SPARSE_UNUSED|static inline|SPARSE_P_INLINE)/ {
    text = $0
    while (text !~ /[;{]/) { if ((getline more) <= 0) break; sub(/^ +/, " ", more); text = text more }
    body = text ~ /\{/; brace = text
    sub(/ *\{.*$/, "", text)
    declare(text)
    if (body && brace !~ /\}/) while ((getline more) > 0 && more !~ /^\}/) { }
    next }
