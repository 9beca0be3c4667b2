# The manual page of sparse_gen, from what `sparse_gen --help` prints: its capitals are the sections.
# awk -v version=1.2.3 -f manual.awk
BEGIN {
    printf ".TH SPARSE_GEN 1 \"\" \"sparse %s\"\n.SH NAME\n", version
}
function verbatim(line) {
    gsub(/\\/, "\\e", line)
    gsub(/-/, "\\-", line)
    gsub(/'/, "\\(aq", line)
    gsub(/\^/, "\\(ha", line)
    gsub(/~/, "\\(ti", line)
    gsub(/`/, "\\(ga", line)
    print (line ~ /^[.']/ ? "\\&" : "") line
}
NR == 1 { sub(/:/, " \\-"); print; print ".SH SYNOPSIS"; print ".nf"; next }
/^Prints the storage/ { print ".fi"; print ".SH DESCRIPTION"; print ".nf" }
/^[A-Z][A-Z][A-Z ]*( |$)/ {
    name = $0
    rest = ""
    if (match($0, /   +/)) { name = substr($0, 1, RSTART - 1); rest = substr($0, RSTART) }
    print ".fi"
    print ".SH " name
    print ".nf"
    if (rest != "") verbatim("   " rest)
    next
}
{ verbatim($0) }
END { print ".fi" }
