# calls.awk: which function calls which, in C headers formatted as those of the kit, as a Matrix Market graph.
#
#     awk -f examples/data/calls.awk sparse_formats.h sparse_io.h > calls.mtx
#     awk -v names=1 -f examples/data/calls.awk sparse_formats.h sparse_io.h > calls.txt
#
# Vertices are functions in the order of their definitions; i j is a call of function j by function i.
/^[A-Za-z].* \**sparse_[a-z0-9_]*\(/ && !/;$/ && !/^typedef/ {
    match($0, /sparse_[a-z0-9_]*\(/)
    caller = substr($0, RSTART, RLENGTH - 1)
    if (!(caller in number)) number[name[++count] = caller] = count
    $0 = substr($0, RSTART + RLENGTH)
}
caller {
    text = $0
    while (match(text, /sparse_[a-z0-9_]*\(/)) {
        calls[++total] = caller " " substr(text, RSTART, RLENGTH - 1)
        text = substr(text, RSTART + RLENGTH)
    }
}
/^}/ || (/}$/ && /^[A-Za-z]/) { caller = "" }
END {
    for (n = 1; names && n <= count; n++) print name[n]
    if (names) exit
    for (c = 1; c <= total; c++) {
        split(calls[c], pair, " ")
        if (pair[2] in number && pair[1] != pair[2] && !seen[calls[c]]++) edge[++edges] = number[pair[1]] " " number[pair[2]]
    }
    print "%%MatrixMarket matrix coordinate pattern general"
    print "% calls among the functions of sparse_formats.h and sparse_io.h, of an early version; made by calls.awk"
    print count, count, edges
    for (e = 1; e <= edges; e++) print edge[e]
}
