# fuzz.awk -v seed=N -v rows=M -v sparse=1: writes M random rows for generator.sh: expressions, einsum, several statements,
# updates in place, slices, index sets, windows and sums of indices on either side, with and without padding, filters whose
# size only a file gives, all types, encodings, strategies, semirings and masks, padded results, results without zeros. The
# subscripts and the format of an operand follow from its name. If `sparse` is set, some results are sparse.

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
    if (rank == 1) return pick("dense dense sparse sparse bitvec sparse,implicitVal=1 sparse,crdWidth=8")
    if (rank == 2)
        return pick("csr csr csr csc dcsr dcsc coo coosoa cd dense dense colmajor bsr bsr1x2 ell5 jagged5 dia dia2 bsc2x2 n2of3 " \
                    "bitrows bsr_inner_columns2x1 csr,posWidth=64,crdWidth=8 csr,explicitVal=1 csc,implicitVal=1")
    return pick("csf csf coo dense coosoa colmajor batched_csr hicoo2 mode_generic")
}
function place(list, count, word, n) { # some subscripts are constants, or sums of indices
    if (draw(affine ? 2 : 6)) return list
    count = split(list, word, ",")
    n = draw(count) + 1
    if (!affine && draw(2)) word[n] = pick("P P Q") "(" word[n] ")" # or through an index set
    else if (draw(affine ? 5 : 2) == 0) word[n] = pick("0 1 2 0*p+1")
    else if (draw(3) == 0) word[n] = pick("0* 2* 3* 1+") word[n]
    else word[n] = word[n] "+" pick("p p 0*p 2*p 3*p j k i+k")
    if (word[n] !~ /[PQ]/ && draw(2)) word[n] = word[n] pick("+1 +1 +2 +3")
    if (affine && draw(6) == 0) word[n] = word[n] pick("-p -q -j -2*p") "+" draw(9)
    if (padded && draw(2)) word[n] = word[n] pick("-1 -2 -3")
    if (affine && count > 1 && draw(3) == 0) word[n % count + 1] = pick("0* 1* 2* 3*") word[n % count + 1] pick("+q +0*q +2*q+1 +p")
    list = word[n % count + 1]
    if (count > 1 && list ~ /^[ijk]$/ && draw(4) == 0) word[n % count + 1] = pick("P P Q") "(" list ")"
    list = word[1]
    for (n = 2; n <= count; n++) list = list "," word[n]
    return list
}
function operand(n, rank, name) {
    n = draw(5)
    name = substr("ABDEF", n + 1, 1)
    if (!(name in access)) {
        rank = pick("1 1 2 2 2 2 3")
        access[name] = name "(" place(subscripts(rank)) ")"
        formats = formats " " name "=" format(rank)
    }
    return access[name]
}
function expression(depth, kind) {
    kind = draw(depth > 0 ? 19 : 2)
    if (half && (kind == 10 || kind == 12 || kind == 16)) kind = 2 # a rounding error changes these much
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
    if (kind == 17) return expression(depth - 1) " / 2"
    if (kind == 18 && draw(2)) return operand() " * " pick("i j")
    return pick("0.5 2 alpha") " * " operand()
}
function einsum(count, n, all, terms, names, out) { # over two or three operands; A, B and D by default
    count = 2 + draw(2)
    split("A B D", names, " ")
    for (n = 1; n <= count; n++) {
        all = pick("ij jk ik i j k ijk")
        terms = terms (n > 1 ? "," : "") all
        formats = formats " " names[n] "=" format(length(all))
    }
    out = pick("i j k ij ik jk")
    if (index(terms, substr(out, 1, 1)) == 0 || index(terms, substr(out, length(out))) == 0) out = ""
    if (out != "" && sparse && draw(2)) formats = formats (length(out) == 1 ? " y=sparse" : " C=" pick("csr csc dcsr coo"))
    return terms "->" out
}
function output_place(list, count, word, n) { # a slice of the result, or its elements in an index set
    count = split(list, word, ",")
    n = draw(count) + 1
    word[n] = affine ? pick("1* 1* 2*") word[n] pick("+1 +2 +p +2*p+1") : pick("P P Q") "(" word[n] ")"
    if (count > 1 && draw(4) == 0) word[n % count + 1] = pick("P P Q") "(" word[n % count + 1] ")"
    list = word[1]
    for (n = 2; n <= count; n++) list = list "," word[n]
    return list
}
function reduction(a, list) { # over one of the indices of an operand
    list = substr(a, 3, length(a) - 3)
    gsub(/[^ijkpq]+/, " ", list)
    if (list ~ /^ *$/) return a
    if (draw(4) == 0) a = "(" a " " pick("* + -") " " operand() ")"
    if (half || draw(3)) return pick("max min sum prod") "(" pick(list) ") " a
    return pick("any all count mean variance norm argmax argmin") "(" pick(list) ") " a
}
function sum_of(letters, count, word, n, terms) { # a sum of 0 to 3 times each of the letters, and an offset
    count = split(letters, word, " ")
    terms = pick(padded ? "0 1 1 2 3" : "1 1 2 3") "*" word[1]
    for (n = 2; n <= count; n++) terms = draw(3) ? terms "+" draw(4) "*" word[n] : draw(4) "*" word[n] "+" terms
    return terms pick(padded ? "-3 -2 -1 +0 +1 +2 +3" : "+0 +0 +1 +2 +3")
}
function any_room(rank) { # formats with room for all entries, of any value
    return rank == 1 ? pick("dense sparse sparse bitvec") : \
           pick("dense colmajor csr csr csc dcsr dcsc coo coosoa cd bsr bsr1x2 dia bitrows csr,posWidth=64,crdWidth=8")
}
function sizes(text,    n, i, found) { # sizes of the indices in the text, and of the dimensions read through index sets
    for (n = 1; n <= 2; n++) {
        i = substr("PQ", n, 1)
        if (text ~ i "[(]") found = found " -d " i "=" size[i] " -t " i "=i8 -i " i "=rand,low=-1,high=" size[i]
    }
    while (match(text, /[PQ][(].[)]/)) text = substr(text, 1, RSTART - 1) substr(text, RSTART + 2, 1) substr(text, RSTART + 4)
    for (n = 1; n <= 5; n++) {
        i = substr("ijkpq", n, 1)
        if (text ~ "[(]([^()]*[^A-Za-z()])?" i "([^A-Za-z()][^()]*)?[)]") found = found " -d " i "=" size[i]
    }
    return found
}
function from_file(name, rank) { # a tensor whose size only the file gives
    return " -i " name "=$DIR/" pick(rank == 1 ? "0 1 2 3 3 8 8 13" : "0x2 1x1 2x3 3x2 7x5 7x5 9x8 9x8") ".tns"
}
# Filters that are empty, have one element, or are larger than the image. Without padding, m and n have as many values as
# fit; i and j have given sizes.
function window(type, rank, ranks, i, j, left, right, files) {
    padded = draw(2)
    i = padded ? "i" : "m"
    j = padded ? "j" : "n"
    rank = 1 + draw(2)
    ranks = rank == 2 ? 2 : 1 + draw(2)
    left = "Y" (rank == 2 ? pick("(" i "," j ") (" i "," j ") (" i ") (" j ") ") : draw(6) ? "(" i ")" : "")
    right = "A(" (rank == 2 ? sum_of(i " p") "," sum_of(j " q") : sum_of(i (ranks == 2 ? " p q" : " p"))) ") * W(p" (ranks == 2 ? ",q)" : ")")
    files = from_file("A", rank) from_file("W", ranks)
    formats = " A=" (padded ? any_room(rank) : rank == 1 ? pick("sparse bitvec") : pick("csr csc dcsr dcsc coo coosoa cd")) " W=" any_room(ranks)
    if (padded && draw(3) == 0) {
        right = right pick("* +") "B(" sum_of(i (ranks == 2 ? " q" : " p")) ")"
        formats = formats " B=" any_room(1)
        files = files from_file("B", 1)
    }
    if (sparse && left != "Y" && draw(2)) formats = formats " Y=" (left ~ /,/ ? pick("csr csc dcsr dcsc coo") : "sparse")
    type = draw(3) ? "" : " -t " pick("float c64 int64_t i16 u8 bool")
    if (type ~ /u8|bool/) type = type " -i rand:0.4"
    if (draw(8) == 0) type = type " -s '" pick("let(" i ") parallel(" i ") simd(p) where(p)") "'"
    print left " " pick(padded ? "= = +=" : "=") " " right " | " formats " | " files (padded ? " --padded" : "") type
}
BEGIN {
    state = seed % 2147483646 + 1
    for (n = 0; n < 20; n++) draw(2)
    size["i"] = 5
    size["j"] = 4
    size["k"] = 3
    size["P"] = 4
    size["Q"] = 2
    while (rows-- > 0) {
        split("", access)
        formats = ""
        if (draw(8) == 0) {
            window()
            continue
        }
        type = draw(3) ? "" : pick("float c128 c64 int32_t int8_t uint8_t uint32_t int64_t bool f16 bf16 i16 u16 u64")
        half = type ~ /16$/ && type ~ /f/
        affine = draw(4) == 0
        padded = affine && draw(3) == 0
        size["p"] = pick("1 2 2 2 7")
        size["q"] = pick("1 2 3 3 9")
        options = " |" (padded ? " --padded" : "")
        if (type != "") options = options " -t " type
        if (type ~ /^u|bool/) options = options " -i rand:0.4"
        mixed = type == "" && draw(8) == 0
        if (draw(affine ? 6 : 10) == 0) options = options " -s '" pick("parallel(i) simd(j) unroll(j) prefetch(j) prefetch(k) tile(j,2) tile(k,2) where(k) parallel(j),simd(i) simd(i) unroll(p) tile(i,2) tile(p,2) where(p) where(j) prefetch(i) let(i) let(j) let(i),let(j) let(i),parallel(j)") "'"
        if (draw(12) == 0) {
            right = einsum()
            left = right
            gsub(/[a-z]/, "(&)", left)
            print substr("syC", length(right) - index(right, ">") + 1, 1) " | " formats options sizes(left) \
                " --einsum '" right "' A B" (right ~ /,.*,/ ? " D" : "")
            continue
        }
        if (draw(16) == 0 && type ~ /^(float|int32_t|i16|uint8_t|bool)?$/) { # over another semiring
            left = "Y(" (draw(3) ? subscripts(1 + draw(2)) : output_place(subscripts(1 + draw(2)))) ")"
            right = operand() " * " operand()
            if (draw(3) == 0) right = right " * (" operand() " " pick("> != <=") " 0)"
            print left " = " right " | " formats options sizes(left " " right) " --semiring " pick("min-plus max-plus max-min min-max or-and")
            continue
        }
        rank = pick("0 1 1 2 2 2")
        left = rank ? "Y(" (draw(affine ? 3 : 6) == 0 ? output_place(subscripts(rank)) : subscripts(rank)) ")" : "Y"
        if (rank && affine && draw(4) == 0) {
            left = "Y(" output_place(subscripts(rank)) ")"
            sub(/[)]$/, pick("-1 -2 -3") ")", left)
            options = options " --padded Y"
        }
        right = expression(pick("1 2 2 3"))
        sign = draw(8) ? " = " : " " pick("max= min= *=") " "
        if (draw(7) == 0) { # an operand is updated
            left = operand()
            rank = 0
            sub(substr(left, 1, 1) "=(n2of3|ell5|jagged5)", substr(left, 1, 1) "=csr", formats) # the others have room for few entries
            if (draw(2)) right = left " * " right
            if (draw(3) == 0) sign = " += "
        }
        if (rank && sparse && draw(2)) {
            formats = formats " Y=" (rank == 1 ? "sparse" : pick("csr csc dcsr dcsc"))
            if (draw(4) == 0) options = options " --drop-zeros"
        }
        if (draw(6) == 0) right = right "; Z" substr(left, 2) " = " pick("2 3") " * " left
        if (draw(12) == 0) right = right "; W = " left " * " operand()
        print left sign right " | " formats options sizes(left " " right) (mixed ? " -t " substr(formats, 2, 1) "=float" : "")
    }
}
