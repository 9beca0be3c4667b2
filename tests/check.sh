#!/bin/sh
# check.sh LOG COMMAND...: runs a test, keeps what it prints in LOG, and shows its last line.
#
# A test ends with the line `name: N passed, N failed` or `name: N passed, N failed, N skipped`. If it does not, or
# if its exit status is not 0, it counts as one failed check: it did not compile, or it crashed. If the directory of
# the log has a file `cannot`, its configuration does not work on this machine, and the test is skipped.
#
# LOG.seconds gets the processor time of the test; `make times` shows it.
#
# check.sh -s LOG...: prints what was skipped, then each test that failed with the end of its log, then the sum over
# the logs, as `N passed, N failed, N skipped`. Fails if a check failed or if nothing passed.
# check.sh -t LOG...: prints the processor time of each test, the longest first, and the sum.
if [ "$1" = -t ]; then
    shift
    for log; do echo "$log.seconds"; done | xargs awk '
        { split($1 "m" $2, part, "m"); seconds = 60 * part[1] + part[2] + 60 * part[3] + part[4] }
        FNR == 2 { sum += seconds; sub(/\.log\.seconds$/, "", FILENAME); printf "%8.1f %s\n", seconds, FILENAME | "sort -rn" }
        END { close("sort -rn"); printf "%8.1f seconds of the processors in %d logs\n", sum, NR / 2 }'
    exit
fi
# what a failed test said: the first errors of a compiler, or the lines before the last
complaint() { { grep -m 3 'error:' "$1" || tail -n "$2" "$1" | sed '$d'; } | cut -c 1-160 | sed 's/^/    /'; }
if [ "$1" = -s ]; then
    shift
    grep -h 'skipped' "$@" | grep -v '^[^ ]*: [0-9]* passed' | sort | uniq -c |
        sed 's/^ *1 /  /; s/^ *\([0-9][0-9]*\) \(.*\)/  \2 (\1 times)/'
    for log; do
        tail -n 1 "$log" | grep -q ', 0 failed' || { echo "  failed: ${log%.log}" && complaint "$log" 12; }
    done
    awk 'function add() { split(last, word, " "); passed += word[2]; failed += word[4]; skipped += word[6] }
        FNR == 1 && NR > 1 { add() } { last = $0 }
        END { add(); printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped; exit failed > 0 || !passed }' "$@"
    exit
fi
log=$1 name=${1##*/} configuration=${1%/*}
name=${name%.log} configuration=${configuration#build/}
shift
summary='^[A-Za-z0-9_.-]*: [0-9]* passed, [0-9]* failed\(, [0-9]* skipped\)\{0,1\}$'
if [ -e "${log%/*}/cannot" ]; then
    { echo "$configuration: $name is skipped, $(cat "${log%/*}/cannot")" && echo "$name: 0 passed, 0 failed, 1 skipped"; } >"$log"
else
    "$@" >"$log" 2>&1
    status=$?
    times >"$log.seconds" # of this shell and of its children: "0m1.2s 0m0.3s"
    last=$(tail -n 1 "$log")
    case $(printf '%s\n' "$last" | grep -c "$summary")$status in
    10) ;;
    1*) case $last in *", 0 failed"*) echo "$name: 0 passed, 1 failed" >>"$log" ;; esac ;;
    *) echo "$name: 0 passed, 1 failed" >>"$log" ;;
    esac
    case $(tail -n 1 "$log") in
    *", 0 failed"*) ;;
    *) complaint "$log" 4 ;;
    esac
fi
printf '%-16s %s\n' "$configuration" "$(tail -n 1 "$log")"
