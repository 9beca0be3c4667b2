# messages.awk: every sentence that sparse_gen.c can say of what it is given, as an extended regular expression for
# the first line of what it prints, one a line. A sentence is a string of three words or more, of refuse(...), of a print
# to stderr, or that is returned as a reason or kept for a refusal; parts of a string that are printed into it match
# anything.
function pattern(string) {
    gsub(/\\"/, "\"", string)
    gsub(/\\n.*/, "", string)
    gsub(/[][(){}.*+?^$|\\]/, "[&]", string)
    gsub(/\[\^\]/, "\\^", string)
    gsub(/%%/, "%", string)
    gsub(/%(\[[.]\](\[[*]\])?)?[0-9]*[lz]*[a-z]/, ".*", string)
    return string
}
function statement(text, string, rest) { # strings side by side are one
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
