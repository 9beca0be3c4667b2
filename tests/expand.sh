#!/bin/sh
# expand.sh [-k] [-o OUT.c] FILE.c KERNEL: prints the loops that SPARSE_KERNEL(KERNEL, ...) in FILE.c expands to.
#
#   expand.sh FILE.c KERNEL             prints the function KERNEL_loops, formatted and commented
#   expand.sh -k FILE.c KERNEL          prints the whole kernel: the loops, and the function that calls them
#   expand.sh -o OUT.c FILE.c KERNEL    writes FILE.c with the kernel expanded in its place, for a debugger:
#                                           cc -g -I. OUT.c -o out && gdb -ex 'break KERNEL_loops' -ex run ./out
#
# The output is what the compiler sees with -fopenmp, in the spelling that a person would choose: bool, true, false,
# SIZE_MAX and restrict, 0 for the zero of a number type, and no attributes but those about optimization. Flags that this
# statement does not need are left out: has_A and has_C if it does not name them, and those for break and continue.
# Environment: CC, CXX, CPPFLAGS (such as -DNAME -Idir), FORMAT (the clang-format to use, if it exists).
set -eu

die() { echo "expand.sh: $*" >&2; exit 1; }
whole=0 out=
while getopts ko: option; do
    case $option in
    k) whole=1 ;;
    o) out=$OPTARG whole=1 ;;
    *) die "usage: expand.sh [-k] [-o OUT.c] FILE.c KERNEL" ;;
    esac
done
shift $((OPTIND - 1))
[ $# = 2 ] || die "usage: expand.sh [-k] [-o OUT.c] FILE.c KERNEL"
file=$1 kernel=$2
[ -r "$file" ] || die "cannot read $file"
root=$(cd "$(dirname "$0")/.." && pwd)
case $file in
*.cc | *.cpp | *.cxx) compiler="${CXX:-c++} -x c++ -std=c++17" ;;
*) compiler="${CC:-cc} -x c -std=c11" ;;
esac

# The first line of the output: the numbers of the first and last line of the kernel line in the file; empty if a macro of
# the file writes the kernel line. Below it: the file without its other kernels, to save time.
parsed=$(awk -v kernel="$kernel" '
    BEGIN { RS = "\001" } # read the whole file as one record
    { text = $0 }
    function line_of(at, s) { s = substr(text, 1, at); return gsub(/\n/, "", s) + 1 }
    function end_of(at, c, depth) { # where the next list in parentheses, at `at` or later, ends
        for (; at <= length(text); at++) {
            c = substr(text, at, 1)
            if (c == "(") depth++
            if (c == ")" && --depth == 0) break
        }
        return at
    }
    END {
        whole = text
        while (match(text, /\/\*([^*]|\*+[^*\/])*\*+\/|\/\/[^\n]*/)) { # blank comments, keep the lines
            comment = substr(text, RSTART, RLENGTH)
            gsub(/[^\n]/, " ", comment)
            text = substr(text, 1, RSTART - 1) comment substr(text, RSTART + RLENGTH)
        }
        for (from = 1; match(substr(text, from), /\nSPARSE_KERNEL[ \t\n]*\([ \t\n]*[A-Za-z_0-9]*/); from = at) {
            name = substr(text, from + RSTART - 1, RLENGTH)
            sub(/.*[^A-Za-z_0-9]/, "", name)
            start = from + RSTART
            at = end_of(start)
            if (name == kernel || substr(text, start - 2, 1) == "\\") continue
            skipped = substr(whole, start, at - start + 1)
            gsub(/[^\n]/, " ", skipped)
            whole = substr(whole, 1, start - 1) skipped substr(whole, at + 1)
        }
        found = match(text, "SPARSE_KERNEL[ \t\n]*\\([ \t\n]*" kernel "[ \t\n]*,")
        print found ? line_of(RSTART - 1) " " line_of(end_of(RSTART) - 1) : ""
        print whole
    }' "$file")
lines=${parsed%%"
"*}
parsed=${parsed#*"
"}
first=${lines% *} last=${lines#* }

# The text before the kernel: it undefines names that should keep their spelling in the expansion.
prelude() {
    for name in bool true false SIZE_MAX SPARSE_UNUSED SPARSE_NODISCARD SPARSE_RESTRICT SPARSE_ZERO; do echo "#undef $name"; done
    echo "#define SPARSE_UNUSED"
    echo "#define SPARSE_NODISCARD"
    if [ "$out" ]; then return; fi
    echo "#define SPARSE_RESTRICT restrict"
    echo "#define SPARSE_ZERO(type) (type){0}"
}
prepared() {
    before=${first:-$(printf '%s\n' "$parsed" | awk '/^[ \t]*#[ \t]*include/ { n = NR } END { print n + 1 }')}
    printf '%s\n' "$parsed" | sed "$((before - 1))q"
    prelude
    printf '%s\n' "$parsed" | sed -n "$before,\$p"
}

# functions NAMES: extracts these functions from preprocessed text, each as one unformatted line.
functions() {
    awk -v names="$1" '
        BEGIN { RS = "\001" }
        { text = $0 }
        END {
            count = split(names, name, " ")
            for (n = 1; n <= count; n++) {
                if (!match(text, "(__attribute__\\(\\([^;{}]*\\)\\) *)?static inline [a-z_]+ " name[n] "\\(")) exit 1
                for (at = RSTART; (c = substr(text, at, 1)) != ""; at++) {
                    if (c == "\"" || c == "\047") # skip a literal
                        while (substr(text, ++at, 1) != c)
                            if (substr(text, at, 1) == "\\") at++
                    if (c == "{") depth++
                    if (c == "}" && --depth == 0) break
                }
                body = substr(text, RSTART, at - RSTART + 1)
                while (match(body, /[a-z]" "[a-z]/)) # "i" "j" -> "ij"
                    body = substr(body, 1, RSTART) substr(body, RSTART + 4)
                print body "\n"
            }
        }'
}

# The kernel line as a comment.
source_line() { sed -n "$first,$last{s|\*/|* /|g;p;}" "$file" | sed '1s|^|/* |; 2,$s|^|   |; $s|$| */|'; }

# Writes one statement on each line.
statements() {
    awk 'function blanks(n, s) { while (n-- > 0) s = s "    "; return s }
    /^#/ { print; next } { # a line ends after ; { and } outside of parentheses
        for (at = 1; (c = substr($0, at, 1)) != ""; at++) {
            if (line == "" && c == " ") continue
            if (c == "(") parens++
            if (c == ")") parens--
            if (c == "}" && !parens && line == "") indent--
            line = line c
            loops = c == ")" && line ~ /^for / && substr($0, at + 1) ~ /^ *for / # a for directly inside another for
            if (parens || (c != ";" && c != "{" && c != "}" && !loops)) continue
            print blanks(indent) line
            if (c == "{") indent++
            line = ""
        }
    }'
}

# Removes code that has no effect for this statement, as an optimizer would: has_C of an output that is always stored; has_A
# in a loop where it is constant; flags that record which of several interleaved iterations ended the inner loop, or whether
# a break ended a loop of several parts; and unused variables.
lean() {
    awk '
        function deep(n) { match(line[n], /^ */); return RLENGTH }
        function ends(n, m) { # the last line of the block of line n
            for (m = n; m < NR && (line[m] == HIDDEN || line[m] ~ /^#/ || deep(m) >= deep(n)); m++) continue
            return m
        }
        function names(n, name) { return (" " line[n] " ") ~ ("[^A-Za-z_0-9]" name "[^A-Za-z_0-9]") }
        function uses(n, name, m, end, count) { # how many lines use the name, from its declaration on
            end = ends(n)
            for (m = n + 1; m <= end; m++) count += names(m, name)
            return count + 0
        }
        function replace(n, end, from, to) { for (; n <= end; n++) gsub(from, to, line[n]) }
        function store(n, name, m, k, first, end) { # removes bool has_C = true; if the statement does not name has_C
            for (m = n + 1; line[m] !~ ("^ *if \\(!has_" name "\\) "); m++)
                if (m > NR || names(m, "has_" name)) return
            for (k = m; line[k] !~ ("in_" name " = in_" name " \\|\\| has_" name ";"); k++) if (k > NR) return
            for (first = n; line[first] !~ ("bool in_" name " = false;"); first--) if (first < 1) return
            line[n] = line[n - 1] = line[m] = HIDDEN
            if (ends(first) != ends(k)) { sub(/ \|\| has_.*;|in_[A-Za-z_0-9]* \|\| has_.*;/, "true;", line[k]); return }
            end = ends(k)
            line[first] = line[k] = HIDDEN
            replace(k, end, "if \\(in_" name "\\) ", "")
            replace(k, end, " \\+= in_" name ";", "++;")
        }
        function ask(n, name, value, m, end) { # removes const bool has_A = value;
            end = ends(n)
            for (m = n + 1; m <= end; m++)
                if (names(m, "has_" name) && line[m] !~ ("^ *const [^=]* " name " = has_" name " \\? ")) return
            replace(n + 1, end, "= has_" name " \\? ", "= " value " ? ")
            line[n] = HIDDEN
        }
        function know(n, m, k, end, name, value) { # simplifies the loop in line n if flags before it, as in inA2 = 1; are known
            end = ends(n + 1)
            for (m = n - 1; line[m] ~ /^ *in[A-Za-z_0-9]* = [01];$/; m--) {
                name = value = line[m]
                gsub(/^ *| = .*/, "", name)
                value = value ~ /1;$/
                for (k = n + 1; k < end && line[k] !~ ("[^A-Za-z_0-9]" name " [-+&|]?= "); k++) continue
                if (k < end) continue
                replace(n + 1, end, "= " name ";", "= " (value ? "true;" : "false;"))
                for (k = n + 1; k < end; k++)
                    if (line[k] ~ ("= " name " \\? [^?:]* : [^?:]*;$")) {
                        if (value) sub(/ : [^?:]*;$/, ";", line[k])
                        else sub(/\? [^?:]* : /, "? ", line[k])
                        sub(name " \\? ", "", line[k])
                    }
                for (k = n; k < end && !names(k, name); k++) continue
                if (k == end) line[m] = HIDDEN # all other loops first test whether the entry is there
            }
        }
        function once(n, name, k, m, end) { # removes bool i_more = true; if none of the interleaved iterations ends the loop
            k = n + 1
            for (end = k + 1; deep(end) > deep(k); end++) if (line[end] ~ /(^|[^A-Za-z_0-9])(break|continue) *;/) return
            for (m = n - 1; line[m] !~ ("^ *if \\(" name "_left >> "); m--) if (m < 1) return
            line[m] = line[n] = line[k] = line[end] = line[end + 1] = HIDDEN
            for (; line[m] !~ ("^ *unsigned " name "_left = 0;"); m--) continue
            line[m] = HIDDEN
            while (++k < end) sub(/^    /, "", line[k])
        }
        function mirrored(n, m, end) { # removes bool mirrored = true; if the mirrored statement ends no loop
            for (end = n + 2; deep(end) > deep(n + 1); end++)
                if (line[end] ~ /(^|[^A-Za-z_0-9])(break|continue) *;/) return
            line[n] = line[n + 1] = line[end] = HIDDEN
            for (m = n + 2; m < end; m++) sub(/^    /, "", line[m])
            for (; m < NR && line[m] !~ /^ *}/; m++) if (line[m] ~ /^ *if \(mirrored\) break;$/) line[m] = HIDDEN
        }
        function breaks(n, end) { # has the rest of the block, from line n on, a break?
            for (end = ends(n); n < end; n++) if (line[n] ~ /(^|[^A-Za-z_0-9])break *;/) return 1
            return 0
        }
        function on(n, name, m, end) { # removes bool i_on = true; if no break ends the merge
            end = ends(n)
            for (m = n; m < end; m++) if (line[m] ~ ("^ *" name "_on = false;$") && breaks(m)) return
            for (m = n; m < end; m++) {
                if (line[m] ~ ("^ *(bool )?" name "_on = (true|false);$")) line[m] = HIDDEN
                if (sub("\\) && " name "_on\\) \\{$", ") {", line[m])) sub(/while \(\(/, "while (", line[m])
                gsub(" && " name "_on|, " name "_on = true", "", line[m])
            }
        }
        { line[NR] = $0 }
        END {
            HIDDEN = "\n"
            for (n = 1; n <= NR; n++) {
                if (line[n] ~ /^ *bool has_[A-Za-z_0-9]* = true;$/) {
                    name = line[n]
                    gsub(/^ *bool has_| = .*/, "", name)
                    store(n, name)
                }
                if (line[n] ~ /^ *bool [a-z_]*_more = true;$/) {
                    name = line[n]
                    gsub(/^ *bool |_more = .*/, "", name)
                    once(n, name)
                }
                if (line[n] ~ /^ *bool mirrored = true;$/) mirrored(n)
                if (line[n] ~ /^#pragma GCC diagnostic /) line[n] = HIDDEN
                if (line[n] ~ /^ *bool [a-z_]*_on = true;$/) {
                    name = line[n]
                    gsub(/^ *bool |_on = .*/, "", name)
                    on(n, name)
                }
                if (match(line[n], /^ *const bool has_[A-Za-z_0-9]* = in[A-Za-z_0-9]*;$/)) {
                    name = value = line[n]
                    gsub(/^ *const bool has_| = .*/, "", name)
                    gsub(/.*= |;/, "", value)
                    ask(n, name, value)
                }
            }
            for (n = 2; n <= NR; n++) if (line[n] ~ /^ *for \(; /) know(n)
            do {
                again = 0
                for (n = 1; n <= NR; n++) {
                    if (line[n] !~ /^ *const [^=]* [A-Za-z_0-9]* = [^(]*;$/) continue
                    name = line[n]
                    sub(/ = .*/, "", name)
                    sub(/.*[ *]/, "", name)
                    if (name !~ /^[a-z](_[a-z]+)?$/ && uses(n, name) == 0) { line[n] = HIDDEN; again = 1 } # not an index
                }
            } while (again)
            for (n = 1; n <= NR; n++) if (line[n] != HIDDEN) print line[n]
        }'
}

format() {
    if ! command -v "${FORMAT:-clang-format}" >/dev/null 2>&1; then cat
    else "${FORMAT:-clang-format}" --style="file:$root/.clang-format" --assume-filename="$file" 2>/dev/null
    fi
}

# Writes a comment above each loop that names what it iterates over.
annotate() {
    awk '
        function names(text, end, list, name) { # "pA2 < eA2 && pB2 < eB2" -> "A, B"; with the end "s" of windows, pA2s < eA2s
            gsub(/_take_bit_[0-9]+\([A-Za-z_0-9]*, &[A-Za-z_0-9]*, &/, " ", text)
            if (sub(/_take_masked_[0-9]+\(&b[A-Za-z_0-9]*, &s/, " p", text)) sub(/\); p/, " < e", text)
            gsub(/, e/, " < e", text)
            while (match(text, "p[A-Za-z_0-9]*[0-9]" end " < e")) {
                name = substr(text, RSTART + 1, RLENGTH - 5)
                sub("[0-9]" end "$", "", name)
                text = substr(text, RSTART + RLENGTH)
                if (index(", " list ",", ", " name ",") == 0) list = list (list == "" ? "" : ", ") name
            }
            if (match(list, /, [^,]*$/)) list = substr(list, 1, RSTART - 1) " or" substr(list, RSTART + 1)
            return list
        }
        function index_of(n) { # the index that the first line of the body defines
            for (; n <= NR; n++)
                if (match(line[n], /const size_t [a-z](_[a-z]+)? =/) && line[n] !~ /_from = /) return substr(line[n], RSTART + 13, RLENGTH - 15)
            return "coordinate"
        }
        function comment(n, i, m, head, what, who, chunk, windows) { # the comment for the loop in line n; empty if line n is no loop
            if (!match(line[n], /^ *(for|while) \(/)) return ""
            match(line[n], /^ */)
            i = substr(line[n], 1, RLENGTH)
            if (line[n] ~ /; [a-z_]*n < [A-Za-z_0-9]*_block;/) return i "/* every value of the entry */"
            if (line[n] ~ /size_t [A-Za-z_0-9]*_(lane|n) = 0;/) return ""
            if (match(line[n], /_end - [a-z](_[a-z]+)?_next >= [0-9]+/)) {
                split(substr(line[n], RSTART + 7, RLENGTH - 7), chunk, "_next >= ")
                return i "/* every " chunk[1] ", " chunk[2] " at a time */"
            }
            for (m = n; m < NR && line[m] !~ /\{$/; m++) head = head line[m]
            head = head line[m]
            gsub(/ && [a-z_]*_on|, [a-z_]*_on = true/, "", head)
            who = names(head, "")
            windows = names(head, "s")
            if (match(head, /for \(size_t [a-z](_[a-z]+)? = sparse_p_share\(/))
                return i "/* every " substr(head, RSTART + 12, RLENGTH - 28) " of the part */"
            if (match(head, /for \(size_t [a-z]_tile = 0;/)) return i "/* every tile of " substr(head, RSTART + 12, 1) " */"
            if (match(head, /for \(size_t [a-z] = [a-z]_tile;/)) return i "/* every " substr(head, RSTART + 12, 1) " of the tile */"
            if (match(head, /for \(size_t [a-z](_[a-z]+)? = 0;/)) return i "/* every " substr(head, RSTART + 12, RLENGTH - 17) " */"
            if (match(head, /for \(size_t [a-z](_[a-z]+)? = [^;]*; [a-z_]*-- > /)) {
                sub(/ = .*/, "", head)
                sub(/.*size_t /, "", head)
                return i "/* every " head ", downwards */"
            }
            what = i "/* every " index_of(n + 1)
            if (match(head, /for \(size_t p[A-Za-z_0-9]*[0-9] = .*-- > /)) {
                sub(/[0-9] = .*/, "", head)
                sub(/.*size_t p/, "", head)
                return what " stored in " head ", downwards */"
            }
            if (windows != "")
                return what (who == "" ? " whose window of " : " stored in " who ", or whose window of ") windows " holds something" \
                    (head ~ /sparse_p_segments_from\(/ ? " in some row" : "") " */"
            if (match(head, /p0full[a-z] < e/)) # a counter that visits all coordinates takes part in the merge like an operand
                return i "/* every " substr(head, RSTART + 6, 1) (who == "" ? " left" : ", stored in " who " or not") " */"
            if (head ~ /sparse_p_intersect_/) return line[n - 1] ~ /sparse_p_more_matches_/ ? "" : what " stored in both */"
            if (head ~ /; [a-z]_left > 0 /) return i "/* a few steps, without branches */"
            if (who == "") return ""
            if (head ~ /_crd\[p[A-Za-z_0-9]*\] == /) {
                sub(/ or /, " and ", who)
                return what " stored in " who ", as long as they go together */"
            }
            if (head ~ /_crd\[p[A-Za-z_0-9]*\] < /) return what " stored in " who " alone, up to the next of the other */"
            if (head ~ /for \(; p[A-Za-z_0-9]* < e[A-Za-z_0-9]*; p[A-Za-z_0-9]*\+\+\)/) return what " left in " who " */"
            what = what " stored in " who
            if (head ~ / > 1;/) what = what ", while two of them have more"
            else if (head ~ / && ?p[A-Za-z_0-9]* < e/) what = what ", while all of them have more"
            return what " */"
        }
        { line[NR] = $0 }
        END {
            for (n = 1; n <= NR; n++) {
                text = comment(n + (line[n] ~ /^ *#pragma/)) # above the pragma, if there is one
                if (text != "" && line[n - 1] !~ /^ *#pragma/) print text
                print line[n]
            }
        }'
}

# Removes the private prefix of local variables, unless a short name would equal another name of the text. Members, after a
# dot or an arrow, do not count as names.
short() {
    awk '{
        line[NR] = rest = $0
        gsub(/"[^"]*"/, "", rest)
        gsub(/->/, ".", rest)
        for (; match(rest, /[A-Za-z_0-9.]+/); rest = substr(rest, RSTART + RLENGTH)) {
            name = substr(rest, RSTART, RLENGTH)
            if (name ~ /\./) continue
            if (sub(/^sparse_l_/, "", name)) hidden[name] = 1
            else used[name] = 1
        }
    }
    END {
        for (name in hidden) same = same || name in used
        for (n = 1; n <= NR; n++) {
            if (!same) gsub(/sparse_l_/, "", line[n])
            print line[n]
        }
    }'
}

# Preprocesses the file; writes 0 for the zero of a number type.
preprocess() { prepared | $compiler "$@" ${CPPFLAGS:-} -E -P -iquote "$(dirname "$file")" -I "$root" - |
    sed -E 's/_Static_assert\(sizeof\(struct \{ ?[^{};]*; ?\}\) > 0, ?"[a-zA-Z0-9_]+"\) ?; ?extern const sparse_encoding [a-zA-Z0-9_]+_encoding ?; ?//g; s/extern [^;]* const [a-zA-Z0-9_]+_fill ?; ?//g; s/\((double|float|char|int|long|short|unsigned|signed|u?int[0-9]+_t|size_t)\) ?\{ ?0 ?\}/0/g'; }
soup=$(preprocess -fopenmp 2>/dev/null) || soup=$(preprocess) || die "$file does not preprocess"
wanted=${kernel}_loops
case $whole$soup in
1*"static inline sparse_result ${kernel}_needs("*) wanted="$wanted ${kernel}_assemble $kernel ${kernel}_into ${kernel}_needs" ;;
1*"static inline sparse_result ${kernel}_assemble("*) wanted="$wanted ${kernel}_assemble $kernel ${kernel}_into" ;;
1*) wanted="$wanted $kernel" ;;
esac
if ! code=$(printf '%s\n' "$soup" | functions "$wanted"); then
    why=$(printf '%s\n' "$soup" | sed -n "s/\" *\"//g;s/.*\"\($kernel: [^\"]*\)\".*/\1/p" | head -n 1)
    die "$file: ${why:-no kernel $kernel}"
fi

if [ -z "$out" ]; then
    [ -z "$lines" ] || source_line
    printf '%s\n' "$code" | short | statements | lean | format | annotate
    exit
fi

[ "$lines" ] || die "$kernel is made by a macro of $file, so it cannot be expanded in place"
mkdir -p "$(dirname "$out")"
{
    sed "$((first - 1))q" "$file"
    source_line
    echo '#if defined(__GNUC__)'
    echo '    #pragma GCC diagnostic push'
    for warning in unused-variable unused-parameter unused-function unknown-pragmas; do
        echo "    #pragma GCC diagnostic ignored \"-W$warning\""
    done
    echo '#endif'
    printf '%s\n' "$code" | short | statements | lean | format | annotate
    printf '%s\n' '#if defined(__GNUC__)' '    #pragma GCC diagnostic pop' '#endif'
    sed "1,${last}d" "$file"
} >"$out"
