/* preprocess.c: the preprocessor of C11, as far as the kit needs it.

   The playground runs where no compiler is installed. This file expands SPARSE_KERNEL lines there: macros with and without
   parameters, variable parameters, # and ##, conditional groups, #include "file", _Pragma. Tests compare its loops with
   those of a compiler's preprocessor. Headers of the system, #include <file>, count as empty: the loops of a kernel use
   none of their macros. Trigraphs and #line are left out.

   A macro is not expanded inside its own expansion. As in other preprocessors, a macro is locked while tokens of its
   expansion are left to read, and a locked name that is met stays unexpanded for good. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "preprocess.h"

typedef struct pp_macro pp_macro;

/* A name, kept once. */
typedef struct pp_name {
    struct pp_name *next;
    pp_macro *macro; /* null: it is no macro */
    uint32_t length;
    char at[];
} pp_name;

typedef enum pp_kind { PP_END, PP_NAME, PP_NUMBER, PP_TEXT, PP_SIGN, PP_LINE } pp_kind; /* PP_TEXT: "string", 'c' */
enum { PP_BLANK = 1, PP_LOCKED = 2, PP_FIRST = 4 }; /* blank before; never expanded; first in its line */

typedef struct pp_token {
    pp_name *name; /* of PP_NAME */
    const char *at;
    uint32_t length;
    uint8_t kind, flags;
    int16_t parameter; /* in the body of a macro: 1 + the parameter that stands here; 0: none */
} pp_token;

/* Tokens that grow in number. */
typedef struct pp_tokens {
    pp_token *at;
    size_t count, capacity;
} pp_tokens;

struct pp_macro {
    bool has_parameters, is_variable, is_locked;
    int parameters;
    pp_name **parameter;
    pp_tokens body;
};

/* Tokens to read before those below. */
typedef struct pp_context {
    pp_tokens tokens;
    size_t next;
    pp_macro *macro; /* unlocked when all are read; null: none */
} pp_context;

typedef struct pp_source {
    struct pp_source *below;
    const char *directory, *at, *line; /* line: of a file whose first line still begins, its start; else null */
    int groups;                        /* open #if */
} pp_source;

enum { PP_BUCKETS = 16384, PP_DEPTH = 4096, PP_GROUPS = 64 };

static pp_name *pp_names[PP_BUCKETS];
static pp_context pp_contexts[PP_DEPTH];
static size_t pp_depth, pp_floor; /* contexts below the floor are not read */
static bool pp_alone;             /* nor is the file: an argument is expanded by itself */
static pp_source *pp_file;
static struct pp_group {
    bool taken, before; /* this part is read; an earlier part was */
} pp_groups[PP_GROUPS];
static int pp_open;
static jmp_buf pp_failure;
static char pp_reason[256];

_Noreturn static void pp_fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(pp_reason, sizeof pp_reason, format, list);
    va_end(list);
    longjmp(pp_failure, 1);
}

static void *pp_take(size_t size)
{
    void *at = calloc(1, size ? size : 1);
    if (at == NULL) pp_fail("out of memory");
    return at;
}

static pp_name *pp_intern(const char *at, uint32_t length)
{
    uint32_t h = 2166136261u;
    for (uint32_t n = 0; n < length; n++) h = (h ^ (unsigned char)at[n]) * 16777619u;
    pp_name **bucket = &pp_names[h % PP_BUCKETS];
    for (pp_name *n = *bucket; n; n = n->next)
        if (n->length == length && memcmp(n->at, at, length) == 0) return n;
    pp_name *made = pp_take(sizeof *made + length + 1);
    memcpy(made->at, at, length);
    made->length = length;
    made->next = *bucket;
    return *bucket = made;
}

static pp_name *pp_word(const char *word) { return pp_intern(word, (uint32_t)strlen(word)); }

static void pp_add(pp_tokens *to, pp_token t)
{
    if (to->count == to->capacity) {
        to->capacity = to->capacity ? 2 * to->capacity : 8;
        to->at = realloc(to->at, to->capacity * sizeof t);
        if (to->at == NULL) pp_fail("out of memory");
    }
    to->at[to->count++] = t;
}

static bool pp_is(const pp_token *t, const char *sign)
{
    return t->kind == PP_SIGN && strlen(sign) == t->length && memcmp(t->at, sign, t->length) == 0;
}

/* Characters to tokens */

static bool pp_letter(char c) { return isalnum((unsigned char)c) || c == '_'; }

static uint32_t pp_text_length(const char *at)
{
    uint32_t n = 1;
    while (at[n] && at[n] != *at && at[n] != '\n') n += at[n] == '\\' && at[n + 1] ? 2 : 1;
    return n + (at[n] == *at);
}

static uint32_t pp_number_length(const char *at)
{
    uint32_t n = 1;
    while (pp_letter(at[n]) || at[n] == '.' || (strchr("+-", at[n]) && at[n] && strchr("eEpP", at[n - 1]))) n++;
    return n;
}

static uint32_t pp_sign_length(const char *at)
{
    static const char *const signs[] = {"...", "<<=", ">>=", "##", "->", "++", "--", "<<", ">>", "<=", ">=", "==",
                                        "!=",  "&&",  "||",  "*=", "/=", "%=", "+=", "-=", "&=", "^=", "|="};
    for (size_t n = 0; n < sizeof signs / sizeof *signs; n++)
        if (strncmp(at, signs[n], strlen(signs[n])) == 0) return (uint32_t)strlen(signs[n]);
    return 1;
}

/* The token at `at`, which is no blank. */
static pp_token pp_spell(const char *at)
{
    pp_token t = {.at = at};
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        t.kind = PP_NUMBER, t.length = pp_number_length(at);
    } else if (pp_letter(*at)) {
        while (pp_letter(at[t.length])) t.length++;
        t.kind = PP_NAME, t.name = pp_intern(at, t.length);
    } else if (*at == '"' || *at == '\'') {
        t.kind = PP_TEXT, t.length = pp_text_length(at);
    } else {
        t.kind = PP_SIGN, t.length = pp_sign_length(at);
    }
    return t;
}

/* Skips blanks, comments and lines that go on; stops before the end of a line. Returns whether there were any. */
static bool pp_skip_blanks(const char **at)
{
    const char *from = *at, *c = from;
    for (;;) {
        if (*c == ' ' || *c == '\t' || *c == '\r' || *c == '\f') {
            c++;
        } else if (c[0] == '\\' && c[1] == '\n') {
            c += 2;
        } else if (c[0] == '/' && c[1] == '*') {
            const char *end = strstr(c + 2, "*/");
            c = end ? end + 2 : c + strlen(c);
        } else if (c[0] == '/' && c[1] == '/') {
            while (*c && *c != '\n') c += c[0] == '\\' && c[1] ? 2 : 1;
        } else {
            break;
        }
    }
    *at = c;
    return c != from;
}

/* The next token of the line; PP_LINE at its end. */
static pp_token pp_in_line(const char **at)
{
    const bool blank = pp_skip_blanks(at);
    if (**at == '\0' || **at == '\n') return (pp_token){.kind = PP_LINE};
    pp_token t = pp_spell(*at);
    *at += t.length;
    t.flags = blank ? PP_BLANK : 0;
    return t;
}

/* Directives */

static void pp_forget(pp_name *name)
{
    if (name->macro == NULL) return;
    free(name->macro->body.at);
    free(name->macro->parameter);
    free(name->macro);
    name->macro = NULL;
}

static void pp_read_parameters(pp_macro *m, const char **at)
{
    for (;;) {
        const pp_token t = pp_in_line(at);
        if (t.kind == PP_LINE) pp_fail("a list of parameters has no end");
        if (pp_is(&t, ")")) return;
        if (pp_is(&t, ",")) continue;
        m->is_variable = pp_is(&t, "...");
        m->parameter = realloc(m->parameter, (size_t)(m->parameters + 1) * sizeof *m->parameter);
        if (m->parameter == NULL) pp_fail("out of memory");
        m->parameter[m->parameters++] = m->is_variable ? pp_word("__VA_ARGS__") : t.name;
    }
}

static void pp_define(const char *at)
{
    pp_name *const name = pp_in_line(&at).name;
    pp_macro *const m = pp_take(sizeof *m);
    if (name == NULL) pp_fail("#define without a name");
    if (*at == '(') m->has_parameters = true, at++, pp_read_parameters(m, &at);
    for (pp_token t = pp_in_line(&at); t.kind != PP_LINE; t = pp_in_line(&at)) {
        for (int n = 0; t.kind == PP_NAME && n < m->parameters; n++)
            if (m->parameter[n] == t.name) t.parameter = (int16_t)(n + 1);
        pp_add(&m->body, t);
    }
    if (m->body.count) m->body.at[0].flags &= (uint8_t)~PP_BLANK;
    pp_forget(name);
    name->macro = m;
}

static char *pp_read_file(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (f == NULL || fseek(f, 0, SEEK_END) != 0) pp_fail("%s cannot be read", path);
    const long size = ftell(f);
    char *content = pp_take((size_t)size + 1);
    rewind(f);
    content[fread(content, 1, (size_t)size, f)] = '\0';
    fclose(f);
    return content;
}

static void pp_open_file(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s%s", directory, *directory ? "/" : "", name);
    pp_source *const s = pp_take(sizeof *s);
    *s = (pp_source){.below = pp_file, .directory = directory, .at = pp_read_file(path), .groups = pp_open};
    s->line = s->at;
    pp_file = s;
}

static const char *pp_home;

static void pp_include(const char *at)
{
    const pp_token t = pp_in_line(&at);
    char name[1024];
    if (t.kind != PP_TEXT) return; /* a header of the system */
    snprintf(name, sizeof name, "%.*s", (int)t.length - 2, t.at + 1);
    pp_open_file(pp_home, name);
}

static pp_token pp_next(void);
static void pp_push(pp_tokens tokens, pp_macro *macro);

/* Expands tokens by themselves. */
static pp_tokens pp_expanded(const pp_tokens *tokens)
{
    pp_tokens copy = {0}, result = {0};
    const size_t floor = pp_floor;
    const bool alone = pp_alone;
    for (size_t n = 0; n < tokens->count; n++) pp_add(&copy, tokens->at[n]);
    pp_floor = pp_depth;
    pp_alone = true;
    pp_push(copy, NULL);
    for (pp_token t = pp_next(); t.kind != PP_END; t = pp_next()) pp_add(&result, t);
    pp_floor = floor;
    pp_alone = alone;
    return result;
}

/* The value of a condition. */
typedef struct pp_condition {
    const pp_token *at, *end;
} pp_condition;

static long long pp_value(pp_condition *c, int level);

static bool pp_meets(pp_condition *c, const char *sign)
{
    if (c->at == c->end || !pp_is(c->at, sign)) return false;
    c->at++;
    return true;
}

static long long pp_operand(pp_condition *c)
{
    if (c->at == c->end) pp_fail("a condition has no end");
    if (pp_meets(c, "!")) return !pp_operand(c);
    if (pp_meets(c, "-")) return -pp_operand(c);
    if (pp_meets(c, "+")) return pp_operand(c);
    if (pp_meets(c, "~")) return ~pp_operand(c);
    if (pp_meets(c, "(")) {
        const long long value = pp_value(c, 0);
        if (!pp_meets(c, ")")) pp_fail("a bracket in a condition is not closed");
        return value;
    }
    const pp_token *t = c->at++;
    return t->kind == PP_NUMBER ? (long long)strtoull(t->at, NULL, 0) : t->kind == PP_TEXT ? t->at[1] : 0;
}

static const struct pp_operator {
    const char *sign;
    int level;
} pp_operators[] = {{"||", 1}, {"&&", 2}, {"|", 3},  {"^", 4},  {"&", 5}, {"==", 6}, {"!=", 6}, {"<", 7},  {">", 7},
                    {"<=", 7}, {">=", 7}, {"<<", 8}, {">>", 8}, {"+", 9}, {"-", 9},  {"*", 10}, {"/", 10}, {"%", 10}};

static long long pp_apply(const char *sign, long long a, long long b)
{
    if (strchr("/%", *sign) && b == 0) return 0;
    switch (sign[0] * 256 + sign[1]) {
    case '|' * 256 + '|':
        return a || b;
    case '&' * 256 + '&':
        return a && b;
    case '|' * 256:
        return a | b;
    case '^' * 256:
        return a ^ b;
    case '&' * 256:
        return a & b;
    case '=' * 256 + '=':
        return a == b;
    case '!' * 256 + '=':
        return a != b;
    case '<' * 256:
        return a < b;
    case '>' * 256:
        return a > b;
    case '<' * 256 + '=':
        return a <= b;
    case '>' * 256 + '=':
        return a >= b;
    case '<' * 256 + '<':
        return a << (b & 63);
    case '>' * 256 + '>':
        return a >> (b & 63);
    case '+' * 256:
        return a + b;
    case '-' * 256:
        return a - b;
    case '*' * 256:
        return a * b;
    case '/' * 256:
        return a / b;
    default:
        return a % b;
    }
}

static const struct pp_operator *pp_operator_at(const pp_condition *c)
{
    for (size_t n = 0; c->at != c->end && n < sizeof pp_operators / sizeof *pp_operators; n++)
        if (pp_is(c->at, pp_operators[n].sign)) return &pp_operators[n];
    return NULL;
}

/* A chain of operators that bind more tightly than `level`. */
static long long pp_value(pp_condition *c, int level)
{
    long long value = pp_operand(c);
    for (const struct pp_operator *o; (o = pp_operator_at(c)) != NULL && o->level > level;) {
        c->at++;
        value = pp_apply(o->sign, value, pp_value(c, o->level));
    }
    if (level == 0 && pp_meets(c, "?")) {
        const long long first = pp_value(c, 0);
        if (!pp_meets(c, ":")) pp_fail("a condition has ? without :");
        const long long second = pp_value(c, 0);
        return value ? first : second;
    }
    return value;
}

/* "defined NAME" and "defined(NAME)" as 1 or 0, read before anything is expanded. */
static pp_token pp_defined(const char **at)
{
    pp_token t = pp_in_line(at);
    const bool bracket = pp_is(&t, "(");
    if (bracket) t = pp_in_line(at);
    if (t.name == NULL) pp_fail("defined() without a name");
    const bool known = t.name->macro != NULL;
    if (bracket) (void)pp_in_line(at);
    return (pp_token){.kind = PP_NUMBER, .at = known ? "1" : "0", .length = 1};
}

static bool pp_holds(const char *at)
{
    pp_tokens line = {0};
    pp_name *const defined = pp_word("defined");
    for (pp_token t = pp_in_line(&at); t.kind != PP_LINE; t = pp_in_line(&at))
        pp_add(&line, t.name == defined ? pp_defined(&at) : t);
    pp_tokens all = pp_expanded(&line);
    pp_condition c = {all.at, all.at + all.count};
    const bool value = pp_value(&c, 0) != 0;
    free(line.at);
    free(all.at);
    return value;
}

static bool pp_skipping(void) { return pp_open > 0 && !pp_groups[pp_open - 1].taken; }

static void pp_begin_group(bool taken)
{
    if (pp_open == PP_GROUPS) pp_fail("#if is nested too deeply");
    pp_groups[pp_open++] = (struct pp_group){taken, taken};
}

/* Is the part around the innermost group read? */
static bool pp_outside(void) { return pp_open < 2 || pp_groups[pp_open - 2].taken; }

static bool pp_conditional(const pp_token *word, const char *at)
{
    struct pp_group *const g = pp_open ? &pp_groups[pp_open - 1] : NULL;
    const bool skipping = pp_skipping();
    if (word->name == pp_word("if")) {
        pp_begin_group(!skipping && pp_holds(at));
        if (skipping) pp_groups[pp_open - 1].before = true;
    } else if (word->name == pp_word("ifdef") || word->name == pp_word("ifndef")) {
        const pp_token t = pp_in_line(&at);
        pp_begin_group(!skipping && t.name && (t.name->macro != NULL) == (word->length == 5));
        if (skipping) pp_groups[pp_open - 1].before = true;
    } else if (word->name == pp_word("elif") && g) {
        g->taken = !g->before && pp_outside() && (g->taken = true, pp_holds(at));
        g->before = g->before || g->taken;
    } else if (word->name == pp_word("else") && g) {
        g->taken = !g->before && pp_outside();
        g->before = true;
    } else if (word->name == pp_word("endif") && g) {
        pp_open--;
    } else {
        return false;
    }
    return true;
}

/* The line of a directive, after its #. Returns the tokens of a pragma, which stay. */
static void pp_direct(const char *at, const char *start)
{
    const pp_token word = pp_in_line(&at);
    if (word.kind == PP_LINE || pp_conditional(&word, at) || pp_skipping()) return;
    if (word.name == pp_word("define")) pp_define(at);
    if (word.name == pp_word("include")) pp_include(at);
    if (word.name == pp_word("undef")) pp_forget(pp_in_line(&at).name);
    if (word.name == pp_word("error")) pp_fail("%.*s", (int)strcspn(start, "\n"), start);
}

static const char *pp_end_of_line(const char *at)
{
    for (;; at++) {
        (void)pp_skip_blanks(&at);
        if (*at == '\0' || *at == '\n') return at;
        if (*at == '"' || *at == '\'') at += pp_text_length(at) - 1;
    }
}

/* A new line of the file: directives are obeyed, parts that are left out are skipped. False: it begins with a token. */
static bool pp_begin_line(void)
{
    pp_source *const s = pp_file;
    const char *at = s->at;
    (void)pp_skip_blanks(&at);
    if (*at == '#' || pp_skipping()) {
        const char *const start = at, *const end = pp_end_of_line(at);
        s->at = *end ? end + 1 : end;
        if (*start == '#') pp_direct(start + 1, start);
        return true;
    }
    return false;
}

/* The next token of the files. */
static pp_token pp_from_file(void)
{
    bool blank = false, first = pp_file && pp_file->line;
    while (pp_file) {
        pp_source *const s = pp_file;
        if (s->line && (s->line = NULL, pp_begin_line())) {
            s->line = s->at;
            first = true;
            continue;
        }
        blank = pp_skip_blanks(&s->at) || blank;
        if (*s->at == '\n') {
            s->line = ++s->at;
            first = blank = true;
        } else if (*s->at == '\0') {
            pp_file = s->below;
            free(s);
        } else {
            pp_token t = pp_spell(s->at);
            s->at += t.length;
            t.flags = (uint8_t)((blank ? PP_BLANK : 0) | (first ? PP_FIRST : 0));
            return t;
        }
    }
    return (pp_token){.kind = PP_END};
}

/* Expansion */

static void pp_push(pp_tokens tokens, pp_macro *macro)
{
    if (pp_depth == PP_DEPTH) pp_fail("macros are nested too deeply");
    pp_contexts[pp_depth++] = (pp_context){tokens, 0, macro};
    if (macro) macro->is_locked = true;
}

static void pp_pop(void)
{
    pp_context *const c = &pp_contexts[--pp_depth];
    if (c->macro) c->macro->is_locked = false;
    free(c->tokens.at);
}

/* The next token, not expanded; PP_END at the end of an argument that is expanded by itself. A locked name is marked. */
static pp_token pp_raw(void)
{
    while (pp_depth > pp_floor && pp_contexts[pp_depth - 1].next == pp_contexts[pp_depth - 1].tokens.count) pp_pop();
    pp_token t;
    if (pp_depth > pp_floor) {
        pp_context *const c = &pp_contexts[pp_depth - 1];
        t = c->tokens.at[c->next++];
    } else {
        t = pp_alone ? (pp_token){.kind = PP_END} : pp_from_file();
    }
    if (t.name && t.name->macro && t.name->macro->is_locked) t.flags |= PP_LOCKED;
    return t;
}

static void pp_give_back(pp_token t)
{
    pp_tokens one = {0};
    pp_add(&one, t);
    pp_push(one, NULL);
}

/* The arguments of a call whose ( was read. */
static pp_tokens *pp_arguments(const pp_macro *m, const pp_name *name)
{
    const int room = m->parameters ? m->parameters : 1;
    pp_tokens *const argument = pp_take((size_t)room * sizeof *argument);
    int count = 0, inside = 0;
    for (;;) {
        const pp_token t = pp_raw();
        if (t.kind == PP_END) pp_fail("the call of %s has no end", name->at);
        if (inside == 0 && pp_is(&t, ")")) break;
        inside += pp_is(&t, "(") - pp_is(&t, ")");
        if (inside == 0 && pp_is(&t, ",") && !(m->is_variable && count == m->parameters - 1)) {
            if (++count == room) pp_fail("%s has %d parameters, and is called with more", name->at, m->parameters);
        } else {
            pp_add(&argument[count], t);
        }
    }
    if (count + 1 < m->parameters - m->is_variable || (m->parameters == 0 && argument[0].count))
        pp_fail("%s is called with %d arguments, not %d", name->at, count + 1, m->parameters);
    return argument;
}

/* "text" of an argument, for #. */
static pp_token pp_quoted(const pp_tokens *argument)
{
    size_t size = 3;
    for (size_t n = 0; n < argument->count; n++) size += 2 * argument->at[n].length + 1;
    char *const text = pp_take(size), *to = text;
    *to++ = '"';
    for (size_t n = 0; n < argument->count; n++) {
        const pp_token *t = &argument->at[n];
        if (n && t->flags & PP_BLANK) *to++ = ' ';
        for (uint32_t c = 0; c < t->length; c++) {
            if (t->kind == PP_TEXT && strchr("\"\\", t->at[c])) *to++ = '\\';
            *to++ = t->at[c];
        }
    }
    *to++ = '"';
    return (pp_token){.kind = PP_TEXT, .at = text, .length = (uint32_t)(to - text)};
}

static pp_token pp_pasted(const pp_token *a, const pp_token *b)
{
    char *const text = pp_take(a->length + b->length + 1);
    memcpy(text, a->at, a->length);
    memcpy(text + a->length, b->at, b->length);
    pp_token t = pp_spell(text);
    if (t.length != a->length + b->length) pp_fail("## makes no token: %s", text);
    t.flags = a->flags & PP_BLANK;
    if (t.kind != PP_NAME) return t;
    t.at = t.name->at;
    free(text);
    return t;
}

/* Appends tokens. The first gets the blank of what it replaces; after ##, it is joined with the last one. */
static void pp_append(pp_tokens *to, const pp_token *at, size_t count, const pp_token *blank, bool join)
{
    size_t from = 0;
    if (join && count) {
        to->at[to->count - 1] = pp_pasted(&to->at[to->count - 1], at);
        from = 1;
    }
    for (size_t n = from; n < count; n++) {
        pp_token t = at[n];
        if (n == 0 && blank) t.flags = (uint8_t)((t.flags & ~(PP_BLANK | PP_FIRST)) | (blank->flags & PP_BLANK));
        t.parameter = 0;
        pp_add(to, t);
    }
}

/* The body of a macro with its arguments in place. */
static pp_tokens pp_substituted(const pp_macro *m, const pp_tokens *argument, pp_tokens *expanded, bool *is_expanded)
{
    pp_tokens result = {0};
    bool join = false, left = false; /* ## came before; its left side has tokens */
    for (size_t n = 0; n < m->body.count; n++) {
        const pp_token *t = &m->body.at[n];
        const bool before_paste = n + 1 < m->body.count && pp_is(t + 1, "##");
        const size_t start = result.count;
        if (n && pp_is(t, "##")) {
            join = true;
            continue;
        }
        if (m->has_parameters && pp_is(t, "#") && n + 1 < m->body.count && t[1].parameter) {
            const pp_token text = pp_quoted(&argument[t[1].parameter - 1]);
            pp_append(&result, &text, 1, t, join && left);
            n++;
        } else if (t->parameter == 0) {
            pp_append(&result, t, 1, NULL, join && left);
        } else if (join || before_paste) {
            const pp_tokens *raw = &argument[t->parameter - 1];
            pp_append(&result, raw->at, raw->count, t, join && left);
        } else {
            const int p = t->parameter - 1;
            if (!is_expanded[p]) expanded[p] = pp_expanded(&argument[p]), is_expanded[p] = true;
            pp_append(&result, expanded[p].at, expanded[p].count, t, false);
        }
        left = result.count > start || (join && left);
        join = false;
    }
    return result;
}

/* Replaces a call by the tokens it stands for. */
static void pp_call(const pp_token *name, pp_tokens *argument)
{
    pp_macro *const m = name->name->macro;
    const size_t count = m->parameters ? (size_t)m->parameters : 1;
    pp_tokens *const expanded = pp_take(count * sizeof *expanded);
    bool *const is_expanded = pp_take(count * sizeof *is_expanded);
    pp_tokens result = pp_substituted(m, argument, expanded, is_expanded);
    for (size_t n = 0; n < count; n++) {
        if (argument) free(argument[n].at);
        free(expanded[n].at);
    }
    free(argument);
    free(expanded);
    free(is_expanded);
    if (result.count)
        result.at[0].flags = (uint8_t)((result.at[0].flags & ~PP_BLANK) | (name->flags & (PP_BLANK | PP_FIRST)));
    pp_push(result, m);
}

/* The next token after all expansion. */
static pp_token pp_next(void)
{
    for (;;) {
        const pp_token t = pp_raw();
        if (t.kind != PP_NAME || t.name->macro == NULL || t.flags & PP_LOCKED) return t;
        if (!t.name->macro->has_parameters) {
            pp_call(&t, NULL);
            continue;
        }
        const pp_token next = pp_raw();
        if (!pp_is(&next, "(")) {
            if (next.kind != PP_END) pp_give_back(next);
            return t;
        }
        pp_call(&t, pp_arguments(t.name->macro, t.name));
    }
}

/* Output */

typedef struct pp_output {
    char *at;
    size_t length, capacity;
} pp_output;

static void pp_write(pp_output *o, const char *at, size_t length)
{
    if (o->length + length + 1 > o->capacity) {
        o->capacity = 2 * (o->length + length) + 65536;
        o->at = realloc(o->at, o->capacity);
        if (o->at == NULL) pp_fail("out of memory");
    }
    memcpy(o->at + o->length, at, length);
    o->length += length;
    o->at[o->length] = '\0';
}

/* _Pragma("text"), whose name was read, as a line. */
static void pp_write_pragma(pp_output *o)
{
    pp_token t = pp_next();
    if (pp_is(&t, "(")) t = pp_next();
    pp_write(o, "\n#pragma ", 9);
    for (uint32_t n = 1; n + 1 < t.length; n++) {
        n += t.at[n] == '\\';
        pp_write(o, t.at + n, 1);
    }
    pp_write(o, "\n", 1);
    (void)pp_next();
}

/* Must a blank part two tokens? Both are words, or both are signs that would be read as one. */
static bool pp_parts(char last, const pp_token *t)
{
    if (pp_letter(last) || last == '.') return pp_letter(*t->at) || *t->at == '.';
    return last && strchr("+-*/%&|<>=!^#", last) && strchr("+-*/%&|<>=^#", *t->at);
}

static void pp_write_all(pp_output *o)
{
    pp_name *const pragma = pp_word("_Pragma");
    bool after = false; /* the last token was && or ||, around which there are blanks */
    for (pp_token t = pp_next(); t.kind != PP_END; t = pp_next()) {
        const char last = o->length ? o->at[o->length - 1] : '\0';
        if (t.name == pragma) {
            pp_write_pragma(o);
            continue;
        }
        const bool blank = t.flags & PP_BLANK || after || pp_is(&t, "&&") || pp_is(&t, "||");
        if (t.flags & PP_FIRST)
            pp_write(o, "\n", 1);
        else if (blank || pp_parts(last, &t))
            pp_write(o, " ", 1);
        pp_write(o, t.at, t.length);
        after = pp_is(&t, "&&") || pp_is(&t, "||");
    }
}

char *preprocess(const char *home, const char *path, const char *definitions, const char **reason)
{
    pp_output o = {0};
    *reason = pp_reason;
    if (setjmp(pp_failure)) return NULL;
    pp_home = home;
    pp_open_file("", path);
    const char *const text = pp_file->at;
    pp_file->at = pp_file->line = definitions;
    pp_write_all(&o); /* definitions make no tokens */
    pp_source *const s = pp_take(sizeof *s);
    *s = (pp_source){.directory = "", .at = text, .line = text};
    pp_file = s;
    pp_write_all(&o);
    return o.at;
}
