#!/bin/bash
# mutate.sh [SEED [COUNT [FILE...]]]: mutation testing. In a copy of the project, makes COUNT single changes in each FILE, one
# after the other, and reports how many of them the tests find. FILE is one of the four headers or the generator.
#
# Changes are drawn at random from the seed: an operator or constant is replaced, a condition inverted, a statement removed.
# For FILE:rows the change is in a row of the macros of a header: a word becomes the word of the next or previous row, two
# items are exchanged, or one is left out. A change is drawn again if it does not compile, was made before, or leaves the
# compiled functions equal. The tests of the file run until one fails. There are three rounds: without optimization, which
# compiles ten times as fast; with 32 bits; with threads and sanitizers.
# Prints each change with its number and the test that found it, and a score for each file. For FILE:rows it also prints the
# rows that no test expands: a test is missing, or the row is dead, or it is there because cells.sh wants a full table.
#
# Tests that cannot find a change do not run: tests that do not expand the changed macro (gcc -dU), whose preprocessed text is
# unchanged, or that do not enter the changed function (gcov). The other tests run in the order of changes found per second,
# as measured in this run. The generator's tests compile only programs that the change altered, each once. If a change of a
# macro is not found, the output says whether it changed the preprocessed text or the code of any test.
# Processor time with gcc 12 on x86-64: 8 changes of sparse_lattice.h:rows took 3.5 minutes, 2 of sparse_io.h took 1.5. Most
# of it goes into finding out, once, what each test expands or runs. The generator takes 3 minutes before its first change.
#
# To save time, run with ROUNDS=1 TESTS=9 first, and then with ONLY="3 17" for the changes that were not found.
# Environment: CC, SPARSE_DATA, SECONDS_EACH (processor time for a test, 90), ROUNDS and TESTS (run only the first so many
# rounds, and the first so many tests in the list of tests_of), ONLY (numbers of changes, as printed with this seed: make
# only these), WORD (a regular expression: change only functions and macros whose text matches it).
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} seed=${1:-1} count=${2:-10} home=$PWD each=${SECONDS_EACH:-90} only=" $ONLY "
[ $# -lt 2 ] && shift $# || shift 2
[ $# -gt 0 ] || set -- sparse_lattice.h sparse_lattice.h:rows sparse_formats.h sparse.h sparse.h:rows sparse_io.h sparse_gen.c
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export SPARSE_DATA=${SPARSE_DATA:-$home/../shared/data}
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-3} # more than one thread even on one core
unset SEED # make passes its SEED on; the generator's tests need their usual random statements
mkdir "$work/kit" "$work/original" "$work/known" "$work/coverage"
for kit in kit original; do
    cp -R Makefile README.md docs examples tests bench sparse*.h sparse_gen.c .clang-format "$work/$kit" 2>/dev/null
done
cd "$work/kit" || exit 1
# A compiler with a cache, for the generator's tests: for equal arguments and files it copies the earlier output.
mkdir "$work/compiled" && cat >"$work/cc" <<END
#!/bin/bash
for a; do [ "\$before" = -o ] && out=\$a || key="\$key \$({ [ -f "\$a" ] && cksum <"\$a"; } || echo "\$a")"; before=\$a; done
known=$work/compiled/\$(echo "\$key" | cksum | tr ' ' _)
[ "\$out" ] && [ -e "\$known" ] && exec cp "\$known" "\$out"
$CC "\$@" && { [ ! -f "\$out" ] || { cp "\$out" "\$known.\$\$" && mv "\$known.\$\$" "\$known"; }; }
END
chmod +x "$work/cc"
$CC -std=c11 -O1 tests/generate_kernels.c -o "$work/generate_kernels" || exit 1
$CC -std=c11 -O1 tests/random_lines.c -o "$work/random_lines" || exit 1
$CC -ftrack-macro-expansion=0 -E -x c /dev/null >/dev/null 2>&1 && lean=-ftrack-macro-expansion=0 || lean=
all='-fkeep-inline-functions -fkeep-static-functions'
$CC $all -E -x c /dev/null >/dev/null 2>&1 || all=

# The flags of each round, and the flags for zlib, if installed, for tests of files.
printf '#include <zlib.h>\nint main(void) { return !zlibVersion(); }\n' >"$work/zlib.c"
echo 'int main(void) { return 0; }' >"$work/probe.c"
rounds=()
declare -A with_zlib
for flags in '-O0 -fopenmp' '-O0 -m32 -msse2 -mfpmath=sse' '-g1 -fopenmp -fsanitize=address,undefined -fno-sanitize-recover=all'; do
    case $flags in -O0*openmp) $CC $flags "$work/probe.c" -o "$work/probe" 2>/dev/null || flags=-O0 ;; esac
    ! { $CC $flags "$work/probe.c" -o "$work/probe" && "$work/probe"; } >/dev/null 2>&1 || rounds+=("$flags")
    ! $CC $flags "$work/zlib.c" -o "$work/probe" -lz 2>/dev/null || with_zlib[$flags]='-DSPARSE_ZLIB=1 -lz'
done
$CC -dU -E -x c /dev/null >/dev/null 2>&1 && tells_macros=1 || tells_macros=
(cd "$work/coverage" && $CC --coverage ../probe.c -o probe && ./probe && gcov -t *.gcda) 2>/dev/null | grep -q ':Source:' &&
    tells_lines=1 || tells_lines=

# tests_of FILE: the tests that may find a change in it
tests_of() {
    case $1 in
    sparse_lattice.h) echo golden.sh cells.sh:--tables compile_fail.sh kernels_trees-0-12 kernels_levels-0-12 kernels_blocks-0-6 kernels_derived-0-8 kernels_slices-0-8 test_kernels test_merges test_strategies test_sums test_sums_in_3d test_sums_with_coefficients test_sums_beside_others test_sums_into_sparse test_recurrences test_symmetric test_workspaces test_row_workspaces test_sparse_workspaces kernels_random-0-8 test_outputs test_output_forms test_threads test_layouts test_levels test_values test_fixed test_progress random_lines.sh counts.sh ;;
    sparse_formats.h) echo test_operations test_statistics test_recurrences test_symmetric test_conversions test_arrays test_layouts test_levels test_storage test_encodings test_values test_outputs test_output_forms test_sums test_sums_in_3d test_sums_with_coefficients test_sums_beside_others test_sums_into_sparse cells.sh:--tables kernels_levels-0-20 kernels_products-0-30 kernels_assembled-0-10 kernels_outputs-0-28 test_threads test_fuzz test_reading test_files test_workspaces test_row_workspaces test_sparse_workspaces golden.sh effort.sh test_kernels test_strategies checks.sh linkage.sh ;;
    sparse.h) echo golden.sh cells.sh:--tables compile_fail.sh kernels_blocks-0-6 kernels_derived-0-8 kernels_slices-0-8 kernels_assembled-0-10 test_outputs test_output_forms test_kernels test_strategies test_workspaces test_row_workspaces test_sparse_workspaces test_sums test_sums_in_3d test_sums_with_coefficients test_sums_beside_others test_sums_into_sparse test_threads test_layouts test_values checks.sh linkage.sh random_lines.sh counts.sh ;;
    sparse_io.h) echo test_files test_binsparse test_fuzz test_arrays test_io test_reading linkage.sh ;;
    *) echo generator.sh:rest generator.sh:tests/generator/table.txt generator.sh:tests/generator/table_sparse.txt ;;
    esac
}

# sources_of TEST: the C files that it compiles; none for tests that compile more than C files. Random lines are those of
# random_lines.sh without arguments.
sources_of() {
    case $1 in
    golden.sh) echo tests/golden/kernels.c ;;
    counts.sh | effort.sh) echo "tests/${1%.sh}.c" ;;
    kernels_*)
        [ -e "$work/$1.c" ] || "$work/generate_kernels" "${1#kernels_}" >"$work/$1.c"
        echo "$work/$1.c"
        ;;
    random_lines.sh)
        for mode in 'lines 10 60 plain' 'lines 10 60 nasty' 'lines 11 60 plain' 'lines 11 60 nasty' 'lines 12 10 plain' 'lines 12 10 nasty' \
            'mistakes 10 60 plain' 'mistakes 11 60 plain' 'mistakes 12 10 plain'; do
            [ -e "$work/${mode// /_}.c" ] || "$work/random_lines" $mode >"$work/${mode// /_}.c"
            echo "$work/${mode// /_}.c"
        done
        ;;
    test_*) echo "tests/$1.c" ;;
    esac
}

# preprocess KIT TEST FLAGS OPTIONS...: preprocesses the sources of the test with the headers of KIT: kit or original
preprocess() {
    local kit=$1 test=$2 flags=$3 zlib=
    shift 3
    case $test in
    test_files | test_fuzz) zlib=${with_zlib[$flags]%-lz} ;;
    golden.sh) flags='-D_OPENMP=201511 -U__clang__' ;;
    esac
    (cd "$work/$kit" && for source in $(sources_of "$test"); do
        $CC -std=c11 -w $lean $flags $zlib -E "$@" -I. -Itests "$source"
    done) 2>"$work/said"
}

# is_same TEST FLAGS: the change leaves the preprocessed text and the messages equal; if not, the new text is in test.i
declare -A text_of unchanged
text() { preprocess "$@" -P >"$work/test.i" || echo '#error' >>"$work/test.i"; cat "$work/test.i" "$work/said" | cksum; }
is_same() {
    [ "${text_of[$1$2]}" ] || text_of[$1$2]=$(text original "$1" "$2")
    [ "${unchanged[$1$2]}" ] || { [ "$(text kit "$1" "$2")" = "${text_of[$1$2]}" ] && unchanged[$1$2]=1; }
}

# text_flags FLAGS: flags that give an equal preprocessed text; sanitizers do not change it
text_flags() { case $1 in *-fopenmp*sanitize*) echo "${rounds[0]}" ;; *) echo "$1" ;; esac; }

# macros_of TEST FLAGS: the name of a file that lists the macros the test expands
macros_of() {
    local known="$work/known/$1$(echo "$2" | cksum | tr -c '0-9\n' _)" from=$EPOCHREALTIME
    if [ ! -e "$known" ]; then
        preprocess original "$1" "$2" -dU | grep -oE '^#define SPARSE_[A-Za-z0-9_]*' | cut -c 9- | sort -u >"$known"
        [ -e "$work/known/$1.seconds" ] || took "$1" "$from" 3 # estimate: compiling and running take three times as long
    fi
    echo "$known"
}

# lines_of TEST: the name of a file with rows FILE LINE COUNT: how often the test runs each line of the headers
lines_of() {
    local known=$work/known/$1.lines zlib= from=$EPOCHREALTIME
    case $1 in test_files | test_fuzz) zlib=${with_zlib[${rounds[0]}]} ;; esac
    if [ ! -e "$known" ]; then
        (cd "$work/coverage" && rm -f * && $CC -std=c11 -w $lean ${rounds[0]} --coverage -I"$work/original" -I"$work/original/tests" \
            "$(cd "$work/original" && realpath "$(sources_of "$1")")" -o run -lm $zlib && cd "$work/original" && "$work/coverage/run"
            cd "$work/coverage" && gcov -t *.gcda) 2>/dev/null | awk -F : '
            $2 ~ /^ *0$/ { if ($3 == "Source") { file = $4; sub(/.*\//, "", file) } next }
            file ~ /^sparse.*\.h$/ { gsub(/ /, "", $1); if ($1 != "-") print file, $2 + 0, $1 + 0 }' >"$known"
        took "$1" "$from"
    fi
    echo "$known"
}

# for each test: its seconds, how often it was tried, and how many changes it found
declare -A tried finds
took() { awk -v from="$2" -v to="$EPOCHREALTIME" -v times="${3:-1}" 'BEGIN { printf "%.2f\n", (to - from) * times }' >"$work/known/${1##*/}.seconds"; }
seconds_of() { cat "$work/known/${1##*/}.seconds" 2>/dev/null || echo 3; }
for test in golden:3 cells:4 compile_fail:9 effort:9 counts:11 checks:17 random_lines:30 linkage:38; do
    echo "${test#*:}" >"$work/known/${test%:*}.sh.seconds"
done

# able FLAGS MACRO LINE FROM TO: those of $tests that can find the change, in the order of changes found per second. The
# change is in this macro, or in LINE of $file, in the function from line FROM to line TO; or in neither.
able() {
    local flags=$1 macro=$2 line=$3 from=$4 to=$5 known= test cost rest
    if [ "$from" ] && [ "$tells_lines" ]; then # nonempty if a test compiles the function
        known=$(for test in $tests; do case $test in *.sh*) ;; *) cat "$(lines_of "$test")" ;; esac; done |
            awk -v file="$file" -v from="$from" -v to="$to" '$1 == file && $2 >= from && $2 <= to { print 1; exit }')
    fi
    for test in $tests; do
        rest= cost=
        case $test in *.sh*) [ "$flags" = "${rounds[0]}" ] || continue ;; esac
        if [ "$macro" ] && [ "$tells_macros" ]; then
            case $test in
            compile_fail.sh)
                rest=$(grep -lxF "$macro" "$work"/known/refused_*.c | sed 's|.*/refused_|:compile_fail/|' | tr -d '\n')
                [ "$rest" ] || continue
                ;;
            *) [ ! "$(sources_of "$test")" ] || grep -qxF "$macro" "$(macros_of "$test" "$(text_flags "$flags")")" || continue ;;
            esac
        elif [ "$known" ]; then
            case $test in
            golden.sh | compile_fail.sh | cells.sh*) continue ;; # these run no functions
            *.sh*) ;;
            *) cost=$(awk -v file="$file" -v at="$line" -v from="$from" -v to="$to" -v cost="$(seconds_of "$test")" '
                $1 == file && $2 >= from && $2 <= to && $3 { runs = 1; if ($2 == at) here = 1 }
                END { print !runs ? "never" : here ? cost : 9 * cost }' "$(lines_of "$test")") ;;
            esac
            [ "$cost" != never ] || continue
        fi
        awk -v cost="${cost:-$(seconds_of "$test")}" -v tried="${tried[$test]:-0}" -v finds="${finds[$test]:-0}" -v test="$test$rest" \
            'BEGIN { print cost * (tried + 3) / (finds + 1), test }'
    done | sort -n | cut -d ' ' -f 2
}

# passes KIT TEST FLAGS: the test passes with the headers of KIT (kit or original) within its processor time. In the first
# round that is 5 seconds more than five times its measured time, but at most SECONDS_EACH.
passes() {
    local zlib= each=$each compiler=$CC
    [ "$3" != "${rounds[0]}" ] || each=$(seconds_of "${2%%:compile_fail*}" | awk -v each="$each" '{ s = int(5 + 5 * $1); print s < each ? s : each }')
    case $2 in
    *.sh*)
        [ "${2%%:*}" != generator.sh ] || compiler=$work/cc
        (cd "$work/$1" && ulimit -t "$each" && export FIRST=1 CC=$compiler WORK=$work/run RIGHT=$work/right_${2##*/} SPARSE_GEN_HOME=$work/original &&
            bash "tests/${2%%:*}" $(echo "$2" | sed 's/^[^:]*//; s/:/ /g')) >"$work/said" 2>&1
        return
        ;;
    test_files | test_fuzz) zlib=${with_zlib[$3]} ;;
    esac
    { [ "$1" = kit ] || preprocess "$1" "$2" "$3" -P >"$work/test.i"; } && # for kit, is_same has written test.i
        (ulimit -t $((4 * each)) && $CC -std=c11 -w $3 "$work/test.i" -o "$work/test" -lm ${zlib#-DSPARSE_ZLIB=1}) >"$work/said" 2>&1 &&
        (cd "$work/$1" && ulimit -t "$each" && "$work/test") >"$work/said" 2>&1
}

# find TEST FLAGS: the test fails with the change and passes without. Adds to `changed` a test whose text the change alters.
declare -A sound
find() {
    local name=${1%%:compile_fail*} from=$EPOCHREALTIME
    if [ "$(sources_of "$name")" ]; then
        ! is_same "$name" "$(text_flags "$2")" || return
        case " $changed " in *" $name "*) ;; *) changed="$changed $name" ;; esac
    fi
    tried[$name]=$((${tried[$name]:-0} + 1))
    passes kit "$1" "$2" && { [ "$2" != "${rounds[0]}" ] || took "$name" "$from"; return 1; }
    [ "${sound[$1$2]}" ] || { passes original "$1" "$2" && sound[$1$2]=1; } || echo "$1 fails without a change: $(tail -n 1 "$work/said")"
    [ "${sound[$1$2]}" ] && finds[$name]=$((${finds[$name]:-0} + 1))
}

# flags that compile all functions: all kinds of files, threads, compressed files
more=-DSPARSE_FILES_ALL=1
for flag in -fopenmp -DSPARSE_ZLIB=1; do
    ! $CC $flag -S -o - "$work/zlib.c" >/dev/null 2>&1 || more="$more $flag"
done

# code_of FILE: a checksum of the assembly code of its functions
code_of() {
    { echo '#include "sparse.h"'; echo '#include "sparse_io.h"'; } >"$work/headers.c"
    case $1 in *.c) set -- "$1" ;; *) set -- "$work/headers.c" ;; esac
    $CC -std=c11 -w $lean $all $more -O2 -I. -S -o "$work/code.s" "$1" && cksum <"$work/code.s"
}

# changes_of TEST...: says which of these tests, whose text the change of a macro alters, also change in their code
changes_of() {
    local test code=
    for test; do
        case $test in *.sh*) code="$code $test" && continue ;; esac
        for kit in kit original; do
            preprocess $kit "$test" "${rounds[0]}" -P >"$work/test.i" && $CC -std=c11 -w -O1 -fopenmp -S "$work/test.i" -o "$work/$kit.s" 2>/dev/null
        done
        cmp -s "$work/kit.s" "$work/original.s" || code="$code $test"
    done
    if [ $# = 0 ]; then echo '    it changes the text of no test'
    elif [ ! "$code" ]; then echo "    it changes the text, and no code, of $*"
    else echo "    it changes the code of$code"
    fi
}

# change FILE NUMBER ROWS: makes one change in the file, and prints it
change() {
    awk -v seed="$2" -v rows="$3" -v within="$WORD" '
        function any(n) { return int(rand() * n) + 1 }
        # s with `from` replaced by `to` at one matching position, or "" if there is none
        function swapped(s, from, to, at, place, n, start) {
            n = 0
            for (start = 1; (at = index(substr(s, start), from)) > 0; start += at - 1 + length(from)) place[++n] = start + at - 1
            if (!n) return ""
            at = place[any(n)]
            return substr(s, 1, at - 1) to substr(s, at + length(from))
        }
        # finds the words in the body of macro m, outside of strings; word[k] is at at_line[k], at_column[k]; returns how many
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
        # Changes a row: a word becomes the word of the next or previous row, or two adjacent items are exchanged, or the
        # first of two is left out. Returns whether that is possible; then fresh is the new text of line `at`.
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
        # a row: its macro, up to the key, its parameters, and the column where its body begins
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
        # keeps only functions and macros whose text matches WORD
        function select(n, end, k, fits, kept) {
            for (n = 1; n <= NR; n = end + 1) {
                fits = line[n] ~ within
                for (end = n; end < NR && (line[end] ~ /\\$/ || (line[n] ~ /^[a-zA-Z]/ && line[end] !~ /^}|;$/) || line[end + 1] ~ /^([{}]| +[^ #])/); end++)
                    fits = fits || line[end + 1] ~ within
                while (fits && n <= end) chosen[n++]
            }
            for (k = 1; k <= codes; k++) if (code[k] in chosen) code[++kept] = code[k]
            codes = kept + 0
            kept = 0
            for (k = 1; k <= macros; k++)
                if (first[k] in chosen) {
                    kept++
                    first[kept] = first[k]; last[kept] = last[k]; head[kept] = head[k]; stem[kept] = stem[k]; parameters[kept] = parameters[k]
                }
            macros = kept + 0
        }
        END {
            if (within != "") select()
            if ((rows ? macros : codes) == 0) exit
            srand(seed)
            kinds = split(" < ; <= ; > ; >= ; == ; != ; + ; - ; && ; || ;if (;+ 1;- 1; = 0; = 1;++;true;false;STATEMENT; * ; = true", from, ";")
            split(" <= ; < ; >= ; > ; != ; == ; - ; + ; || ; && ;if (!;+ 2;- 2; = 1; = 0;--;false;true;STATEMENT; + ; = false", to, ";")
            for (tries = 0; tries < 1000; tries++) {
                if (rows && !change_row(any(macros))) continue
                if (!rows) at = code[any(codes)]
                kind = any(kinds)
                s = line[at]
                if (!rows && s ~ /SPARSE_P_(PREFETCH|CHANCE|LIKELY|UNLIKELY)\(/) continue # hints do not change results
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
                    if (from[kind] == "if (") { # take the whole condition
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
                if (s ~ /^ *#|\\$/ || line[at - 1] ~ /\\$/) {
                    for (n = at; line[n - 1] ~ /\\$/; n--);
                    match(line[n], /define [A-Za-z0-9_]+/)
                    print "of macro " substr(line[n], RSTART + 7, RLENGTH - 7) >"/dev/stderr"
                } else {
                    for (n = at; n > 1 && line[n] !~ /^[^ #]/; n--);
                    for (end = at; end < NR && line[end] !~ /^}/; end++);
                    if (line[n] == "{") print "in lines " at " " n " " end >"/dev/stderr"
                }
                line[at] = fresh
                break
            }
            for (n = 1; n <= NR; n++) print line[n]
        }' "$1" 2>"$work/change" >"$work/changed"
}

# unused FILE: the rows of FILE that no test in $tests expands
unused() {
    {
        for test in $tests; do [ ! "$(sources_of "$test")" ] || cat "$(macros_of "$test" "${rounds[0]}")"; done
        cat "$work"/known/refused_*.c
    } | sort -u >"$work/used"
    grep -oE '^ *# *define SPARSE_P_[A-Za-z0-9_]*' "$1" | sed 's/.* //' | sort -u | comm -23 - "$work/used" | sed 's/^SPARSE_P_//'
}

# told WORDS: the rest of the line of the report that begins with these words
told() { sed -n "s/^$1 //p" "$work/change"; }

for target; do
    file=${target%:rows} rows=${target#"${target%:rows}"} found=0 survived=0 drawn=0 same=0
    tests=$(tests_of "$file" | cut -d ' ' -f "1-$TESTS") first=$(tests_of "$file" | grep -o -m 1 'test_[a-z]*' | head -n 1)
    before=$(code_of "$file") || exit 1
    [ "$file" != sparse_gen.c ] || for test in $tests; do passes original "$test" "${rounds[0]}" && sound[$test${rounds[0]}]=1; done # fills the cache and the directory RIGHT
    case " $tests " in *" compile_fail.sh "*)
        for refused in tests/compile_fail/*.c; do
            [ -e "$work/known/refused_${refused##*/}" ] || [ ! "$tells_macros" ] || $CC -std=c11 -w $lean -E -dU -I. -Itests/compile_fail "$refused" 2>/dev/null |
                grep -oE '^#define SPARSE_[A-Za-z0-9_]*' | cut -c 9- >"$work/known/refused_${refused##*/}"
        done
        ;;
    esac
    while [ $((found + survived)) -lt "$count" ] && [ $drawn -lt $((count * 20)) ]; do
        drawn=$((drawn + 1))
        case $only in '  ' | *" $drawn "*) ;; *) continue ;; esac
        change "$work/original/$file" $((seed * 1000 + drawn)) "$rows"
        [ -s "$work/change" ] || continue # no change was possible
        ! grep -qx "$(cksum <"$work/change")" "$work/seen" 2>/dev/null || continue
        cksum <"$work/change" >>"$work/seen"
        cp "$work/changed" "$file" && unchanged=()
        macro=$(told 'of macro') lines=$(told 'in lines')
        case $file in
        *.c) $CC -std=c11 -w -fsyntax-only "$file" ;;
        *) is_same "$first" "${rounds[0]}" || $CC -std=c11 -w ${rounds[0]} -fsyntax-only "$work/test.i" ;;
        esac 2>/dev/null || continue
        sed "/^of macro /d; /^in lines /d; s|$work/original/||; s/^/  /" "$work/change" >"$work/shown"
        killed= changed=
        for flags in "${rounds[@]:0:${ROUNDS:-3}}"; do
            for test in $(able "$flags" "$macro" $lines); do
                if find "$test" "$flags" 2>/dev/null; then
                    killed=${test%%:compile_fail*}
                    break 2
                fi
            done
            [ "$flags" = "${rounds[0]}" ] && [ "$all" ] && [ ! "$macro" ] && [ "$(code_of "$file")" = "$before" ] && killed=same && break
        done
        case $killed in
        same) same=$((same + 1)) && continue ;;
        '') survived=$((survived + 1)) && echo "$drawn NOT FOUND:" ;;
        *) found=$((found + 1)) && echo "$drawn found by $killed:" ;;
        esac
        cat "$work/shown"
        [ "$killed" ] || [ ! "$macro" ] || changes_of $changed
    done
    cp "$work/original/$file" "$file"
    echo "$target: $found of $((found + survived)) changes found$([ $same = 0 ] || echo "; $same more make the same code")"
    [ ! "$rows" ] || [ ! "$tells_macros" ] || [ "$TESTS$only" != '  ' ] || echo "$target: rows that no test expands: $(unused "$file" | tr '\n' ' ')"
done
