# quiet.sh: what tests that compile programs begin with; they read it from the root of the project. CC, CXX and WARNINGS
# from the environment, a directory $work that goes with the test, and counts.
CC=${CC:-cc} CXX=${CXX:-c++}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

# succeeds NAME COMMAND...: the command succeeds and prints nothing
succeeds() {
    name=$1
    shift
    if "$@" >"$work/out" 2>&1 && [ ! -s "$work/out" ]; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $name"
        head -n 8 "$work/out"
    fi
}
