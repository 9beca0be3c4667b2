/* random_lines.c: writes random kernel lines from a seed to stdout, as a C program.

       random_lines lines SEED COUNT KIND           kernel lines, each below a comment that says whether the documented
                                                    rules allow it: accept, refuse, or any (not known)
       random_lines mistakes SEED COUNT KIND        lines with one mistake each
       random_lines tests SEED COUNT KIND < LIST    a program that runs those of the lines whose numbers are in LIST, and
                                                    compares them with their descriptions for random_lines.h

   KIND is plain, with names A, B, C and indices i, j, k; nasty, with names and indices of local variables of the loops, of
   macros, or that form a keyword when pasted; or halves, where one operand stores one triangle.

   A line has one to eight loops, some with strategy words; up to six operands with random encodings, widths and value
   types, some of them slices, in a random tree; and up to three outputs of all kinds. It may have a workspace; levels in
   blocks, diagonals and ELL slices; or sums as subscripts, with loops range() and let(). */
#include "lines.h"

enum { LETTERS = 8, LEAVES = 12, OUTS = 3, NAME = 16, SUMS = 14 };

typedef enum role { DENSE_OUTPUT, SCALAR_OUTPUT, ASSEMBLED, UPDATED, ALIKE } role;

/* A sum of indices: the constant plus coef[l] times index l. naught[l]: times(0, index) is written, too. */
typedef struct sum {
    bool padded;
    int constant, coef[LETTERS];
    bool naught[LETTERS];
} sum;

/* An operand or output. Its indices are letters from i on; the line may show them under other names. Letters after those of
   the loops stand for sums. */
typedef struct leaf {
    char name[NAME];
    char index[RANK + 1];
    type type; /* of rank 0: a scalar */
    bool sliced, padded, even, legal;
    bool work, inner; /* a workspace; an operand inside where() */
    char made;        /* of a workspace that is read at a sum: the index of the loop that computes it; else 0 */
    bool optional, hidden; /* where the statement runs, it may be absent; it is absent */
} leaf;

typedef struct out {
    leaf leaf;
    role role;
    int from; /* the initial value; -1: none is given */
    int undone_below;
    size_t listed; /* unsorted: one entry for each iteration of this many outer loops; else 0 */
    char operation;
    text code, terms;
    size_t count;
    int base;
} out;

typedef struct line {
    size_t count; /* the number of letters in the loops, from i on */
    char loops[LETTERS + 1], shown[LETTERS];
    const char *blocks;
    char half; /* s, k or h: the first operand is symmetric, skew or Hermitian, and stores one triangle; or 0 */
    char strategy[LETTERS]; /* of each loop: p s u f t (parallel, simd, unroll, prefetch, tile), or 0 */
    size_t sums;
    sum sum[SUMS];
    bool summing, ranged[LETTERS], is_let[LETTERS]; /* letters with range() and with let(), perhaps both */
    size_t range[LETTERS];
    sum let[LETTERS];
    char leaving; /* where a sum of the coordinates is a multiple of the modulus: c continue, b break; 0: neither */
    sum condition;
    size_t modulus;
    size_t leaves, outs, like;
    leaf leaf[LEAVES];
    out out[OUTS];
    text tree, spec; /* the tree in the syntax of a line, and of random_lines.h */
    text work, work_spec;
    char work_loops[LETTERS + 1];
    size_t worker; /* the operand that is a workspace; LEAVES: none */
    bool like_first;
    const char *expected;
} line;

static bool plain, halves;

/* >>names */
static const char *const nasty[] = {
    "A",     "B",     "C",      "D",    "E",     "F",     "G",      "H",     "K",      "L",      "M",     "N",     "O",
    "P",     "Q",     "R",      "S",    "T",     "U",     "V",      "W",     "X",      "Y",      "Z",     "a",     "b",
    "c",     "d",     "e",      "f",    "g",     "n",     "o",      "r",     "s",      "t",      "u",     "x",     "y",
    "pA1",   "eA2",   "pA2",    "py1",  "jA",    "inA2",  "A_at",   "C_room", "pC2",   "nC",     "A_val", "y_val", "A2_pos",
    "C_to",  "iA",    "result", "size", "over",  "made",  "one",    "parts", "part",   "looped", "to",    "into",  "operand",
    "no",    "in",    "out",    "first", "last", "leaf",  "tensor", "small", "max",    "level",  "index", "value", "count_",
    "ONE",   "FULL",  "MERGE",  "POINT", "RANGE", "DONE", "UNSEEN", "work",  "i_size", "j_size", "n1",    "A1",    "A2_crd",
    "has",   "lo",    "hi",     "next", "end",   "left",  "slot",   "row",   "sparse", "kernel", "hooks", "dim",   "lvl",
    "operands"};

static bool is_taken(const line *k, const char *name)
{
    for (size_t l = 0; l < LETTERS; l++)
        if (name[0] == k->shown[l] && !name[1]) return true;
    for (size_t n = 0; n < k->leaves; n++)
        if (strcmp(k->leaf[n].name, name) == 0) return true;
    for (size_t n = 0; n < k->outs; n++)
        if (strcmp(k->out[n].leaf.name, name) == 0) return true;
    return false;
}

static void choose_name(const line *k, char *name)
{
    do {
        if (plain)
            snprintf(name, NAME, "%c", "ABCDEFGHKLMNPQRSTUVWXYZ"[below(23)]);
        else
            snprintf(name, NAME, "%s", nasty[below(sizeof nasty / sizeof *nasty)]);
    } while (is_taken(k, name));
}

static void choose_letters(line *k)
{
    for (size_t l = 0; l < LETTERS; l++)
        do k->shown[l] = plain ? (char)('i' + l) : (char)('a' + below(26));
        while (l > 0 && memchr(k->shown, k->shown[l], l));
}

static char shown(const line *k, char letter) { return k->shown[letter - 'i']; }

/* >>types */
/* clang-format off */
/* Value types: the name; the type in which an output is computed; a factor of the result; a fill value other than zero; and
   the operations whose results do not depend on the order of the terms. The first SUMMED types represent all results
   exactly; scalars and workspaces have these. */
enum { SUMMED = 3 };
static const struct value {
    const char *name, *computed, *factor, *fill, *operations;
} values[] = {
    {"double",            "double",   "",        "3",         "+=><"},
    {"int64_t",           "int64_t",  "",        "3",         "+=><|&^"},
    {"uint64_t",          "uint64_t", "",        "3",         "+=><|&^"},
    {"int32_t",           "int32_t",  "",        "3",         "=><|&^"},
    {"float",             "float",    "",        "3",         "=><"},
    {"int8_t",            "int8_t",   "",        "3",         "+=|&^"}, /* wraps around */
    {"uint8_t",           "uint8_t",  "",        "3",         "+=|&^"},
    {"int16_t",           "int16_t",  "",        "3",         "+=|&^"},
    {"uint16_t",          "uint16_t", "",        "3",         "+=|&^"},
    {"sparse_f16",        "float",    "",        "{0x4200}",  "=><"},
    {"sparse_bf16",       "float",    "",        "{0x4040}",  "=><"},
    {"sparse_complex64",  "double",   "WHOLE * ", "WHOLE * 3", "="},
    {"sparse_complex128", "double",   "WHOLE * ", "WHOLE * 3", "+="},
};
/* clang-format on */
enum { VALUES = sizeof values / sizeof *values };

/* One of the first `most` value types that has the operation. */
static const struct value *value_for(char operation, size_t most)
{
    size_t n;
    do n = below(most);
    while (!strchr(values[n].operations, operation));
    return &values[n];
}
static const char *wide_value(void) { return values[below(SUMMED)].name; }

static const struct value *value_named(const char *name)
{
    size_t n = 0;
    while (strcmp(values[n].name, name) != 0) n++;
    return &values[n];
}

/* Gives t this value type, and in one of six cases a fill value other than zero. */
static void choose_value(type *t, const struct value *v)
{
    t->value = v->name;
    if (below(6) == 0) t->fill = v->fill;
}

/* Operations: the letter, the name in random_lines.h, and the statement, with the output for @ and the terms for #. */
static const struct {
    char letter;
    const char *name, *code;
} operations[] = {{'+', "ADD", "@ += #"},
                  {'=', "SET", "@ = #"},
                  {'>', "GREATEST", "if (# > @) @ = #"},
                  {'<', "LEAST", "@ = @ < # ? @ : #"},
                  {'|', "OR", "@ |= #"},
                  {'&', "AND", "@ &= #"},
                  {'^', "XOR", "@ ^= #"}};
static size_t operation_of(char letter)
{
    size_t n = 0;
    while (operations[n].letter != letter) n++;
    return n;
}

/* One random choice in each statement, as compilers evaluate arguments in different orders. */
static type any_type(size_t rank, const char *formats, const char *value)
{
    const size_t order = below(factorial(rank));
    return type_of(rank, order, formats, value);
}

/* Random formats for an operand. `even`: the last level is sorted and unique. */
static void operand_formats(char *formats, size_t rank, bool *even)
{
    const size_t chance = below(20);
    *even = true;
    if (chance < 6)
        memcpy(formats, "dddd", RANK);
    else
        any_formats(formats, rank);
    if (chance == 6) formats[0] = 'b', *even = rank > 1; /* a batch */
    if (chance == 7) formats[rank - 1] = "nopmB"[below(5)], *even = false;
    formats[rank] = 0;
    for (size_t l = 0; l < rank && chance > 7; l++)
        if (formats[l] == 'c' && below(4) == 0) formats[l] = 'B';
    if (chance == 6)
        for (size_t l = 1; l < rank; l++)
            if (!strchr("dcl", formats[l])) formats[l] = 'c';
}

static bool is_sum(char index) { return index >= 'i' + LETTERS; }
/* The loop at which an index is known; for a sum, the innermost of its loops. */
static size_t place(const line *k, const char *loops, char index)
{
    size_t last = 0;
    if (!is_sum(index)) return (size_t)(strchr(loops, index) - loops);
    for (size_t l = 0; loops[l]; l++)
        if (k->sum[index - 'i' - LETTERS].coef[loops[l] - 'i']) last = l;
    return last;
}

/* Is the loop of every sparse level inside the loops of the levels above it? */
static bool is_legal(const line *k, const leaf *u, const char *loops)
{
    for (size_t l = 0; l < u->type.rank; l++) {
        const char index = u->index[u->type.dim[l]];
        const bool all = strchr("db", u->type.format[l]) && !(is_sum(index) && u->padded);
        for (size_t above = 0; above < l && !all; above++)
            if (place(k, loops, u->index[u->type.dim[above]]) >= place(k, loops, index)) return false;
    }
    return true;
}

/* Does an operand have an index, perhaps in a sum? */
static bool has_index(const line *k, const leaf *u, char index)
{
    for (const char *c = u->index; *c; c++)
        if (*c == index || (is_sum(*c) && k->sum[*c - 'i' - LETTERS].coef[index - 'i'])) return true;
    return false;
}

static int any_coefficient(void) { return below(2) ? 1 + (int)below(3) : 1; }

/* Replaces some of the subscripts with sums of one to three indices. */
static void choose_sums(line *k, leaf *u, const char *loops)
{
    const size_t all = strlen(loops);
    bool any = false;
    for (size_t d = 0; u->index[d]; d++) {
        if (!k->summing || k->sums == SUMS || below(2)) continue;
        sum *s = &k->sum[k->sums];
        memset(s, 0, sizeof *s);
        s->padded = u->padded;
        s->coef[u->index[d] - 'i'] = any_coefficient();
        for (size_t more = below(3); more > 0; more--) {
            const size_t letter = (size_t)(loops[below(all)] - 'i');
            s->coef[letter] = any_coefficient();
        }
        if (below(3) == 0) s->naught[loops[below(all)] - 'i'] = true;
        s->constant = below(2) ? 0 : u->padded ? (int)below(7) - 3 : (int)below(4);
        u->index[d] = (char)('i' + LETTERS + (int)k->sums++);
        any = true;
    }
    u->padded = u->padded && any;
}

/* Some of the letters, in random order. */
static void choose_indices(char *index, const char *letters, size_t rank)
{
    size_t order[LETTERS];
    order_of(order, strlen(letters), below(factorial(strlen(letters))));
    for (size_t d = 0; d < rank; d++) index[d] = letters[order[d]];
    index[rank] = 0;
}

/* >>operands */
static void expect(line *k, const char *what)
{
    if (strcmp(k->expected, "refuse") != 0 && strcmp(k->expected, "none") != 0) k->expected = what;
}

/* Adds an operand over some of the letters of `loops`. Its levels follow the order of the loops, except in one of thirty
   cases. */
static void add_operand(line *k, const char *loops, size_t least)
{
    leaf *u = &k->leaf[k->leaves];
    const size_t all = strlen(loops), most = all < RANK ? all : RANK, rank = least + below(most - least + 1);
    char formats[RANK + 1];
    bool even = true;
    memset(u, 0, sizeof *u);
    choose_name(k, u->name);
    if (rank == 0)
        u->type.value = wide_value();
    else {
        size_t tries = 0;
        choose_indices(u->index, loops, rank);
        u->padded = k->summing && below(2);
        const size_t sums = k->sums;
        choose_sums(k, u, loops);
        do {
            operand_formats(formats, rank, &even);
            u->type = any_type(rank, formats, "");
        } while (!is_legal(k, u, loops) && (tries++ < 40 || below(30)));
        choose_value(&u->type, &values[below(VALUES)]);
        if (strchr("clnsS", u->type.format[rank - 1]) && u->type.format[0] != 'b' && below(5) == 0) /* others store zeros */
            u->type.value = below(2) ? "constant(double, 3)" : "constant(uint8_t, 7)", u->type.fill = NULL;
        u->sliced = (k->sums == sums ? below(6) == 0 : !u->padded && below(3) == 0) && !strpbrk(u->type.format, "opm") && !strchr("n", u->type.format[rank - 1]);
    }
    u->even = even && !strchr(u->type.format, 'b');
    u->legal = rank == 0 || is_legal(k, u, loops);
    k->leaves++;
}

/* Appends a tree over new operands, at most `most`, with at most `deep` more levels of nesting. */
static void add_tree(line *k, text *tree, text *spec, const char *loops, size_t most, size_t deep, bool optional,
                     bool hidden)
{
    const size_t word = below(6), count = 1 + below(most < 4 ? most : 4); /* all, all, all, any, any, none */
    put(tree, word < 3 ? "all(" : word < 5 ? "any(" : "none(");
    put(spec, word < 3 ? "&(" : word < 5 ? "|(" : "!(");
    for (size_t n = 0; n < count && k->leaves + 1 < LEAVES - 4; n++) {
        if (n > 0) put(tree, ", ");
        if (deep > 0 && below(4) == 0)
            add_tree(k, tree, spec, loops, most - 1 ? most - 1 : 1, deep - 1, optional || word > 2, hidden || word > 4);
        else {
            put(tree, "@%zu@", k->leaves);
            put(spec, "%c", (int)('a' + k->leaves));
            add_operand(k, loops, below(6) == 0 ? 0 : 1);
            k->leaf[k->leaves - 1].optional = optional || word > 2;
            k->leaf[k->leaves - 1].hidden = hidden || word > 4;
        }
    }
    if (tree->at[tree->length - 1] == '(' || tree->at[tree->length - 1] == ' ') {
        put(tree, "@%zu@", k->leaves);
        put(spec, "%c", (int)('a' + k->leaves));
        add_operand(k, loops, 1);
        k->leaf[k->leaves - 1].hidden = true;
    }
    put(tree, ")");
    put(spec, ")");
}

/* >>statements */
static void put_term(text *code, text *terms, size_t *count, int coef, const char *kind, size_t a, size_t b)
{
    (void)code;
    put(terms, "%s{%d, %s, %zu, %zu}", *count ? ", " : "", coef, kind, a, b);
    ++*count;
}

/* Appends base + terms over the operands [from, to) and the letters, with casts to the type. */
static void add_terms(const line *k, text *code, text *terms, size_t *count, int *base, const char *value, size_t from, size_t to,
                      const char *letters)
{
    const bool inner = from > 0, multiple = !inner && k->worker < LEAVES;
    *base = multiple ? 0 : (int)below(4);
    put(code, "(%s)%d", value, *base);
    if (multiple) { /* multiples of the workspace: where it has no terms, it is not documented whether the statement runs */
        put(code, " + 2 * (%s)%s", value, k->leaf[k->worker].name);
        put_term(code, terms, count, 2, "VALUE", k->worker, 0);
    }
    for (size_t n = from; n < to && *count < 12; n++) {
        const leaf *u = &k->leaf[n];
        const int coef = 1 + (int)below(9);
        if (multiple && n != k->worker && !u->hidden && !u->inner) {
            put(code, " + %d * (%s)%s * (%s)%s", coef, value, k->leaf[k->worker].name, value, u->name);
            put_term(code, terms, count, coef, "PRODUCT", k->worker, n);
        }
        if (multiple) continue;
        if (u->inner != inner || u->hidden || below(8) == 0) continue;
        if (n + 1 < to && k->leaf[n + 1].inner == inner && !k->leaf[n + 1].hidden && below(3) == 0) {
            put(code, " + %d * (%s)%s * (%s)%s", coef, value, u->name, value, k->leaf[n + 1].name);
            put_term(code, terms, count, coef, "PRODUCT", n, n + 1);
        } else {
            put(code, " + %d * (%s)%s", coef, value, u->name);
            put_term(code, terms, count, coef, "VALUE", n, 0);
        }
        if (u->type.rank > 0 && u->optional && below(3) == 0) {
            put(code, " + %d * (%s)has_%s", coef + 9, value, u->name);
            put_term(code, terms, count, coef + 9, "STORED", n, 0);
        }
    }
    if (!multiple && below(3) == 0) {
        const char letter = letters[below(strlen(letters))];
        put(code, " + 3 * (%s)%c", value, shown(k, letter));
        put_term(code, terms, count, 3, "COORDINATE", (size_t)(letter - 'i'), 0);
    }
}

/* >>outputs */
/* Formats whose last levels, or an outer one with singletons below, are neither unique nor ordered. */
static const char *any_listed_formats(size_t rank)
{
    static const char *const formats[3][6] = {
        {"p", "p", "p", "p", "p", "p"}, {"dp", "cp", "pu", "pU", "nu", "ps"}, {"ddp", "dcp", "dpu", "puu", "ntu", "pTS"}};
    return formats[rank - 1][below(6)];
}

/* For an unsorted output: the number of outer loops that have one iteration for each entry, up to the last of its indices.
   0 if the levels above are not in the order of the loops, as the entries are then sorted. */
static size_t loops_listed(const line *k, const leaf *u)
{
    size_t most = 0, above = strcspn(u->type.format, "pu");
    if (strspn(u->type.format + above, "puU") != u->type.rank - above) return 0;
    for (size_t d = 0; u->index[d]; d++)
        if (place(k, k->loops, u->index[d]) >= most) most = place(k, k->loops, u->index[d]) + 1;
    for (size_t l = 0; l < above; l++)
        if (place(k, k->loops, u->index[u->type.dim[l]]) != l) return 0;
    return most;
}

/* Writes the operation of an output on the terms, which begin with the base; now and then as two statements. */
static void put_operation(text *s, const out *o, const char *factor, const char *terms)
{
    const char *const rest = strstr(terms, " + ");
    if (o->operation == '+' && !*factor && rest && below(3) == 0) {
        put(s, "%s += %.*s; %s += %s", o->leaf.name, (int)(rest - terms), terms, o->leaf.name, rest + 3);
        return;
    }
    for (const char *c = operations[operation_of(o->operation)].code; *c; c++)
        if (*c == '@') put(s, "%s", o->leaf.name);
        else if (*c == '#') put(s, *factor ? "%s(%s)" : "%s%s", factor, terms);
        else put(s, "%c", *c);
}

static void add_output(line *k, size_t inputs, bool alone)
{
    out *o = &k->out[k->outs];
    const size_t all = strlen(k->loops), chance = below(20);
    char placed = 0; /* a loop let() with a size; often used for an assembled output */
    for (size_t l = 0; k->loops[l]; l++)
        if (k->is_let[k->loops[l] - 'i'] && k->ranged[k->loops[l] - 'i']) placed = k->loops[l];
    memset(o, 0, sizeof *o);
    o->role = chance < 8    ? DENSE_OUTPUT
              : chance < 11 ? SCALAR_OUTPUT
              : chance < 16 ? ASSEMBLED
              : chance < 18 ? UPDATED
                            : ALIKE;
    if (halves && o->role > SCALAR_OUTPUT && below(6)) o->role = DENSE_OUTPUT; /* other outputs are refused */
    if (placed && below(2)) o->role = ASSEMBLED;
    if (k->blocks && o->role > ASSEMBLED) o->role = DENSE_OUTPUT;
    if (!alone && o->role == UPDATED && below(8) == 0) expect(k, "refuse"); /* update() must be the only output */
    else if (o->role > ASSEMBLED && (!alone || k->leaves >= LEAVES - 1)) o->role = k->worker < LEAVES ? DENSE_OUTPUT : ASSEMBLED;
    choose_name(k, o->leaf.name);
    const size_t rank = o->role == SCALAR_OUTPUT ? 0 : 1 + below(all < 3 ? all : 3);
    choose_indices(o->leaf.index, k->loops, rank);
    if (placed && o->role == ASSEMBLED && !strchr(o->leaf.index, placed)) o->leaf.index[below(rank)] = placed;
    const size_t sums = k->sums;
    if (o->role == DENSE_OUTPUT || o->role == UPDATED) choose_sums(k, &o->leaf, k->loops);
    if (o->role == ASSEMBLED && below(20) == 0) {
        choose_sums(k, &o->leaf, k->loops);
        if (k->sums > sums) expect(k, "refuse");
    }
    o->operation = k->worker < LEAVES || k->sums > sums ? '+' : rank == all && below(2) ? '=' : below(3) == 0 ? ">>><|&^"[below(7)] : '+';
    /* an entry and the mirror image of another may fall on one element; = would keep the last, in the order of
       random_lines.h */
    if (halves && o->operation == '=' && (k->blocks || !k->leaf[0].even)) o->operation = '+';
    const struct value *const value = value_for(o->operation, k->worker < LEAVES || rank == 0 ? SUMMED : VALUES);
    const bool listed = o->role == ASSEMBLED && !k->blocks && k->sums == sums && (placed || below(4) == 0);
    if (rank == 0)
        o->leaf.type.value = value->name;
    else {
        char formats[RANK + 1] = "dddd";
        size_t tries = 0;
        bool even = true;
        do {
            if (listed) strcpy(formats, any_listed_formats(rank));
            else if (o->role == ASSEMBLED && k->blocks) any_assembled_formats(formats, rank);
            else if (o->role == ASSEMBLED) any_result_formats(formats, rank);
            else if (o->role != DENSE_OUTPUT)
                do operand_formats(formats, rank, &even);
                while (!even || strchr(formats, 'b') || strspn(formats, "d") == rank);
            formats[rank] = 0;
            o->leaf.type = any_type(rank, formats, value->name);
            if (o->role == ASSEMBLED) o->leaf.type.pos = 32;
        } while ((o->role == UPDATED || o->role == ALIKE) && !is_legal(k, &o->leaf, k->loops) && (tries++ < 40 || below(30)));
        if ((o->role == UPDATED || o->role == ALIKE) && !is_legal(k, &o->leaf, k->loops)) expect(k, "refuse");
        choose_value(&o->leaf.type, value);
        if (listed) o->listed = loops_listed(k, &o->leaf);
    }
    const bool doubtful = o->role == ASSEMBLED && k->worker < LEAVES; /* elements for which the workspace has no terms */
    o->from = below(5) == 0 && !doubtful && (o->role == DENSE_OUTPUT || o->role == SCALAR_OUTPUT || o->role == ASSEMBLED) ? (int)below(9) : -1;
    /* depends on the old value, so the loops must have the order of random_lines.h */
    o->undone_below = o->role == ASSEMBLED && (doubtful || (below(5) == 0 && !k->blocks && !*value->factor)) ? 1 + (int)below(60) : 0;
    k->outs++;
    if (o->role == ALIKE) { /* adds an operand with equal levels before all others */
        k->leaf[k->leaves] = o->leaf;
        choose_name(k, k->leaf[k->leaves].name);
        k->like = k->leaves++;
    }
    text sum = {"", 0};
    add_terms(k, &sum, &o->terms, &o->count, &o->base, value->computed, 0, inputs, k->loops);
    if (o->role == ALIKE && k->worker == LEAVES && below(2)) {
        put(&sum, " + 5 * (%s)%s", value->computed, k->leaf[k->like].name);
        put_term(&sum, &o->terms, &o->count, 5, "VALUE", k->like, 0);
    }
    put_operation(&o->code, o, value->factor, sum.at);
    if (o->undone_below) put(&o->code, "; has_%s = %s >= %d", o->leaf.name, o->leaf.name, o->undone_below);
}

/* >>lines */
static const struct {
    const char *loops, *index, *map, *formats;
} derived[] = {{"j-i i", "ij", "j-i i", "cd"},       {"j-i i", "ij", "j-i i", "dd"},     {"j-i i", "ij", "j-i i", "cc"},
               {"j-i i", "ij", "j-i i", "ns"},       {"i-j j", "ij", "i-j j", "cd"},     {"k j-i i", "kij", "i k-j j", "dcd"},
               {"i/3 j-i i%3", "ij", "j-i i", "cd"}, {"i/2 j-i i%2", "ij", "i/2 j-i i%2", "dcd"}, {"i/4 i#9 i%4 j", "ij", "i#9 i j", "ddc"}, {"i#9 i j", "ij", "i#9 i j", "ddc"},
               {"i#5 i j", "ij", "i#5 i j", "dcs"},  {"i i#7 j", "ij", "i#7 i j", "ddc"}, {"i/2 j/3 i%2 j%3", "ij", "i/2 j/3 i%2 j%3", "dcdd"},
               {"i/2 j/2 i%2 j%2", "ij", "i/2 j/2 i%2 j%2", "ccdd"}, {"i/2 i%2 j", "ij", "i/2 i%2 j", "cdc"},
               {"i j/4 j%4", "ij", "i j/4 j%4", "dd2"}, {"j/2 i/3 j%2 i%3", "ij", "j/2 i/3 j%2 i%3", "dccc"}};

/* One operand in blocks, diagonals or ELL slices, and dense ones. */
static void add_derived(line *k)
{
    const size_t n = below(sizeof derived / sizeof *derived);
    leaf *u = &k->leaf[0];
    k->blocks = derived[n].loops;
    strcpy(k->loops, strlen(derived[n].index) == 3 ? "ijk" : "ij");
    memset(u, 0, sizeof *u);
    choose_name(k, u->name);
    strcpy(u->index, derived[n].index);
    u->type = type_of(strlen(u->index), 0, "", values[below(VALUES)].name);
    strcpy(u->type.format, derived[n].formats);
    u->type.blocks = derived[n].map;
    if (u->type.crd < 32) u->type.crd = 32;
    k->leaves = 1;
    put(&k->tree, "all(@0@");
    put(&k->spec, "&(a");
    for (size_t more = below(3); more > 0; more--) {
        leaf *v = &k->leaf[k->leaves];
        put(&k->tree, ", @%zu@", k->leaves);
        put(&k->spec, "%c", (int)('a' + k->leaves));
        memset(v, 0, sizeof *v);
        choose_name(k, v->name);
        choose_indices(v->index, k->loops, 1 + below(2));
        v->type = type_of(strlen(v->index), 0, "dddd", values[below(VALUES)].name);
        v->sliced = below(3) == 0;
        k->leaves++;
    }
    put(&k->tree, ")");
    put(&k->spec, ")");
    k->expected = "any";
}

/* A product: a sparse operand (i, k), a dense one (k, j), and perhaps one more. Its loop over k may have unroll or
   prefetch. */
static void add_product(line *k)
{
    static const char *const formats[] = {"dc", "cc", "dl", "ns", "nS", "cd", "dd", "dc"};
    k->count = 3;
    strcpy(k->loops, below(2) ? "ikj" : "kij");
    leaf *u = &k->leaf[0], *v = &k->leaf[1];
    memset(u, 0, sizeof *u);
    choose_name(k, u->name);
    strcpy(u->index, "ik");
    const char *chosen = formats[below(8)];
    u->type = type_of(2, k->loops[0] == 'k' ? 0 : 1, chosen, values[below(VALUES)].name);
    u->sliced = below(2);
    u->even = u->legal = true;
    k->leaves = 1;
    *v = *u;
    choose_name(k, v->name);
    strcpy(v->index, below(2) ? "kj" : "jk");
    v->type = any_type(2, "dd", values[below(VALUES)].name);
    v->sliced = below(4) == 0;
    k->leaves = 2;
    put(&k->tree, "all(@0@, @1@");
    put(&k->spec, "&(ab");
    if (below(3) == 0) {
        put(&k->tree, ", @2@");
        put(&k->spec, "c");
        add_operand(k, k->loops, 0);
    }
    put(&k->tree, ")");
    put(&k->spec, ")");
    const size_t how = below(3);
    if (how > 0) k->strategy[1] = how == 1 ? 'u' : 'f', k->expected = "any";
}

/* all(where(...), more): the workspace has indices of the innermost loops, is dense or sparse, and sums over a letter of
   its own. */
static void add_workspace(line *k)
{
    const size_t all = strlen(k->loops);
    const char letter = (char)('i' + k->count);
    char inner[LETTERS + 1] = "", around[LETTERS + 1], together[2 * LETTERS + 1];
    const size_t ranks[] = {0, 0, 1, 1, 2}, rank = ranks[below(5)], own = rank < all ? rank : all; /* the last loops */
    const bool apart = own == 1 && k->summing && below(2);
    leaf *w = &k->leaf[k->leaves];
    memset(w, 0, sizeof *w);
    choose_name(k, w->name);
    w->work = true;
    k->worker = k->leaves++;
    put(&k->tree, "all(@%zu@", k->worker);
    put(&k->spec, "&(%c", (int)('a' + k->worker));
    memcpy(around, k->loops, all - own);
    around[all - own] = 0;
    strcpy(w->index, k->loops + all - own);
    char formats[RANK + 1];
    formats_of(formats, own, apart || below(2) ? 0 : below((size_t)1 << own));
    if (own == 1 && formats[0] == 'd' && !apart && below(3) == 0) formats[0] = 'c';
    w->type = own ? type_of(own, 0, formats, wide_value()) : (type){.value = wide_value()};
    strcpy(inner, w->index);
    if (apart) inner[0] = w->made = (char)(letter + 1);
    const size_t at = below(own + 1); /* where to insert the summed letter */
    memmove(inner + at + 1, inner + at, own - at);
    inner[at] = letter;
    while (apart && !is_sum(w->index[0])) choose_sums(k, w, k->loops);
    strcpy(k->work_loops, inner);
    strcpy(together, around);
    strcat(together, inner);
    const size_t first = k->leaves;
    text tree = {"", 0}, terms = {"", 0}, code = {"", 0};
    put(&tree, below(3) ? "all(" : "any(");
    put(&k->work_spec, tree.at[1] == 'l' ? "&(" : "|(");
    for (size_t n = 0, count = 1 + below(2); n < count; n++) {
        leaf *u = &k->leaf[k->leaves];
        put(&tree, "%s@%zu@", n ? ", " : "", k->leaves);
        put(&k->work_spec, "%c", (int)('a' + k->leaves));
        const size_t least = n > 0 && below(3) == 0 ? 0 : apart ? 2 : 1;
        do add_operand(k, together, least), k->leaves--; /* the first one has the summed letter */
        while ((n == 0 && (!strchr(u->index, letter) || (apart && !strchr(u->index, w->made)))) || u->padded);
        u->inner = true;
        k->leaves++;
    }
    put(&tree, ")");
    put(&k->work_spec, ")");
    size_t count = 0;
    int base;
    add_terms(k, &code, &terms, &count, &base, w->type.value, first, k->leaves, inner);
    put(&k->work, "where(@%zu@, (", k->worker);
    for (const char *c = inner; *c; c++) put(&k->work, "%s%c", c == inner ? "" : ", ", shown(k, *c));
    put(&k->work, "), %s, %s += %s)", tree.at, w->name, code.at);
    text spec = {"", 0};
    put(&spec, "{%zu, %d, \"%s\", \"%s\", {ADD, %d, %zu, {%s}}}", k->worker, w->made, inner, k->work_spec.at, base, count, count ? terms.at : "{0, VALUE, 0, 0}");
    k->work_spec = spec;
    const size_t more = 1 + below(2);
    const bool nested = below(4) == 0;
    put(&k->tree, nested ? ", all(" : ", ");
    put(&k->spec, nested ? "&(" : "");
    for (size_t n = 0; n < more; n++) {
        put(&k->tree, "%s@%zu@", n ? ", " : "", k->leaves);
        put(&k->spec, "%c", (int)('a' + k->leaves));
        add_operand(k, k->loops, 1);
    }
    put(&k->tree, nested ? "))" : ")");
    put(&k->spec, nested ? "))" : ")");
    expect(k, "any");
}

/* Turns some loops into range(), and some into let(), which computes its index from outer loops. */
static void choose_loops(line *k)
{
    const size_t all = strlen(k->loops);
    for (size_t l = 0; l < all; l++) {
        const size_t letter = (size_t)(k->loops[l] - 'i');
        if (k->strategy[l]) continue;
        if (below(8) == 0) {
            k->ranged[letter] = true;
            k->range[letter] = below(6);
        } else if (l > 0 && below(6) == 0) {
            k->is_let[letter] = true;
            k->let[letter].constant = (int)below(5) - 2;
            for (size_t around = 0; around < l; around++)
                if (around + 1 == l || below(2)) k->let[letter].coef[k->loops[around] - 'i'] = any_coefficient();
            if (below(2)) k->ranged[letter] = true, k->range[letter] = 1 + below(8);
            const size_t around = below(l), stored = (size_t)(k->loops[around] - 'i');
            if (below(2) || k->strategy[around] || k->ranged[stored] || k->is_let[stored]) continue;
            k->strategy[around] = 'f';
            expect(k, "any");
        }
    }
}

/* Do the subscripts give all indices a size? Outputs that are rebuilt give none. */
static bool are_sized(const line *k)
{
    bool sized[LETTERS];
    memcpy(sized, k->ranged, sizeof sized);
    for (bool more = true; more;) {
        more = false;
        for (size_t n = 0; n < k->leaves + k->outs; n++) {
            const leaf *u = n < k->leaves ? &k->leaf[n] : &k->out[n - k->leaves].leaf;
            if (u->work || (n >= k->leaves && (k->out[n - k->leaves].role == ASSEMBLED || k->out[n - k->leaves].role == ALIKE))) continue;
            for (const char *c = u->index; *c; c++) {
                size_t open = 0, last = 0;
                for (size_t l = 0; l < LETTERS; l++)
                    if (!sized[l] && (is_sum(*c) ? k->sum[*c - 'i' - LETTERS].coef[l] != 0 : *c == (char)('i' + l))) open++, last = l;
                if (open != 1 || (is_sum(*c) && k->sum[*c - 'i' - LETTERS].padded)) continue;
                sized[last] = more = true;
            }
        }
    }
    for (const char *c = k->loops; *c; c++)
        if (!sized[*c - 'i']) return false;
    return true;
}

/* Adds continue to the statement, or break, if all operands are sorted. */
static void choose_leaving(line *k)
{
    if (below(4)) return;
    for (size_t n = 0; n < k->outs; n++)
        if (k->out[n].from >= 0) return; /* not with an initial value */
    k->leaving = below(2) ? 'c' : 'b';
    k->modulus = 2 + below(4);
    k->condition.constant = (int)below(6);
    const size_t loops = strlen(k->loops);
    for (size_t l = 0; l < loops; l++) k->condition.coef[k->loops[l] - 'i'] = l + 1 < loops ? (int)below(4) : 1 + (int)below(3);
    bool ends = !k->blocks && k->worker == LEAVES && k->strategy[loops - 1] != 'p' && k->strategy[loops - 1] != 't';
    for (size_t n = 0; n < k->leaves; n++) ends = ends && !strpbrk(k->leaf[n].type.format, "op");
    if (!ends) k->leaving = 'c';
}

/* Adds an operand (i, j) or (k, i, j) that stores one triangle, and others; those with index i or j are dense. */
static void add_half(line *k)
{
    static const char letters[] = "ijkl";
    char formats[RANK + 1];
    leaf *u = &k->leaf[0];
    if (below(5) == 0)
        add_derived(k);
    else {
        size_t order[LETTERS], tries = 0;
        k->count = 2 + below(3);
        order_of(order, k->count, below(factorial(k->count)));
        for (size_t l = 0; l < k->count; l++) k->loops[l] = (char)('i' + order[l]);
        choose_name(k, u->name);
        strcpy(u->index, k->count > 2 && below(5) == 0 ? "kij" : below(2) ? "ij" : "ji");
        do {
            operand_formats(formats, strlen(u->index), &u->even);
            u->type = any_type(strlen(u->index), formats, values[below(VALUES)].name);
        } while (!is_legal(k, u, k->loops) && (tries++ < 40 || below(30)));
        u->even = u->even && !strchr(u->type.format, 'b');
        u->legal = is_legal(k, u, k->loops);
        k->leaves = 1;
        put(&k->tree, "all(@0@");
        put(&k->spec, "&(a");
        for (size_t more = below(4); more > 0; more--) {
            leaf *v = &k->leaf[k->leaves];
            put(&k->tree, ", @%zu@", k->leaves);
            put(&k->spec, "%c", (int)('a' + k->leaves));
            char some[LETTERS + 1] = "";
            strncat(some, letters, k->count);
            memset(v, 0, sizeof *v);
            choose_name(k, v->name);
            choose_indices(v->index, some, 1 + below(k->count < 3 ? k->count : 3));
            strcpy(formats, "dddd");
            if (!strpbrk(v->index, "ij") || below(12) == 0) any_formats(formats, strlen(v->index));
            formats[strlen(v->index)] = 0;
            v->type = any_type(strlen(v->index), formats, values[below(VALUES)].name);
            v->sliced = below(4) == 0 && strspn(v->type.format, "d") == v->type.rank;
            v->even = true;
            v->legal = is_legal(k, v, k->loops) && (!strpbrk(v->index, "ij") || strspn(v->type.format, "d") == v->type.rank);
            k->leaves++;
        }
        put(&k->tree, ")");
        put(&k->spec, ")");
    }
    k->half = "skh"[below(3)];
    if (u->type.value[0] == 'u' || strstr(u->type.value, "complex")) k->half = u->type.value[0] == 'u' || k->half == 'h' ? 's' : k->half;
}

/* Sets `expected` to refuse for features that are refused with an operand that stores one triangle. */
static void expect_beside_half(line *k)
{
    for (size_t n = 0; n < k->outs; n++) {
        const out *o = &k->out[n];
        if (k->half == 'k' && o->leaf.type.value[0] == 'u') k->half = 's'; /* unsigned */
        if (o->role == DENSE_OUTPUT || o->role == SCALAR_OUTPUT) continue;
        expect(k, strpbrk(o->leaf.index, "ij") ? "refuse" : "any");
    }
}

static void make_line(line *k)
{
    memset(k, 0, sizeof *k);
    k->expected = "accept";
    k->worker = k->like = LEAVES;
    choose_letters(k);
    const size_t chance = below(20);
    k->count = below(10) ? 1 + (below(8) + below(8)) / 4 : 5 + below(4);
    if (chance >= 3 && chance < 6 && k->count > LETTERS - 2) k->count = LETTERS - 2; /* a workspace has two more */
    if (halves)
        add_half(k);
    else if (chance < 3)
        add_derived(k);
    else {
        size_t order[LETTERS];
        order_of(order, k->count, below(factorial(k->count)));
        for (size_t l = 0; l < k->count; l++) k->loops[l] = (char)('i' + order[l]);
        k->summing = (chance < 6 || chance >= 8) && below(2);
        if (chance < 6)
            add_workspace(k);
        else if (chance < 8)
            add_product(k);
        else
            add_tree(k, &k->tree, &k->spec, k->loops, 4, 2, false, false);
        char used[LETTERS + 1] = ""; /* only indices that operands have, except in one of forty cases */
        for (char *c = k->loops; *c; c++)
            for (size_t n = 0; n < k->leaves; n++)
                if (has_index(k, &k->leaf[n], *c)) {
                    used[strlen(used)] = *c;
                    break;
                }
        if (used[0] && strcmp(used, k->loops) != 0) {
            if (below(40) || k->strategy[1]) strcpy(k->loops, used);
            else expect(k, "any");
        } else if (!used[0])
            k->expected = "none"; /* write no line */
    }
    if (halves && !k->blocks) { /* only indices that operands have */
        char used[LETTERS + 1] = "";
        for (char *c = k->loops; *c; c++)
            for (size_t n = 0; n < k->leaves; n++)
                if (strchr(k->leaf[n].index, *c)) {
                    used[strlen(used)] = *c;
                    break;
                }
        strcpy(k->loops, used);
    }
    if (k->summing) choose_loops(k);
    const size_t inputs = k->leaves, outs = below(5) ? 1 : below(3) ? 2 : 3;
    for (size_t n = 0; n < outs; n++) add_output(k, inputs, outs == 1);
    const size_t loops = k->blocks ? 0 : strlen(k->loops);
    if (loops > 0 && !k->strategy[1] && below(3) == 0) {
        const size_t which = below(6); /* 4: parallel, with another word on an inner loop */
        if (which == 0 || which == 4) k->strategy[below(2) ? 0 : below(loops)] = 'p';
        if (which == 1 || (which == 4 && loops > 1 && below(2))) k->strategy[below(5) ? loops - 1 : below(loops)] = 's';
        if ((which == 2 || which == 4) && loops > 1) k->strategy[below(5) ? loops - 2 : below(loops)] = 'u';
        if (which == 3) k->strategy[below(loops)] = halves ? 'f' : 't';
        if (which == 5) k->strategy[below(loops)] = 'f';
        expect(k, "any");
    }
    if (outs > 1) expect(k, "any");
    if (halves) expect_beside_half(k);
    choose_leaving(k);
    if (k->summing && !are_sized(k)) k->expected = "none";
    for (size_t n = 0; n < outs; n++) /* an assembled output gives no index a size */
        for (const char *c = k->out[n].leaf.index; *c && k->out[n].role == ASSEMBLED && !k->summing; c++) {
            bool sized = false;
            for (size_t m = 0; m < k->leaves; m++) sized = sized || (!k->leaf[m].work && strchr(k->leaf[m].index, *c));
            if (!sized) k->expected = "none";
        }
    for (size_t n = 0; n < k->leaves && !k->blocks; n++) {
        const leaf *u = &k->leaf[n];
        if (u->work || n == k->like) continue;
        if (!u->legal) expect(k, "refuse");
        else if (!u->even) expect(k, "any");
    }
}

/* >>writing */
/* Is a letter a term of a sum? A term times 0 needs a loop over its letter. */
static bool is_term(const line *k, const sum *x, size_t l)
{
    const int letter = (int)('i' + l);
    return x->coef[l] || (x->naught[l] && (strchr(k->loops, letter) || strchr(k->work_loops, letter)));
}

static void put_sum(text *s, const line *k, const sum *x)
{
    size_t terms = 0, last = 0;
    for (size_t l = 0; l < LETTERS; l++)
        if (is_term(k, x, l)) terms++, last = l;
    if (terms == 1 && x->constant == 0 && x->coef[last] > 1) {
        put(s, "times(%d, %c)", x->coef[last], k->shown[last]);
        return;
    }
    put(s, "plus(");
    for (size_t l = 0; l < LETTERS; l++) {
        if (!is_term(k, x, l)) continue;
        put(s, x->coef[l] == 1 ? "" : "times(%d, ", x->coef[l]);
        put(s, "%c%s%s", k->shown[l], x->coef[l] == 1 ? "" : ")", l == last ? "" : ", ");
    }
    if (x->constant) put(s, ", (%d)", x->constant);
    put(s, ")");
}

static void put_leaf(text *s, const line *k, const leaf *u)
{
    if (u->type.rank == 0) put(s, "(%s, %s", u->name, u->type.value);
    else {
        const char *const half = !k->half || u != &k->leaf[0] ? "" : k->half == 's' ? "symmetric" : k->half == 'k' ? "skew" : "hermitian";
        put(s, "%s(%s, T%zu", *half ? half : u->sliced ? "slice" : u->padded ? "padded" : "", u->name, write_type(&u->type));
    }
    for (const char *c = u->index; *c; c++) {
        put(s, ", ");
        if (u->made) put(s, "let(%c, ", shown(k, u->made));
        if (is_sum(*c)) put_sum(s, k, &k->sum[*c - 'i' - LETTERS]);
        else put(s, "%c", shown(k, *c));
        if (u->made) put(s, ")");
    }
    put(s, ")");
}

/* Writes the expression e of let(u, e), or the sum in a condition. */
static void put_coordinate(text *s, const line *k, const sum *x)
{
    const char *plus = "";
    for (size_t l = 0; l < LETTERS; l++)
        if (x->coef[l]) put(s, "%s%d * %c", plus, x->coef[l], k->shown[l]), plus = " + ";
    if (x->constant) put(s, " %c %d", x->constant < 0 ? '-' : '+', abs(x->constant));
}

/* Writes a tree; @3@ stands for operand 3. For the workspace it writes the whole where(...). */
static void put_tree(text *s, const line *k, const char *tree, bool works)
{
    for (; *tree; tree++)
        if (*tree != '@') put(s, "%c", *tree);
        else {
            const size_t n = strtoul(tree + 1, NULL, 10);
            tree = strchr(tree + 1, '@');
            if (n == k->worker && works) put_tree(s, k, k->work.at, false);
            else put_leaf(s, k, &k->leaf[n]);
        }
}

static void put_loop(text *s, const line *k, const char *blocks)
{
    for (const char *c = blocks; *c; c++)
        if (c == blocks || c[-1] == ' ') {
            const char at = shown(k, *c);
            put(s, "%s", c == blocks ? "" : ", ");
            if (c[1] == '-') put(s, "minus(%c, %c)", at, shown(k, c[2]));
            else if (c[1] == '#') put(s, "count(%c, %lu)", at, strtoul(c + 2, NULL, 10));
            else if (c[1] == '/' || c[1] == '%') put(s, "%s(%c, %lu)", c[1] == '/' ? "floordiv" : "mod", at, strtoul(c + 2, NULL, 10));
            else put(s, "%c", at);
        }
}

static void put_outputs(text *s, const line *k)
{
    if (k->outs > 1) put(s, "(");
    for (size_t n = 0; n < k->outs; n++) {
        const out *o = &k->out[n];
        text plainly = {"", 0};
        put_leaf(&plainly, k, &o->leaf);
        put(s, "%s", n ? ", " : "");
        if (o->role == UPDATED) put(s, "update%s", plainly.at);
        else if (o->role == ALIKE) put(s, "like(%s, %s", k->leaf[k->like].name, plainly.at + 1);
        else if (o->from >= 0) put(s, "from(%s%d, %s", value_named(o->leaf.type.value)->factor, o->from, plainly.at + 1);
        else put(s, "%s", plainly.at);
    }
    if (k->outs > 1) put(s, ")");
}

/* Writes the line without its name. */
static void put_line(text *s, const line *k)
{
    put(s, "(");
    if (k->blocks) put_loop(s, k, k->blocks);
    for (size_t l = 0; !k->blocks && k->loops[l]; l++) {
        const char at = shown(k, k->loops[l]);
        put(s, "%s", l ? ", " : "");
        const char *const word = k->strategy[l] == 'p' ? "parallel" : k->strategy[l] == 's' ? "simd" : k->strategy[l] == 'f' ? "prefetch" : "unroll";
        const size_t letter = (size_t)(k->loops[l] - 'i');
        if (k->is_let[letter]) {
            put(s, "let(%c, ", at);
            put_coordinate(s, k, &k->let[letter]);
            if (k->ranged[letter]) put(s, ", %zu", k->range[letter]);
            put(s, ")");
        } else if (k->ranged[letter]) put(s, "range(%c, %zu)", at, k->range[letter]);
        else if (k->strategy[l] == 't') put(s, "tile(%c, %zu)", at, 1 + letter);
        else if (k->strategy[l]) put(s, "%s(%c)", word, at);
        else put(s, "%c", at);
    }
    put(s, "), ");
    put_outputs(s, k);
    put(s, ", ");
    put_tree(s, k, k->tree.at, true);
    put(s, ", ");
    if (k->leaving) {
        put(s, "if ((");
        put_coordinate(s, k, &k->condition);
        put(s, ") %% %zu == 0) %s; ", k->modulus, k->leaving == 'b' ? "break" : "continue");
    }
    for (size_t n = 0; n < k->outs; n++) put(s, "%s%s", n ? "; " : "", k->out[n].code.at);
}

/* >>mistakes */
enum { MISTAKES = 19 };

/* Replaces the first `from` after `start`; returns whether there is one. */
static bool replace(text *s, const char *start, const char *from, const char *to)
{
    char *at = strstr(s->at, start);
    if (!at || !(at = strstr(at, from))) return false;
    const size_t length = strlen(from), fresh = strlen(to);
    if (s->length + fresh >= TEXT) return false;
    memmove(at + fresh, at + length, strlen(at + length) + 1);
    memcpy(at, to, fresh);
    s->length += fresh - length;
    return true;
}

/* Writes a line with the given mistake; returns false if the line offers no place for it. A name that occurs twice has one
   letter: longer ones are refused by the compiler with its own report. */
static bool put_mistake(text *s, line *k, size_t mistake)
{
    leaf *u = &k->leaf[below(k->leaves)];
    const size_t rank = strlen(u->index);
    const char first = shown(k, k->loops[0]), twice_in_sum[] = {'p', 'l', 'u', 's', '(', first, ',', ' ', first, ',', ' ', 0};
    const char other[2] = {(char)('i' + k->count), 0}, one[] = {'(', shown(k, k->loops[0]), 0};
    if (u->work || u->inner || k->like < LEAVES || k->worker < LEAVES || k->blocks || strcmp(k->expected, "accept") != 0) return false;
    switch (mistake) { /* names and indices */
    case 0: if (rank == 0 || k->count == LETTERS) return false; u->index[below(rank)] = *other; break;
    case 1: if (rank == 0) return false; u->index[rank - 1] = 0; break;
    case 2: if (rank == 0 || rank == RANK) return false; u->index[rank] = k->loops[0], u->index[rank + 1] = 0; break;
    case 3: if (k->leaves < 2 || u == k->leaf || k->leaf[0].name[1]) return false; strcpy(u->name, k->leaf[0].name); break;
    case 4: if (k->out[0].leaf.name[1]) return false; strcpy(u->name, k->out[0].leaf.name); break;
    case 5: snprintf(u->name, NAME, "%c", shown(k, k->loops[0])); break;
    default: break;
    }
    put_line(s, k);
    switch (mistake) { /* words and commas */
    case 6: { /* an unknown type, in place of T and a number after a name */
        const char *at = s->at;
        while ((at = strstr(at, ", T")) && !(at[3] >= '0' && at[3] <= '9')) at++;
        return at && replace(s, at, ", T", ", UNKNOWN_T");
    }
    case 7: return replace(s, "all(", "all(", "both(");
    case 8: return replace(s, one, one, "(row");
    case 9: return k->strategy[0] == 0 && replace(s, one, one, "(paralel(i)");
    case 10: return replace(s, "all(", "), (", ") (");
    case 11: return replace(s, "), ", "), ", ") ");
    case 12: { /* a loop occurs twice */
        const char twice[] = {'(', shown(k, k->loops[0]), ',', ' ', shown(k, k->loops[0]), 0};
        return k->strategy[0] == 0 && replace(s, one, one, twice);
    }
    case 13: return replace(s, "plus(", "plus(", "plus(row, ");
    case 14: return replace(s, "plus(", "plus(", twice_in_sum);
    case 15: return replace(s, "plus(", "plus(", "sum(");
    case 16: return replace(s, "padded(", "padded(", "wide(");
    case 17: return replace(s, "range(", ", ", ", 1, ");
    case 18: return replace(s, "times(", "times(", "times(2, row, ");
    default: return true;
    }
}

static void put_side(text *s, const leaf *u)
{
    if (u->type.rank == 0 || u->work) put(s, "{NULL, \"%s\", false}", u->index);
    else put(s, "{&t%zu_encoding, \"%s\", %s}", write_type(&u->type), u->index, u->sliced ? "true" : "false");
}

/* Writes an argument: a tensor, with its slice, or a number. */
static void put_argument(text *s, const leaf *u, size_t n)
{
    if (u->type.rank == 0) put(s, ", (%s)in_scalar[%zu]", u->type.value, n);
    else put(s, ", (const t%zu *)in[%zu]", write_type(&u->type), n);
    if (u->sliced) put(s, ", slices[%zu]", n);
}

/* Writes a sum for random_lines.h. */
static void put_affine(text *s, const sum *x)
{
    put(s, "{%s, %d, {", x->padded ? "true" : "false", x->constant);
    for (size_t l = 0; l < LETTERS; l++) put(s, "%s%d", l ? ", " : "", x->coef[l]);
    put(s, "}}");
}
static void put_rules(text *s, const line *k)
{
    const sum nothing = {0};
    put(s, "%zu, {", k->sums);
    for (size_t n = 0; n < k->sums || n == 0; n++) {
        put(s, "%s", n ? ", " : "");
        put_affine(s, n < k->sums ? &k->sum[n] : &nothing);
    }
    put(s, "}, \"");
    for (const char *c = k->loops; *c; c++)
        if (k->ranged[*c - 'i']) put(s, "%c", *c);
    put(s, "\", \"");
    for (const char *c = k->loops; *c; c++)
        if (k->is_let[*c - 'i']) put(s, "%c", *c);
    put(s, "\", {");
    for (size_t l = 0; l < LETTERS; l++) put(s, "%s%zu", l ? ", " : "", k->range[l]);
    put(s, "}, {");
    for (size_t l = 0; l < LETTERS; l++) {
        put(s, "%s", l ? ", " : "");
        put_affine(s, &k->let[l]);
    }
    put(s, "}, %d, ", k->leaving);
    put_affine(s, &k->condition);
    put(s, ", %zu, %d", k->modulus, k->half);
}

static void write_test(const line *k, size_t number, const char *shown_line)
{
    static const char *const roles[] = {"DENSE_OUTPUT", "SCALAR_OUTPUT", "ASSEMBLED", "UPDATED", "ALIKE"};
    text before = {"", 0}, after = {"", 0}, outs = {"", 0}, inputs = {"", 0}, sides = {"", 0};
    text rules = {"", 0};
    put_rules(&rules, k);
    for (size_t n = 0; n < k->outs; n++) {
        const out *o = &k->out[n];
        const char *value = o->leaf.type.value;
        if (o->role == SCALAR_OUTPUT) {
            put(&before, "    %s s%zu = (%s)out_scalar[%zu];\n", value, n, value, n);
            put(&after, "    out_scalar[%zu] = (double)s%zu;\n", n, n);
            put(&inputs, "%s&s%zu", n ? ", " : "", n);
        } else
            put(&inputs, "%s(t%zu *)out[%zu]", n ? ", " : "", write_type(&o->leaf.type), n);
        put(&outs, "%s{%s, ", n ? ", " : "", roles[o->role]);
        put_side(&outs, &o->leaf);
        put(&outs, ", %s, %d, %zu, %d, %zu, {%s, %d, %zu, {%s}}}", o->from >= 0 ? "true" : "false", o->from, k->like, o->undone_below,
            o->listed, operations[operation_of(o->operation)].name, o->base, o->count, o->count ? o->terms.at : "{0, VALUE, 0, 0}");
    }
    const size_t skip = inputs.length;
    if (k->like < LEAVES) put_argument(&inputs, &k->leaf[k->like], k->like);
    for (size_t n = 0; n < k->leaves; n++) {
        if (n != k->like && !k->leaf[n].work) put_argument(&inputs, &k->leaf[n], n);
        put(&sides, "%s", n ? ", " : "");
        put_side(&sides, &k->leaf[n]);
    }
    const bool into = k->outs == 1 && k->out[0].role == ASSEMBLED;
    printf("static sparse_result run%zu(SPARSE_UNUSED sparse_tensor *const *out, SPARSE_UNUSED sparse_tensor *const *in,\n"
           "    SPARSE_UNUSED double *out_scalar, SPARSE_UNUSED const double *in_scalar)\n{\n%s"
           "    const sparse_result result = r%zu(%s);\n%s    return result;\n}\n",
           number, before.at, number, inputs.at, after.at);
    if (into)
        printf("static sparse_result into%zu(sparse_tensor *out, SPARSE_UNUSED sparse_tensor *const *in, SPARSE_UNUSED const double *in_scalar)\n"
               "{\n    return r%zu_into((t%zu *)out%s);\n}\n",
               number, number, write_type(&k->out[0].leaf.type), inputs.at + skip);
    printf("#define CASE%zu {\"r%zu, %s\", \"%s\", \"%s\", %zu, %zu, %d, {%s}, {%s}, {%s}, %s, run%zu, ", number, number, shown_line, k->loops,
           k->spec.at, k->outs, k->leaves, k->worker < LEAVES, outs.at, sides.at,
           k->worker < LEAVES ? k->work_spec.at : "{0, 0, NULL, NULL, {ADD, 0, 0, {{0, VALUE, 0, 0}}}}", rules.at, number);
    printf(into ? "into%zu}\n" : "NULL}\n", number);
}

int main(int argc, char **argv)
{
    static bool chosen[1 << 20];
    size_t count = 0, number, any = 0;
    if (argc != 5) die("usage: random_lines lines|mistakes|tests SEED COUNT plain|nasty|halves\n");
    const bool tests = strcmp(argv[1], "tests") == 0, mistakes = strcmp(argv[1], "mistakes") == 0;
    state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15u + 88172645463325252u;
    count = strtoul(argv[3], NULL, 10);
    halves = strcmp(argv[4], "halves") == 0;
    plain = strcmp(argv[4], "plain") == 0;
    if (count > sizeof chosen / sizeof *chosen) die("random_lines: too many\n");
    while (tests && scanf("%zu", &number) == 1)
        if (number < count) chosen[number] = true;
    printf("/* made by: random_lines %s %s %s %s */\n#include \"random_lines.h\"\n", argv[1], argv[2], argv[3], argv[4]);
    for (size_t n = 0; n < count; n++) {
        static line k;
        static text s;
        do {
            make_line(&k);
            memset(&s, 0, sizeof s);
        } while (strcmp(k.expected, "none") == 0 || (mistakes && !put_mistake(&s, &k, below(MISTAKES))));
        if (mistakes) k.expected = "refuse";
        else put_line(&s, &k);
        if (!tests) printf("/* r%zu: %s */\n", n, k.expected);
        if (!tests || chosen[n]) printf("SPARSE_KERNEL(r%zu, %s)\n", n, s.at);
        if (tests && chosen[n]) write_test(&k, n, s.at), any++;
    }
    if (!tests) return 0;
    printf("\nint main(void)\n{\n    static const random_line lines[] = {\n");
    for (size_t n = 0; n < count; n++)
        if (chosen[n]) printf("        CASE%zu,\n", n);
    printf("    };\n    try_lines(lines, %zu);\n    return report(\"random_lines\");\n}\n", any);
    return 0;
}
