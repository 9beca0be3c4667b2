/* steps.js: runs the loops that the page shows, statement by statement.

   A small interpreter of C. It runs the function that the preprocessor made of the kernel line, on tensors in the memory of
   the module, and calls the functions of the kit there by their names. Every statement of the loops becomes a step. The
   loops are read from the text that the page shows, so that a step knows its line; the functions around them, and types,
   from the program after the preprocessor. Sizes are those of the module: 4 bytes for size_t and pointers. */
"use strict";

const Steps = (() => {

/* Types */

const integer = (size, signed) => ({kind: "integer", size, align: size, signed});
const real = size => ({kind: "real", size, align: size});
const pointer = to => ({kind: "pointer", to, size: 4, align: 4});
const array = (of, count) => ({kind: "array", of, count, size: of.size * count, align: of.align});
const nothing = {kind: "void", size: 1, align: 1};
const size_t = integer(4, false), int = integer(4, true), double = real(8), char = integer(1, true);

const builtin = {
    void: nothing, char, bool: {...integer(1, false), truth: true}, size_t, ptrdiff_t: int, int, unsigned: size_t, float: real(4), double,
    short: integer(2, true), long: int, signed: int, int8_t: char, uint8_t: integer(1, false), int16_t: integer(2, true),
    uint16_t: integer(2, false), int32_t: int, uint32_t: size_t, int64_t: integer(8, true), uint64_t: integer(8, false),
    intptr_t: int, uintptr_t: size_t,
};
builtin._Bool = builtin.bool;

const qualifiers = new Set(["const", "restrict", "__restrict", "volatile", "static", "inline", "__inline__", "register", "__extension__"]);

/* Tokens */

const pattern = /\/\*[^]*?\*\/|#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|(?:\d|\.\d)(?:[eEpP][+-]|[\w.])*|[A-Za-z_]\w*|<<=|>>=|\.\.\.|->|\+\+|--|<<|>>|[<>=!*/%+\-&|^]=|&&|\|\||[^\s]/g;

/* The tokens of C text. `line` is the number of its first line. */
function tokens(text, line) {
    const list = [];
    let at = 0;
    for (const found of text.matchAll(pattern)) {
        for (; at < found.index; at++) if (text[at] === "\n") line++;
        const t = found[0];
        if (!t.startsWith("/*") && t[0] !== "#") list.push({text: t, line});
    }
    list.push({text: "", line});
    return list;
}

/* From an opening bracket at `from` to the one that closes it. */
function closing(text, from) {
    const open = text[from], close = {"{": "}", "(": ")"}[open];
    for (let at = from, depth = 0; at < text.length; at++) {
        if (text[at] === '"') for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++;
        if (text[at] === open) depth++;
        if (text[at] === close && --depth === 0) return at;
    }
    throw new Error("a bracket is not closed");
}

/* A program: text in which types, constants and functions are looked up. */
class Program {
    constructor(text, loops) {
        this.text = text.replaceAll("sparse_l_", "").replaceAll(/__attribute__ *\(\([^()]*(?:\([^()]*\))?[^()]*\)\)/g, "").replaceAll(/\[\[\w+\]\]/g, "");
        this.loops = loops;
        this.types = new Map(Object.entries(builtin));
        this.functions = new Map();
        this.signatures = new Map();
        this.constants = null;
    }

    /* A type by its name; null: it is none. */
    type(name) {
        if (this.types.has(name)) return this.types.get(name);
        let type = null;
        const end = new RegExp(`\\} *${name} *;`).exec(this.text);
        const alias = new RegExp(`\\btypedef ([\\w ]+?[ *]+)${name} *;`).exec(this.text);
        const call = new RegExp(`\\btypedef [\\w ]+[ *]+\\(\\*${name}\\) *\\(`).exec(this.text);
        if (end) {
            const from = this.text.lastIndexOf("typedef", end.index);
            type = this.text.startsWith("typedef enum", from) ? {...int} : this.structure(name, this.text.slice(this.text.indexOf("{", from) + 1, end.index));
        } else if (alias && !alias[1].startsWith("struct")) {
            const p = new Parser(this, tokens(alias[1], 0));
            type = p.declarator(p.base()).type;
        }
        if (call) type = pointer(nothing);
        this.types.set(name, type);
        return type;
    }

    structure(name, fields) {
        const type = {kind: "struct", name, fields: [], size: 0, align: 1};
        this.types.set(name, type);
        const p = new Parser(this, tokens(fields, 0));
        while (p.peek() !== "") {
            const base = p.base();
            do {
                const d = p.declarator(base);
                type.size = Math.ceil(type.size / d.type.align) * d.type.align;
                type.fields.push({name: d.name, type: d.type, offset: type.size});
                type.size += d.type.size;
                type.align = Math.max(type.align, d.type.align);
            } while (p.accept(","));
            p.expect(";");
        }
        type.size = Math.ceil(type.size / type.align) * type.align;
        return type;
    }

    /* A constant of an enumeration; undefined: it is none. */
    constant(name) {
        if (!this.constants) {
            this.constants = new Map([["SIZE_MAX", 4294967295], ["NULL", 0], ["true", 1], ["false", 0], ["HUGE_VAL", Infinity], ["HUGE_VALF", Infinity], ["INFINITY", Infinity],
                ["NAN", NaN], ["CHAR_BIT", 8], ["UINT8_MAX", 255], ["UINT16_MAX", 65535], ["UINT32_MAX", 4294967295], ["INT8_MAX", 127], ["INT16_MAX", 32767],
                ["INT32_MAX", 2147483647], ["INT8_MIN", -128], ["INT16_MIN", -32768], ["INT32_MIN", -2147483648]]);
            for (const e of this.text.matchAll(/\benum *\w* *\{([^{}]*)\}/g)) {
                let next = 0;
                for (const item of e[1].split(/,(?![^(]*\))/)) {
                    const [key, value] = item.split(/=(.*)/s).map(s => s.trim());
                    if (value !== undefined) {
                        try { next = new Machine(null, this).constant(value); } catch (error) { next = NaN; }
                    }
                    if (key) this.constants.set(key, next);
                    next++;
                }
            }
        }
        return this.constants.get(name);
    }

    /* The start of the definition or declaration of a function, and where its parameters begin; null: there is none. */
    find(text, name, defined) {
        for (const found of text.matchAll(new RegExp(`[\\w*] +\\*?${name} *\\(`, "g"))) {
            const open = found.index + found[0].length - 1, close = closing(text, open);
            const after = text.slice(close + 1, close + 40).trim()[0];
            if (after !== "{" && (defined || after !== ";")) continue;
            let start = found.index;
            while (start > 0 && !";}".includes(text[start - 1]) && !(text[start - 1] === "/" && text[start - 2] === "*")) start--;
            return {start, name: text.indexOf(name, found.index), open, close};
        }
        return null;
    }

    /* What a function returns and takes. */
    signature(name) {
        if (!this.signatures.has(name)) {
            const at = this.find(this.text, name, false);
            let signature = null;
            if (at) {
                const p = new Parser(this, tokens(this.text.slice(at.start, at.name).replace(/[^]*#[^\n]*/, ""), 0));
                const returns = p.declarator(p.base()).type;
                signature = {returns, parameters: new Parser(this, tokens(this.text.slice(at.open, at.close + 1), 0)).parameters()};
            }
            this.signatures.set(name, signature);
        }
        return this.signatures.get(name);
    }

    /* A function with its body, if it is to be run here: one of the program that was made. */
    function(name) {
        if (!this.functions.has(name)) {
            const shown = name.endsWith("_loops"), text = shown ? this.loops : this.text;
            const at = this.find(text, name, true);
            if (!at) throw new Error(`${name} is not defined`);
            const body = text.indexOf("{", at.close), line = shown ? text.slice(0, at.open).split("\n").length : 0;
            const p = new Parser(this, tokens(text.slice(at.open, closing(text, body) + 1), line));
            const parameters = p.parameters();
            this.functions.set(name, {name, shown, parameters, body: p.statement()});
        }
        return this.functions.get(name);
    }
}

/* Text to a tree */

const binding = {"||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
                 "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10};

class Parser {
    constructor(program, list) {
        this.program = program;
        this.list = list;
        this.at = 0;
        this.local = new Set(); /* names that hide types */
    }

    peek(n = 0) { return this.list[Math.min(this.at + n, this.list.length - 1)].text; }
    line() { return this.list[this.at].line; }
    next() { return this.list[this.at++].text; }
    accept(text) { return this.peek() === text && (this.at++, true); }
    expect(text) {
        if (!this.accept(text)) throw new Error(`${text} is expected, not ${this.peek()} ${this.peek(1)} ${this.peek(2)}`);
    }

    is_type(n = 0) {
        const word = this.peek(n);
        return /^[A-Za-z_]/.test(word) && (qualifiers.has(word) || word === "struct" || word === "enum" || word === "extern" ||
                                           (!this.local.has(word) && this.program.type(word) !== null));
    }

    skip_qualifiers() {
        while (qualifiers.has(this.peek()) || this.peek() === "extern") this.at++;
    }

    base() {
        this.skip_qualifiers();
        if (this.peek() === "struct" || this.peek() === "enum") this.at++;
        const first = this.next();
        let type = this.program.type(first);
        if (!type) throw new Error(`${first} is no type`);
        for (this.skip_qualifiers(); ["int", "char", "long", "short", "unsigned"].includes(this.peek()); this.skip_qualifiers()) {
            const word = this.next();
            if (first === "unsigned" && word !== "int") type = {...builtin[word], signed: false};
            else if (first === "long" && word === "long") type = integer(8, true);
            else if (first === "signed") type = builtin[word];
        }
        this.skip_qualifiers();
        return type;
    }

    /* The name, and the type with its stars and brackets. */
    declarator(type) {
        let name = null;
        for (;; this.at++) {
            this.skip_qualifiers();
            if (this.peek() !== "*") break;
            type = pointer(type);
        }
        if (this.peek() === "(" && this.peek(1) === "*") { /* a pointer to a function */
            this.at += 2;
            name = this.next();
            this.expect(")");
            this.parameters();
            return {name, type: pointer(nothing)};
        }
        if (/^[A-Za-z_]/.test(this.peek())) name = this.next();
        const counts = [];
        while (this.accept("[")) {
            this.skip_qualifiers();
            counts.push(this.peek() === "]" ? null : this.expression());
            this.expect("]");
        }
        for (const count of counts.reverse())
            type = array(type, count === null ? 0 : new Machine(null, this.program).fold(count));
        return {name, type, open: counts.includes(null)};
    }

    parameters() {
        const list = [];
        this.expect("(");
        while (!this.accept(")")) {
            if (this.accept(",")) continue;
            if (this.accept("...")) continue;
            const d = this.declarator(this.base());
            if (d.type !== nothing) list.push(d.type.kind === "array" ? {name: d.name, type: pointer(d.type.of)} : d);
        }
        return list;
    }

    statement() {
        const line = this.line(), word = this.peek();
        if (word === "{") {
            this.at++;
            const list = [], outer = this.local;
            this.local = new Set(outer);
            while (!this.accept("}")) list.push(this.statement());
            this.local = outer;
            return {kind: "block", list, line};
        }
        if (this.accept(";")) return {kind: "empty", line};
        if (["if", "for", "while", "do", "return", "break", "continue"].includes(word)) return this.at++, this[`${word}_`](line);
        if (word === "enum" && this.peek(1) === "{") return this.enumeration(line);
        if (word === "extern" || word === "_Static_assert") {
            while (!this.accept(";")) this.at++;
            return {kind: "empty", line};
        }
        if (this.is_type() && this.peek(1) !== "(") {
            const d = this.declaration(line);
            this.expect(";");
            return d;
        }
        const e = this.comma();
        this.expect(";");
        return {kind: "expression", e, line};
    }

    if_(line) {
        this.expect("(");
        const test = this.comma();
        this.expect(")");
        const then = this.statement();
        return {kind: "if", test, then, otherwise: this.accept("else") ? this.statement() : null, line};
    }

    for_(line) {
        const outer = this.local;
        this.local = new Set(outer);
        this.expect("(");
        const first = this.peek() === ";" ? null : this.is_type() ? this.declaration(line) : {kind: "expression", e: this.comma(), line};
        this.expect(";");
        const test = this.peek() === ";" ? null : this.comma();
        this.expect(";");
        const step = this.peek() === ")" ? null : this.comma();
        this.expect(")");
        const body = this.statement();
        this.local = outer;
        return {kind: "for", first, test, step, body, line};
    }

    while_(line) {
        this.expect("(");
        const test = this.comma();
        this.expect(")");
        return {kind: "for", first: null, test, step: null, body: this.statement(), line};
    }

    do_(line) {
        const body = this.statement();
        this.expect("while");
        this.expect("(");
        const test = this.comma();
        this.expect(")");
        this.expect(";");
        return {kind: "do", test, body, line};
    }

    return_(line) {
        const e = this.peek() === ";" ? null : this.comma();
        this.expect(";");
        return {kind: "return", e, line};
    }

    break_(line) { return this.expect(";"), {kind: "break", line}; }
    continue_(line) { return this.expect(";"), {kind: "continue", line}; }

    enumeration(line) {
        const names = [];
        this.at += 2;
        while (!this.accept("}")) {
            const name = this.next();
            names.push({name, e: this.accept("=") ? this.expression() : null});
            this.local.add(name);
            this.accept(",");
        }
        this.expect(";");
        return {kind: "enumeration", names, line};
    }

    declaration(line) {
        const base = this.base(), list = [];
        do {
            const d = this.declarator(base);
            this.local.add(d.name);
            list.push({...d, value: this.accept("=") ? this.initializer() : null});
        } while (this.accept(","));
        return {kind: "declaration", list, line};
    }

    initializer() {
        if (!this.accept("{")) return this.expression();
        const items = [];
        while (!this.accept("}")) {
            let member = null;
            if (this.accept(".")) member = this.next(), this.expect("=");
            items.push({member, value: this.initializer()});
            this.accept(",");
        }
        return {kind: "braces", items};
    }

    comma() {
        let e = this.expression();
        while (this.accept(",")) e = {kind: "comma", a: e, b: this.expression()};
        return e;
    }

    expression() {
        const e = this.conditional(), sign = this.peek();
        if (!/^(=|[*/%+\-&|^]=|<<=|>>=)$/.test(sign)) return e;
        this.at++;
        return {kind: "assign", sign: sign.slice(0, -1), to: e, e: this.expression()};
    }

    conditional() {
        const test = this.binary(0);
        if (!this.accept("?")) return test;
        const a = this.comma();
        this.expect(":");
        return {kind: "conditional", test, a, b: this.conditional()};
    }

    binary(level) {
        let e = this.unary();
        for (let sign = this.peek(); binding[sign] > level; sign = this.peek()) {
            this.at++;
            e = {kind: "binary", sign, a: e, b: this.binary(binding[sign])};
        }
        return e;
    }

    type_in_brackets() {
        this.expect("(");
        const d = this.declarator(this.base());
        this.expect(")");
        return d;
    }

    unary() {
        const sign = this.peek();
        if (["!", "-", "+", "~", "&", "*", "++", "--"].includes(sign)) return this.at++, {kind: "unary", sign, e: this.unary()};
        if (sign === "sizeof") {
            this.at++;
            if (this.peek() === "(" && this.is_type(1)) return {kind: "size", type: this.type_in_brackets().type};
            return {kind: "size", e: this.unary()};
        }
        if (sign === "(" && this.is_type(1)) {
            const d = this.type_in_brackets();
            if (this.peek() === "{") return this.postfix({kind: "literal", type: d.type, open: d.open, value: this.initializer()});
            return {kind: "cast", type: d.type, e: this.unary()};
        }
        return this.postfix(this.primary());
    }

    primary() {
        const word = this.next();
        if (word === "(") {
            const e = this.comma();
            this.expect(")");
            return e;
        }
        if (word[0] === '"') {
            let text = JSON.parse(word);
            while (this.peek()[0] === '"') text += JSON.parse(this.next());
            return {kind: "text", text};
        }
        if (word[0] === "'") return {kind: "number", value: word.charCodeAt(1), type: int};
        if (/^[\d.]/.test(word)) {
            const is_real = !/^0x/i.test(word) && /[.eE]/.test(word);
            return {kind: "number", value: is_real ? parseFloat(word) : Number(word.replace(/[uUlL]+$/, "")),
                    type: is_real ? (/[fF]$/.test(word) ? builtin.float : double) : /[uU]/.test(word) ? size_t : int};
        }
        if (/^[A-Za-z_]/.test(word)) return {kind: "name", name: word};
        throw new Error(`an expression is expected, not ${word} ${this.peek()}`);
    }

    postfix(e) {
        for (;;) {
            if (this.accept("[")) {
                e = {kind: "index", e, index: this.comma()};
                this.expect("]");
            } else if (this.accept("(")) {
                const list = [];
                while (!this.accept(")")) list.push(this.expression()), this.accept(",");
                e = {kind: "call", name: e.name, list};
            } else if (this.accept(".")) {
                e = {kind: "member", e, name: this.next()};
            } else if (this.accept("->")) {
                e = {kind: "member", e: {kind: "unary", sign: "*", e}, name: this.next()};
            } else if (this.peek() === "++" || this.peek() === "--") {
                e = {kind: "after", sign: this.next()[0], e};
            } else {
                return e;
            }
        }
    }
}

/* Running */

/* The type of the number that is all of a structure; null: there is more in it. */
const single = type => type.fields.length === 1 && ["integer", "real"].includes(type.fields[0].type.kind) ? type.fields[0].type : null;

class Frame {
    constructor(machine, f, outer) {
        this.f = f;
        this.outer = outer;
        this.scopes = [new Map()];
        this.slots = new Map();
        this.base = machine.top;
    }
    get(name) {
        for (let n = this.scopes.length; n-- > 0;) {
            const found = this.scopes[n].get(name);
            if (found) return found;
        }
        return null;
    }
}

class Machine {
    /* `globals`: addresses of objects by their names. `record(frame, line)` is called before each statement of the loops. */
    constructor(module, program, globals = new Map(), record = () => {}) {
        this.module = module;
        this.program = program;
        this.globals = globals;
        this.record = record;
        this.frame = null;
        if (module) this.top = this.bottom = module._malloc(1 << 20);
    }

    view() {
        const buffer = this.module.HEAPU8.buffer;
        if (!this.cached || this.cached.buffer !== buffer) this.cached = new DataView(buffer);
        return this.cached;
    }

    load(type, at) {
        if (at < 1024 && this.module) throw new Error("a null pointer is read");
        const v = this.view();
        switch (type.kind) {
        case "pointer": return v.getUint32(at, true);
        case "real": return type.size === 8 ? v.getFloat64(at, true) : v.getFloat32(at, true);
        case "integer":
            if (type.size === 8) return Number(type.signed ? v.getBigInt64(at, true) : v.getBigUint64(at, true));
            return v[`get${type.signed ? "Int" : "Uint"}${8 * type.size}`](at, true);
        default: return at;
        }
    }

    store(type, at, value) {
        if (at < 1024) throw new Error("a null pointer is written");
        const v = this.view();
        switch (type.kind) {
        case "pointer": v.setUint32(at, value, true); break;
        case "real": type.size === 8 ? v.setFloat64(at, value, true) : v.setFloat32(at, value, true); break;
        case "integer":
            if (type.truth) value = value ? 1 : 0;
            if (type.size === 8) v.setBigUint64(at, BigInt.asUintN(64, BigInt(value)), true);
            else v[`setUint${8 * type.size}`](at, value, true);
            break;
        default: this.module.HEAPU8.copyWithin(at, value, value + type.size);
        }
    }

    allocate(size) {
        const at = Math.ceil(this.top / 8) * 8;
        this.top = at + size;
        if (this.top > this.bottom + (1 << 20)) throw new Error("the locals need too much memory");
        return at;
    }

    /* Memory of the frame for a node of the tree, the same each time. */
    slot(node, size) {
        if (!this.frame.slots.has(node)) this.frame.slots.set(node, this.allocate(size));
        return this.frame.slots.get(node);
    }

    /* Expressions: {type, value}, or of places {type, at} */

    place(e) {
        switch (e.kind) {
        case "name": {
            const local = this.frame && this.frame.get(e.name);
            if (local && local.at !== undefined) return local;
            if (this.globals.has(e.name)) return this.globals.get(e.name);
            throw new Error(`${e.name} is unknown`);
        }
        case "index": {
            const a = this.value(e.e), n = this.value(e.index);
            return {type: a.type.to, at: a.value + n.value * a.type.to.size};
        }
        case "unary":
            if (e.sign === "*") {
                const a = this.value(e.e);
                return {type: a.type.to, at: a.value};
            }
            break;
        case "member": {
            const s = e.e.kind === "call" ? {...this.value(e.e)} : this.place(e.e);
            if (s.at === undefined) s.at = s.value;
            const field = s.type.fields.find(f => f.name === e.name);
            if (!field) throw new Error(`${s.type.name} has no ${e.name}`);
            return {type: field.type, at: s.at + field.offset};
        }
        case "literal": {
            const type = e.open ? array(e.type.of, e.value.items.length) : e.type, at = this.slot(e, type.size);
            this.initialize(type, at, e.value);
            return {type, at};
        }
        }
        throw new Error("an expression has no place");
    }

    read(place) {
        if (place.type.kind === "array") return {type: pointer(place.type.of), value: place.at};
        return {type: place.type, value: this.load(place.type, place.at)};
    }

    value(e) {
        switch (e.kind) {
        case "number": return e;
        case "text": return this.text(e);
        case "name": {
            const local = this.frame && this.frame.get(e.name);
            if (!local && !this.globals.has(e.name)) {
                const constant = this.program.constant(e.name);
                if (constant !== undefined) return {type: e.name === "NULL" ? pointer(nothing) : !Number.isFinite(constant) ? double : constant > 2147483647 ? size_t : int, value: constant};
                const address = this.module.sparse_address(e.name);
                if (address) return {type: pointer(nothing), value: address};
            }
            if (local && local.value !== undefined) return local;
            return this.read(this.place(e));
        }
        case "index": case "member": case "literal": return this.read(this.place(e));
        case "unary": return this.unary(e);
        case "after": case "assign": return this.assign(e);
        case "binary": return this.binary(e);
        case "conditional": {
            const taken = this.value(this.value(e.test).value ? e.a : e.b);
            return taken;
        }
        case "comma": return this.value(e.a), this.value(e.b);
        case "cast": return this.convert(e.type, this.value(e.e));
        case "size": return {type: size_t, value: (e.type || this.type_of(e.e)).size};
        case "call": return this.call(e);
        }
        throw new Error(`${e.kind} is not an expression`);
    }

    /* The type of an expression whose value does not matter. */
    type_of(e) {
        if (e.kind === "call" || e.kind === "binary") return this.value(e).type;
        return e.kind === "number" ? e.type : this.place(e).type;
    }

    text(e) {
        const bytes = new TextEncoder().encode(e.text), at = this.slot(e, bytes.length + 1);
        this.module.HEAPU8.set(bytes, at);
        this.module.HEAPU8[at + bytes.length] = 0;
        return {type: pointer(char), value: at};
    }

    convert(type, v) {
        if (type.kind === "struct" || type.kind === "void") return {type, value: v.value};
        if (type.kind === "real") return {type, value: type.size === 4 ? Math.fround(v.value) : v.value};
        if (type.truth) return {type, value: v.value ? 1 : 0};
        if (type.size === 8) {
            const value = BigInt(Math.trunc(v.value));
            return {type, value: Number(type.signed ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value))};
        }
        const bits = type.kind === "pointer" ? 32 : 8 * type.size, whole = Math.trunc(v.value);
        const value = Number(type.signed ? BigInt.asIntN(bits, BigInt(whole)) : BigInt.asUintN(bits, BigInt(whole)));
        return {type, value};
    }

    unary(e) {
        if (e.sign === "&") {
            const place = this.place(e.e);
            return {type: pointer(place.type), value: place.at};
        }
        if (e.sign === "*") return this.read(this.place(e));
        if (e.sign === "++" || e.sign === "--") return this.assign({kind: "assign", sign: e.sign[0], to: e.e, e: {kind: "number", type: int, value: 1}});
        const a = this.value(e.e);
        if (e.sign === "!") return {type: int, value: a.value ? 0 : 1};
        const type = a.type.kind === "integer" && a.type.size < 4 ? int : a.type;
        if (e.sign === "~") return this.convert(type, {value: ~a.value});
        return this.convert(type, {value: e.sign === "-" ? -a.value : a.value});
    }

    assign(e) {
        if (e.kind === "after") {
            const place = this.place(e.e), before = this.read(place);
            this.store(place.type, place.at, this.apply(e.sign, before, {type: int, value: 1}).value);
            return before;
        }
        const place = this.place(e.to);
        let v = this.value(e.e);
        if (e.sign) v = this.apply(e.sign, this.read(place), v);
        v = this.convert(place.type, v);
        this.store(place.type, place.at, v.value);
        return v;
    }

    binary(e) {
        const a = this.value(e.a);
        if (e.sign === "&&") return {type: int, value: a.value && this.value(e.b).value ? 1 : 0};
        if (e.sign === "||") return {type: int, value: a.value || this.value(e.b).value ? 1 : 0};
        return this.apply(e.sign, a, this.value(e.b));
    }

    apply(sign, a, b) {
        const x = a.value, y = b.value;
        switch (sign) {
        case "==": return {type: int, value: x === y ? 1 : 0};
        case "!=": return {type: int, value: x !== y ? 1 : 0};
        }
        if (a.type.kind === "pointer" && b.type.kind === "integer" && "+-".includes(sign))
            return {type: a.type, value: sign === "+" ? x + y * a.type.to.size : x - y * a.type.to.size};
        if (a.type.kind === "pointer" && b.type.kind === "pointer" && sign === "-") return {type: int, value: (x - y) / a.type.to.size};
        const type = this.common(a.type, b.type);
        const l = this.convert(type, a).value, r = this.convert(type, b).value;
        switch (sign) {
        case "<": return {type: int, value: l < r ? 1 : 0};
        case ">": return {type: int, value: l > r ? 1 : 0};
        case "<=": return {type: int, value: l <= r ? 1 : 0};
        case ">=": return {type: int, value: l >= r ? 1 : 0};
        }
        return this.convert(type, {value: type.kind === "real" ? this.real(sign, l, r) : this.whole(sign, l, r, type)});
    }

    common(a, b) {
        if (a.kind === "pointer") return a;
        if (a.kind === "real" || b.kind === "real") return (a.kind === "real" && a.size === 8) || (b.kind === "real" && b.size === 8) ? double : builtin.float;
        if (a.size === 8 || b.size === 8) return integer(8, a.size === 8 ? a.signed : b.signed);
        return (a.size === 4 && !a.signed) || (b.size === 4 && !b.signed) ? size_t : int;
    }

    real(sign, a, b) {
        switch (sign) {
        case "+": return a + b;
        case "-": return a - b;
        case "*": return a * b;
        case "/": return a / b;
        }
        throw new Error(`${sign} of numbers that are not whole`);
    }

    whole(sign, a, b, type) {
        if ("/%".includes(sign) && b === 0) throw new Error("a division by zero");
        if (type.size === 8) return this.wide(sign, BigInt(a), BigInt(b));
        switch (sign) {
        case "+": return a + b;
        case "-": return a - b;
        case "*": return Number(BigInt(a) * BigInt(b) & 0xffffffffn);
        case "/": return Math.trunc(a / b);
        case "%": return a % b;
        case "&": return a & b;
        case "|": return a | b;
        case "^": return a ^ b;
        case "<<": return a << b;
        case ">>": return a >>> b;
        }
        throw new Error(`${sign} is unknown`);
    }

    /* Of 64 bits. */
    wide(sign, a, b) {
        switch (sign) {
        case "+": return Number(a + b);
        case "-": return Number(a - b);
        case "*": return Number(BigInt.asUintN(64, a * b));
        case "/": return Number(a / b);
        case "%": return Number(a % b);
        case "&": return Number(a & b);
        case "|": return Number(a | b);
        case "^": return Number(a ^ b);
        case "<<": return Number(BigInt.asUintN(64, a << b));
        case ">>": return Number(a >> b);
        }
        throw new Error(`${sign} is unknown`);
    }

    /* The value of an expression of constants. */
    fold(e) { return this.value(e).value; }
    constant(text) { return this.fold(new Parser(this.program, tokens(text, 0)).expression()); }

    /* Functions */

    call(e) {
        const name = e.name;
        if (name === "__builtin_expect" || name === "__builtin_expect_with_probability") return this.value(e.list[0]);
        if (name.startsWith("__builtin_")) return {type: int, value: 0}; /* prefetches */
        const list = e.list.map(a => this.value(a));
        const mathematics = this.module.sparse_mathematics(name);
        if (mathematics) return {type: name !== "erf" && name.endsWith("f") ? builtin.float : double, value: mathematics(...list.map(a => a.value))};
        if (this.program.own(name) || (!this.module.sparse_address(name) && this.program.find(this.program.text, name, true))) return this.run(this.program.function(name), list);
        return this.call_kit(e, name, list);
    }

    /* Structures are passed and returned in memory, except those of one number. */
    call_kit(e, name, list) {
        const f = this.module.sparse_function(name), signature = this.program.signature(name);
        if (!f || !signature) throw new Error(`the page does not have the function ${name}`);
        const call = signature.parameters.map((p, n) => {
            if (p.type.kind === "struct") return single(p.type) ? this.load(single(p.type), list[n].value) : list[n].value;
            const v = this.convert(p.type, list[n]);
            return p.type.kind === "integer" && p.type.size === 8 ? BigInt(v.value) : v.value;
        });
        const returns = signature.returns;
        if (returns.kind === "struct") {
            const at = this.slot(e, returns.size);
            if (single(returns)) this.store(single(returns), at, f(...call));
            else f(at, ...call);
            return {type: returns, value: at};
        }
        const result = f(...call);
        return this.convert(returns, {value: result === undefined ? 0 : Number(result)});
    }

    run(f, list) {
        const outer = this.frame;
        this.frame = new Frame(this, f, outer);
        f.parameters.forEach((p, n) => {
            const at = this.allocate(p.type.size);
            this.store(p.type, at, p.type.kind === "struct" ? list[n].value : this.convert(p.type, list[n]).value);
            this.frame.scopes[0].set(p.name, {type: p.type, at});
        });
        const done = this.execute(f.body);
        this.top = this.frame.base;
        this.frame = outer;
        return done && done.value ? done.value : {type: int, value: 0};
    }

    initialize(type, at, value) {
        if (value.kind !== "braces") {
            const v = this.value(value);
            return this.store(type, at, this.convert(type, v).value);
        }
        this.module.HEAPU8.fill(0, at, at + type.size);
        value.items.forEach((item, n) => {
            if (type.kind === "array") return this.initialize(type.of, at + n * type.of.size, item.value);
            if (type.kind !== "struct") return this.initialize(type, at, item.value);
            const field = item.member ? type.fields.find(f => f.name === item.member) : type.fields[n];
            this.initialize(field.type, at + field.offset, item.value);
        });
    }

    declare(node) {
        for (const d of node.list) {
            const type = d.open ? array(d.type.of, d.value.items.length) : d.type, at = this.slot(d, type.size);
            if (d.value) this.initialize(type, at, d.value);
            this.frame.scopes[this.frame.scopes.length - 1].set(d.name, {type, at, set: d.value !== null});
        }
    }

    /* Statements: undefined, or {how: "break", "continue" or "return", value} */

    execute(node) {
        if (this.frame.f.shown && node.kind !== "block" && node.kind !== "empty" && node.kind !== "enumeration") this.record(this.frame, node.line);
        switch (node.kind) {
        case "empty": return undefined;
        case "block": return this.block(node);
        case "declaration": return void this.declare(node);
        case "expression": return void this.value(node.e);
        case "enumeration":
            for (const {name, e} of node.names) this.frame.scopes[this.frame.scopes.length - 1].set(name, {type: int, value: this.value(e).value});
            return undefined;
        case "if": return this.value(node.test).value ? this.execute(node.then) : node.otherwise ? this.execute(node.otherwise) : undefined;
        case "for": return this.loop(node);
        case "do": {
            let done;
            do done = this.execute(node.body);
            while (!(done && done.how !== "continue") && this.value(node.test).value);
            return done && done.how === "return" ? done : undefined;
        }
        case "return": return {how: "return", value: node.e ? this.value(node.e) : null};
        default: return {how: node.kind};
        }
    }

    block(node) {
        this.frame.scopes.push(new Map());
        let done;
        for (const s of node.list)
            if ((done = this.execute(s)) !== undefined) break;
        this.frame.scopes.pop();
        return done;
    }

    loop(node) {
        this.frame.scopes.push(new Map());
        let done;
        if (node.first) node.first.kind === "declaration" ? this.declare(node.first) : this.value(node.first.e);
        for (let turn = 0; !node.test || this.value(node.test).value; turn++) {
            if (this.frame.f.shown && turn) this.record(this.frame, node.line);
            done = this.execute(node.body);
            if (done && done.how !== "continue") break;
            if (node.step) this.value(node.step);
        }
        this.frame.scopes.pop();
        return done && done.how === "return" ? done : undefined;
    }
}

Program.prototype.own = function (name) {
    return name.endsWith("_loops") || (name.startsWith(this.prefix) && this.find(this.text, name, true) !== null);
};

return {Program, Machine};
})();

if (typeof module !== "undefined") module.exports = Steps;
