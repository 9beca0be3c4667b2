/* random_lines.h: what a kernel line computes, found from a description of it over dense arrays: every coordinate is
   tried, the tree of operands is asked whether it is live, and the terms of the statement are added up. The
   programs that random_lines.c writes hold each line twice, as a SPARSE_KERNEL and as such a description. */
#ifndef RANDOM_LINES_H
#define RANDOM_LINES_H

#include "oracle.h"

#include "sparse.h"

/* A term of a statement: coef times the value of operand a, of a and b, whether a is stored, or index a. */
typedef enum term_kind { VALUE, PRODUCT, STORED, COORDINATE } term_kind;
typedef struct term {
    int coef;
    term_kind kind;
    size_t a, b;
} term;

/* target += base + terms, target = base + terms, or the greater of the two. */
typedef enum operation { ADD, SET, GREATEST } operation;
typedef struct statement {
    operation operation;
    int base;
    size_t count;
    term term[14];
} statement;

typedef enum role { DENSE_OUTPUT, SCALAR_OUTPUT, ASSEMBLED, UPDATED, ALIKE } role;
typedef struct output {
    role role;
    side side;
    bool begins; /* with the value `from` */
    int from;
    size_t like;      /* the operand whose pattern it has */
    int undone_below; /* entries that come out below this are taken back; 0: none */
    statement statement;
} output;

/* Operand `operand` is a workspace: computed by loops of its own. */
typedef struct workspace {
    size_t operand;
    const char *loops, *tree;
    statement statement;
} workspace;

enum { OUTPUTS = 3, WORKSPACES = 2 };

/* Indices are letters from i on. A tree: & all, | any, ! none, each with operands in parentheses, a letter from a on
   for each: &(a|(bc)). */
typedef struct random_line {
    const char *line, *loops, *tree;
    size_t outputs, operands, workspaces;
    output output[OUTPUTS];
    side operand[OPERANDS];
    workspace workspace[WORKSPACES];
    sparse_result (*run)(sparse_tensor *const *out, sparse_tensor *const *in, double *out_scalar, const double *in_scalar);
    sparse_result (*into)(sparse_tensor *out, sparse_tensor *const *in, const double *in_scalar);
} random_line;

static grid out_grid[OUTPUTS], in_grid[OPERANDS];

/* Where an operand stands at a coordinate. */
static inline size_t place_in(const grid *g, const char *index, const size_t *at)
{
    size_t place = 0;
    for (size_t d = 0; index[d]; d++) place = place * g->dim[d] + at[index[d] - 'i'];
    return place;
}

/* The tree at *text, which is moved behind it. */
static inline bool is_live(const random_line *k, const char **text, const size_t *at)
{
    const char word = *(*text)++;
    if (word >= 'a' && word <= 'z') {
        const size_t n = (size_t)(word - 'a');
        return in_grid[n].has[place_in(&in_grid[n], k->operand[n].index, at)];
    }
    size_t count = 0, live = 0;
    for (++*text; **text != ')'; count++) live += is_live(k, text, at);
    ++*text;
    return word == '&' ? live == count : word == '|' ? live > 0 : live == 0;
}

static double value_of(const random_line *k, size_t n, const size_t *at);

static inline double evaluate(const random_line *k, const statement *s, double target, const size_t *at)
{
    double sum = s->base;
    for (size_t n = 0; n < s->count; n++) {
        const term *t = &s->term[n];
        double x = 0;
        switch (t->kind) {
        case VALUE: x = value_of(k, t->a, at); break;
        case PRODUCT: x = value_of(k, t->a, at) * value_of(k, t->b, at); break;
        case STORED: x = in_grid[t->a].has[place_in(&in_grid[t->a], k->operand[t->a].index, at)]; break;
        case COORDINATE: x = (double)at[t->a]; break;
        }
        sum += t->coef * x;
    }
    return s->operation == ADD ? target + sum : s->operation == SET || sum > target ? sum : target;
}

/* The next coordinate over the given loops, the last fastest; false behind the last. */
static inline bool advance(size_t *at, const char *loops, const size_t *size)
{
    for (size_t l = strlen(loops); l-- > 0; at[loops[l] - 'i'] = 0)
        if (++at[loops[l] - 'i'] < size[loops[l] - 'i']) return true;
    return false;
}

/* The value of an operand; that of a workspace is the sum over its loops, but for the indices that it has. */
static size_t line_size[LOOPS];
static double value_of(const random_line *k, size_t n, const size_t *at)
{
    for (size_t m = 0; m < k->workspaces; m++) {
        const workspace *w = &k->workspace[m];
        if (w->operand != n) continue;
        char summed[LOOPS + 1];
        size_t inner[LOOPS], count = 0;
        double sum = 0;
        memcpy(inner, at, sizeof inner);
        for (const char *c = w->loops; *c; c++)
            if (!strchr(k->operand[n].index, *c)) {
                if (line_size[*c - 'i'] == 0) return 0;
                inner[*c - 'i'] = 0;
                summed[count++] = *c;
            }
        summed[count] = 0;
        do {
            const char *tree = w->tree;
            if (is_live(k, &tree, inner)) sum = evaluate(k, &w->statement, sum, inner);
        } while (advance(inner, summed, line_size));
        return sum;
    }
    return in_grid[n].value[place_in(&in_grid[n], k->operand[n].index, at)];
}

/* What the line does to one of its outputs. */
static inline void expect_output(const random_line *k, const output *o, grid *g, size_t *size)
{
    size_t at[LOOPS] = {0};
    if (o->begins || o->role == ASSEMBLED || o->role == ALIKE)
        for (size_t n = 0; n < g->volume; n++) g->value[n] = o->begins ? o->from : 0;
    if (o->role == ASSEMBLED) memset(g->has, 0, g->volume * sizeof *g->has);
    if (o->role == ALIKE) memcpy(g->has, in_grid[o->like].has, g->volume * sizeof *g->has);
    for (const char *c = k->loops; *c; c++)
        if (size[*c - 'i'] == 0) return;
    do {
        const size_t place = place_in(g, o->side.index, at);
        const char *tree = k->tree;
        if (!is_live(k, &tree, at)) continue;
        if ((o->role == UPDATED || o->role == ALIKE) && !g->has[place]) continue;
        const double value = evaluate(k, &o->statement, g->value[place], at);
        if (o->undone_below > 0 && value < o->undone_below) continue;
        g->value[place] = value;
        if (o->role != ASSEMBLED || g->has[place]) continue;
        size_t i[SPARSE_MAX_RANK];
        for (size_t d = 0; o->side.index[d]; d++) i[d] = at[o->side.index[d] - 'i'];
        mark_stored(g, i, sparse_levels(o->side.encoding));
    } while (advance(at, k->loops, size));
}

/* Is the tensor what was expected, and does it store what it should? */
static inline bool is_expected(const output *o, const grid *g, double scalar)
{
    size_t stored = 0, entries = 0;
    if (o->role == SCALAR_OUTPUT) return scalar >= g->value[0] && scalar <= g->value[0];
    SPARSE_FOREACH(c, &g->tensor)
    {
        const double is = number_at(g->tensor.encoding, c.value);
        const size_t at = place_of(c.dim, g->dim, g->tensor.encoding->rank);
        if (at == SIZE_MAX || is < g->value[at] || is > g->value[at]) return false;
        if (o->role != DENSE_OUTPUT && !g->has[at]) return false;
        entries++;
    }
    for (size_t n = 0; n < g->volume; n++) stored += g->has[n];
    return entries == (o->role == DENSE_OUTPUT ? g->volume : stored) && sparse_validate(&g->tensor, NULL) == SPARSE_OK;
}

/* Runs a line in a scene, and the description beside it. */
static inline void try_line(const random_line *k, const scene *s)
{
    static const size_t limit[LOOPS + 1] = {0, 60, 9, 6, 4, 3, 3, 2, 2};
    sparse_tensor *out[OUTPUTS], *in[OPERANDS];
    double out_scalar[OUTPUTS], in_scalar[OPERANDS];
    bool letters[LOOPS] = {false}, blank = s->filled;
    size_t count = 0;
    snprintf(subject, sizeof subject, "%s: %s", s->name, k->line);
    for (const char *c = k->loops; *c; c++) letters[*c - 'i'] = true;
    for (size_t n = 0; n < k->workspaces; n++)
        for (const char *c = k->workspace[n].loops; *c; c++) letters[*c - 'i'] = true;
    for (size_t l = 0; l < LOOPS; l++) count += letters[l];
    const size_t chosen = random_below(count);
    for (size_t l = 0, seen_so_far = 0; l < LOOPS; l++) {
        line_size[l] = letters[l] ? 1 + random_below(limit[count]) : 0;
        if (letters[l] && seen_so_far++ == chosen && s->shape == NOTHING_WIDE) line_size[l] = 0;
    }
    for (size_t n = 0; n < k->operands; n++)
        if (k->operand[n].sliced && s->shape == NOTHING_WIDE) return; /* slices are not empty */
    for (size_t n = 0; n < k->operands; n++) {
        open_grid(&in_grid[n], &k->operand[n], line_size, s, true, slices[n]);
        for (size_t m = 0; m < k->workspaces; m++) /* no tensor, and stored everywhere */
            if (k->workspace[m].operand == n) memset(in_grid[n].has, true, in_grid[n].volume);
        in[n] = &in_grid[n].tensor;
        in_scalar[n] = in_grid[n].value[0];
    }
    for (size_t n = 0; n < k->outputs; n++) {
        const output *o = &k->output[n];
        for (const char *c = o->side.index; *c; c++) { /* it can be made if operands have all its indices */
            bool sized = false;
            for (size_t m = 0; m < k->operands; m++)
                sized = sized || (k->operand[m].encoding && strchr(k->operand[m].index, *c));
            blank = blank && sized;
        }
    }
    for (size_t n = 0; n < k->outputs; n++) {
        const output *o = &k->output[n];
        const bool filled = o->role == UPDATED || !blank; /* what is in one that is made anew goes away */
        open_grid(&out_grid[n], &o->side, line_size, s, filled, NULL);
        out[n] = &out_grid[n].tensor;
        out_scalar[n] = out_grid[n].value[0];
    }
    const sparse_result result = k->run(out, in, out_scalar, in_scalar);
    CHECK_RESULT(result, SPARSE_OK);
    for (size_t n = 0; !result && n < k->outputs; n++) {
        expect_output(k, &k->output[n], &out_grid[n], line_size);
        if (!CHECK(is_expected(&k->output[n], &out_grid[n], out_scalar[n])) && failed <= 20)
            printf("    output %zu of scene %s of\n    %s\n", n, s->name, k->line);
    }
    if (!result && k->into) { /* once more, into arrays that are just long enough */
        sparse_tensor lent = lend_arrays(out[0]);
        check_lent(k->into(&lent, in, in_scalar), &lent, out[0]);
    }
    for (size_t n = 0; n < k->outputs; n++) close_grid(&out_grid[n]);
    for (size_t n = 0; n < k->operands; n++) close_grid(&in_grid[n]);
    CHECK(books.live == 0 && books.mistakes == 0);
}

static inline void try_lines(const random_line *k, size_t count)
{
    static const scene scenes[] = {
        {"dense", SMALL, 2, true}, {"medium", SMALL, 4, false},      {"thin", SMALL, 12, false},  {"full", SMALL, 1, false},
        {"empty", SMALL, 0, true}, {"no coordinates", NOTHING_WIDE, 2, false}, {"uneven", UNEVEN, 0, false},
    };
    for (size_t n = 0; n < count; n++)
        for (size_t s = 0; s < sizeof scenes / sizeof *scenes; s++) try_line(&k[n], &scenes[s]);
}

#endif /* RANDOM_LINES_H */
