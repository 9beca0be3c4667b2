#!/bin/sh
# module.sh HEADERS DIRECTORY NAME: makes DIRECTORY/NAME.py, a module of kernels for Python, from DIRECTORY/libNAME.c, which
# holds kernel lines as sparse_gen prints them. Its library and kit.py stand beside it. Environment: CC, CFLAGS.
here=$(dirname "$0") headers=$1 into=$2 library=$2/lib$3
awk -f "$here/python.awk" "$library.c" >"$library.lines" && mv "$library.lines" "$library.c" &&
    ${CC:-cc} -std=c11 -O3 -march=native -fPIC -shared $CFLAGS -I"$headers" -I"$here" "$library.c" -o "$library.so" -lm &&
    cp "$here/kit.py" "$into" && sed "s/@NAME@/$3/" "$here/module.py.in" >"$into/$3.py" && exit
rm -f "$library.lines" "$library.c"
exit 1
