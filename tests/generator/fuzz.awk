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
    if (rank == 2) return pick("csr csr csc dcsr dcsc coo coosoa cd dense dense colmajor bsr bsr1x2 ell5 dia bsc2x2")
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
    kind = draw(depth > 0 ? 17 : 2)
    if (kind < 2) return operand()
    if (kind < 6) return expression(depth - 1) " * " expression(depth - 1)
    if (kind < 8) return expression(depth - 1) " + " expression(depth - 1)
    if (kind == 8) return expression(depth - 1) " - (" expression(depth - 1) ")"
    if (kind == 9) return "(" expression(depth - 1) " + " expression(depth - 1) ") * " operand()
    if (kind == 10) return pick("abs sin exp") "(" expression(depth - 1) ")"
    if (kind == 11) return pick("max min") "(" expression(depth - 1) ", " operand() ")"
    if (kind == 12) return "(" operand() " " pick("< > <= !=") " " operand() ")"
    if (kind == 13 && draw(2)) return reduction(operand())
    if (kind == 14) return "(" operand() " " pick("&& ||") " " operand() ")"
    if (kind == 15) return "(" operand() " > 0 ? " operand() " : " operand() ")"
    if (kind == 16) return "(" operand() ") % 2"
    return pick("0.5 2 alpha") " * " operand()
}
function einsum(n, count, terms, all, out) { # over two or three operands, as a statement of its own
    count = 2 + draw(2)
    while (count-- > 0) {
        all = pick("ij jk ik i j k ijk")
        terms = terms (terms == "" ? "" : ",") all
    }
    n = pick("i j k ij ik jk")
    if (index(terms, substr(n, 1, 1)) == 0 || index(terms, substr(n, length(n))) == 0) n = ""
    return terms "->" n
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
        sign = " = "
        if (draw(7) == 0) { # an operand is changed
            left = operand()
            rank = 0
            if (draw(2)) right = left " * " right
            if (draw(3) == 0) sign = " += "
        }
        if (rank && sparse && draw(2)) formats = formats " Y=" (rank == 1 ? "sparse" : pick("csr csc dcsr dcsc"))
        options = " | -d i=5,j=4,k=3"
        if (draw(4) == 0) {
            type = pick("float c128 c64 int32_t int8_t uint8_t uint32_t int64_t bool")
            options = options " -t " type
            if (type ~ /^u|bool/) options = options " -i rand:0.4"
        }
        if (draw(8) == 0) right = right "; Z" substr(left, 2) " = " pick("2 3") " * " left
        print left sign right " | " formats options
    }
}
