#!/bin/bash
# make.sh DIRECTORY: draws the pictures of the documents: storage and patterns with draw.c and programs of examples/,
# iteration graphs and lattices with the generator. make roofline draws docs/pictures/roofline.svg, which shows
# measurements. Environment: CC.
cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-cc} to=${1:?make.sh DIRECTORY}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
$CC -std=c11 -O0 -I. docs/pictures/draw.c -o "$work/draw" -lm && "$work/draw" "$to" || exit
for name in ink events; do
    $CC -std=c11 -O0 -I. examples/$name.c -o "$work/$name" -lm && "$work/$name" "$to/$name.svg" >"$work/printed" || exit
done
mkdir "$work/build" && $CC -std=c11 -O0 -I. examples/reorder.c -o "$work/reorder" -lm || exit
(root=$PWD && cd "$work" && ./reorder "$root/examples/data/plate.mtx" >reordered) || exit
cp "$work/build/scattered.svg" "$work/build/reordered.svg" "$to" || exit
$CC -std=c11 -O0 sparse_gen.c -o "$work/sparse_gen" -lm || exit

# graph NAME ARGUMENTS...: the picture of statements
graph() {
    local name=$1
    shift
    SPARSE_GEN_HOME=$PWD "$work/sparse_gen" "$@" --draw >"$to/graph_$name.svg" || exit
}
graph spmv 'y(i) = A(i,j) * x(j)' -f A=csr
graph spmv_columns 'y(i) = A(i,j) * x(j)' -f A=csc
graph product 'C(i,j) = A(i,k) * B(k,j)' -f A,B,C=csr
graph add 's = a(i) + b(i)' -f a,b=svec
graph times 's = a(i) * b(i)' -f a,b=svec
graph either_and 's = (a(i) + b(i)) * c(i)' -f a,b=svec
graph add3 'D(i,j) = A(i,j) + B(i,j) + C(i,j)' -f A,B,C,D=csr
graph mttkrp 'A(i,r) = X(i,j,k) * B(j,r) * C(k,r)' -f X=csf
graph blocks 'y(i) = A(i,j) * x(j)' -f A=bsr2x2
graph autocorrelation 'r(l) = x(i) * x(i+l)' -f x=svec
graph points 'Y(i,j,k,f) = X(i+p,j+q,k+r,c) * F(p,q,r,c,f)' -f X=csf
graph image 'Y(i,j,f) = X(i+p,j+q,c) * W(p,q,c,f)' -f X=csf
