# stack.awk: reads the call graph of gcc -fcallgraph-info=su. Prints as rows of a table the most bytes of stack that each
# public function and each call_kernel takes, with all functions that it calls, except hooks. A recursive function counts
# once, and is named at the end.
function titled(what) { match($0, what ": \"[^\"]*\""); return substr($0, RSTART + length(what) + 3, RLENGTH - length(what) - 4) }
function deepest(f,    n, i, d, most, list) {
    if (f in busy) { again[f] = 1; return 0 }
    if (f in done) return done[f]
    busy[f] = 1; most = 0
    n = split(calls[f], list, " ")
    for (i = 1; i <= n; i++) { d = deepest(list[i]); if (d > most) most = d }
    delete busy[f]
    return done[f] = own[f] + most }
/^node:/ && match($0, /[0-9]+ bytes/) { bytes = substr($0, RSTART, RLENGTH) + 0; own[titled("title")] = bytes }
/^edge:/ { calls[titled("sourcename")] = calls[titled("sourcename")] " " titled("targetname") }
END {
    for (f in own) {
        name = f; sub(/.*:/, "", name)
        if (name !~ /^sparse_[a-z0-9_]*$/ && name !~ /^call_/ || name ~ /^sparse_p_/) continue
        if (name ~ /_(validate|extent)$/ && name != "sparse_validate") continue # of a level type
        bytes = deepest(f); sub(/^call_/, "kernel ", name)
        printf "| `%s` | %d |\n", name, bytes | "sort -t'|' -k3,3nr -k2,2" }
    close("sort -t'|' -k3,3nr -k2,2")
    for (f in again) { sub(/.*:/, "", f); print "recursive: " f } }
