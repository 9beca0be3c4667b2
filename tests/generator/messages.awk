# messages.awk: lists every error message of sparse_gen.c, one a line, as an extended regular expression for the first line
# of its output. A message is a string of at least three words that is passed to refuse(...), printed to stderr, or returned
# or kept as a reason. Format specifiers match any text.
function pattern(string) {
    gsub(/\\"/, "\"", string)
    gsub(/\\n.*/, "", string)
    gsub(/[][(){}.*+?^$|\\]/, "[&]", string)
    gsub(/\[\^\]/, "\\^", string)
    gsub(/%%/, "%", string)
    gsub(/%(\[[.]\](\[[*]\])?)?[0-9]*[lz]*[a-z]/, ".*", string)
    return string
}
function statement(text, string, rest) { # adjacent strings are joined
    while (match(text, /"([^"\\]|\\.)*"/)) {
        string = string substr(text, RSTART + 1, RLENGTH - 2)
        text = substr(text, RSTART + RLENGTH)
        rest = text
        sub(/^[ \n]*/, "", rest)
        if (rest ~ /^"/) continue
        words = string
        gsub(/%[.0-9*]*[lz]*[a-z]|\\./, "", words)
        if (words ~ /[A-Za-z]+[^A-Za-z]+[a-z]+[^A-Za-z]+[a-z]/) print pattern(string)
        string = ""
    }
}
/^#define|_Noreturn/ { next }
/refuse\(|fprintf\(stderr|fputs\("|sentence(\[\])? =|return .*"[a-z]+ [a-z]+ [a-z]+ [a-z]/ { open = 1; text = "" }
open { text = text $0 "\n" }
open && /;$/ { statement(text); open = 0 }
