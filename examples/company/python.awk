# python.awk: turns the output of sparse_gen into a C file for `make python`: adds PYTHON_KERNEL lines.
/^#define [A-Z0-9_]* [a-z]/ { type[$2] = substr($3, 1, length($3) - 1) }
/^SPARSE_KERNEL\(/ { line = ""; kernels++ }
kernels && !signature { line = line " " $0 }
/static inline sparse_result/ { signature = $0 }
{ print }
END {
    if (signature != "") {
        name = signature
        sub(/.*sparse_result /, "", name)
        arguments = substr(name, index(name, "(") + 1)
        sub(/\(.*/, "", name)
        gsub(/const |\).*| \*[A-Za-z0-9_]*/, "", arguments)
    } else {
        name = substr(line, index(line, "(") + 1)
        sub(/,.*/, "", name)
        count = split(line, word, /[(), ]+/)
        for (n = 1; n <= count; n++)
            if (word[n] in type) arguments = arguments (arguments == "" ? "" : ", ") type[word[n]]
        if (line ~ /, double\)/) arguments = arguments " double"
    }
    if (arguments ~ /double/) {
        print "python.awk: a scalar is not an operand of a kernel for Python" > "/dev/stderr"
        exit 1
    }
    print "#include \"python.h\""
    print "PYTHON_KERNEL(" name ", " arguments ")"
}
