# api.awk: the API page from the comments of the headers: awk -f docs/api.awk sparse_formats.h sparse.h sparse_io.h > docs/api.md
# What is public is declared in part I of sparse_formats.h and in front of the implementation of sparse_io.h: functions and
# types that begin with sparse_ but not with sparse_p_. A comment belongs to the declarations behind it, up to a blank line.
function shown(text) { gsub(/[ \t]+/, " ", text); gsub(/ ?SPARSE_(NODISCARD|API|P_API_COLD|UNUSED|P_INLINE)/, "", text)
    gsub(/^ +| +$/, "", text); sub(/^static inline /, "", text); sub(/;$/, "", text); return text }
function name_of(text,    name) {
    if (match(text, /sparse_[a-z][a-z0-9_]*\(/)) return substr(text, RSTART, RLENGTH - 1)
    return "" }
function put(text) { page = page text "\n" }
# a declaration, the arguments of a long one over several lines
function put_declaration(text,    n, part, k, line, indent) {
    if (length(text) <= 100) { put("    " text "\n"); return }
    n = split(text, part, /, /)
    indent = index(text, "(")
    if (!indent) indent = index(text, "{") + 1
    if (indent > 60) indent = 4
    line = part[1]
    for (k = 2; k <= n; k++) {
        if (length(line ", " part[k]) > 99) { put("    " line ","); line = sprintf("%" indent "s", "") part[k] }
        else line = line ", " part[k]
    }
    put("    " line "\n") }
function plain_text(text) { gsub(/\*/, "\\*", text); gsub(/</, "\\&lt;", text); return text }
# prose: names of the kit as code, where the comment has not marked them so
function escaped(text,    n, part, k, out, before, name) {
    n = split(text, part, "`")
    for (k = 1; k <= n; k += 2) {
        out = ""; before = ""
        while (match(part[k], /(sparse_[a-z0-9_]*[a-z0-9]|(SPARSE|E)_[A-Z0-9_]*[A-Z0-9])(\([^()]*\))?/)) {
            name = substr(part[k], RSTART, RLENGTH)
            if (RSTART > 1) before = substr(part[k], RSTART - 1, 1)
            out = out plain_text(substr(part[k], 1, RSTART - 1)) (before ~ /[A-Za-z0-9_]/ ? substr(part[k], RSTART, RLENGTH) : "`" name "`")
            before = substr(part[k], RSTART + RLENGTH - 1, 1)
            part[k] = substr(part[k], RSTART + RLENGTH)
        }
        part[k] = out plain_text(part[k])
    }
    text = part[1]
    for (k = 2; k <= n; k++) text = text "`" part[k]
    return text }
# the comment as paragraphs: lines that are indented are text as it is
function put_comment(    n, line, lines, plain, base) {
    lines = split(comment, line, "\n"); plain = 1
    for (n = 1; n <= lines; n++) {
        if (line[n] ~ /^ /) {
            if (plain) { match(line[n], /^ +/); base = RLENGTH; if (n == 1 || line[n - 1] != "") put("") }
            plain = 0
            put("    " substr(line[n], base + 1))
            continue
        }
        if (!plain && line[n] != "") put("")
        plain = 1; put(escaped(line[n]))
    }
    put("") }
function put_heading() {
    if (section != "" && section != headed) { put("## " toupper(substr(section, 1, 1)) substr(section, 2) "\n"); headed = section } }
function declare(text,    name) {
    name = name_of(text)
    if (name == "" || name ~ /^sparse_p_/ || (name in done) || section ~ /^level /) return # verbs of level types: >>levels
    done[name] = 1; put_heading()
    put("### " name "\n")
    put_declaration(shown(text))
    if (comment != "") { put_comment(); comment = "" } else put("Documented with the name above.\n") }
# An enumeration may take its names from the rows of a table. They are printed in place of TABLE(MACRO), except for
# sparse_result, whose names errors.md lists.
function spelled(text, name,    table, n, row, k, first, last, longest, cell, columns) {
    if (name == "sparse_result") return "typedef enum sparse_result { SPARSE_OK, ... } sparse_result;"
    if (!match(text, /SPARSE_[A-Z_]+\(SPARSE_P_[A-Z_]+\)/)) return text
    table = substr(text, RSTART, index(substr(text, RSTART), "(") - 1)
    first = substr(text, 1, RSTART - 1); last = substr(text, RSTART + RLENGTH)
    sub(/^typedef enum .*\{ */, "", first); sub(/ *\}.*$/, "", last); sub(/SPARSE_P_[A-Z_]+/, "", last)
    gsub(/[ ,]/, "", first); gsub(/[ ,]/, "", last)
    text = "typedef enum " name " {\n" (first != "" ? "    " first ",\n" : "")
    n = split(rows[table], row, "\n")
    for (k = 1; k < n; k++) { columns = index(row[k], "\t"); if (columns > longest) longest = columns }
    for (k = 1; k < n; k++) {
        split(row[k], cell, "\t")
        text = text sprintf("    %-" longest "s /* %s */\n", cell[1] ",", cell[2])
    }
    return text (last != "" ? "    " last "\n" : "") "} " name ";" }
function define_type(text, name,    n, k, line) {
    if (name ~ /^sparse_p_/ || name !~ /^sparse_/ || (name in done)) return
    done[name] = 1; put_heading()
    put("### " name "\n")
    if (text !~ /\n/) text = spelled(text, name)
    if (text !~ /\n/) put_declaration(text)
    else n = split(text, line, "\n")
    for (k = 1; k <= n; k++) if (line[k] != "") put("    " line[k])
    if (n) put("")
    if (name == "sparse_result") put("0 is success. [errors.md](errors.md) lists the others, with what to do about each.\n")
    if (comment != "") { put_comment(); comment = "" } }
BEGIN {
    put("# API reference\n")
    put("Every public function and type: its declaration, and the comment that stands over it in the header. Made by")
    put("`make api` from `sparse_formats.h` and `sparse_io.h`. `E_RANK` is short for `SPARSE_E_RANK`;")
    put("[errors.md](errors.md) explains each result. [kernels.md](kernels.md) describes `SPARSE_KERNEL`;")
    put("[encodings.md](encodings.md) describes `SPARSE_TENSOR` and the functions that it defines for each type, such as")
    put("`csr_pack`; [howto](howto/README.md) has a program for each task.\n") }
# links: in each entry, the first of each name that has an entry too
END {
    n = split(page, line, "\n")
    for (k = 1; k < n; k++) {
        if (line[k] !~ /^(    |#)/) {
            out = ""
            while (match(line[k], /`sparse_[a-z0-9_]+(\([^`]*\))?`/)) {
                name = substr(line[k], RSTART + 1, RLENGTH - 2); sub(/\(.*/, "", name)
                linked = substr(line[k], RSTART, RLENGTH)
                if (name in done && name != entry && !((entry, name) in seen)) linked = "[" linked "](#" name ")"
                seen[entry, name] = 1
                out = out substr(line[k], 1, RSTART - 1) linked
                line[k] = substr(line[k], RSTART + RLENGTH)
            }
            line[k] = out line[k]
        } else if (line[k] ~ /^### /) entry = substr(line[k], 5)
        print line[k]
    } }
FNR == 1 { public = FILENAME !~ /lattice/; section = ""; depth = 0; comment = "" }
/^\/\* =====/ && FILENAME ~ /formats/ { public = 0 }
/^#if SPARSE_P_DEFINED/ && FILENAME ~ /io/ { public = 0 }
!public { next }
/^#define SPARSE_[A-Z_]+\(X(, Y)?\)/ { table = $2; sub(/\(.*/, "", table)
    if (match($0, /SPARSE_[A-Z_]+\(X, X\)/)) { other = substr($0, RSTART, RLENGTH); sub(/\(.*/, "", other); rows[table] = rows[other] } }
/^ +[XY]\([A-Z_0-9]+, / { row = $0; sub(/^ +[XY]\(/, "", row); name = row; sub(/,.*/, "", name); sub(/^[^,]*, /, "", row)
    if (row ~ /^"/) { row = substr(row, 2); sub(/".*/, "", row) } else sub(/,.*/, "", row)
    rows[table] = rows[table] name "\t" row "\n"; next }
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
