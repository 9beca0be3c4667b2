/* playground.js: the page. State, the generator, tensors, steps; everything else is in the module (playground.c). */
"use strict";

(() => {

const $ = id => document.getElementById(id);

/* State, which the link holds */

const examples = [
    {name: "Matrix times vector, by rows", e: "y(i) = A(i,j) * x(j)", f: {A: "csr"}},
    {name: "Matrix times vector, by columns", e: "y(i) = A(i,j) * x(j)", f: {A: "csc"}},
    {name: "Matrix in blocks times vector", e: "y(i) = A(i,j) * x(j)", f: {A: "bsr2x2"}},
    {name: "Matrix times sparse vector", e: "y(i) = A(i,j) * x(j)", f: {A: "csr", x: "sparse"}},
    {name: "Dot product of sparse vectors", e: "s = a(i) * b(i)", f: {a: "sparse", b: "sparse"}, d: {i: 9}},
    {name: "Sum of sparse vectors", e: "c(i) = a(i) + b(i)", f: {a: "sparse", b: "sparse", c: "sparse"}, d: {i: 9}},
    {name: "Sum of sparse matrices", e: "C(i,j) = A(i,j) + B(i,j)", f: {A: "csr", B: "csr", C: "csr"}},
    {name: "Sum of three", e: "D(i,j) = A(i,j) + B(i,j) + C(i,j)", f: {A: "csr", B: "csr", C: "csr", D: "csr"}},
    {name: "Masked sum", e: "D(i,j) = (A(i,j) + B(i,j)) * M(i,j)", f: {A: "csr", B: "csr", M: "csr", D: "csr"}},
    {name: "Entries that another matrix lacks", e: "C(i,j) = A(i,j) * (B(i,j) == 0)", f: {A: "csr", B: "csr", C: "csr"}},
    {name: "Largest element of each row", e: "y(i) = max(j) A(i,j)", f: {A: "csr"}},
    {name: "Matrix plus its transpose", e: "D(i,j) = A(i,j) + A(j,i)", f: {A: "csr", D: "csr"}, d: {i: 5, j: 5}},
    {name: "Sparse times dense matrix", e: "Y(i,k) = A(i,j) * X(j,k)", f: {A: "csr"}, d: {k: 3}},
    {name: "Sparse times sparse matrix", e: "C(i,j) = A(i,k) * B(k,j)", f: {A: "csr", B: "csr", C: "csr"}, d: {k: 5}},
    {name: "Masked product of sparse matrices", e: "C(i,j) = A(i,k) * B(k,j) * M(i,j)", f: {A: "csr", B: "csr", M: "csr", C: "csr"}, d: {k: 5}},
    {name: "Product of three matrices", e: "D(i,l) = A(i,k) * B(k,j) * C(j,l)", f: {A: "csr", B: "csr", C: "csr", D: "csr"}, d: {k: 4, j: 5, l: 4}},
    {name: "Sampled product (SDDMM)", e: "D(i,j) = S(i,j) * A(i,k) * B(k,j)", f: {S: "csr", D: "csr"}, d: {k: 3}},
    {name: "MTTKRP", e: "A(i,r) = X(i,j,k) * B(j,r) * C(k,r)", f: {X: "csf"}, d: {i: 3, j: 4, k: 4, r: 2}},
    {name: "MTTKRP, its inner sum in a workspace", e: "A(i,r) = X(i,j,k) * B(j,r) * C(k,r)", f: {X: "csf"}, o: "-s where(k)", d: {i: 3, j: 4, k: 4, r: 2}},
    {name: "Triangles of a graph", e: "s = L(i,k) * U(k,j) * M(i,j)", f: {L: "csr", U: "csr", M: "csr"}, d: {i: 5, j: 5, k: 5}},
    {name: "Residual and its square", e: "r(i) = b(i) - A(i,j) * x(j); s = r(i) * r(i)", f: {A: "csr"}},
    {name: "Rectified linear unit", e: "C(i,j) = A(i,j) > 5 ? A(i,j) - 5 : 0", f: {A: "csr", C: "csr"}},
    {name: "Diagonal of a matrix", e: "d(i) = A(i,i)", f: {A: "csr"}, d: {i: 5}},
    {name: "Rows scaled in place", e: "A(i,j) = A(i,j) * d(i)", f: {A: "csr"}},
    {name: "Rows picked by an index set", e: "C(i,j) = A(rows(i),j)", f: {A: "csr", C: "csr"}, d: {i: 3}},
    {name: "Triangular solve, unit diagonal", e: "x(i) = b(i) - L(i,j<i) * x(j)", f: {L: "csr"}, d: {i: 5, j: 5}},
    {name: "Convolution of a sparse image", e: "O(i,j) = I(i+p,j+q) * F(p,q)", f: {I: "csr"}, d: {p: 2, q: 2}},
    {name: "Two steps of shortest paths", e: "C(i,j) = A(i,k) * A(k,j)", f: {A: "csr", C: "csr"}, o: "--semiring min-plus", d: {i: 5, j: 5, k: 5}},
    {name: "A step of shortest paths", e: "y(i) = A(i,j) * x(j)", f: {A: "csr"}, o: "--semiring min-plus", d: {i: 5, j: 5}},
];

const formats = [
    ["dense"],
    ["dense", "sparse", "bitvec", "bitmaskvec"],
    ["dense", "colmajor", "csr", "csc", "dcsr", "dcsc", "coo", "coosoa", "csf", "cd", "bsr2x2", "bsc2x2", "dia", "dia2", "ell4", "jagged4", "csb4", "bitrows", "bitmaskrows", "csr_delta4", "n2of4", "packed2of4",
     "bsr_inner_columns2x2", "bsc_inner_rows2x2"],
    ["dense", "csf", "coo", "coosoa", "batched_csr", "batched_coo", "mode_generic", "hicoo2", "colmajor"],
];

const tabs = ["steps", "kernel", "graph", "reasons"];
const usual = {i: 4, j: 6, k: 4};

let state;

function fresh(example) {
    return {e: example.e, f: {...example.f}, o: example.o || "", d: {...example.d}, s: 1, m: {}, t: "steps", n: 0};
}

/* "A:csr;B:(i, j) -> (...)" and the like */
const pack_map = map => Object.entries(map).map(([key, value]) => `${key}:${value}`).join(";");
const unpack_map = text => Object.fromEntries(text.split(";").filter(s => s.includes(":")).map(s => [s.slice(0, s.indexOf(":")), s.slice(s.indexOf(":") + 1)]));

function link() {
    const q = new URLSearchParams();
    q.set("e", state.e);
    if (Object.keys(state.f).length) q.set("f", pack_map(state.f));
    if (state.o) q.set("o", state.o);
    if (Object.keys(state.d).length) q.set("d", pack_map(state.d));
    if (state.s !== 1) q.set("s", state.s);
    for (const [name, edits] of Object.entries(state.m))
        if (Object.keys(edits).length) q.append("m", `${name}!${pack_map(edits)}`);
    if (state.t !== "steps") q.set("t", state.t);
    if (state.n) q.set("n", state.n);
    return `#${q}`;
}

function read_link() {
    const q = new URLSearchParams(location.hash.slice(1));
    if (!q.get("e")) return fresh(examples[0]);
    const s = {e: q.get("e"), f: unpack_map(q.get("f") || ""), o: q.get("o") || "", d: unpack_map(q.get("d") || ""), s: Number(q.get("s")) || 1,
               m: {}, t: tabs.includes(q.get("t")) ? q.get("t") : "steps", n: Number(q.get("n")) || 0};
    for (const key of Object.keys(s.d)) s.d[key] = Math.min(Math.max(Number(s.d[key]) || 1, 1), 32);
    for (const m of q.getAll("m")) {
        const [name, edits] = m.split("!");
        s.m[name] = Object.fromEntries(Object.entries(unpack_map(edits || "")).map(([at, v]) => [at, Number(v) || 0]));
    }
    return s;
}

let written = null;
function write_link() {
    written = link();
    try { history.replaceState(null, "", written); } catch (error) { location.hash = written; }
}

/* The module. A program of the generator ends with the instance that ran it; compiling is done once. */

let compiled = null;

function binary() {
    const text = atob(sparse_wasm), bytes = new Uint8Array(text.length);
    for (let n = 0; n < text.length; n++) bytes[n] = text.charCodeAt(n);
    return bytes;
}

async function start() {
    if (!compiled) compiled = await WebAssembly.compile(binary());
    const lines = {out: [], err: []};
    const m = await sparse_module({
        noInitialRun: true,
        print: s => lines.out.push(s),
        printErr: s => lines.err.push(s),
        instantiateWasm: (imports, done) => { WebAssembly.instantiate(compiled, imports).then(instance => done(instance)); return {}; },
    });
    m.lines = lines;
    m.text = at => at ? m.UTF8ToString(at) : "";
    m.bytes = s => {
        const b = new TextEncoder().encode(s), at = m._playground_memory(b.length + 1);
        m.HEAPU8.set(b, at);
        return at;
    };
    m.sparse_address = name => m._playground_function(m.bytes(name));
    const function_at = at => at ? m.asm.__indirect_function_table.get(at) : null;
    m.sparse_function = name => function_at(m.sparse_address(name));
    m.sparse_mathematics = name => function_at(m._playground_mathematics(m.bytes(name)));
    return m;
}

/* Words of a command line, with quotes. */
const words = line => [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(w => w[0].replace(/'([^']*)'|"([^"]*)"/g, "$1$2"));
const quoted = word => /^[\w=,.:\/+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

function options() {
    const list = [];
    for (const [name, format] of Object.entries(state.f)) list.push("-f", `${name}=${format}`);
    return [...list, ...words(state.o)];
}

/* The statement as arguments: --einsum 'ij,j->i' A x has several. */
const statement = () => state.e.startsWith("-") ? words(state.e) : [state.e];

const elsewhere = /^(-[wio]|--(run|main|part|expand|explain|dot|draw|input|output|print|check|time|roofline|sizes|embed|search|advise|csv|svg|tries|limit|cost|write|help).*|-print.*|-write.*|-time.*)$/;

/* Runs the generator. Throws its message. */
function generate(m) {
    const bad = [...words(state.o), ...statement()].find(w => elsewhere.test(w));
    if (bad) throw new Error(`${bad} is for the command line; this page shows the loops, the graph and the explanation anyway`);
    return guarded(m, () => {
        const status = m.callMain([...statement(), ...options()]);
        if (status) throw new Error(m.lines.err.join("\n") || "the generator failed");
        m.notes = m.lines.err.join("\n");
        return m.lines.out.filter(s => !s.startsWith("/* made by:")).join("\n").trim() + "\n";
    });
}

/* Calls the module, whose exit becomes an error with what it printed. */
function guarded(m, call) {
    m.lines.err.length = 0;
    try {
        return call();
    } catch (error) {
        if (m.lines.err.length) throw new Error(m.lines.err.join("\n"));
        throw error;
    }
}

/* Tensors */

/* Numbers that look random, the same for the same text. */
function chance(text) {
    let h = 2166136261;
    for (const c of text) h = Math.imul(h ^ c.charCodeAt(0), 16777619);
    h = Math.imul(h ^ (h >>> 15), 2246822507);
    h = Math.imul(h ^ (h >>> 13), 3266489909);
    return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

const is_dense = t => !/compressed|singleton|structured|packed|bitmap|bitmask|delta/.test(t.levels);

function size_of(t, d) {
    const {index, size} = t.dimensions[d];
    return size || Math.max(1, Number(state.d[size_key(t, d)]) || (index === "?" ? 5 : usual[index] || 3));
}
const size_key = (t, d) => t.dimensions[d].index === "?" ? `${t.name}${d + 1}` : t.dimensions[d].index;

function every_place(sizes) {
    const list = [[]];
    return sizes.reduce((all, size) => all.flatMap(at => Array.from({length: size}, (_, n) => [...at, n])), list);
}

/* No more entries than these levels take: n of m, or c in a row. */
function limited(t, entries) {
    const structured = /(?:structured|packed)\((\d+), (\d+)\), mod\((\w)/.exec(t.levels), count = /count\((\w), (\d+)\)/.exec(t.levels);
    if (!structured && !count) return entries;
    const filled = new Map();
    return entries.filter(({at}) => {
        const d = "ijklmnop".indexOf((structured ? structured[3] : count[1]));
        const key = structured ? at.map((n, k) => k === d ? Math.floor(n / structured[2]) : n).join() : at[d];
        filled.set(key, (filled.get(key) || 0) + 1);
        return filled.get(key) <= Number(structured ? structured[1] : count[2]);
    });
}

/* The entries of an input: made up, and changed by hand. */
function entries_of(t) {
    const sizes = t.dimensions.map((_, d) => size_of(t, d)), dense = is_dense(t);
    const picks = t.rank === 1 && t.kind === "uint32_t" && plan.tensors.some(x => x.kind !== t.kind); /* an index set */
    const edits = state.m[t.name] || {};
    let list = every_place(sizes).map(at => {
        const key = `${state.s} ${t.name} ${at}`, value = picks ? Math.floor(4 * chance(key)) : 1 + Math.floor(9 * chance(key));
        return {at, value, stored: dense || chance(`stored ${key}`) < .42};
    }).filter(e => e.stored);
    list = limited(t, list).filter(e => edits[e.at.join(".")] === undefined);
    for (const [at, value] of Object.entries(edits)) {
        const place = at.split(".").map(Number);
        if (value && place.length === t.rank && place.every((n, d) => n < sizes[d])) list.push({at: place, value});
    }
    if (t.constant) for (const e of list) e.value = Number(t.constant);
    return list.sort((a, b) => a.at.reduce((r, n, d) => r || n - b.at[d], 0));
}

/* Puts the tensors of the plan into the memory of the module. */
function place_tensors(m, plan) {
    plan.tensors.forEach((t, n) => {
        t.number = n;
        t.encoding_at = m._playground_encoding(n);
        if (t.rank === 0) {
            t.at = m._playground_memory(16);
            if (t.role === "input" || t.updated) m._playground_encode(n, scalar_of(t), t.at);
            return;
        }
        t.at = m._playground_tensor(t.encoding_at);
        if (t.role === "input" || t.updated) pack(m, t);
    });
}

const scalar_of = t => (state.m[t.name] || {})[""] ?? 2;

function pack(m, t) {
    t.entries = entries_of(t);
    const sizes = t.sizes = t.dimensions.map((_, d) => size_of(t, d));
    const dim = m._playground_memory(4 * 8), at = m._playground_memory(4 * t.rank * t.entries.length + 4);
    const values = m._playground_memory(8 * t.entries.length + 8);
    sizes.forEach((size, d) => { m.HEAPU32[dim / 4 + d] = size; });
    t.entries.forEach((e, n) => {
        e.at.forEach((c, d) => { m.HEAPU32[at / 4 + n * t.rank + d] = c; });
        m.HEAPF64[values / 8 + n] = e.value;
    });
    t.wrong = m.text(m._playground_pack(t.at, dim, t.entries.length, at, values));
    t.storage = t.wrong ? null : storage(m, t.at, t);
}

/* The arrays of a tensor, copied. `counts`: of a result that is being assembled, how many coordinates its levels have. */
function storage(m, at, t, counts) {
    const s = JSON.parse(m.text(m._playground_storage(at)));
    const read = (b, count) => Array.from({length: b.at ? count : 0}, (_, n) => {
        const heap = {8: m.HEAPU8, 16: m.HEAPU16, 32: m.HEAPU32}[b.bits];
        return BigInt(heap ? heap[b.at * 8 / b.bits + n] : m.HEAPU32[b.at / 4 + 2 * n]) + (heap ? 0n : BigInt(m.HEAPU32[b.at / 4 + 2 * n + 1]) << 32n);
    });
    s.levels.forEach((l, n) => {
        l.positions = read(l.pos, counts ? counts[n].positions : l.pos.count).map(Number);
        l.coordinates = read(l.crd, counts ? counts[n].coordinates : l.crd.count);
        if (l.field) l.fields = fields_of(l);
        l.coordinates = l.coordinates.map(Number);
    });
    const count = s.values.at ? (counts ? counts[counts.length - 1].values : s.values.count) : 0, size = s.values.bits / 8;
    s.numbers = Array.from({length: count}, (_, n) => m._playground_decode(t.encoding_at, s.values.at + n * size));
    const last = s.levels[s.levels.length - 1]; /* its words may have room for more */
    if (last.fields && last.type !== "bitmask") last.fields = last.fields.slice(0, count);
    return s;
}

/* The numbers of a level of which each word of crd holds several, from its lowest bits up; no number lies in two words. */
function fields_of(l) {
    const bits = BigInt(l.field), list = l.coordinates.flatMap(word =>
        Array.from({length: Math.floor(l.crd.bits / l.field)}, (_, n) => Number((word >> BigInt(n) * bits) & ((1n << bits) - 1n))));
    if (l.type === "bitmask") return list.slice(0, (l.positions.length - 1) * l.size);
    return l.positions.length ? list.slice(0, l.positions[l.positions.length - 1]) : list;
}

function entries_in(m, at, rank) {
    const all = m._playground_entries(at) / 8;
    return Array.from({length: all ? m.HEAPF64[all] : 0}, (_, n) => {
        const from = all + 1 + n * (rank + 1);
        return {at: Array.from(m.HEAPF64.subarray(from, from + rank)), value: m.HEAPF64[from + rank]};
    });
}

/* Steps: the loops run once, and what can be seen at each statement is kept. */

const most_steps = 6000;

class Recorder {
    constructor(m, plan, program) {
        this.m = m;
        this.plan = plan;
        this.program = program;
        this.steps = [];
        this.live = new Map(); /* of outputs that are assembled: values by their places */
    }

    /* The kernel that a frame of its loops belongs to, and the address of each operand. */
    kernel(frame) {
        const name = frame.f.name.replace(/_loops$/, ""), number = this.plan.steps.findIndex(s => s.name === name);
        let outer = frame.outer;
        while (outer && outer.f.name !== name && outer.f.name !== `${name}_assemble`) outer = outer.outer;
        return {number, step: this.plan.steps[number], outer};
    }

    record(frame, line) {
        if (this.steps.length >= most_steps) throw new Error(`only the first ${most_steps} steps are shown`);
        const variables = {};
        for (const scope of frame.scopes)
            for (const [name, v] of scope)
                if (v.value !== undefined) variables[name] = v.value;
                else if (["integer", "real"].includes(v.type.kind)) variables[name] = this.machine.load(v.type, v.at);
        const {number, step, outer} = this.kernel(frame);
        const last = this.steps[this.steps.length - 1];
        if (last && last.statement && last.kernel === number) this.keep(step, variables);
        this.steps.push({line, kernel: number, variables, statement: this.statements.has(line), results: this.results(step, outer, frame)});
    }

    tensor(name) { return this.plan.tensors.find(t => t.name === name); }

    /* After the statement: the value of an output that is assembled. */
    keep(step, variables) {
        const t = this.tensor(step.output), at = t.dimensions.map(d => variables[d.index]);
        if (t.rank && variables[t.name] !== undefined && at.every(n => n !== undefined) && variables[`has_${t.name}`] !== 0) {
            if (!this.live.has(t.name)) this.live.set(t.name, new Map());
            this.live.get(t.name).set(at.join("."), {at, value: variables[t.name]});
        }
    }

    /* What the tensors hold that are no inputs. */
    results(step, outer, frame) {
        const results = {};
        for (const {name, tensor} of [...step.operands, {name: step.output, tensor: step.output}]) {
            const t = this.tensor(tensor);
            if (t.role === "input" && !t.updated) continue;
            const v = outer && outer.scopes[0].get(name);
            if (!v || v.type.kind !== "pointer") continue;
            const at = this.machine.load(v.type, v.at);
            if (t.rank === 0) results[tensor] = {value: this.m._playground_decode(t.encoding_at, at)};
            else results[tensor] = this.result(at, t, name, frame);
        }
        return results;
    }

    result(at, t, name, frame) {
        const to = frame.get(`${name}_to`);
        if (!to) return {storage: storage(this.m, at, t), entries: entries_in(this.m, at, t.rank)};
        const builder = this.machine.load(to.type, to.at), made = this.m.sparse_function("sparse_p_made")(builder);
        const plain = frame.get(`${name}_room`), appended = frame.get(`n${name}`);
        const types = x => JSON.parse(this.m.text(this.m._playground_storage(x))).levels.map(l => l.type).join(), live = [...(this.live.get(t.name) || new Map()).values()];
        if (types(made) !== types(at)) return {storage: storage(this.m, at, t), entries: live, assembling: true}; /* it is converted at the end */
        const offset = (type, name) => this.program.type(type).fields.find(f => f.name === name).offset;
        const rows = builder + offset("sparse_p_builder", "level") + offset("sparse_p_output_level", "rows"), level = this.program.type("sparse_p_output_level").size;
        const counts = t.stores.map((_, l) => {
            let count = this.m.HEAPU32[this.m.sparse_function("sparse_p_count")(builder, l + 1) / 4];
            if (plain && appended && l === t.stores.length - 1) count = this.machine.load(appended.type, appended.at);
            return {coordinates: count, values: count, positions: this.m.HEAPU32[(rows + l * level) / 4] + 1};
        });
        return {storage: storage(this.m, made, t, counts), entries: live, assembling: true};
    }
}

/* Lines of the loops in which the statement of the kernel line stands. */
function statement_lines(loops, plan) {
    const lines = new Set();
    let name = null;
    loops.split("\n").forEach((line, n) => {
        const f = /\b(\w+)_loops\(/.exec(line);
        if (f) name = (plan.steps.find(s => s.name === f[1]) || {}).output;
        if (name && new RegExp(`^\\s*(if \\(.*\\) )?${name} [-+*]?= (?!${name}_before)`).test(line)) lines.add(n + 1);
    });
    return lines;
}

function run(m, plan, loops) {
    const program = new Steps.Program(m.text(m._playground_program()), loops);
    program.prefix = plan.name;
    const globals = new Map();
    for (const t of plan.tensors) {
        if (t.rank === 0) continue;
        globals.set(`${t.type}_encoding`, {type: program.type("sparse_encoding"), at: t.encoding_at});
        const type = program.type(t.kind) || program.type("double"), fill = m._playground_memory(8);
        m._playground_encode(t.number, Number(t.fill || 0), fill);
        globals.set(`${t.type}_fill`, {type, at: fill});
    }
    const recorder = new Recorder(m, plan, program);
    recorder.statements = statement_lines(loops, plan);
    const machine = recorder.machine = new Steps.Machine(m, program, globals, (frame, line) => recorder.record(frame, line));
    const f = program.function(plan.name);
    const renamed = plan.steps.flatMap(s => s.operands); /* A(i,k) * A(k,j) reads A as A and as A_kj */
    const list = f.parameters.map(p => {
        const t = plan.tensors.find(x => x.name === p.name) || plan.tensors.find(x => x.name === renamed.find(o => o.name === p.name)?.tensor);
        if (!t && p.name === "everywhere") return {type: p.type, value: 1}; /* the generator says: it is true */
        if (!t) throw new Error(`the parameter ${p.name} has no value on this page`);
        return {type: p.type, value: p.type.kind === "pointer" ? t.at : m._playground_decode(t.encoding_at, t.at)};
    });
    let failed = "";
    try {
        const result = machine.run(f, list);
        if (result.value) failed = m.text(m._playground_message(result.value));
    } catch (error) {
        if (m.lines.err.length || !recorder.steps.length) throw error;
        failed = error.message;
    }
    const last = recorder.steps[recorder.steps.length - 1];
    if (!failed) {
        const results = last ? {...last.results} : {};
        for (const t of plan.tensors)
            if (t.role === "output" || t.updated)
                results[t.name] = t.rank === 0 ? {value: m._playground_decode(t.encoding_at, t.at)}
                                               : {storage: storage(m, t.at, t), entries: entries_in(m, t.at, t.rank)};
        recorder.steps.push({line: 0, kernel: last ? last.kernel : -1, variables: {}, results, end: true});
    }
    return {steps: recorder.steps, failed};
}

/* The page */

let plan = null, made = {kernel: "", loops: "", graph: "", reasons: "", command: ""}, trace = {steps: [], failed: ""};

const escaped = s => s.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

function colored(code) {
    return escaped(code).replace(/(\/\*.*?\*\/)|\b(static|inline|const|restrict|for|while|if|else|continue|break|return|enum|size_t|double|float|bool|unsigned|char|u?int\d+_t|SPARSE_KERNEL|SPARSE_TENSOR|#define|#include)\b/g,
        (all, comment, keyword) => comment ? `<span class="c">${comment}</span>` : `<span class="k">${keyword}</span>`);
}

const number = v => Number.isInteger(v) ? String(v) : Number.isFinite(v) ? String(Number(v.toPrecision(4))) : v > 0 ? "inf" : v < 0 ? "-inf" : "nan";

function show_error(text) {
    $("error").hidden = !text;
    show_note("");
    /* sentences may be broken; the statement and the caret below it, which are indented, may not */
    const lines = text.replace(/^sparse_gen: /, "").split(/(?<=\n)/);
    $("error").replaceChildren(...lines.map(line => {
        const part = document.createElement("span");
        part.className = line.startsWith("    ") ? "place" : "sentence";
        part.textContent = line;
        return part;
    }));
    document.querySelector(".made").classList.toggle("stale", !!text);
}

function show_note(text) {
    $("note").hidden = !text;
    $("note").textContent = text.replaceAll(/^sparse_gen: /mg, "");
}

/* Keeps the focus where it is while `render` makes elements anew. */
function keep_focus(render) {
    const active = document.activeElement, key = active && active.dataset && active.dataset.key;
    render();
    const again = key && document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (again && again !== document.activeElement) again.focus({preventScroll: true});
}

function show_sizes() {
    const seen = new Map();
    for (const t of plan.tensors) {
        if (t.role !== "input" && !t.updated && !(plan.sized && t.role === "output")) continue;
        t.dimensions.forEach((d, n) => seen.set(size_key(t, n), {t, n, fixed: d.size > 0}));
    }
    $("sizes").innerHTML = [...seen].map(([key, {t, n, fixed}]) =>
        `<label>${escaped(key)} <input type="number" min="1" max="32" value="${size_of(t, n)}" data-size="${escaped(key)}" data-key="size ${escaped(key)}"${fixed ? " disabled" : ""}></label>`).join("");
}

function format_field(t) {
    if (t.rank === 0 || !["input", "output"].includes(t.role)) return t.rank === 0 ? "" : `<span class="role">${escaped(t.encoding)}</span>`;
    const list = formats[t.rank] || ["dense", "sparse", "coo"], own = state.f[t.name] || "dense", known = list.includes(own);
    const choices = list.map(f => `<option${f === own ? " selected" : ""}>${f}</option>`).join("");
    const key = `format ${t.name}`;
    return `<select aria-label="Format of ${t.name}" data-format="${t.name}" data-key="${key}">${choices}<option value="?"${known ? "" : " selected"}>other …</option></select>` +
        (known ? "" : `<input type="text" aria-label="Format of ${t.name}, in words" data-words="${t.name}" data-key="${key} words" value="${escaped(own)}" spellcheck="false">`);
}

function card(t) {
    const role = {input: t.updated ? "changed in place" : "input", output: "result", temporary: "temporary", converted: "converted copy", workspace: "workspace"}[t.role];
    const facts = t.storage ? `${t.storage.entries} stored, ${t.storage.bytes} bytes` : "";
    return `<div class="card" data-tensor="${t.name}"><div class="head"><h3>${escaped(t.name)}${t.rank ? `(${t.dimensions.map((d, n) => d.index === "?" ? `dim ${n + 1}` : d.index).join(",")})` : ""}</h3>` +
        `${format_field(t)}<span class="role">${role}${t.kind === "double" ? "" : ", " + escaped(t.kind)}</span><span class="facts">${facts}</span></div>` +
        (t.wrong ? `<p class="wrong" role="alert">${escaped(t.wrong)}</p>` : "") +
        `<div class="body"><div class="grids"></div><div class="levels"></div></div></div>`;
}

function show_cards() {
    const shown = plan.tensors.filter(t => t.role !== "workspace");
    keep_focus(() => {
        show_sizes();
        $("cards").innerHTML = shown.map(card).join("");
        for (const t of shown) {
            if (t.role === "input" || t.updated) show_grid(t, t.entries || [], true);
            if (t.storage) show_levels(t, t.storage, {});
        }
    });
}

const body_of = (t, part) => document.querySelector(`.card[data-tensor="${CSS.escape(t.name)}"] .${part}`);

/* The elements of a tensor as tables: one, or one for each coordinate of the first dimension. */
function show_grid(t, entries, editable, sizes, here) {
    const grids = body_of(t, "grids");
    if (!grids) return;
    if (t.rank === 0) {
        grids.innerHTML = editable ? `<input type="number" step="any" aria-label="Value of ${t.name}" data-scalar="${t.name}" data-key="scalar ${t.name}" value="${scalar_of(t)}">` : "";
        return;
    }
    sizes = sizes || t.dimensions.map((_, d) => size_of(t, d));
    const stored = new Map(entries.map(e => [e.at.join("."), e.value]));
    const outer = every_place(sizes.slice(0, Math.max(0, t.rank - 2)));
    grids.innerHTML = outer.map(o => table(t, o, sizes.slice(-2), stored, editable, here)).join("");
}

function table(t, outer, sizes, stored, editable, here) {
    const flat = t.rank === 1, rows = flat ? 1 : sizes[0], columns = flat ? sizes[0] : sizes[1];
    const letters = t.dimensions.map(d => d.index);
    const is_here = (n, d) => here && here[d] === n && outer.every((o, k) => here[k] === o);
    let html = `<table class="grid${editable ? "" : " fixed"}" data-outer="${outer.join(".")}">`;
    if (outer.length) html += `<caption>${letters.slice(0, -2).map((l, d) => `${l} = ${outer[d]}`).join(", ")}</caption>`;
    html += `<tr><th scope="row">${flat ? letters[0] : ""}</th>`;
    for (let c = 0; c < columns; c++) html += `<th scope="col"${is_here(c, t.rank - 1) ? ' class="here"' : ""}>${c}</th>`;
    for (let r = 0; r < rows; r++) {
        html += `</tr><tr><th scope="row"${!flat && is_here(r, t.rank - 2) ? ' class="here"' : ""}>${flat ? "" : r}</th>`;
        for (let c = 0; c < columns; c++) {
            const at = flat ? [c] : [...outer, r, c], key = at.join("."), value = stored.get(key);
            const known = here && at.every((n, d) => here[d] === n);
            html += `<td class="${value === undefined ? "" : "stored"}${known ? " here" : ""}"` +
                (editable ? ` tabindex="${at.every(n => n === 0) ? 0 : -1}" data-key="${t.name} ${key}" data-at="${key}" aria-label="${t.name}(${at}) ${value === undefined ? "not stored" : number(value)}"` : "") +
                `>${value === undefined ? "·" : number(value)}</td>`;
        }
    }
    return `${html}</tr></table>`;
}

/* An array as boxes. `odd`: which boxes are shaded; `cursors`: indices of boxes that are marked. */
function boxes(array, label, list, odd, cursors) {
    if (!list.length) return "";
    return `<div class="array" data-array="${array}"><span class="label">${label}</span>${list.map((v, n) =>
        `<span class="cell${odd(n) ? " odd" : ""}${cursors.has(n) ? " cursor" : ""}"><i>${n}</i><b>${number(v)}</b></span>`).join("")}</div>`;
}

/* To which parent each position belongs, odd or even, for the shading of its coordinates. */
function shading(positions, count) {
    const odd = new Array(count).fill(false);
    for (let p = 0; p + 1 < positions.length; p++)
        for (let n = positions[p]; n < positions[p + 1]; n++) odd[n] = p % 2 === 1;
    return n => odd[n];
}

/* The number of the p-th bit that is set, counted from 0. It is the coordinate of position p in a row of a bitmask. */
const nth_set = (bits, p) => [...bits.keys()].filter(n => bits[n] === 1)[p];

/* What a level stores; a dimension without an index of its own goes by its number. */
const level_name = (t, l) => t.stores[l].replace(/(^|\()(\d)(?=$|,|\))/, "$1dim $2");

/* n of packed(n, m): so many positions below each parent. */
const packed_of = (t, n) => Number((t.levels.split(/\), \(/)[n + 1] || t.levels).match(/packed\((\d+)/)?.[1] || 1);

function show_levels(t, s, cursors) {
    const levels = body_of(t, "levels");
    if (!levels) return;
    let html = "", odd = () => false, head = 0;
    s.levels.forEach((l, n) => {
        if (l.coordinates.length) head = n;
        const numbers = l.fields || l.coordinates;
        if (l.positions.length) odd = shading(l.positions, Math.max(numbers.length, 1));
        const stride = 1 + interleaved(s, n);
        const at = new Set();
        for (let k = n; k < n + stride; k++)
            for (const p of cursors[k + 1] || []) at.add(l.type === "bitmask" ? nth_set(numbers, p) : stride * p + (k - n));
        const group = l.type === "bitmap" || l.type === "bitmask" ? l.size : l.type === "packed" ? packed_of(t, n) : stride;
        const own = group > 1 ? k => Math.floor(k / group) % 2 === 1 : odd;
        const label = l.field === 1 && (l.type === "bitmap" || l.type === "bitmask") ? "crd, bit by bit" : l.field ? `crd, ${l.type === "delta" ? "distances of " : ""}${l.field} bit${l.field > 1 ? "s" : ""}${l.type === "delta" ? "" : " each"}` :
            stride > 1 ? `crd of ${t.stores.slice(n, n + stride).map((_, k) => level_name(t, n + k)).join(", ")}` : "crd";
        const parents = new Set(n ? cursors[n] || [] : [0]);
        html += `<div class="name">${n + 1}. <b>${escaped(level_name(t, n))}</b> ${l.type}</div><div class="arrays" data-level="${n}">` +
            boxes("pos", "pos", l.positions, k => k % 2 === 1, cursors[n + 1] && l.positions.length ? parents : new Set()) +
            boxes("crd", label, numbers, own, at) +
            (l.positions.length || l.coordinates.length ? "" :
                `<span class="implied">${l.type === "singleton" ? `with the coordinates of ${escaped(level_name(t, head))}` : `every coordinate below ${l.size}, no arrays`}</span>`) + "</div>";
    });
    const at = new Set(cursors[s.levels.length] || []);
    html += `<div class="name">values</div><div class="arrays" data-level="values">${boxes("val", "val", s.numbers, last_shading(s), at) || `<span class="implied">${t.constant ? `all are ${escaped(t.constant)}` : "none"}</span>`}</div>`;
    levels.innerHTML = html;
}

/* Values are shaded like the innermost level with positions, or by rows of the innermost dense level. */
function last_shading(s) {
    const n = s.levels.findLastIndex(l => l.positions.length), below = s.levels.slice(n + 1).reduce((p, l) => l.type === "dense" ? p * l.size : p, 1);
    if (n < 0) {
        const row = s.levels.length > 1 ? s.levels[s.levels.length - 1].size : Infinity;
        return k => Math.floor(k / row) % 2 === 1;
    }
    const odd = shading(s.levels[n].positions, s.numbers.length);
    return k => below > 1 ? Math.floor(k / below) % 2 === 1 : odd(k);
}

/* Where an element is: its position in each level. Null if it is not stored, or in levels that only the kit can search. */
function positions_of(t, s, at) {
    const coordinate = l => {
        const part = /^(?:(floordiv|mod)\()?(\w)(?:, (\d+)\))?$/.exec(t.stores[l]), d = part && (/\d/.test(part[2]) ? part[2] - 1 : t.dimensions.findIndex(x => x.index === part[2]));
        if (!part || d < 0) return undefined;
        return part[1] === "floordiv" ? Math.floor(at[d] / part[3]) : part[1] === "mod" ? at[d] % part[3] : at[d];
    };
    const search = (l, parent, head) => {
        if (l === s.levels.length) return [];
        const level = s.levels[l], c = coordinate(l), first = level.coordinates.length ? l : head;
        const stride = level.coordinates.length ? 1 + interleaved(s, l) : 1 + interleaved(s, head);
        const from = {dense: parent * level.size + c, compressed: level.positions[parent], singleton: parent}[level.type];
        if (c === undefined || from === undefined) return null;
        const end = level.type === "compressed" ? level.positions[parent + 1] : from + 1;
        for (let p = from; p < end; p++) {
            if (level.type !== "dense" && s.levels[first].coordinates[stride * p + l - first] !== c) continue;
            const rest = search(l + 1, p, first);
            if (rest) return [p, ...rest];
        }
        return null;
    };
    return search(0, 0, 0);
}

/* How many levels below have their coordinates in the array of this one. */
function interleaved(s, n) {
    let count = 0;
    while (s.levels[n].coordinates.length && s.levels[n + 1 + count] && s.levels[n + 1 + count].type === "singleton" && !s.levels[n + 1 + count].coordinates.length) count++;
    return count;
}

/* Points out in the arrays of an input where the element under the mouse, or with the focus, is. */
function point_out(cell) {
    document.querySelectorAll(".cell.found").forEach(c => c.classList.remove("found"));
    const t = cell && plan.tensors.find(x => x.name === cell.closest(".card").dataset.tensor), s = t && t.storage;
    const path = s && positions_of(t, s, cell.dataset.at.split(".").map(Number));
    if (!path) return;
    const levels = body_of(t, "levels"), find = (level, label, n) => {
        const box = levels.querySelectorAll(`[data-level="${level}"] [data-array="${label}"] .cell`)[n];
        if (box) box.classList.add("found");
    };
    path.forEach((p, l) => {
        const head = s.levels[l].coordinates.length ? l : s.levels.findLastIndex((x, k) => k < l && x.coordinates.length);
        if (s.levels[l].positions.length) find(l, "pos", l ? path[l - 1] : 0);
        if (s.levels[l].type !== "dense" && head >= 0) find(head, "crd", (1 + interleaved(s, head)) * p + l - head);
    });
    find("values", "val", path[path.length - 1]);
}

/* One step */

/* The name of the variable that a loop counts: j_block for floordiv(j, 2). */
function variable_of(loop) {
    const word = /^(\w+)\(/.exec(loop.name);
    return loop.index + ({floordiv: "_block", mod: "_inner", count: "_count", minus: "_diagonal"}[word && word[1]] || "");
}

/* Which operands are at the coordinate that a loop is at: inA2 says it of level 2 of A, if others are merged with it. */
function present(step, loop, variables) {
    return loop.operands.filter(name => {
        const levels = step.operands.find(o => o.name === name).levels;
        return levels.every((level, l) => level !== loop.name || (variables[`in${name}${l + 1}`] ?? true));
    });
}

function lattice(step, variables) {
    return step.loops.map(loop => {
        const variable = variable_of(loop), value = variables[variable] ?? variables[loop.index], inside = value !== undefined;
        const on = inside ? present(step, loop, variables).join(", ") : null;
        const points = loop.every ? [loop.operands.length ? `every coordinate; ${loop.operands.join(", ")} looked up` : "every coordinate"] : loop.points.map(p => p.join(", "));
        return `<div class="lattice"><span class="index">${escaped(loop.name)}${inside ? ` = <b>${value}</b>` : ""}</span>` +
            points.map(p => `<span class="point${inside && (loop.every || p === on) ? " lit" : ""}">${escaped(p)}</span>`).join("") + "</div>";
    }).join("");
}

/* Where the loops are in the levels of an operand: pA2 is the position in level 2 of A. */
function cursors_of(names, levels, variables) {
    const cursors = {};
    for (const name of names)
        for (let l = 1; l <= levels; l++) {
            const p = variables[`p${name}${l}`];
            if (p !== undefined) (cursors[l] = cursors[l] || []).push(p);
        }
    return cursors;
}

function show_where(step, kernel) {
    $("variables").textContent = "";
    if (trace.failed && (!step || state.n === trace.steps.length - 1)) {
        const sizes = /sizes|subscript/.test(trace.failed) ? " The sizes stand above the tensors." : "";
        $("where").innerHTML = `<p class="now">${escaped(trace.failed)}.${sizes}</p>`.replace("..", ".");
        return;
    }
    if (!step) {
        $("where").innerHTML = `<p class="now"><span>There are no steps.</span></p>`;
        return;
    }
    if (step.end) {
        $("where").innerHTML = `<p class="now" id="done">Done. ${results_in_words(step)}</p>`;
        return;
    }
    const v = step.variables, names = [...new Set([...kernel.operands.map(o => o.name), kernel.output])];
    const values = names.filter(n => v[n] !== undefined).map(n => `<b>${escaped(n)} = ${number(v[n])}</b>`).join("");
    $("where").innerHTML = `<p class="now">${values || `<span>${escaped(kernel.text)}</span>`}</p>${lattice(kernel, v)}`;
    $("variables").textContent = Object.entries(v).map(([name, value]) => `${name} = ${number(value)}`).join("\n");
}

function results_in_words(step) {
    return plan.tensors.filter(t => t.role === "output" && step.results[t.name]).map(t => t.rank === 0
        ? `${escaped(t.name)} = ${number(step.results[t.name].value)}`
        : `${escaped(t.name)} has ${step.results[t.name].storage.entries} stored values.`).join(" ");
}

function show_tensors(step) {
    const kernel = step && step.kernel >= 0 ? plan.steps[step.kernel] : null;
    for (const t of plan.tensors) {
        const names = kernel && !step.end ? kernel.operands.filter(o => o.tensor === t.name).map(o => o.name) : [];
        if (kernel && kernel.output === t.name && !names.includes(t.name)) names.push(t.name);
        const cursors = step && !step.end && names.length ? cursors_of(names, t.stores.length, step.variables) : {};
        const here = step && !step.end && names.length ? t.dimensions.map(d => step.variables[d.index]) : null;
        const result = step && step.results[t.name], sizes = result && result.storage && dims_of(t);
        if (t.rank === 0) {
            if (result) body_of(t, "grids").innerHTML = `<table class="grid fixed"><tr><td class="stored">${number(result.value)}</td></tr></table>`;
            continue;
        }
        if (result) {
            show_grid(t, result.entries, false, sizes, here);
            show_levels(t, result.storage, cursors);
        } else if (t.role === "input" || t.updated) {
            if (t.storage) show_levels(t, t.storage, cursors);
            mark(t, here);
        }
    }
}

/* The sizes of a result: those of its levels that store whole dimensions, or of the indices. */
function dims_of(t) {
    const end = trace.steps[trace.steps.length - 1], entries = end && end.results[t.name] ? end.results[t.name].entries : [];
    return t.dimensions.map((d, n) => {
        const other = plan.tensors.find(x => x.role === "input" && x.dimensions.some(y => y.index === d.index && d.index !== "?"));
        if (other) return size_of(other, other.dimensions.findIndex(y => y.index === d.index));
        return Math.max(1, ...entries.map(e => e.at[n] + 1));
    });
}

/* Marks the element of an input that the loops are at, without making its table anew. */
function mark(t, here) {
    const grids = body_of(t, "grids");
    if (!grids) return;
    for (const cell of grids.querySelectorAll("td")) {
        const at = (cell.dataset.at || "").split(".").map(Number);
        cell.classList.toggle("here", !!here && at.length === t.rank && at.every((n, d) => here[d] === n));
    }
    for (const grid of grids.querySelectorAll("table")) {
        const outer = grid.dataset.outer ? grid.dataset.outer.split(".").map(Number) : [], inside = here && outer.every((o, k) => here[k] === o);
        grid.querySelectorAll("th[scope=col]").forEach((th, n) => th.classList.toggle("here", !!inside && here[t.rank - 1] === n));
        if (t.rank > 1) grid.querySelectorAll("tr:not(:first-child) th").forEach((th, n) => th.classList.toggle("here", !!inside && here[t.rank - 2] === n));
    }
}

function show_step() {
    const count = trace.steps.length;
    state.n = Math.min(Math.max(state.n, 0), Math.max(count - 1, 0));
    const step = trace.steps[state.n], kernel = step && plan.steps[step.kernel];
    $("slider").max = Math.max(count - 1, 0);
    $("slider").value = state.n;
    $("count").textContent = `step ${count ? state.n + 1 : 0} of ${count}`;
    for (const id of ["first", "back"]) $(id).disabled = state.n === 0;
    for (const id of ["on", "next", "last"]) $(id).disabled = state.n >= count - 1;
    const list = $("loops"), old = list.querySelector(".here"), line = step && step.line ? list.children[step.line - 1] : null;
    if (old) old.classList.remove("here"), old.removeAttribute("aria-current");
    if (line) {
        line.classList.add("here");
        line.setAttribute("aria-current", "step");
        const top = line.offsetTop, low = list.scrollTop + 40, high = list.scrollTop + list.clientHeight - 60;
        if (top < low || top > high) list.scrollTop = Math.max(0, top - list.clientHeight / 3);
    }
    show_where(step, kernel);
    show_tensors(step);
}

function go(n) {
    state.n = n;
    show_step();
    write_link();
}

function next_statement() {
    for (let n = state.n + 1; n < trace.steps.length; n++)
        if (trace.steps[n].statement || n === trace.steps.length - 1) return n;
    return trace.steps.length - 1;
}

let timer = null;
function play() {
    if (timer) {
        clearInterval(timer);
        timer = null;
    } else {
        if (state.n >= trace.steps.length - 1) go(0);
        timer = setInterval(() => {
            if (state.n >= trace.steps.length - 1) return play();
            go(state.n + 1);
        }, 350);
    }
    $("play").textContent = timer ? "Pause" : "Play";
}

/* Runs the loops; if no input tells the size of an index of the result, with the size that the page has for it. */
function run_sized(m) {
    const first = run(m, plan, made.loops);
    if (!first.failed.includes("resize the output first")) return first;
    plan.sized = true;
    for (const t of plan.tensors.filter(x => x.role === "output" && x.rank)) {
        const dim = m._playground_memory(4 * 8);
        t.dimensions.forEach((_, d) => { m.HEAPU32[dim / 4 + d] = size_of(t, d); });
        t.wrong = m.text(m._playground_resize(t.at, dim));
    }
    show_cards();
    return run(m, plan, made.loops);
}

/* From the state to the page */

let turn = 0;

async function renew() {
    const own = ++turn;
    if (timer) play();
    write_link();
    show_inputs();
    document.body.dataset.state = "working";
    const m = await start();
    if (own !== turn) return;
    try {
        const kernel = generate(m);
        plan = JSON.parse(m.text(guarded(m, () => m._playground_plan())));
        made = {kernel, command: ["./sparse_gen.c", ...statement().map(quoted), ...options().map(quoted)].join(" "),
                reasons: m.text(guarded(m, () => m._playground_explanation())), graph: m.text(guarded(m, () => m._playground_drawing())), loops: ""};
        guarded(m, () => place_tensors(m, plan));
        show_error("");
        show_note(m.notes);
    } catch (error) {
        show_error(error.message);
        document.body.dataset.state = "refused";
        return;
    }
    show_cards();
    show_made();
    try {
        made.loops = m.text(guarded(m, () => m._playground_loops()));
        trace = plan.tensors.some(t => t.wrong) ? {steps: [], failed: "A tensor cannot be stored in its format, so the loops do not run."}
                                                : guarded(m, () => run_sized(m));
    } catch (error) {
        trace = {steps: [], failed: `This page cannot step through these loops: ${error.message}`};
    }
    show_loops();
    show_step();
    document.body.dataset.state = "ready";
}

/* Lines of a text, each of which is indented further where the window breaks it. */
function lines_of(text, html) {
    return text.trimEnd().split("\n").map(line => `<span class="line" style="--by:${line.search(/\S|$/) + 4}ch">${html(line)}</span>`).join("");
}

function show_made() {
    $("kernel").innerHTML = lines_of(made.kernel, colored);
    $("command").innerHTML = lines_of(made.command, escaped);
    $("reasons").innerHTML = lines_of(made.reasons, escaped);
    show_graph();
}

/* A picture with colours of its own for dark windows follows the theme of the page; another one is turned over. */
function show_graph() {
    const dark = document.documentElement.dataset.theme === "dark", own = made.graph.includes("prefers-color-scheme");
    $("graph").innerHTML = made.graph.replace(/@media *\(prefers-color-scheme: *dark\)/, dark ? "@media all" : "@media not all");
    for (const svg of $("graph").querySelectorAll("svg")) svg.style.setProperty("--width", `${svg.getAttribute("width")}px`);
    $("graph").classList.toggle("turned", dark && !own);
}

function show_loops() {
    $("loops").innerHTML = made.loops.trimEnd().split("\n").map(line => `<li>${colored(line) || " "}</li>`).join("");
}

function show_inputs() {
    if (document.activeElement !== $("statement")) $("statement").value = state.e;
    if (document.activeElement !== $("options")) $("options").value = state.o;
    const at = examples.findIndex(x => x.e === state.e && (x.o || "") === state.o && pack_map(x.f) === pack_map(state.f));
    $("preset").value = at < 0 ? "" : String(at);
    for (const tab of tabs) {
        $(`tab-${tab}`).setAttribute("aria-selected", tab === state.t);
        $(`tab-${tab}`).tabIndex = tab === state.t ? 0 : -1;
        $(`view-${tab}`).hidden = tab !== state.t;
    }
    $("panel").setAttribute("aria-labelledby", `tab-${state.t}`);
}

/* Formats of tensors that the statement no longer has would be refused. */
function drop_formats() {
    const names = new Set(state.e.match(/[A-Za-z_]\w*/g));
    for (const name of Object.keys(state.f)) if (!names.has(name)) delete state.f[name];
}

let delayed = null;
function soon() {
    clearTimeout(delayed);
    document.body.dataset.state = "working";
    delayed = setTimeout(renew, 150);
}

function edit(name, at, value) {
    state.m[name] = {...state.m[name], [at]: value};
    renew();
}

/* A click or Space: stores an element, or removes it. */
function toggle(cell) {
    const t = plan.tensors.find(x => x.name === cell.closest(".card").dataset.tensor), at = cell.dataset.at;
    const stored = t.entries.some(e => e.at.join(".") === at && e.value);
    edit(t.name, at, stored ? 0 : 1 + Math.floor(9 * chance(`${state.s} ${t.name} ${at.split(".")}`)));
}

function move(cell, key) {
    const step = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[key];
    const name = cell.closest(".card").dataset.tensor, at = cell.dataset.at.split(".").map(Number), last = at.length - 1;
    at[last] += step[1];
    if (last > 0) at[last - 1] += step[0];
    const next = document.querySelector(`[data-key="${CSS.escape(`${name} ${at.join(".")}`)}"]`);
    if (next) next.focus();
}

let typed = {key: null, text: ""};
function digit(cell, key) {
    const own = cell.dataset.key, t = cell.closest(".card").dataset.tensor;
    typed = typed.key === own && typed.text.length < 4 ? {key: own, text: typed.text + key} : {key: own, text: key};
    const value = Number(typed.text);
    if (Number.isFinite(value)) edit(t, cell.dataset.at, value);
}

function on_cell_key(event) {
    const cell = event.target.closest("td[data-at]");
    if (!cell || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.startsWith("Arrow")) move(cell, event.key);
    else if (event.key === " " || event.key === "Enter") toggle(cell);
    else if (event.key === "Delete" || event.key === "Backspace") edit(cell.closest(".card").dataset.tensor, cell.dataset.at, 0);
    else if (/^[\d.-]$/.test(event.key)) digit(cell, event.key);
    else return;
    event.preventDefault();
    event.stopPropagation();
}

const step_keys = {ArrowLeft: () => go(state.n - 1), ArrowRight: () => go(state.n + 1), Home: () => go(0), End: () => go(trace.steps.length - 1),
                   n: () => go(next_statement()), N: () => go(next_statement()), p: play, P: play};

function on_step_key(event) {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || state.t !== "steps" || !step_keys[event.key]) return;
    if (target.closest("input, select, textarea, [role=tab], .grid")) return;
    event.preventDefault();
    step_keys[event.key]();
}

async function copy(text, button) {
    try {
        await navigator.clipboard.writeText(text);
    } catch (error) { /* pages from files may not */
        const area = document.createElement("textarea");
        area.value = text;
        document.body.append(area);
        area.select();
        document.execCommand("copy");
        area.remove();
    }
    const name = button.dataset.name ||= button.textContent;
    button.textContent = "Copied";
    $("status").textContent = "Copied";
    setTimeout(() => { button.textContent = name; }, 1200);
    button.focus();
}

function set_theme(theme) {
    document.documentElement.dataset.theme = theme;
    $("theme").textContent = theme === "dark" ? "Light" : "Dark";
    show_graph();
}

function choose_tab(tab, focus) {
    state.t = tab;
    show_inputs();
    write_link();
    if (tab === "steps") show_step();
    if (focus) $(`tab-${tab}`).focus();
}

function listen() {
    $("statement").addEventListener("input", () => { state.e = $("statement").value; state.n = 0; drop_formats(); soon(); });
    $("options").addEventListener("input", () => { state.o = $("options").value; state.n = 0; soon(); });
    $("preset").addEventListener("change", () => {
        if ($("preset").value === "") return;
        state = {...fresh(examples[Number($("preset").value)]), t: state.t};
        renew();
    });
    $("renew").addEventListener("click", () => { state.s++; state.m = {}; state.n = 0; renew(); });
    $("sizes").addEventListener("change", event => {
        const value = Math.min(Math.max(Number(event.target.value) || 1, 1), 32);
        state.d[event.target.dataset.size] = value;
        state.n = 0;
        renew();
    });
    $("cards").addEventListener("change", event => {
        const {format, words: named, scalar} = event.target.dataset;
        if (format) state.f[format] = event.target.value === "?" ? (plan.tensors.find(t => t.name === format).levels) : event.target.value;
        else if (named) state.f[named] = event.target.value;
        else if (scalar) return edit(scalar, "", Number(event.target.value) || 0);
        else return undefined;
        if (state.f[format || named] === "dense") delete state.f[format || named];
        state.n = 0;
        return renew();
    });
    $("cards").addEventListener("click", event => {
        const cell = event.target.closest("td[data-at]");
        if (cell) cell.focus(), toggle(cell);
    });
    $("cards").addEventListener("keydown", on_cell_key);
    for (const name of ["mouseover", "focusin"]) $("cards").addEventListener(name, event => point_out(event.target.closest("td[data-at]")));
    $("cards").addEventListener("mouseleave", () => point_out(null));
    $("cards").addEventListener("focusout", () => point_out(null));
    document.addEventListener("keydown", on_step_key);
    $("first").addEventListener("click", () => go(0));
    $("back").addEventListener("click", () => go(state.n - 1));
    $("on").addEventListener("click", () => go(state.n + 1));
    $("next").addEventListener("click", () => go(next_statement()));
    $("last").addEventListener("click", () => go(trace.steps.length - 1));
    $("play").addEventListener("click", play);
    $("slider").addEventListener("input", () => go(Number($("slider").value)));
    for (const tab of tabs) $(`tab-${tab}`).addEventListener("click", () => choose_tab(tab, false));
    document.querySelector(".tabs").addEventListener("keydown", event => {
        const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
        if (by) choose_tab(tabs[(tabs.indexOf(state.t) + by + tabs.length) % tabs.length], true);
    });
    for (const button of document.querySelectorAll(".copy")) button.addEventListener("click", () => copy(made[button.dataset.copy], button));
    $("share").addEventListener("click", event => copy(location.href, event.target));
    $("theme").addEventListener("click", () => set_theme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    window.addEventListener("hashchange", () => {
        if (location.hash === written) return;
        state = read_link();
        renew();
    });
}

function begin() {
    if (typeof sparse_module === "undefined" || typeof sparse_wasm === "undefined") {
        show_error("The generator is missing. Run `make playground`, and open build/playground/index.html.");
        return;
    }
    set_theme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    $("preset").innerHTML = '<option value="">(your own)</option>' + examples.map((x, n) => `<option value="${n}">${escaped(x.name)}</option>`).join("");
    state = read_link();
    listen();
    renew();
    window.playground = {examples, formats, get state() { return state; }, get trace() { return trace; }, get plan() { return plan; }, get made() { return made; }, go}; /* for the tests */
}

begin();
})();
