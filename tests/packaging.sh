#!/bin/bash
# packaging.sh: the kit is installed by make and by CMake, and both install equal files. Programs find it with pkg-config,
# find_package, add_subdirectory and FetchContent, as one header, and as a Debian package.
# Environment: CC, CXX, WARNINGS.
cd "$(dirname "$0")/.." || exit 1
CC=${CC:-cc} CXX=${CXX:-c++}
WARNINGS=${WARNINGS:--Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wundef -Wdouble-promotion -Werror}
here=$PWD work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0

check() {
    local what=$1
    shift
    if "$@" >"$work/out" 2>&1; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $what"
        tail -n 5 "$work/out"
    fi
}
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }
has() { command -v "$1" >/dev/null; }
files() { (cd "$1" && find . -type f | sort); }
# prints FILE COMMAND...: the command succeeds, and its output equals the file
prints() {
    "${@:2}" >"$work/printed" && diff "$1" "$work/printed"
}
echo "4001 0 765" >"$work/wanted"

# installed in its final place (PREFIX), and under another root (DESTDIR)
unset MAKEFLAGS MAKELEVEL DESTDIR PREFIX
prefix=$work/prefix
check "make install" make -s install CC="$CC" CFLAGS=-O0 PREFIX="$prefix"
check "make install under DESTDIR" make -s install CC="$CC" CFLAGS=-O0 PREFIX=/usr DESTDIR="$work/root"
check "other files under DESTDIR" diff <(files "$prefix") <(files "$work/root/usr")
check "the root is in a file" sh -c "! grep -rl '$work' '$work/root'"
check "the headers" sh -c "for h in sparse*.h; do cmp \$h '$prefix/include/sparse/'\$h || exit; done"
mkdir "$work/away" && cp examples/arrays.c examples/spmv.c "$work/away"
check "the generator runs what it makes" env -C "$work/away" -u SPARSE_GEN_HOME CC="$CC" XDG_CACHE_HOME="$work/cache" \
    "$prefix/bin/sparse_gen" 'y(i) = A(i,j) * x(j)' -f A=csr -i rand:0.5,seed=1 -d i=4,j=4 --run --check

check "the generator makes a module for Python" env -C "$work/away" -u SPARSE_GEN_HOME CC="$CC" CFLAGS=-O0 \
    "$prefix/bin/sparse_gen" 'y(i) = A(i,j) * x(j)' -f A=csr --python
check "its files" test -s "$work/away/kernel.py" -a -s "$work/away/libkernel.so" -a -s "$work/away/kit.py"

# all files have one version number
version=$($CC -std=c11 -I. -include sparse.h -E -P - <<<'version SPARSE_VERSION_MAJOR SPARSE_VERSION_MINOR SPARSE_VERSION_PATCH' |
    sed -n 's/^version \([0-9]*\) \([0-9]*\) \([0-9]*\)$/\1.\2.\3/p')
check "a version" grep -Eq '^[0-9]+\.[0-9]+\.[0-9]+$' <<<"$version"
check "the version in CHANGELOG.md" test "$version" = "$(sed -n 's/^## //p' CHANGELOG.md | head -n 1)"
check "the version in the manual" grep -qF "sparse $version" "$prefix/share/man/man1/sparse_gen.1"
printf '#include "sparse.h"\n#if SPARSE_VERSION < %d%02d%02d\n#error\n#endif\nint main(void) { return SPARSE_VERSION != %d%02d%02d; }\n' \
    ${version//./ } ${version//./ } | sed 's/ 0*\([1-9]\)/ \1/g' >"$work/version.c"
check "SPARSE_VERSION" sh -c "$CC -std=c11 $WARNINGS -I. '$work/version.c' -o '$work/version' && '$work/version'"

# the manual page has all options of --help; shell completion knows them
if has man && has groff; then
    check "the manual page" sh -c "LC_ALL=C.UTF-8 man -E UTF-8 --warnings -l '$prefix/share/man/man1/sparse_gen.1' 2>&1 >'$work/page' |
        grep -v 'cannot adjust line' | grep . >&2 && exit 1; test -s '$work/page'"
    "$prefix/bin/sparse_gen" --help | grep -oE -- '--[a-z]+' | sort -u >"$work/options"
    check "options without a manual" diff "$work/options" <(grep -oE -- '--[a-z]+' "$work/page" | sort -u)
else skip "the manual page, as there is no man and groff"
fi
complete_word() {
    bash --norc -c 'source "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _sparse_gen; printf "%s\n" "${COMPREPLY[@]}"' \
        - "$prefix/share/bash-completion/completions/sparse_gen" "$prefix/bin/sparse_gen" "$@"
}
check "completion of an option" test "$(complete_word --expa)" = "--expand"
check "completion of options" test "$(complete_word --se | sort | tr '\n' ' ')" = "--search --semiring "
check "completion of an encoding" test "$(complete_word -f A = bsc | sort | tr '\n' ' ')" = "bsc2x2 bsc_inner_rows2x2 "
check "completion of a strategy" test "$(complete_word -s w)" = "where"

if has pkg-config; then
    export PKG_CONFIG_PATH=$prefix/share/pkgconfig
    check "pkg-config --modversion" test "$version" = "$(pkg-config --modversion sparse)"
    check "a program with pkg-config" $CC -std=c11 $WARNINGS "$work/away/arrays.c" $(pkg-config --cflags sparse) -o "$work/arrays"
    check "its result" prints "$work/wanted" "$work/arrays"
else skip "pkg-config, which is not there"
fi

if has cmake; then
    # project NAME LINES...: a CMake project that finds the kit with these lines is configured, built and run
    project() {
        local name=$1
        mkdir "$work/$name" && cp examples/arrays.c "$work/$name" &&
            printf '%s\n' 'cmake_minimum_required(VERSION 3.14)' 'project(p C)' "${@:2}" 'add_executable(arrays arrays.c)' \
                'target_link_libraries(arrays sparse::sparse)' >"$work/$name/CMakeLists.txt" &&
            cmake -S "$work/$name" -B "$work/$name/b" -DCMAKE_C_COMPILER="$CC" -DCMAKE_PREFIX_PATH="$prefix" &&
            cmake --build "$work/$name/b" && prints "$work/wanted" "$work/$name/b/arrays"
    }
    series=${version%.*}
    check "find_package" project package "find_package(sparse $series REQUIRED)"
    check "find_package of this very version" project exact "find_package(sparse $version EXACT REQUIRED)"
    refuses() { ! project later "find_package(sparse 99.0 REQUIRED)"; }
    check "find_package of a later version" refuses
    check "add_subdirectory" project subdirectory "add_subdirectory($here sparse)"
    check "FetchContent" project fetch 'include(FetchContent)' "FetchContent_Declare(sparse SOURCE_DIR $here)" \
        'FetchContent_MakeAvailable(sparse)'
    # of_cxx NAME LINE: a CMake project in C++ only, which finds the kit with this line, is configured and built
    of_cxx() {
        mkdir "$work/$1" && printf '#include "sparse.h"\nint main() { return sizeof(sparse_tensor) == 0; }\n' >"$work/$1/prog.cc" &&
            printf '%s\n' 'cmake_minimum_required(VERSION 3.14)' 'project(p CXX)' "$2" 'add_executable(prog prog.cc)' \
                'target_link_libraries(prog sparse::sparse)' >"$work/$1/CMakeLists.txt" &&
            cmake -S "$work/$1" -B "$work/$1/b" -DCMAKE_CXX_COMPILER="$CXX" -DCMAKE_PREFIX_PATH="$prefix" &&
            cmake --build "$work/$1/b" && "$work/$1/b/prog"
    }
    check "find_package in a project of C++" of_cxx package_cxx "find_package(sparse $series REQUIRED)"
    check "add_subdirectory in a project of C++" of_cxx subdirectory_cxx "add_subdirectory($here sparse)"
    check "cmake --install" sh -c "cmake -S . -B '$work/b' -DCMAKE_C_COMPILER='$CC' -DCMAKE_INSTALL_PREFIX='$work/cmake' &&
        cmake --build '$work/b' && cmake --install '$work/b'"
    check "make and CMake install other files" diff <(files "$prefix") <(files "$work/cmake")
    for file in share/man/man1/sparse_gen.1 share/cmake/sparse/sparseConfigVersion.cmake; do
        check "another $file by CMake" cmp "$prefix/$file" "$work/cmake/$file"
    done
else skip "find_package, FetchContent and cmake --install, as there is no cmake"
fi

# the four headers joined into one
check "make amalgamate" make -s amalgamate
single=$here/build/sparse_single.h
mkdir "$work/single" "$work/single/examples" && cp examples/*.c "$work/single/examples" && cp tests/test_arrays.c tests/oracle.h "$work/single"
for header in sparse.h sparse_io.h sparse_formats.h; do echo "#include \"$single\"" >"$work/single/$header"; done
for name in arrays spmv cg; do
    check "$name with one header" $CC -std=c11 $WARNINGS -O0 -I"$work/single" "$work/single/examples/$name.c" -o "$work/$name" -lm
done
check "arrays, run" prints "$work/wanted" "$work/arrays"
check "spmv, run" sh -c "'$work/spmv' | grep -q '3976 entries add up to 18692308142'"
check "cg, run" "$work/cg"
printf '#define SPARSE_IMPLEMENTATION\n#include "%s"\n' "$single" >"$work/kit.c"
check "one header, compiled once" sh -c "$CC -std=c11 $WARNINGS -c '$work/kit.c' -o '$work/kit.o' &&
    $CC -std=c11 $WARNINGS -DSPARSE_DECLARE -I'$work/single' '$work/single/examples/spmv.c' '$work/kit.o' -o '$work/spmv'"
check "spmv, linked" sh -c "'$work/spmv' | grep -q '3976 entries add up to 18692308142'"
check "test_arrays with one header" sh -c "cd '$work/single' && $CC -std=c11 $WARNINGS -I. test_arrays.c -o t -lm && ./t"
printf 'int main() { return 0; }\n' >"$work/probe.cc"
if $CXX -std=c++17 "$work/probe.cc" -o "$work/probe" 2>/dev/null
then check "one header in C++" $CXX -std=c++17 $WARNINGS -x c++ -fsyntax-only -I"$work/single" "$work/single/test_arrays.c"
else skip "one header in C++, as $CXX does not work here"
fi
printf '#define SPARSE_FREESTANDING 1\n#include "%s"\n#ifdef EOF\n#error\n#endif\ntypedef int not_empty;\n' "$single" >"$work/free.c"
check "one header, freestanding" $CC -std=c11 $WARNINGS -ffreestanding -c "$work/free.c" -o "$work/free.o"

# a Debian package of the installed tree
if has dpkg-deb; then
    mkdir "$work/root/DEBIAN"
    gzip -9n "$work/root/usr/share/man/man1/sparse_gen.1" && mkdir -p "$work/root/usr/share/doc/sparse-kit-dev" &&
        cp LICENSE "$work/root/usr/share/doc/sparse-kit-dev/copyright"
    cat >"$work/root/DEBIAN/control" <<END
Package: sparse-kit-dev
Version: $version
Section: libdevel
Priority: optional
Architecture: $(dpkg --print-architecture)
Maintainer: $(id -un) <$(id -un)@localhost>
Depends: gcc | c-compiler
Description: sparse tensors and kernels over them, in C11 headers
 Names how a tensor is stored, writes what is to be computed, and the compiler makes the loops.
END
    check "dpkg-deb --build" dpkg-deb --root-owner-group --build "$work/root" "$work/sparse.deb"
    check "its version" test "$version" = "$(dpkg-deb --field "$work/sparse.deb" Version)"
    check "unpacked" dpkg-deb --extract "$work/sparse.deb" "$work/unpacked"
    check "a program from the package" $CC -std=c11 $WARNINGS -I"$work/unpacked/usr/include/sparse" examples/arrays.c -o "$work/arrays"
    check "the generator of the package" sh -c "'$work/unpacked/usr/bin/sparse_gen' 'y(i) = A(i,j) * x(j)' -f A=csr | grep -q SPARSE_KERNEL"
else skip "the Debian package, as there is no dpkg-deb"
fi

check "make uninstall" make -s uninstall PREFIX="$prefix"
check "files left behind" test -z "$(files "$prefix")"
echo "packaging: $passed passed, $failed failed, $skipped skipped"
[ $failed = 0 ]
