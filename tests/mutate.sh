#!/bin/bash
# mutate.sh [SEED [COUNT [FILE...]]]: how much the tests see. COUNT times for each FILE (the four headers and the
# generator) one change is made in a copy of the project, drawn by the seed: an operator, a constant, a condition turned
# round, a statement removed; for FILE:rows, in a row of the macros of a header: a word becomes that of the row beside it,
# two items change places, or one is left out. What does not compile, or was made before, is drawn again, and so is a
# change of a function after which the compiler makes the same code as before. Then the tests of that file run until one
# fails, those first that take little and see much: all of them without optimization, which compiles ten times as fast,
# then with 32 bits, then with threads and sanitizers, where the compiler can. Prints each change with its number and the
# test that found it, and a score for each file.
#
# A quick run, with ROUNDS=1 TESTS=9, and then one with ONLY="3 17", the changes that it did not find, take the least time.
# Environment: CC, SPARSE_DATA, SECONDS_EACH (40), of the processor, for a test; ROUNDS and TESTS: of these the first so
# many; ONLY: the numbers of changes, as they were printed for this seed, that alone are made.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} seed=${1:-1} count=${2:-10} home=$PWD each=${SECONDS_EACH:-40} only=" $ONLY "
[ $# -lt 2 ] && shift $# || shift 2
[ $# -gt 0 ] || set -- sparse_lattice.h sparse_lattice.h:rows sparse_formats.h sparse.h sparse.h:rows sparse_io.h sparse_gen.c
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export SPARSE_DATA=${SPARSE_DATA:-$home/../shared/data}
mkdir "$work/kit" "$work/original"
cp -R Makefile README.md docs examples tests bench sparse*.h sparse_gen.c .clang-format "$work/kit" 2>/dev/null
cp sparse*.h sparse_gen.c "$work/original"
cd "$work/kit" || exit 1
# of tables, the generator's tests compile what it did not make before
case " $* " in *" sparse_gen.c "*) export RIGHT=$work/right && $CC -std=c11 -O1 sparse_gen.c -o "$RIGHT" -lm || exit 1 ;; esac
$CC -std=c11 -O1 tests/generate_kernels.c -o "$work/generate_kernels" || exit 1
$CC -ftrack-macro-expansion=0 -E -x c /dev/null >/dev/null 2>&1 && lean=-ftrack-macro-expansion=0 || lean=
all='-fkeep-inline-functions -fkeep-static-functions'
$CC $all -E -x c /dev/null >/dev/null 2>&1 || all=

# the flags of each round, and what makes zlib take part in tests of files, where it is there
printf '#include <zlib.h>\nint main(void) { return !zlibVersion(); }\n' >"$work/zlib.c"
echo 'int main(void) { return 0; }' >"$work/probe.c"
rounds=()
declare -A with_zlib
for flags in -O0 '-O0 -m32 -msse2 -mfpmath=sse' '-g1 -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all'; do
    ! { $CC $flags "$work/probe.c" -o "$work/probe" && "$work/probe"; } >/dev/null 2>&1 || rounds+=("$flags")
    ! $CC $flags "$work/zlib.c" -o "$work/probe" -lz 2>/dev/null || with_zlib[$flags]='-DSPARSE_ZLIB=1 -lz'
done

# tests_of FILE: what may find a change of it, in the order in which they run
tests_of() {
    case $1 in
    sparse_lattice.h) echo golden.sh tables.sh test_kernels test_sums test_workspaces kernels_trees-0-12 kernels_levels-0-12 kernels_blocks-0-6 kernels_derived-0-8 kernels_slices-0-8 kernels_random-0-8 test_outputs test_threads test_layouts compile_fail.sh random_lines.sh counts.sh ;;
    sparse_formats.h) echo test_operations test_conversions test_arrays test_layouts test_levels test_storage test_encodings test_values test_outputs test_sums tables.sh kernels_levels-0-20 kernels_products-0-30 kernels_assembled-0-10 kernels_outputs-0-28 test_threads test_fuzz test_reading test_files test_workspaces golden.sh effort.sh test_kernels checks.sh linkage.sh ;;
    sparse.h) echo golden.sh compile_fail.sh test_kernels test_workspaces test_sums kernels_blocks-0-6 kernels_derived-0-8 kernels_slices-0-8 kernels_assembled-0-10 test_outputs test_threads tables.sh checks.sh linkage.sh random_lines.sh counts.sh ;;
    sparse_io.h) echo test_files test_fuzz test_arrays test_io test_reading linkage.sh ;;
    *) echo generator.sh ;;
    esac
}

# passes TEST FLAGS: of the compiler; within its seconds of the processor
passes() {
    case $1 in
    *.sh*)
        (ulimit -t "$each" && FIRST=1 CC=$CC bash "tests/${1%%:*}" $(echo "$1" | sed 's/[^:]*:*//')) >"$work/said" 2>&1
        return
        ;;
    kernels_*) "$work/generate_kernels" "${1#kernels_}" >"$work/test.c" ;;
    *) cp "tests/$1.c" "$work/test.c" ;;
    esac
    case $1 in test_files | test_fuzz) local zlib=${with_zlib[$2]} ;; *) local zlib= ;; esac
    (ulimit -t $((4 * each)) && $CC -std=c11 -w $lean $2 -I. -Itests "$work/test.c" -o "$work/test" -lm $zlib) >"$work/said" 2>&1 &&
        (ulimit -t "$each" && "$work/test") >"$work/said" 2>&1
}

# finds TEST FLAGS FILE: a change of the file, which is not that the test fails anyway
finds() {
    ! passes "$1" "$2" || return
    [ ! "${sound[$1$2]}" ] || return 0
    cp "$3" "$work/mine" && cp "$work/original/$3" "$3"
    passes "$1" "$2" && sound[$1$2]=1 || echo "$1 fails without a change: $(tail -n 1 "$work/said")"
    cp "$work/mine" "$3"
    [ "${sound[$1$2]}" ]
}

# what is compiled for files of all kinds, threads and compressed files, too
more=-DSPARSE_FILES_ALL=1
for flag in -fopenmp -DSPARSE_ZLIB=1; do
    ! $CC $flag -S -o - "$work/zlib.c" >/dev/null 2>&1 || more="$more $flag"
done

# code_of FILE: what the compiler makes of its functions
code_of() {
    { echo '#include "sparse.h"'; echo '#include "sparse_io.h"'; } >"$work/headers.c"
    case $1 in *.c) set -- "$1" ;; *) set -- "$work/headers.c" ;; esac
    $CC -std=c11 -w $lean $all $more -O2 -I. -S -o "$work/code.s" "$1" && cksum <"$work/code.s"
}

# change FILE NUMBER ROWS: makes one change in the file, and prints it
change() {
    awk -v seed="$2" -v rows="$3" '
        function any(n) { return int(rand() * n) + 1 }
        # the change of s at one of the places that fit, or "" if there is none
        function swapped(s, from, to, at, place, n, start) {
            n = 0
            for (start = 1; (at = index(substr(s, start), from)) > 0; start += at - 1 + length(from)) place[++n] = start + at - 1
            if (!n) return ""
            at = place[any(n)]
            return substr(s, 1, at - 1) to substr(s, at + length(from))
        }
        # the words of what macro m becomes, outside of strings: how many; word[k] at at_line[k], at_column[k]
        function words(m, l, k, column) {
            k = 0
            for (l = first[m]; l <= last[m]; l++) {
                column = l == first[m] ? head[m] : 0
                while (match(substr(line[l], column + 1), /"[^"]*"|[A-Za-z0-9_]+/)) {
                    if (substr(line[l], column + RSTART, 1) != "\"") {
                        word[++k] = substr(line[l], column + RSTART, RLENGTH)
                        at_line[k] = l
                        at_column[k] = column + RSTART
                    }
                    column += RSTART + RLENGTH - 1
                }
            }
            return k
        }
        # Of a row: a word becomes that of the row behind or before, or two items that are side by side are exchanged, or
        # the first of these is left out. True if that can be; then fresh is the line `at`.
        function change_row(m, kind, n, k, other, fit, fits, l) {
            kind = any(3)
            n = words(m)
            fits = 0
            if (kind == 1) {
                other = any(2) == 1 ? m + 1 : m - 1
                if (stem[other] != stem[m] || parameters[other] != parameters[m] || words(other) != n) return 0
                for (k = 1; k <= n; k++) theirs[k] = word[k]
                words(m)
                for (k = 1; k <= n; k++)
                    if (word[k] != theirs[k]) fit[++fits] = k
            } else
                for (k = 1; k < n; k++) {
                    l = substr(line[at_line[k]], 1, at_column[k] - 1)
                    if (at_line[k] == at_line[k + 1] && word[k] != word[k + 1] && l ~ /(\(|, )$/ &&
                        substr(line[at_line[k]], at_column[k]) ~ "^" word[k] ", " word[k + 1] "[,)]")
                        fit[++fits] = k
                }
            if (!fits) return 0
            k = fit[any(fits)]
            at = at_line[k]
            l = line[at]
            fresh = substr(l, 1, at_column[k] - 1)
            if (kind == 1) fresh = fresh theirs[k] substr(l, at_column[k] + length(word[k]))
            else if (kind == 2) fresh = fresh word[k + 1] ", " word[k] substr(l, at_column[k + 1] + length(word[k + 1]))
            else fresh = fresh substr(l, at_column[k + 1])
            return 1
        }
        { line[NR] = $0 }
        # a row: what macro of the engine it is, up to its key, its parameters, and where what it becomes begins
        /^ *#define SPARSE_P_/ {
            match($0, /SPARSE_P_[A-Za-z0-9_]+(\([^)]*\))?/)
            first[++macros] = NR
            head[macros] = RSTART + RLENGTH - 1
            stem[macros] = substr($0, RSTART, RLENGTH)
            parameters[macros] = stem[macros]
            sub(/_[A-Za-z0-9]*(\(.*)?$/, "", stem[macros])
            sub(/^[^(]*/, "", parameters[macros])
        }
        macros && (first[macros] == NR || (last[macros] == NR - 1 && line[NR - 1] ~ /\\$/)) { last[macros] = NR }
        /\/\*/ && !/\*\// { comment = 1 }
        !comment && !/^ *(\/\*|#|\*)/ && /[;{)]/ && !/^[ {}]*$/ { code[++codes] = NR }
        /^ *#define .*[-+<>=&|]/ && !comment { code[++codes] = NR }
        /\*\// { comment = 0 }
        END {
            srand(seed)
            kinds = split(" < ; <= ; > ; >= ; == ; != ; + ; - ; && ; || ;if (;+ 1;- 1; = 0; = 1;++;true;false;STATEMENT; * ; = true", from, ";")
            split(" <= ; < ; >= ; > ; != ; == ; - ; + ; || ; && ;if (!;+ 2;- 2; = 1; = 0;--;false;true;STATEMENT; + ; = false", to, ";")
            for (tries = 0; tries < 1000; tries++) {
                if (rows && !change_row(any(macros))) continue
                if (!rows) at = code[any(codes)]
                kind = any(kinds)
                s = line[at]
                if (!rows && s ~ /SPARSE_P_PREFETCH\(/) continue # a hint, which cannot be wrong
                body = s
                sub(/ *\/\*.*/, "", body)
                if (rows) {
                } else if (from[kind] == "STATEMENT") {
                    if (body !~ "^ +[a-z_][^=(]*( [-+*|&/]?=|[(]).*;$" || body ~ /return|for|while|size_t|const|char|int /) continue
                    match(s, /^ +/)
                    fresh = substr(s, 1, RLENGTH) ";"
                } else {
                    if (s ~ /static_assert|"[^"]*"/) continue
                    fresh = swapped(body, from[kind], to[kind])
                    if (fresh == "" || (from[kind] == "if (" && body !~ /if \([^;]*\) *[a-z{]/)) continue
                    if (from[kind] == "if (") { # the whole condition
                        fresh = substr(body, 1, index(body, "if (") + 3) "!("
                        rest = substr(body, index(body, "if (") + 4)
                        depth = 1
                        for (c = 1; c <= length(rest); c++) {
                            if (substr(rest, c, 1) == "(") depth++
                            if (substr(rest, c, 1) == ")" && --depth == 0) break
                        }
                        if (depth) continue
                        fresh = fresh substr(rest, 1, c) substr(rest, c)
                    }
                    if (s != body) fresh = fresh substr(s, length(body) + 1)
                }
                if (fresh == s) continue
                print FILENAME ":" at ": " s "\n    -> " fresh >"/dev/stderr"
                if (s ~ /^ *#|\\$/ || line[at - 1] ~ /\\$/) print "of a macro" >"/dev/stderr"
                line[at] = fresh
                break
            }
            for (n = 1; n <= NR; n++) print line[n]
        }' "$1" 2>"$work/change" >"$work/changed"
}

is_macro() { grep -q "^of a macro" "$work/change"; }

declare -A sound
for target; do
    file=${target%:rows} rows=${target#"${target%:rows}"}
    found=0 survived=0 drawn=0
    before=$(code_of "$file") || exit 1
    while [ $((found + survived)) -lt "$count" ] && [ $drawn -lt $((count * 20)) ]; do
        drawn=$((drawn + 1))
        case $only in '  ' | *" $drawn "*) ;; *) continue ;; esac
        change "$work/original/$file" $((seed * 1000 + drawn)) "$rows"
        [ -s "$work/change" ] || continue # none was found
        ! grep -qx "$(cksum <"$work/change")" "$work/seen" 2>/dev/null || continue
        cksum <"$work/change" >>"$work/seen"
        cp "$work/changed" "$file"
        set -- $(tests_of "$file" | cut -d ' ' -f "1-$TESTS")
        case $file in
        *.c) $CC -std=c11 -w -fsyntax-only "$file" ;;
        *) $CC -std=c11 -w $lean -fsyntax-only -I. -Itests "tests/$(tests_of "$file" | grep -o -m 1 'test_[a-z]*' | head -n 1).c" ;;
        esac 2>/dev/null || continue
        sed "s|$work/original/||; s/^/  /" "$work/change" >"$work/shown"
        killed=
        for flags in "${rounds[@]:0:${ROUNDS:-3}}"; do
            for test; do
                case $test,$flags in *.sh*,-O0) ;; *.sh*) continue ;; esac
                if finds "$test" "$flags" "$file" 2>/dev/null; then
                    killed=$test
                    break 2
                fi
            done
            [ "$flags" = -O0 ] && [ "$all" ] && ! is_macro && [ "$(code_of "$file")" = "$before" ] && killed=same && break
        done
        case $killed in
        same) continue ;;
        '')
            survived=$((survived + 1))
            echo "$drawn NOT FOUND:"
            ;;
        *)
            found=$((found + 1))
            echo "$drawn found by $killed:"
            ;;
        esac
        cat "$work/shown"
    done
    cp "$work/original/$file" "$file"
    echo "$target: $found of $((found + survived)) changes found"
done
