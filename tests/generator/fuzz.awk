# fuzz.awk -v seed=N -v rows=M -v sparse=1: rows for generator.sh, made up. An operand has a name by which its
# indices and its format are chosen once; the result is sparse now and then if `sparse` is set.

function draw(n) { # 0 .. n-1 (Park and Miller 1988)
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}
function pick(list, count, word) {
    count = split(list, word, " ")
    return word[draw(count) + 1]
}
function subscripts(rank, letters, at, chosen) {
    letters = "ijk"
    chosen = ""
    while (rank-- > 0) {
        at = draw(length(letters)) + 1
        chosen = chosen (chosen == "" ? "" : ",") substr(letters, at, 1)
        letters = substr(letters, 1, at - 1) substr(letters, at + 1)
    }
    return chosen
}
function format(rank) {
    if (rank == 1) return pick("dense sparse")
    if (rank == 2) return pick("csr csr csc dcsr dcsc coo coosoa cd dense dense colmajor bsr bsr1x2")
    return pick("csf coo dense")
}
function operand(n, rank, name) {
    n = draw(5)
    name = substr("ABDEF", n + 1, 1)
    if (!(name in access)) {
        rank = pick("1 1 2 2 2 2 3")
        access[name] = name "(" subscripts(rank) ")"
        formats = formats " " name "=" format(rank)
    }
    return access[name]
}
function expression(depth, kind) {
    kind = draw(depth > 0 ? 14 : 2)
    if (kind < 2) return operand()
    if (kind < 6) return expression(depth - 1) " * " expression(depth - 1)
    if (kind < 8) return expression(depth - 1) " + " expression(depth - 1)
    if (kind == 8) return expression(depth - 1) " - (" expression(depth - 1) ")"
    if (kind == 9) return "(" expression(depth - 1) " + " expression(depth - 1) ") * " operand()
    if (kind == 10) return pick("abs sin exp") "(" expression(depth - 1) ")"
    if (kind == 11) return pick("max min") "(" expression(depth - 1) ", " operand() ")"
    if (kind == 12) return "(" operand() " " pick("< > <= !=") " " operand() ")"
    if (kind == 13 && draw(2)) return reduction(operand())
    return pick("0.5 2 alpha") " * " operand()
}
function reduction(a, list) { # over one of the indices of an operand
    list = substr(a, 3, length(a) - 3)
    gsub(",", " ", list)
    return pick("max min sum prod") "(" pick(list) ") " a
}
BEGIN {
    state = seed % 2147483646 + 1
    for (n = 0; n < 20; n++) draw(2)
    while (rows-- > 0) {
        split("", access)
        formats = ""
        rank = pick("0 1 1 2 2 2")
        left = rank ? "Y(" subscripts(rank) ")" : "Y"
        right = expression(pick("1 2 2 3"))
        if (rank && sparse && draw(2)) formats = formats " Y=" (rank == 1 ? "sparse" : pick("csr csc dcsr dcsc"))
        options = " | -d i=5,j=4,k=3"
        if (draw(6) == 0) options = options " -t " pick("float c128 int32_t")
        print left " = " right " | " formats options
    }
}
