/* random_lines.h: computes the expected result of a kernel line from a description of it. It tries every coordinate of dense
   arrays, decides from the tree of operands whether the statement runs there, and adds up the terms of the statement. The
   programs that random_lines.c writes hold each line twice: as a SPARSE_KERNEL and as a description. */
#ifndef RANDOM_LINES_H
#define RANDOM_LINES_H

#include "oracle.h"

#include "sparse.h"

#include <math.h>

/* Complex values are multiples of this, as in put_number of oracle.h. */
#define WHOLE (1 + 2.0i)

/* A term of a statement: coef times a factor, which is the value of operand a (VALUE), the product of operands a and b, 1 if
   a is stored (STORED), or index a (COORDINATE). */
typedef enum term_kind { VALUE, PRODUCT, STORED, COORDINATE } term_kind;
typedef struct term {
    int coef;
    term_kind kind;
    size_t a, b;
} term;

/* With s = base + terms: target += s; target = s; the maximum or minimum of target and s; their bitwise or, and, xor. */
typedef enum operation { ADD, SET, GREATEST, LEAST, OR, AND, XOR } operation;
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
    bool begins; /* the initial value is `from` */
    int from;
    size_t like;      /* the operand whose pattern the output copies */
    int undone_below; /* entries whose value is below this are removed; 0: none */
    size_t listed;    /* COO output: one entry for each iteration of this many outer loops; 0: one for each coordinate */
    statement statement;
} output;

/* The entries of a COO output. */
typedef struct entry {
    size_t place;
    double value;
} entry;
typedef struct bag {
    entry *at;
    size_t count;
} bag;

/* Operand number `operand` is a workspace, which loops of its own compute. */
typedef struct workspace {
    size_t operand;
    char made; /* if it is read at a sum: the index of the loop that computes it; else 0 */
    const char *loops, *tree;
    statement statement;
} workspace;

enum { OUTPUTS = 3, WORKSPACES = 2, SUMS = 14, INDICES = LOOPS + SUMS };

/* A sum of indices: the constant plus coef[l] times the index of loop l. */
typedef struct sum {
    bool padded;
    int constant, coef[LOOPS];
} sum;

/* A kernel line and its description. Indices are letters from i on; the letters after those of the loops stand for sums.
   A tree of operands: & all, | any, ! none, followed by operands in parentheses, which are letters from a on: &(a|(bc)). */
typedef struct random_line {
    const char *line, *loops, *tree;
    size_t outputs, operands, workspaces;
    output output[OUTPUTS];
    side operand[OPERANDS];
    workspace workspace[WORKSPACES];
    size_t sums;
    sum sum[SUMS];
    const char *ranges, *lets; /* loops with range() and with let(); a loop may have both */
    size_t range[LOOPS];
    sum let[LOOPS];
    char leaves; /* where the condition holds: c continue, b break out of the innermost loop; 0: no condition */
    sum condition;
    size_t modulus;
    char half; /* s, k or h: operand 0 is symmetric, skew or Hermitian, and stores one triangle; or 0 */
    sparse_result (*run)(sparse_tensor *const *out, sparse_tensor *const *in, double *out_scalar, const double *in_scalar);
    sparse_result (*into)(sparse_tensor *out, sparse_tensor *const *in, const double *in_scalar);
} random_line;

static grid out_grid[OUTPUTS], in_grid[OPERANDS];

/* The offset of an operand's element at a coordinate; SIZE_MAX if it is outside. */
static inline size_t place_in(const grid *g, const char *index, const size_t *at)
{
    size_t i[SPARSE_MAX_RANK] = {0}, rank = 0;
    for (; index[rank]; rank++) i[rank] = at[index[rank] - 'i'];
    return place_of(i, g->dim, rank);
}

/* The coordinates of the entry whose mirror image is being computed, or null. */
static const size_t *imaged;

/* Is the operand stored at a coordinate? */
static inline bool is_stored(const random_line *k, size_t n, const size_t *at)
{
    if (imaged && n == 0) return true;
    const size_t place = place_in(&in_grid[n], k->operand[n].index, at);
    return place != SIZE_MAX && in_grid[n].has[place];
}

static inline size_t sum_at(const sum *s, const size_t *at)
{
    long long x = s->constant;
    for (size_t l = 0; l < LOOPS; l++) x += s->coef[l] * (long long)at[l];
    return x < 0 ? SIZE_MAX : (size_t)x;
}

/* Computes the sums at a coordinate; returns false if the index of a let() does not have its value there. */
static inline bool settle(const random_line *k, size_t *at)
{
    for (size_t n = 0; n < k->sums; n++) at[LOOPS + n] = sum_at(&k->sum[n], at);
    for (const char *c = k->lets; *c; c++)
        if (at[*c - 'i'] != sum_at(&k->let[*c - 'i'], at)) return false;
    return true;
}

/* Evaluates the tree at *text, and moves *text past it. */
static inline bool is_live(const random_line *k, const char **text, const size_t *at)
{
    const char word = *(*text)++;
    if (word >= 'a' && word <= 'z') {
        return is_stored(k, (size_t)(word - 'a'), at);
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
        case STORED: x = is_stored(k, t->a, at); break;
        case COORDINATE: x = (double)at[t->a]; break;
        }
        sum += t->coef * x;
    }
    switch (s->operation) {
    case ADD: return target + sum;
    case GREATEST: return sum > target ? sum : target;
    case LEAST: return sum < target ? sum : target;
    case OR: return (double)((int64_t)target | (int64_t)sum);
    case AND: return (double)((int64_t)target & (int64_t)sum);
    case XOR: return (double)((int64_t)target ^ (int64_t)sum);
    default: return sum;
    }
}

/* Rounds to a number with at most `digits` binary digits: to the nearest one, ties to even. */
static inline double rounded(double x, int digits)
{
    int exponent;
    frexp(x, &exponent);
    const double unit = exponent > digits ? ldexp(1, exponent - digits) : 1;
    return nearbyint(x / unit) * unit;
}

/* The value as an output can represent it: small integer types keep the last bits. */
static inline double written(const output *o, double value)
{
    switch (o->side.encoding ? o->side.encoding->kind : SPARSE_F64) {
    case SPARSE_I8: return (int8_t)(int64_t)value;
    case SPARSE_U8: return (uint8_t)(int64_t)value;
    case SPARSE_I16: return (int16_t)(int64_t)value;
    case SPARSE_U16: return (uint16_t)(int64_t)value;
    case SPARSE_F16: return rounded(value, 11);
    case SPARSE_BF16: return rounded(value, 8);
    default: return value;
    }
}

/* Advances to the next coordinate of the given loops, the last loop fastest; returns false after the last coordinate. */
static inline bool advance(size_t *at, const char *loops, const size_t *size)
{
    for (size_t l = strlen(loops); l-- > 0; at[loops[l] - 'i'] = 0)
        if (++at[loops[l] - 'i'] < size[loops[l] - 'i']) return true;
    return false;
}

/* The value of an operand. The value of a workspace is the sum over those of its loops whose index it does not have. */
static size_t line_size[INDICES];
static double value_of(const random_line *k, size_t n, const size_t *at)
{
    for (size_t m = 0; m < k->workspaces; m++) {
        const workspace *w = &k->workspace[m];
        if (w->operand != n) continue;
        char summed[LOOPS + 1];
        size_t inner[INDICES], count = 0;
        double sum = 0;
        memcpy(inner, at, sizeof inner);
        if (w->made) inner[w->made - 'i'] = at[k->operand[n].index[0] - 'i'];
        for (const char *c = w->loops; *c; c++)
            if (*c != w->made && !strchr(k->operand[n].index, *c)) {
                if (line_size[*c - 'i'] == 0) return 0;
                inner[*c - 'i'] = 0;
                summed[count++] = *c;
            }
        summed[count] = 0;
        do {
            const char *tree = w->tree;
            settle(k, inner);
            if (is_live(k, &tree, inner)) sum = evaluate(k, &w->statement, sum, inner);
        } while (advance(inner, summed, line_size));
        return sum;
    }
    if (imaged && n == 0) {
        const double value = in_grid[0].value[place_in(&in_grid[0], k->operand[0].index, imaged)];
        return k->half == 'k' ? -value : value;
    }
    const size_t place = place_in(&in_grid[n], k->operand[n].index, at);
    return place == SIZE_MAX ? fill_of(k->operand[n].encoding) : in_grid[n].value[place];
}

/* Do two coordinates belong to one iteration of the outer `loops` loops? */
static inline bool is_same(const random_line *k, size_t loops, const size_t *at, const size_t *other)
{
    for (size_t l = 0; l < loops; l++)
        if (at[k->loops[l] - 'i'] != other[k->loops[l] - 'i']) return false;
    return true;
}

static inline void append_entry(bag *b, size_t place, double value)
{
    b->at = (entry *)realloc(b->at, (b->count + 1) * sizeof *b->at);
    if (!b->at) abort();
    b->at[b->count].place = place;
    b->at[b->count++].value = value;
}

/* Applies the statement to an output at a coordinate; returns whether it breaks out of the innermost loop. */
static inline bool run_at(const random_line *k, const output *o, grid *g, bag *entries, const size_t *at, size_t *last)
{
    const size_t place = place_in(g, o->side.index, at);
    if ((o->role == UPDATED || o->role == ALIKE) && !g->has[place]) return false;
    if (k->leaves && sum_at(&k->condition, at) % k->modulus == 0) return k->leaves == 'b';
    const bool again = o->listed && entries->count > 0 && is_same(k, o->listed, at, last);
    const double before = again ? entries->at[entries->count - 1].value : g->value[place];
    const double value = written(o, evaluate(k, &o->statement, before, at));
    if (o->undone_below > 0 && value < o->undone_below) return false;
    if (o->listed) {
        if (again)
            entries->at[entries->count - 1].value = value;
        else
            append_entry(entries, place, value);
        memcpy(last, at, INDICES * sizeof *last);
        return false;
    }
    g->value[place] = value;
    if (o->role != ASSEMBLED || g->has[place]) return false;
    size_t i[SPARSE_MAX_RANK];
    for (size_t d = 0; o->side.index[d]; d++) i[d] = at[o->side.index[d] - 'i'];
    mark_stored(g, i, sparse_levels(o->side.encoding));
    return false;
}

/* The effect of the statement at the mirror image of an off-diagonal entry. The mirror image is computed first. */
static inline bool run_at_image(const random_line *k, const output *o, grid *g, bag *entries, const size_t *at, size_t *last)
{
    size_t image[INDICES];
    if (!k->half || at[0] == at[1]) return false;
    memcpy(image, at, sizeof image);
    image[0] = at[1], image[1] = at[0];
    imaged = at;
    const bool leaves = run_at(k, o, g, entries, image, last);
    imaged = NULL;
    return leaves;
}

/* The effect of the line on one of its outputs; for a COO output, its entries. */
static inline void expect_output(const random_line *k, const output *o, grid *g, size_t *size, bag *entries)
{
    size_t at[INDICES] = {0}, last[INDICES] = {0};
    if (o->begins || o->role == ASSEMBLED || o->role == ALIKE)
        for (size_t n = 0; n < g->volume; n++) g->value[n] = o->begins ? o->from : 0;
    if (o->role == ASSEMBLED) memset(g->has, 0, g->volume * sizeof *g->has);
    if (o->role == ALIKE) memcpy(g->has, in_grid[o->like].has, g->volume * sizeof *g->has);
    for (const char *c = k->loops; *c; c++)
        if (size[*c - 'i'] == 0) return;
    const size_t innermost = (size_t)(k->loops[strlen(k->loops) - 1] - 'i');
    do {
        const char *tree = k->tree;
        if (!settle(k, at) || !is_live(k, &tree, at)) continue;
        if (run_at_image(k, o, g, entries, at, last) || run_at(k, o, g, entries, at, last)) at[innermost] = size[innermost] - 1;
    } while (advance(at, k->loops, size));
}

static inline int compare_entries(const void *a, const void *b)
{
    const entry *x = (const entry *)a, *y = (const entry *)b;
    if (x->place != y->place) return x->place < y->place ? -1 : 1;
    return (x->value > y->value) - (x->value < y->value);
}

/* Does the COO output hold these entries, in any order? */
static inline bool is_listed(const bag *entries, const grid *g)
{
    bag stored = {NULL, 0};
    SPARSE_FOREACH(c, &g->tensor)
    append_entry(&stored, place_of(c.dim, g->dim, g->tensor.encoding->rank), number_at(g->tensor.encoding, c.value));
    bool same = stored.count == entries->count && sparse_validate(&g->tensor, NULL) == SPARSE_OK;
    if (same && stored.count > 0) {
        qsort(stored.at, stored.count, sizeof *stored.at, compare_entries);
        qsort(entries->at, stored.count, sizeof *stored.at, compare_entries);
    }
    for (size_t n = 0; same && n < stored.count; n++) same = compare_entries(&stored.at[n], &entries->at[n]) == 0;
    free(stored.at);
    return same;
}

/* Does the tensor hold the expected values and store the expected coordinates? */
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

/* The largest value of a sum without its index `but`; SIZE_MAX if a dimension of one of the other indices is empty. */
static inline size_t most_of(const sum *s, size_t but)
{
    size_t most = (size_t)s->constant;
    for (size_t l = 0; l < LOOPS; l++) {
        if (l == but || s->coef[l] == 0) continue;
        if (line_size[l] == 0) return SIZE_MAX;
        most += (size_t)s->coef[l] * (line_size[l] - 1);
    }
    return most;
}

/* How many values of index l fit into the dimension read at sum c; SIZE_MAX if another index of the sum has no size yet. */
static inline size_t room_in(const random_line *k, char c, size_t l, const bool *sized)
{
    if (c < 'i' + LOOPS || k->sum[c - 'i' - LOOPS].padded) return SIZE_MAX;
    const sum *s = &k->sum[c - 'i' - LOOPS];
    for (size_t other = 0; other < LOOPS; other++)
        if (s->coef[other] && !sized[other] && other != l) return SIZE_MAX;
    const size_t most = most_of(s, l);
    size_t room = 0;
    if (s->coef[l] == 0 || sized[l]) return SIZE_MAX;
    while (most != SIZE_MAX && most + room * (size_t)s->coef[l] < line_size[c - 'i']) room++;
    return room;
}

/* Gives sizes to indices without one that occur in sums of operand n: the largest size that fits into the sums of all
   operands. Returns whether there was such an index. */
static inline bool size_by(const random_line *k, const side *const *all, size_t count, size_t n, bool *sized)
{
    bool found = false;
    for (const char *c = all[n]->encoding ? all[n]->index : ""; *c; c++)
        for (size_t l = 0; l < LOOPS; l++) {
            size_t room = room_in(k, *c, l, sized);
            if (room == SIZE_MAX) continue;
            for (size_t other = 0; other < count; other++)
                for (const char *d = all[other]->encoding ? all[other]->index : ""; *d; d++)
                    room = sparse_p_min(room, room_in(k, *d, l, sized));
            line_size[l] = room;
            sized[l] = found = true;
        }
    return found;
}

/* Is a dense output blank, that is, passed without a size, or with an empty dimension in place of each index? */
static inline bool is_blank(const output *o, bool blank)
{
    bool none = true;
    if (o->role != DENSE_OUTPUT) return false;
    for (const char *c = o->side.index; *c; c++) none = none && line_size[*c - 'i'] == 0;
    return blank || none;
}

/* Marks the indices that have a size because they are a subscript of a tensor by themselves. Blank outputs do not count. */
static inline void mark_sized(const random_line *k, bool blank, bool *sized)
{
    for (const char *c = k->ranges; *c; c++) sized[*c - 'i'] = true;
    for (size_t n = 0; n < k->outputs + k->operands; n++) {
        const output *o = n < k->outputs ? &k->output[n] : NULL;
        const side *u = o ? &o->side : &k->operand[n - k->outputs];
        if (!u->encoding || (o && (o->role == ASSEMBLED || o->role == ALIKE || is_blank(o, blank)))) continue;
        for (const char *c = u->index; *c; c++)
            if (*c < 'i' + LOOPS) sized[*c - 'i'] = true;
    }
}

/* Computes the sizes of all indices from those of the tensors that are not blank; returns whether every index has one. */
static inline bool size_all(const random_line *k, bool blank, const bool *letters)
{
    bool sized[LOOPS] = {false}, all = true;
    const side *sides[OUTPUTS + OPERANDS];
    size_t count = 0;
    mark_sized(k, blank, sized);
    for (size_t n = 0; n < k->outputs; n++)
        if (k->output[n].role == UPDATED || (k->output[n].role == DENSE_OUTPUT && !is_blank(&k->output[n], blank)))
            sides[count++] = &k->output[n].side;
    for (size_t n = 0; n < k->operands; n++) sides[count++] = &k->operand[n];
    for (bool more = true; more;) {
        more = false;
        for (size_t n = 0; n < count; n++) more = size_by(k, sides, count, n, sized) || more;
    }
    for (size_t l = 0; l < LOOPS; l++) all = all && (sized[l] || !letters[l]);
    return all;
}

/* Do the sums in the subscripts of an operand stay within its dimensions? */
static inline bool fits(const random_line *k, const side *o)
{
    bool fit = true;
    for (const char *c = o->encoding ? o->index : ""; *c; c++) {
        if (*c < 'i' + LOOPS || k->sum[*c - 'i' - LOOPS].padded) continue;
        const size_t most = most_of(&k->sum[*c - 'i' - LOOPS], LOOPS);
        fit = fit && (most == SIZE_MAX || most < line_size[*c - 'i']);
    }
    return fit;
}

/* Chooses sizes for the dimensions that are read at sums; now and then one that does not fit. */
static inline void choose_sum_sizes(const random_line *k)
{
    bool sized[LOOPS] = {false};
    mark_sized(k, true, sized);
    const size_t odd = k->sums > 0 && random_below(12) == 0 ? random_below(k->sums) : SIZE_MAX;
    for (size_t n = 0; n < k->sums; n++) {
        const sum *s = &k->sum[n];
        size_t slack = 3, most = (size_t)(s->constant > 0 ? s->constant : 0);
        bool empty = false;
        for (size_t l = 0; l < LOOPS; l++) {
            if (s->coef[l] == 0) continue;
            if (!sized[l] && (size_t)s->coef[l] < slack) slack = (size_t)s->coef[l];
            empty = empty || line_size[l] == 0;
            most += line_size[l] ? (size_t)s->coef[l] * (line_size[l] - 1) : 0;
        }
        line_size[LOOPS + n] = s->padded ? random_below(most + 4) : empty ? random_below(4) : most + 1 + random_below(slack);
        if (n == odd) line_size[LOOPS + n] = random_below(line_size[LOOPS + n] + 1);
    }
}

/* Runs a line in a scene, and evaluates its description for comparison. */
static inline void try_line(const random_line *k, const scene *s)
{
    static const size_t limit[LOOPS + 1] = {0, 60, 9, 6, 4, 3, 3, 2, 2};
    sparse_tensor *out[OUTPUTS], *in[OPERANDS];
    double out_scalar[OUTPUTS], in_scalar[OPERANDS];
    bool letters[LOOPS] = {false}, without_size[OUTPUTS], blank = s->filled;
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
        if (strchr(k->ranges, (int)('i' + l))) line_size[l] = k->range[l];
    }
    if (k->half && line_size[0] != line_size[1]) line_size[0] = line_size[1] = sparse_p_min(line_size[0], line_size[1]);
    choose_sum_sizes(k);
    for (size_t n = 0; n < k->workspaces; n++) { /* a workspace that is read at a sum is as long as the sum needs */
        const workspace *w = &k->workspace[n];
        if (!w->made) continue;
        size_t *const read = &line_size[k->operand[w->operand].index[0] - 'i'], length = *read;
        line_size[w->made - 'i'] = length;
        choose_sum_sizes(k);
        *read = length;
    }
    for (size_t n = 0; n < k->outputs; n++) without_size[n] = is_blank(&k->output[n], false);
    blank = size_all(k, true, letters) && blank;
    const bool sized = size_all(k, blank, letters); /* false if only a blank output could have given a size */
    bool fit = sized;
    for (size_t n = 0; n < k->outputs; n++) /* skip if an output is now blank or no longer, or has no size */
        if (is_blank(&k->output[n], false) != without_size[n] || (!sized && is_blank(&k->output[n], blank))) return;
    for (size_t n = 0; n < k->operands; n++)
        for (const char *c = k->operand[n].index; k->operand[n].sliced && *c; c++)
            if (line_size[*c - 'i'] == 0) return; /* slices are not empty */
    for (size_t n = 0; n < k->operands; n++) {
        open_grid(&in_grid[n], &k->operand[n], line_size, s, true, slices[n]);
        for (size_t m = 0; m < k->workspaces; m++) /* a workspace is no tensor, and is stored everywhere */
            if (k->workspace[m].operand == n) memset(in_grid[n].has, true, in_grid[n].volume);
        in[n] = &in_grid[n].tensor;
        in_scalar[n] = in_grid[n].value[0];
    }
    for (size_t n = 0; n < k->operands; n++) fit = fit && fits(k, &k->operand[n]);
    for (size_t n = 0; n < k->workspaces; n++) {
        const workspace *w = &k->workspace[n];
        const size_t most = w->made ? most_of(&k->sum[k->operand[w->operand].index[0] - 'i' - LOOPS], LOOPS) : SIZE_MAX;
        fit = fit && (most == SIZE_MAX || most < line_size[w->made - 'i']);
    }
    for (size_t n = 0; n < k->outputs; n++) {
        const side *o = &k->output[n].side;
        const bool anew = is_blank(&k->output[n], blank);
        for (const char *c = o->index; *c && anew; c++)
            if (*c >= 'i' + LOOPS) line_size[*c - 'i'] = most_of(&k->sum[*c - 'i' - LOOPS], LOOPS) + 1;
        if (!anew) fit = fit && fits(k, o);
    }
    for (size_t n = 0; n < k->outputs; n++) {
        const output *o = &k->output[n];
        const bool filled = o->role == UPDATED || !blank; /* the previous content of a rebuilt output is discarded */
        open_grid(&out_grid[n], &o->side, line_size, s, filled, NULL);
        out[n] = &out_grid[n].tensor;
        out_scalar[n] = out_grid[n].value[0];
    }
    const sparse_result result = k->run(out, in, out_scalar, in_scalar);
    CHECK_RESULT(result, fit ? SPARSE_OK : !sized && result == SPARSE_E_EMPTY ? SPARSE_E_EMPTY : SPARSE_E_SHAPE);
    for (size_t n = 0; (!result || (!fit && !blank)) && n < k->outputs; n++) {
        bag entries = {NULL, 0};
        if (fit) expect_output(k, &k->output[n], &out_grid[n], line_size, &entries);
        if (!CHECK(fit && k->output[n].listed ? is_listed(&entries, &out_grid[n])
                                              : is_expected(&k->output[n], &out_grid[n], out_scalar[n])) &&
            failed <= 20)
            printf("    output %zu of scene %s of\n    %s\n", n, s->name, k->line);
        free(entries.at);
    }
    if (!result && k->into) { /* once more, into arrays of exactly the needed length */
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
