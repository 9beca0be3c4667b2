#!/bin/sh
# module.sh HEADERS DIRECTORY NAME: makes DIRECTORY/NAME.py, a Python module with the kernel lines in DIRECTORY/libNAME.c,
# which sparse_gen wrote. Its library and kit.py are put in DIRECTORY, too. Environment: CC, CFLAGS.
here=$(dirname "$0") headers=$1 into=$2 library=$2/lib$3
awk -f "$here/python.awk" "$library.c" >"$library.lines" && mv "$library.lines" "$library.c" &&
    ${CC:-cc} -std=c11 -O3 -march=native -fPIC -shared $CFLAGS -I"$headers" -I"$here" "$library.c" -o "$library.so" -lm &&
    cp "$here/kit.py" "$into" && sed "s/@NAME@/$3/" "$here/module.py.in" >"$into/$3.py" && exit
rm -f "$library.lines" "$library.c"
exit 1
