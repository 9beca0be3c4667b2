/* generate_kernels.c: writes a C program that tests kernels to stdout.

       generate_kernels SLICE            the program for a slice: a family, as rank3, or a part of one, as rank4-2-6:
                                         every sixth kernel of rank4, from the third on
       generate_kernels --list [all]     the slices that each configuration of the Makefile compiles, as
                                         O3/kernels_rank4-2-24. With all (make test-all) a slice has about 50 kernels.
                                         Without (make test) it has about 9, and of each family one slice is
                                         compiled in sanitized, one in O3, one in m32 or openmp, one in cxx or Os

   The program has every kernel twice: as a SPARSE_KERNEL line, and as a function that computes the expected result at
   a coordinate from the operands that are stored there. oracle.h tries all coordinates. To add kernels, add a formula to
   a table below, or a family with its function write_... The families are

     rank1 .. rank4   seven formulas over all encodings of dense and compressed levels in all orders of the
                      dimensions (2, 8, 48, 384 encodings). A second operand has the same order and other level types.
                      The loops have every order that the encodings allow. In rank4 each encoding has three of the
                      formulas, in rank4all seven
     trees            three to eleven operands: nested all, any and none, with scalars and dense operands, over all
                      encodings of rank 1 and 2
     complements      none() of dense operands, of scalars, and of all, any and none
     levels           the other level types, including COO, with the seven formulas if the levels can be merged, else
                      with the formulas that need no merge
     blocks           levels and loops over blocks, including n:m
     slices           slices of operands, over the level types that can be sliced
     derived          levels over differences and counts: diagonals, ELL slices
     outputs          assembled outputs: the formulas over all encodings that can be assembled, including blocks and
                      COO, in all orders of the dimensions and of the loops
     products         matrix products into and from eight formats, in every order of the loops that these allow; in
                      parallel if possible
     random           random kernels from a fixed seed: up to 5 loops, 6 operands of rank 0 to 4, each over its own
                      indices and with its own encoding
     assembled        as random, with assembled outputs

   Widths and value types are random, from a fixed seed. The program is C11 and C++. */
#include "lines.h"

enum { LOOPS = 5, LEAVES = 12 };

static const char *const usage = "usage: generate_kernels SLICE | SLICE-PART-PARTS | --list [all]\n";
/* The families of kernels, and the number of parts of each. */
static const struct {
    const char *name;
    size_t parts;
} families[] = {{"rank1", 1},  {"rank2", 3},   {"rank3", 8},   {"rank4", 24},    {"trees", 6},  {"complements", 1}, {"levels", 10},
             {"blocks", 6}, {"derived", 6}, {"slices", 8},  {"outputs", 28},  {"products", 20}, {"random", 8},
             {"assembled", 10}};

/* An operand of a kernel; a scalar has rank 0. */
typedef struct leaf {
    char name[8];
    char index[RANK + 1];
    type type;
    bool sliced;
} leaf;

/* A kernel; leaf 0 is the output. The tree has the names of operands; @ in the statement stands for a cast to the type of
   the output. */
typedef struct line {
    char loops[LOOPS + 1];
    const char *blocks; /* the loops in words, if they run over blocks */
    bool updates, parallel;
    size_t count;
    leaf leaf[LEAVES];
    char tree[TEXT], statement[TEXT];
} line;

/* >>orders of loops */
static size_t place(const char *loops, char index) { return (size_t)(strchr(loops, index) - loops); }

/* Is the loop of every sparse level inside the loops of the levels above it? */
static bool is_legal(const leaf *u, const char *loops)
{
    for (size_t l = 0; l < u->type.rank; l++)
        for (size_t above = 0; above < l && !strchr("db", u->type.format[l]); above++)
            if (place(loops, u->index[u->type.dim[above]]) > place(loops, u->index[u->type.dim[l]]))
                return false;
    return true;
}

/* The indices of an operand in the order of its levels. */
static void level_order(const leaf *u, char *loops)
{
    for (size_t l = 0; l < u->type.rank; l++) loops[l] = u->index[u->type.dim[l]];
    loops[u->type.rank] = 0;
}

/* >>writing kernels */
static size_t find(const line *k, const char *name, size_t length)
{
    for (size_t n = 0; n < k->count; n++)
        if (strlen(k->leaf[n].name) == length && memcmp(k->leaf[n].name, name, length) == 0) return n;
    die("generate_kernels: a tree names an unknown operand\n");
    return 0;
}

static size_t word_length(const char *s) { return strcspn(s, "(), "); }

/* s = the tree as a condition: all(A, none(B, C)) -> (has_A && !(has_B || has_C)); returns what follows */
static const char *put_condition(text *s, const char *tree)
{
    const size_t n = word_length(tree);
    const bool is_all = tree[1] == 'l', is_none = tree[0] == 'n';
    if (tree[n] != '(') {
        put(s, "has_%.*s", (int)n, tree);
        return tree + n;
    }
    put(s, is_none ? "!(" : "(");
    for (tree += n + 1;; tree += 2) {
        tree = put_condition(s, tree);
        if (*tree != ',') break;
        put(s, is_all ? " && " : " || ");
    }
    put(s, ")");
    return tree + 1;
}

/* (A, T12, i, j) or (alpha, double) */
static void put_leaf(text *s, const leaf *u)
{
    if (u->type.rank == 0)
        put(s, "(%s, %s", u->name, u->type.value);
    else
        put(s, "%s(%s, T%zu", u->sliced ? "slice" : "", u->name, write_type(&u->type));
    for (const char *index = u->index; *index; index++) put(s, ", %c", *index);
    put(s, ")");
}

/* the tree in the syntax of a kernel line */
static void put_tree(text *s, const line *k)
{
    for (const char *c = k->tree; *c;) {
        const size_t n = word_length(c);
        if (n > 0 && c[n] != '(')
            put_leaf(s, &k->leaf[find(k, c, n)]);
        else
            put(s, "%.*s", (int)(n ? n : 1), c);
        c += n ? n : 1;
    }
}

/* i, j  or  floordiv(i, 2), j, mod(i, 2) */
static void put_loops(text *s, const line *k)
{
    const char *at = k->blocks;
    for (size_t l = 0; !at && k->loops[l]; l++)
        put(s, l == 0 && k->parallel ? "parallel(%c)" : l ? ", %c" : "%c", k->loops[l]);
    while (at && *at) {
        put(s, at == k->blocks ? "" : ", ");
        at = put_block(s, at);
    }
}

/* the statement, with every @ a cast to the type */
static void put_statement(text *s, const char *statement, const char *value)
{
    for (; *statement; statement++)
        if (*statement == '@')
            put(s, "(%s)", value);
        else
            put(s, "%c", *statement);
}

/* Writes the function kernel.truth of oracle.h; kernels that differ only in types share one. Returns its number. */
static size_t write_truth(const line *k)
{
    static list truths;
    text s = {"", 0};
    size_t number;
    for (const char *c = k->loops; *c; c++)
        put(&s, "    SPARSE_UNUSED const size_t %c = index[%d];\n", *c, *c - 'i');
    put(&s, "    double %s = value[0];\n", k->leaf[0].name);
    for (size_t n = 1; n < k->count; n++) {
        const char *name = k->leaf[n].name;
        put(&s, "    SPARSE_UNUSED const double %s = value[%zu];\n", name, n);
        put(&s, "    SPARSE_UNUSED const bool has_%s = has[%zu];\n", name, n);
    }
    put(&s, "    if (!");
    put_condition(&s, k->tree);
    put(&s, ") return false;\n    ");
    put_statement(&s, k->statement, "double");
    put(&s, ";\n    *out = %s;\n    return true;\n", k->leaf[0].name);
    if (is_new(&truths, s.at, &number))
        printf("static bool truth%zu(double *out, const double *value, const bool *has, const size_t "
               "*index)\n{\n%s}\n",
               number, s.at);
    return number;
}

static size_t lines, part, parts = 1;

/* Is the next kernel in the requested part? */
static bool is_wanted(void) { return lines++ % parts == part; }

/* Writes a kernel, the call that oracle.h makes, and its description. */
static void write_kernel(const line *k)
{
    const size_t number = lines - 1, loops = strlen(k->loops);
    const leaf *out = &k->leaf[0];
    text s = {"", 0}, call = {"", 0}, operands = {"", 0};
    put(&s, "(");
    put_loops(&s, k);
    put(&s, "), %s", k->updates ? "update" : "");
    put_leaf(&s, out);
    put(&s, ", ");
    put_tree(&s, k);
    put(&s, ", ");
    put_statement(&s, k->statement, out->type.value);
    for (size_t n = 0; n < k->count; n++) {
        const leaf *u = &k->leaf[n];
        const char *comma = n ? ", " : "";
        if (u->type.rank == 0) {
            put(&call, n ? ", (%s)scalar[%zu]" : "&s", u->type.value, n);
            put(&operands, "%s{NULL, \"\", false}", comma);
        } else {
            const size_t t = write_type(&u->type);
            put(&call, "%s(%st%zu *)tensor[%zu]", comma, n ? "const " : "", t, n);
            if (u->sliced) put(&call, ", slices[%zu]", n);
            put(&operands, "%s{&t%zu_encoding, \"%s\", %s}", comma, t, u->index, u->sliced ? "true" : "false");
        }
    }
    const size_t truth = write_truth(k);
    printf("SPARSE_KERNEL(k%zu, %s; visit(", number, s.at);
    for (size_t l = 0; l < 8; l++) printf("%s%c", l ? ", " : "", l < loops ? k->loops[l] : '0');
    printf("))\nstatic sparse_result run%zu(sparse_tensor *const *tensor, double *scalar)\n{\n", number);
    if (out->type.rank == 0)
        printf("    %s s = (%s)scalar[0];\n    const sparse_result r = k%zu(%s);\n    (void)tensor;\n"
               "    scalar[0] = (double)s;\n    return r;\n}\n",
               out->type.value, out->type.value, number, call.at);
    else if (k->updates || strcspn(out->type.format, "cnlms") == strlen(out->type.format))
        printf("    (void)scalar;\n    return k%zu(%s);\n}\n", number, call.at);
    else { /* a second time, into borrowed arrays of exact length */
        const char *inputs = strchr(call.at, ',');
        printf("    (void)scalar;\n    const sparse_result r = k%zu(%s);\n    if (r != SPARSE_OK) return r;\n"
               "    sparse_tensor lent = lend_arrays(tensor[0]);\n    second_run = true;\n"
               "    check_lent(k%zu_into((t%zu *)&lent%s), &lent, tensor[0]);\n    second_run = false;\n    return r;\n}\n",
               number, call.at, number, write_type(&out->type), inputs);
    }
    printf("#define CASE%zu {\"k%zu %s\", \"%s\", %s, %zu, {%s}, run%zu, truth%zu}\n", number, number, s.at,
           k->loops, k->updates ? "true" : "false", k->count, operands.at, number, truth);
}

/* >>formulas
   A formula names its output and its operands. A sign after the name of an operand says what it is:
     *  a tensor of any encoding with all indices     .  a dense vector with the last index
     ^  a compressed vector with the first index      $  a scalar
   and after the name of the output, which comes first:
     *  a dense tensor with all indices               -  a dense tensor without the last index
     ~  an assembled tensor with all indices          +  an assembled tensor without the last index
     !  the first operand, updated                    $  a scalar */
typedef struct formula {
    const char *operands, *tree, *statement;
} formula;

/* clang-format off */
static const formula basic[] = {
    {"C* A*", "all(A)", "C = @A"},
    {"s$ A*", "all(A)", "s += @A"},
    {"y- A* x.", "all(A, x)", "y += @A * @x"},
    {"A! alpha$", "all(alpha)", "A = @(@A * @alpha)"},
    {"C* A* B*", "all(A, B)", "C = @A * @B"},
    {"C* A* B*", "any(A, B)", "C = @A + 10 * @B + 200 * @has_A"},
    {"C* A* B*", "all(A, none(B))", "C = @A"},
};
enum { BASIC = sizeof basic / sizeof *basic, UNARY = 4 };

static const formula assembled[] = {
    {"C~ A*", "all(A)", "C = @A"},
    {"C~ A* B*", "any(A, B)", "C = @A + 10 * @B + 200 * @has_A"},
    {"C~ A* B*", "all(A, B)", "C = @A + 10 * @B"},
    {"C~ A* B*", "all(A, none(B))", "C = @A"},
    {"C~ A* B* D*", "all(A, any(B, D))", "C = @A + 10 * @B + 100 * @D"},
    {"C~ A* x.", "any(A, x)", "C = @A + 10 * @x"},
    {"y+ A* B*", "any(A, B)", "y += @A + 3 * @B"},
};
enum { ASSEMBLED = sizeof assembled / sizeof *assembled };

static const formula trees[] = {
    {"C* A* B* D*", "all(A, B, D)", "C = @A + 10 * @B + 100 * @D"},
    {"C* A* B* D*", "any(A, B, D)", "C = @A + 10 * @B + 100 * @D"},
    {"C* A* B* D*", "all(any(A, B), D)", "C = @A + 10 * @B + 100 * @D"},
    {"C* A* B* D*", "any(A, all(B, D))", "C = @A + 10 * @B + 100 * @D + 1000 * @has_B + 2000 * @has_D"},
    {"s$ A* B* D* E*", "any(all(A, B), all(D, E))", "s += @A + 2 * @B + 3 * @D + 5 * @E"},
    {"s$ A* B* D* E*", "all(any(A, B), any(D, E))", "s += @A + 2 * @B + 3 * @D + 5 * @E"},
    {"C* A* B* D*", "all(A, none(B, D))", "C = @A"},
    {"C* A* B*", "none(A, B)", "C = C + 1"},
    {"C* A* B*", "any(none(A), B)", "C = 1 + @B"},
    {"C* A* B* D*", "all(any(A, B), none(D))", "C = @A + 10 * @B"},
    {"C* A* B* D*", "any(A, all(B, none(D)))", "C = @A + 10 * @B + 100 * @has_A"},
    {"C* A* B* D* E*", "any(all(A, any(B, D)), E)", "C = @A + 10 * @B + 100 * @D + 1000 * @E"},
    {"C* A* B* D* E*", "all(A, any(B, all(D, E)))", "C = @A + 10 * @B + 100 * @D + 1000 * @E"},
    {"C* A* x.", "any(A, x)", "C = @A + 10 * @x"},
    {"C* A* B* x.", "all(any(A, x), B)", "C = @A + 10 * @B + 100 * @x"},
    {"C* A* v^", "any(A, v)", "C = @A + 10 * @v"},
    {"C* A* B* v^", "all(any(A, v), B)", "C = @A + 10 * @B + 100 * @v"},
    {"C* A* B* v^", "all(any(A, B), v)", "C = @A + 10 * @B + 100 * @v"},
    {"C* A* v^", "all(A, none(v))", "C = @A"},
    {"C* A* B* v^", "all(any(none(v), A), B)", "C = @A + 10 * @B + 100 * @has_A"},
    {"C* A* B* v^", "any(all(none(v), A), B)", "C = @A + 10 * @B + 100 * @has_A"},
    {"C* A* v^", "all(v, none(A))", "C = @v"},
    {"C* A* alpha$", "any(A, alpha)", "C = @A + 10 * @alpha"},
    {"C* A* B* alpha$", "all(alpha, any(A, B))", "C = @alpha * (@A + 10 * @B)"},
    {"A! B* D*", "any(B, D)", "A = @(@B + 10 * @has_D)"},
    {"A! B* v^", "all(B, none(v))", "A = @(@A + @B)"},
    {"C* A* B*", "any(A, B)", "C = @A + 10 * @B + 100 * (@i + 1)"},
    {"s$ A* B* D* E* F*", "any(A, B, D, E, F)", "s += @A + 2 * @B + 3 * @D + 5 * @E + 7 * @F"},
};
enum { TREES = sizeof trees / sizeof *trees };

static const formula wide[] = {
    {"C* A* B* D* E* F* G*", "any(A, B, D, E, F, G)", "C = @A + 2 * @B + 3 * @D + 5 * @E + 7 * @F + 11 * @G"},
    {"C* A* B* D* E* F* G* H* K*", "all(A, B, D, E, F, G, H, K)",
     "C = @A + 2 * @B + 3 * @D + 5 * @E + 7 * @F + 11 * @G + 13 * @H + 17 * @K"},
    {"s$ A* B* D* E* F* G* H* K* P* Q* R*", "any(A, B, D, E, F, G, H, K, P, Q, R)",
     "s += @A + 2 * @B + 3 * @D + 5 * @E + 7 * @F + 11 * @G + 13 * @H + 17 * @K + 19 * @P + 23 * @Q + 29 * @R"},
    {"C* A* B* D* E* F* G*", "all(any(A, B), any(D, E), any(F, G))",
     "C = @A + 2 * @B + 3 * @D + 5 * @E + 7 * @F + 11 * @G"},
    {"C* A* B* D* E* F* G* H*", "any(A, B, D, E, F, G, H)",
     "C = @A + 2 * @B + 3 * @D + 5 * @E + 7 * @F + 11 * @G + 13 * @H"},
    {"s$ A* B* D* E* F* G* H* K* P*", "any(A, B, D, E, F, G, H, K, P)",
     "s += @A + 2 * @B + 3 * @D + 5 * @E + 7 * @F + 11 * @G + 13 * @H + 17 * @K + 19 * @P"},
};
enum { WIDE = sizeof wide / sizeof *wide };

static const formula complements[] = {
    {"C* A* B*", "none(all(A, B))", "C = C + 1"},
    {"C* A* B*", "none(any(A, B))", "C = C + 1"},
    {"C* A* B*", "all(A, none(none(B)))", "C = @A + 10 * @B"},
    {"C* A* B* D*", "all(A, none(all(B, D)))", "C = @A"},
    {"C* A* B* D*", "any(A, none(all(B, D)))", "C = @A"},
    {"C* A* B* D*", "none(A, all(B, none(D)))", "C = C + 1"},
    {"C* A* x.", "all(A, none(x))", "C = @A"},
    {"C* A* alpha$", "any(A, none(alpha))", "C = @A"},
};
enum { COMPLEMENTS = sizeof complements / sizeof *complements };

/* clang-format on */

/* The operand or output with this name and sign in a formula, with the given order and formats of levels. */
static leaf leaf_of(const char *name, size_t length, char span, size_t rank, size_t order,
                    const char *formats)
{
    leaf u;
    memset(&u, 0, sizeof u);
    memcpy(u.name, name, length);
    memcpy(u.index, "ijkl", rank);
    switch (span) {
    case '*':
    case '!':
        u.type = type_of(rank, order, formats, any_value());
        break;
    case '-':
        u.index[rank - 1] = 0;
        u.type = type_of(rank - 1, below(factorial(rank - 1)), "ddd", NULL);
        break;
    case '~':
    case '+':
        rank -= span == '+';
        u.index[rank] = 0;
        u.type = type_of(rank, below(factorial(rank)), formats, any_wide_value(span == '+'));
        u.type.pos = u.type.pos < 32 ? 32 : u.type.pos;
        break;
    case '.':
    case '^':
        u.index[0] = span == '.' ? "ijkl"[rank - 1] : 'i';
        u.index[1] = 0;
        u.type = type_of(1, 0, span == '^' ? "c" : "d", any_value());
        break;
    default:
        u.index[0] = 0;
        u.type.value = any_wide_value(true);
    }
    return u;
}

/* Sorts the operands in the order of the tree, which is the order of the kernel's parameters. */
static void sort_leaves(line *k)
{
    size_t n = 1;
    for (const char *c = k->tree; *c; c += *c != 0) {
        const size_t length = word_length(c);
        if (length > 0 && c[length] != '(') {
            const size_t from = find(k, c, length);
            const leaf u = k->leaf[from];
            k->leaf[from] = k->leaf[n];
            k->leaf[n++] = u;
        }
        c += length;
    }
}

/* The kernel of a formula. A has the given order and formats, other operands the same order and formats chosen by `mix`; the
   output has any order. */
static line line_of(const formula *f, size_t rank, size_t order, const char *formats, size_t mix)
{
    line k;
    char others[RANK + 1];
    memset(&k, 0, sizeof k);
    strcpy(k.tree, f->tree);
    strcpy(k.statement, f->statement);
    for (const char *c = f->operands; *c; k.count++) {
        const size_t n = strcspn(c, "*.^$-!~+");
        const bool is_out = k.count == 0, is_a = n == 1 && *c == 'A';
        leaf *u = &k.leaf[k.count];
        *u = leaf_of(c, n, c[n], rank, is_out && c[n] == '*' ? below(factorial(rank)) : order,
                     is_out && c[n] == '*' ? "dddd"
                     : c[n] == '~'         ? any_assembled_formats(others, rank)
                     : c[n] == '+'         ? any_assembled_formats(others, rank - 1)
                     : is_a                ? formats
                                           : formats_of(others, rank, mix % (1u << rank)));
        if (is_out && !strchr("!~+", c[n])) u->type.value = any_wide_value(c[n] == '$');
        if (is_out)
            k.updates = c[n] == '!';
        else if (!is_a)
            mix = mix / (1u << rank) + below(64) * (1u << rank);
        c += n + 1 + (c[n + 1] == ' ');
    }
    sort_leaves(&k);
    return k;
}

/* Orders the loops as the levels, which have one order in all operands. */
static void loops_of_levels(line *k, size_t rank, size_t order)
{
    size_t dim[RANK];
    order_of(dim, rank, order);
    for (size_t l = 0; l < rank; l++) k->loops[l] = "ijkl"[dim[l]];
}

static bool is_legal_line(const line *k, const char *loops)
{
    for (size_t n = 0; n < k->count; n++)
        if (!is_legal(&k->leaf[n], loops)) return false;
    return true;
}

/* Writes the kernel in every other order of the loops that the encodings allow; for rank 4 in only one. */
static void write_orders(const formula *f, size_t rank, size_t order, const char *formats)
{
    const size_t all = factorial(rank), first = below(all);
    for (size_t n = 0; n < all; n++) {
        line k = line_of(f, rank, order, formats, 0);
        char usual[RANK + 1];
        level_order(&k.leaf[1], usual);
        loops_of_levels(&k, rank, (first + n) % all);
        if (strcmp(k.loops, usual) == 0 || !is_legal_line(&k, k.loops)) continue;
        if (is_wanted()) write_kernel(&k);
        if (rank == 4) break;
    }
}

static void write_formula(const formula *f, size_t rank, size_t order, const char *formats, size_t mix)
{
    line k = line_of(f, rank, order, formats, mix);
    loops_of_levels(&k, rank, order);
    if (is_wanted()) write_kernel(&k);
}

/* Every encoding, with all formats of the second operand: in ranks 1 and 2 for each formula; in ranks 3 and 4 the formats
   change from one formula and order to the next. */
static void write_rank(size_t rank, bool all)
{
    const size_t masks = 1u << rank;
    size_t turn = 0;
    for (size_t order = 0; order < factorial(rank); order++)
        for (size_t mask = 0; mask < masks; mask++, turn++) {
            char formats[RANK + 1];
            formats_of(formats, rank, mask);
            for (size_t f = 0; f < BASIC; f++)
                for (size_t n = 0; n < (f < UNARY || rank > 2 ? 1 : masks); n++)
                    if (all || (f + turn) % BASIC % 3 == 0)
                        write_formula(&basic[f], rank, order, formats, mask + order + 3 * f + n);
            if (all || turn % 4 == 0) write_orders(&basic[0], rank, order, formats);
        }
}

static void write_trees(void)
{
    for (size_t rank = 1; rank <= 2; rank++)
        for (size_t order = 0; order < rank; order++)
            for (size_t mask = 0; mask < 1u << rank; mask++)
                for (size_t f = 0; f < TREES; f++) {
                    char formats[RANK + 1];
                    write_formula(&trees[f], rank, order, formats_of(formats, rank, mask), below(1u << 16));
                }
    for (size_t f = 0; f < WIDE; f++) {
        write_formula(&wide[f], 1, 0, "c", 0xffff);
        write_formula(&wide[f], 1, 0, "c", below(1u << 16));
        write_formula(&wide[f], 2, 0, "dc", 0xaaaa);
        write_formula(&wide[f], 2, 1, "cc", below(1u << 16));
    }
}

/* none() of operands that are not sparse. */
static void write_complements(void)
{
    for (size_t rank = 1; rank <= 2; rank++)
        for (size_t mask = 0; mask < 1u << rank; mask++)
            for (size_t f = 0; f < COMPLEMENTS; f++) {
                char formats[RANK + 1];
                write_formula(&complements[f], rank, rank - 1, formats_of(formats, rank, mask),
                              below(1u << 16));
            }
}

/* Other level types than dense and compressed, in every order; with the formulas that merge if they can be merged. */
static void write_levels(void)
{
    static const char *const kinds[] = {"l",   "n",   "o",   "m",    "ns",   "nS",   "ps",  "dl",  "ld",
                                        "cl",  "lc",  "ln",  "lo",   "nts",  "nTS",  "dns", "cnS", "lms",
                                        "lld", "lcm", "dlc", "ntts", "dnTS", "cdnS", "lcld",
                                        "B",   "dB",  "Bd",  "BB",   "cB",   "Bc",  "lB",  "Bns", "dBc", "cdB", "BcBd",
                                        "M",   "dM",  "Md",  "MM",   "cM",   "Mc",  "MB",  "lM",  "dMc", "cdM", "McMd",
                                        "D",   "dD",  "Dd",  "DD",   "cD",   "Dc",  "DB",  "lD",  "dDc", "cdD",
                                        "b",   "bb",  "bc",  "bl",   "bdc",  "bcd", "bns", "bcnS", "bbcd", "bdlc"};
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        const size_t rank = strlen(kinds[n]), orders = rank < 4 ? factorial(rank) : 3;
        const bool merges = !strpbrk(kinds[n], "op") && !strchr("nmtT", kinds[n][rank - 1]);
        for (size_t order = 0; order < orders; order++) {
            for (size_t f = rank < 3 ? 0 : order % 2; f < (merges ? BASIC : UNARY); f += rank < 3 ? 1 : 2)
                write_formula(&basic[f], rank, order, kinds[n], below(1u << 16));
            write_orders(&basic[0], rank, order, kinds[n]);
        }
    }
}

/* >>blocks */

/* Writes the kernel of a formula of rank 2: all tensors with the sign * are in blocks; A has the given formats. */
static void write_blocks_formula(const formula *f, const char *blocks, const char *formats, size_t mix)
{
    const size_t levels = strlen(formats);
    line k = line_of(f, 2, 0, "dd", 0);
    if (!is_wanted()) return;
    k.blocks = blocks;
    strcpy(k.loops, "ij");
    for (size_t n = k.updates ? 0 : 1; n < k.count; n++) {
        type *t = &k.leaf[n].type;
        if (t->rank != 2) continue;
        t->blocks = blocks;
        if (k.leaf[n].name[0] == 'A')
            strcpy(t->format, formats);
        else
            formats_of(t->format, levels, mix);
    }
    write_kernel(&k);
}

/* Blocks of one dimension or of both, in several orders, over all formats; and n:m. */
static void write_blocks(void)
{
    static const char *const maps[] = {"i/2 j/3 i%2 j%3", "j/2 i/2 i%2 j%2", "i/3 i%3 j",
                                       "i j/4 j%4",       "j/3 i j%3",       "i/2 j i%2"};
    static const struct {
        const char *map, *formats;
    } structured[] = {{"i j/4 j%4", "dd2"}, {"j/3 i j%3", "dd1"}, {"i j/3 j%3", "dd3"},
                    {"i j/4 j%4", "dd4"}, {"j/3 i j%3", "dd5"}};
    for (size_t n = 0; n < sizeof maps / sizeof *maps; n++) {
        const size_t levels = strlen(maps[n]) > 12 ? 4 : 3;
        for (size_t mask = 0; mask < 1u << levels; mask++)
            for (size_t f = 0; f < BASIC; f++) {
                char formats[LEVELS + 1];
                formats_of(formats, levels, mask);
                if (levels == 3 || f % 3 == mask % 3)
                    write_blocks_formula(&basic[f], maps[n], formats, 3 * mask + f);
            }
    }
    for (size_t n = 0; n < sizeof structured / sizeof *structured; n++)
        for (size_t f = 0; f < BASIC; f++)
            write_blocks_formula(&basic[f], structured[n].map, structured[n].formats, f);
}

/* Diagonals and ELL slices: A alone, with operands in its encoding, and with operands in other encodings; dense and
   assembled results. An operand in ELL can only be intersected with others. */
static void write_derived(void)
{
    static const struct {
        const char *loops, *order, *map, *formats;
    } cases[] = {{"j-i i", "ij", "j-i i", "cd"},       {"j-i i", "ij", "j-i i", "dd"},
                 {"j-i i", "ij", "j-i i", "cc"},       {"j-i i", "ij", "j-i i", "ns"},
                 {"i-j j", "ji", "i-j j", "cd"},       {"i-j j", "ji", "i-j j", "ld"},
                 {"k j-i i", "kij", "k j-i i", "dcd"}, {"k j-i i", "kij", "k j-i i", "bcd"},
                 {"k-i i j", "ikj", "k-i i j", "cdd"}, {"j-i i k", "ijk", "j-i i k", "cdc"},
                 {"i/3 j-i i%3", "ij", "j-i i", "cd"}, {"i/3 j-i i%3", "ij", "i/3 j-i i%3", "dcd"},
                 {"j/2 i-j j%2", "ji", "j/2 i-j j%2", "ccc"}, {"j-i i/2 i%2", "ij", "j-i i", "dd"},
                 {"i/4 i#9 i%4 j", "ij", "i#9 i j", "ddc"},
                 {"i#9 i j", "ij", "i#9 i j", "ddc"},  {"i i#7 j", "ij", "i#7 i j", "ddc"},
                 {"i#5 i j", "ij", "i#5 i j", "dcs"},  {"j#9 j i", "ji", "j#9 j i", "ddc"},
                 {"i#3 j i", "ji", "i#3 j i", "dcc"},  {"j i#20 i k", "jik", "j i#20 i k", "dddc"}};
    static const size_t all[] = {0, 1, 2, 3, 4, 5, 6}, some[] = {0, 1, 2, 3, 4, 6};
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        const size_t rank = strlen(cases[n].order);
        const bool counts = strchr(cases[n].map, '#') != NULL;
        size_t order = 0, dim[RANK];
        for (order_of(dim, rank, order); dim[0] != (size_t)(cases[n].order[0] - 'i') ||
                                         dim[1] != (size_t)(cases[n].order[1] - 'i');)
            order_of(dim, rank, ++order);
        for (size_t turn = 0; turn < 24; turn++) {
            const size_t number = counts ? some[turn % 6] : all[turn % 7];
            const formula *f = turn < 20 ? &basic[number] : &assembled[turn % 2 ? 0 : counts ? 2 : 1];
            line k = line_of(f, rank, order, "dddd", turn / 7 + below(64));
            const bool alike = !counts && turn % 2;
            if (k.count < 3 && turn >= 7 && turn < 20) continue;
            if (strchr(cases[n].loops, '/') && (turn >= 20 || (strchr(f->operands, 'B') && !alike))) continue; /* no blocks */
            k.blocks = cases[n].loops;
            strcpy(k.loops, "ijk");
            k.loops[rank] = 0;
            for (size_t m = 0; m < k.count; m++) {
                type *t = &k.leaf[m].type;
                if (k.leaf[m].name[0] != 'A' && !(alike && k.leaf[m].name[0] == 'B')) continue;
                t->blocks = cases[n].map;
                strcpy(t->format, cases[n].formats);
                t->crd = t->crd < 32 ? 32 : t->crd;
            }
            if (is_wanted()) write_kernel(&k);
        }
    }
}

/* A, and some of the other operands, are slices; all level types that can be sliced, in every order. */
static void write_slices(void)
{
    static const char *const kinds[] = {"c",  "d",  "l",  "dc",  "cc",  "cd",  "ns",  "nS",  "dl", "lc",
                                        "bc", "bl", "bb", "ccc", "dcd", "nts", "nTS", "dns", "bdc", "B", "dB",
                                        "Bc", "cB", "BdB"};
    for (size_t n = 0; n < sizeof kinds / sizeof *kinds; n++) {
        const size_t rank = strlen(kinds[n]);
        for (size_t order = 0; order < factorial(rank); order++)
            for (size_t f = 0; f < BASIC + TREES + ASSEMBLED; f += rank < 3 && f < BASIC ? 1 : 8 + below(16)) {
                const formula *g = f < BASIC ? &basic[f] : f < BASIC + TREES ? &trees[f - BASIC] : &assembled[f - BASIC - TREES];
                if (strpbrk(g->operands, rank < 2 ? "!+-" : "!")) continue;
                line k = line_of(g, rank, order, kinds[n], below(1u << 16));
                loops_of_levels(&k, rank, order);
                for (size_t m = 1; m < k.count; m++)
                    k.leaf[m].sliced = k.leaf[m].type.rank > 0 && (k.leaf[m].name[0] == 'A' || below(2));
                if (is_wanted()) write_kernel(&k);
            }
    }
}

/* >>assembled outputs */

/* Writes the kernel in one order of the loops that its operands allow: the first one from number `first` on. */
static void write_in_any_order(line *k, size_t rank, size_t first)
{
    for (size_t n = 0; n < factorial(rank); n++) {
        loops_of_levels(k, rank, (first + n) % factorial(rank));
        for (size_t u = 1; u < k->count && is_legal(&k->leaf[u], k->loops); u++)
            if (u + 1 == k->count) {
                if (is_wanted()) write_kernel(k);
                return;
            }
    }
}

static void write_outputs(void)
{
    for (size_t rank = 1; rank <= 4; rank++)
        for (size_t mask = 0; mask < 1u << rank; mask++)
            for (size_t f = 0; f < ASSEMBLED; f++)
                for (size_t n = 0; n < (rank == 4 ? 3u : 4 * rank); n++) {
                    char formats[RANK + 1];
                    const size_t order = below(factorial(rank));
                    if (rank == 1 && strchr(assembled[f].operands, '+')) continue;
                    line k = line_of(&assembled[f], rank, order, formats_of(formats, rank, mask), below(1u << 16));
                    write_in_any_order(&k, rank, below(factorial(rank)));
                }
    for (size_t f = 0; f < ASSEMBLED; f++)
        for (size_t mask = 1; mask < 16; mask++) { /* blocks */
            static const char *const maps[] = {"i/2 j/3 i%2 j%3", "j/2 i/2 i%2 j%2"};
            line k = line_of(&assembled[f], 2, 0, "dc", 0);
            if (k.leaf[0].type.rank != 2 || !is_wanted()) continue;
            k.blocks = maps[mask % 2];
            strcpy(k.loops, "ij");
            for (size_t n = 0; n < k.count; n++) {
                type *t = &k.leaf[n].type;
                if (t->rank != 2) continue;
                t->blocks = k.blocks;
                formats_of(t->format, 4, n == 0 ? mask : mask * 7 + n);
            }
            write_kernel(&k);
        }
}

/* C(i,j) = sum over k of A(i,k) B(k,j) */
static void write_products(void)
{
    static const struct {
        size_t order;
        const char *formats;
    } matrices[] = {{0, "dc"}, {1, "dc"}, {0, "cc"}, {1, "cc"}, {0, "ns"}, {1, "nS"}, {0, "cd"}, {0, "dd"}};
    for (size_t n = 0; n < 7 * 8 * 8; n++)
        for (size_t order = 0; order < 6; order++) {
            const size_t of[] = {n / 64, n / 8 % 8, n % 8};
            size_t dim[RANK], legal = 0;
            line k;
            memset(&k, 0, sizeof k);
            order_of(dim, 3, order);
            for (size_t l = 0; l < 3; l++) k.loops[l] = "ijk"[dim[l]];
            for (k.count = 0; k.count < 3; k.count++) {
                leaf *u = &k.leaf[k.count];
                u->name[0] = "CAB"[k.count];
                strcpy(u->index, k.count == 0 ? "ij" : k.count == 1 ? "ik" : "kj");
                u->type = type_of(2, matrices[of[k.count]].order, matrices[of[k.count]].formats,
                                  k.count ? any_value() : any_wide_value(true));
                legal += k.count > 0 && is_legal(u, k.loops);
            }
            k.leaf[0].type.pos = 32;
            strcpy(k.tree, "all(A, B)");
            strcpy(k.statement, "C += @A * @B");
            const leaf *a = &k.leaf[1], *b = &k.leaf[2]; /* parallel if i is the outer loop and no operand begins with COO */
            k.parallel = k.loops[0] == k.leaf[0].index[k.leaf[0].type.dim[0]] && !strchr("n", a->type.format[0]) &&
                         !strchr("n", b->type.format[0]);
            if (legal == 2 && is_wanted()) write_kernel(&k);
        }
}

/* >>random kernels */

/* An operand over some of the indices, in an encoding that the order of the loops allows. */
static leaf any_leaf(const char *name, const char *loops, size_t least, bool dense)
{
    leaf u;
    char formats[RANK + 1];
    memset(&u, 0, sizeof u);
    strcpy(u.name, name);
    const size_t count = strlen(loops), most = count < RANK ? count : RANK;
    const size_t rank = least + below(most - least + 1);
    size_t order[LOOPS];
    order_of(order, count, below(factorial(count)));
    for (size_t d = 0; d < rank; d++) u.index[d] = loops[order[d]];
    do
        u.type =
            type_of(rank, below(factorial(rank)), dense ? "dddd" : any_formats(formats, rank), any_value());
    while (!is_legal(&u, loops));
    return u;
}

/* Appends a tree over the operands [from, to) of k, with at most `deep` more levels of nesting; appends to the statement the
   operands whose values it may use. */
static void any_tree(line *k, text *tree, text *statement, size_t from, size_t to, size_t deep, bool optional)
{
    const size_t word = below(5); /* all, all, any, any, none */
    put(tree, word < 2 ? "all(" : word < 4 ? "any(" : "none(");
    for (size_t n = from; n < to;) {
        size_t end = n + 1 + below(to - n);
        if (word == 4 || deep == 0 || end == n + 1 || (n == from && end == to)) end = n + 1;
        if (n > from) put(tree, ", ");
        if (end > n + 1)
            any_tree(k, tree, statement, n, end, deep - 1, optional || word >= 2);
        else {
            const char *name = k->leaf[n].name;
            const bool has = (optional || word >= 2) && k->leaf[n].type.rank > 0;
            put(tree, "%s", name);
            if (word < 4) put(statement, " + %zu * @%s", 2 * n + 1, name);
            if (word < 4 && has) put(statement, " + %zu * @has_%s", 2 * n + 4, name);
        }
        n = end;
    }
    put(tree, ")");
}

static void write_random(size_t count, bool assembles)
{
    static const char *const names[] = {"A", "B", "C", "D", "E", "F"};
    for (size_t n = 0; n < count; n++) {
        line k;
        text tree = {"", 0}, statement = {"", 0};
        char loops[LOOPS + 1] = "";
        size_t order[LOOPS], used = 0;
        const size_t all = 1 + below(LOOPS), operands = 1 + below(6);
        memset(&k, 0, sizeof k);
        order_of(order, all, below(factorial(all)));
        for (size_t l = 0; l < all; l++) loops[l] = "ijklm"[order[l]];
        k.updates = !assembles && below(5) == 0;
        k.leaf[0] = any_leaf("y", loops, k.updates || assembles ? 1 : 0, !k.updates);
        k.leaf[0].type.value = any_wide_value(true);
        if (assembles) {
            any_assembled_formats(k.leaf[0].type.format, k.leaf[0].type.rank);
            k.leaf[0].type.pos = 32;
        }
        for (k.count = 1; k.count <= operands; k.count++) {
            k.leaf[k.count] = any_leaf(names[k.count - 1], loops, below(8) > 0, false);
            if (k.leaf[k.count].type.rank == 0) k.leaf[k.count].type.value = any_wide_value(true);
        }
        for (size_t l = 0; l < all; l++) /* only indices that an operand has */
            for (size_t m = assembles; m < k.count; m++)
                if (strchr(k.leaf[m].index, loops[l])) {
                    k.loops[used++] = loops[l];
                    break;
                }
        if (strspn(k.leaf[0].index, k.loops) < strlen(k.leaf[0].index)) continue;
        put(&statement, "y += 1");
        if (below(2)) put(&statement, " + @(%c %% 5)", k.loops[below(used)]);
        any_tree(&k, &tree, &statement, 1, k.count, 2, false);
        strcpy(k.tree, tree.at);
        strcpy(k.statement, statement.at);
        if (used > 0 && is_wanted()) write_kernel(&k);
    }
}

/* Prints the slices of each configuration. For `make test` each configuration gets other slices of a family, as far as there
   are enough. With `all`, the first two configurations compile everything, and the others a share. */
static void list_slices(bool all)
{
    static const struct {
        const char *name;
        /* in `make test`: slices of each family. If run > 0, only every second group of `run` families, from group `turn`
           on */
        size_t slices, run, turn;
    } configurations[] = {{"sanitized", 1, 0, 0}, {"O3", 1, 0, 0}, {"m32", 1, 1, 0}, {"cxx", 1, 2, 0}, {"openmp", 1, 1, 1},
                          {"Os", 1, 2, 1},        {"O1", 0, 0, 0}, {"O0", 0, 0, 0}};
    enum { CONFIGURATIONS = sizeof configurations / sizeof *configurations, THOROUGH = 2 };
    size_t first = 0;
    for (size_t c = 0; c < CONFIGURATIONS; first += configurations[c++].slices)
        for (size_t n = 0; n < sizeof families / sizeof *families; n++) {
            const size_t run = configurations[c].run;
            if (!all && run && n / run % 2 != configurations[c].turn) continue;
            const bool more = all && strcmp(families[n].name, "rank4") == 0; /* all seven formulas */
            const size_t count = more ? 60 : all ? families[n].parts : 6 * families[n].parts, others = CONFIGURATIONS - THOROUGH;
            const size_t from = !all ? first : c < THOROUGH ? 0 : c - THOROUGH, step = all && c >= THOROUGH ? others : 1;
            const size_t wanted = !all ? configurations[c].slices : (count + step - 1) / step;
            for (size_t m = 0; m < wanted && m < count; m++)
                printf("%s/kernels_%s%s-%zu-%zu\n", configurations[c].name, families[n].name, more ? "all" : "", (from + m * step) % count, count);
        }
}

int main(int argc, char **argv)
{
    const char *slice = argc > 1 ? argv[1] : "";
    char name[16] = "";
    const int fields = sscanf(slice, "%15[a-z0-9]-%zu-%zu", name, &part, &parts);
    if (strcmp(slice, "--list") == 0) {
        list_slices(argc == 3 && strcmp(argv[2], "all") == 0);
        return 0;
    }
    if (argc != 2 || (fields != 1 && fields != 3) || part >= parts) die(usage);
    printf("/* made by: generate_kernels %s */\n#include \"oracle.h\"\n\n#include \"sparse.h\"\n\n", slice);
    if (strncmp(name, "rank", 4) == 0 && name[4] >= '1' && name[4] <= '4' &&
        (!name[5] || strcmp(name, "rank4all") == 0))
        write_rank((size_t)(name[4] - '0'), strcmp(name, "rank4") != 0);
    else if (strcmp(name, "trees") == 0)
        write_trees();
    else if (strcmp(name, "complements") == 0)
        write_complements();
    else if (strcmp(name, "levels") == 0)
        write_levels();
    else if (strcmp(name, "blocks") == 0)
        write_blocks();
    else if (strcmp(name, "slices") == 0)
        write_slices();
    else if (strcmp(name, "derived") == 0)
        write_derived();
    else if (strcmp(name, "random") == 0)
        write_random(400, false);
    else if (strcmp(name, "assembled") == 0)
        write_random(600, true);
    else if (strcmp(name, "outputs") == 0)
        write_outputs();
    else if (strcmp(name, "products") == 0)
        write_products();
    else
        die(usage);
    printf("\nint main(void)\n{\n    static const kernel kernels[] = {\n");
    for (size_t n = part; n < lines; n += parts) printf("        CASE%zu,\n", n);
    printf("    };\n    try_kernels(kernels, sizeof kernels / sizeof *kernels);\n    return "
           "report(\"kernels_%s\");\n}\n",
           slice);
    return 0;
}
