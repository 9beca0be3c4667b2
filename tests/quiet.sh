# quiet.sh: the common beginning of tests that compile programs; they source it from the root of the project. It sets CC, CXX
# and WARNINGS from the environment, makes a temporary directory $work, and defines functions that count checks.
CC=${CC:-cc} CXX=${CXX:-c++}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }

# is there a C++ compiler?
echo 'int main() { return 0; }' >"$work/probe.cc"
$CXX -std=c++17 "$work/probe.cc" -o "$work/probe" 2>/dev/null && has_cxx=yes || has_cxx=

# succeeds NAME COMMAND...: the command succeeds and prints nothing; skipped if it needs a C++ compiler and there is none
succeeds() {
    name=$1
    shift
    case " $* " in *" $CXX "*) [ $has_cxx ] || { skip "$name, as $CXX does not work here" && return; } ;; esac
    if "$@" >"$work/out" 2>&1 && [ ! -s "$work/out" ]; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $name"
        head -n 8 "$work/out"
    fi
}
