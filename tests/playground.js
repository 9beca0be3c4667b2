/* playground.js: tests the page of docs/playground in headless Chromium, for tests/playground.sh.

   node playground.js PAGE GENERATOR [PICTURES]: PAGE is index.html. GENERATOR is the program sparse_gen, which computes each
   example of the page from files with the page's entries; the results must agree. Screenshots go to the directory PICTURES, if
   it is given. Chromium is controlled through the developer tools protocol over a pipe, which needs no package. */
"use strict";
const {spawn, execFileSync} = require("child_process"), fs = require("fs"), os = require("os"), path = require("path");

class Browser {
    constructor(command) {
        this.home = fs.mkdtempSync(path.join(os.tmpdir(), "playground-"));
        this.process = spawn(command, ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
            "--remote-debugging-pipe", `--user-data-dir=${this.home}`, "about:blank"], {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
        this.waiting = new Map();
        this.errors = [];
        this.requests = []; /* addresses, after Network.enable */
        this.number = 0;
        let rest = "";
        this.process.stdio[4].on("data", data => {
            rest += data;
            for (let end; (end = rest.indexOf("\0")) >= 0; rest = rest.slice(end + 1)) this.take(JSON.parse(rest.slice(0, end)));
        });
    }

    take(message) {
        if (message.method === "Runtime.exceptionThrown") this.errors.push(message.params.exceptionDetails.exception?.description || message.params.exceptionDetails.text);
        if (message.method === "Network.requestWillBeSent") this.requests.push(message.params.request.url);
        const waiting = this.waiting.get(message.id);
        if (!waiting) return;
        this.waiting.delete(message.id);
        if (message.error) waiting.no(new Error(message.error.message));
        else waiting.yes(message.result);
    }

    send(method, params = {}) {
        const id = ++this.number;
        this.process.stdio[3].write(`${JSON.stringify({id, method, params, sessionId: this.session})}\0`);
        return new Promise((yes, no) => this.waiting.set(id, {yes, no}));
    }

    async open() {
        const {targetInfos} = await this.send("Target.getTargets");
        const {sessionId} = await this.send("Target.attachToTarget", {targetId: targetInfos.find(t => t.type === "page").targetId, flatten: true});
        this.session = sessionId;
        await this.send("Runtime.enable");
        await this.send("Page.enable");
    }

    async evaluate(code) {
        const {result, exceptionDetails} = await this.send("Runtime.evaluate", {expression: `(async () => { ${code} })()`, awaitPromise: true, returnByValue: true});
        if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
        return result.value;
    }

    /* Waits until the page has computed everything: "ready" or "refused". */
    settled() {
        return this.evaluate(`for (let n = 0; n < 2400; n++) {
            await new Promise(done => setTimeout(done, n < 4 ? 45 : 25));
            if (["ready", "refused"].includes(document.body.dataset.state)) return document.body.dataset.state;
        }
        return "late";`);
    }

    async go(url) {
        await this.send("Page.navigate", {url: "about:blank"});
        await this.send("Page.navigate", {url});
        await this.evaluate(`for (let n = 0; n < 400 && !document.body?.dataset.state; n++) await new Promise(done => setTimeout(done, 25));`);
        return this.settled();
    }

    async key(key, code = key, text = key.length === 1 ? key : key === "Enter" ? "\r" : undefined) {
        const number = {ArrowRight: 39, ArrowLeft: 37, ArrowUp: 38, ArrowDown: 40, Home: 36, End: 35, " ": 32, Tab: 9, Delete: 46, Enter: 13}[key];
        await this.send("Input.dispatchKeyEvent", {type: "keyDown", key, code, text, windowsVirtualKeyCode: number});
        await this.send("Input.dispatchKeyEvent", {type: "keyUp", key, code, windowsVirtualKeyCode: number});
    }

    /* Clicks in the middle of an element with the mouse. */
    async click(selector) {
        const [x, y] = await this.evaluate(`const e = document.querySelector(${JSON.stringify(selector)}); e.scrollIntoView({block: "center"});
            const {left, top, width, height} = e.getBoundingClientRect(); return [left + width / 2, top + height / 2];`);
        for (const type of ["mousePressed", "mouseReleased"]) await this.send("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1});
    }

    width(width, height = 900) { return this.send("Emulation.setDeviceMetricsOverride", {width, height, deviceScaleFactor: 1, mobile: false}); }
    theme(value) { return this.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value}]}); }

    async picture(file, whole = true) {
        const {data} = await this.send("Page.captureScreenshot", {format: "png", captureBeyondViewport: whole});
        fs.writeFileSync(file, Buffer.from(data, "base64"));
    }

    async close() {
        const gone = new Promise(done => this.process.on("exit", done));
        this.session = undefined;
        this.send("Browser.close").catch(() => {});
        await gone;
        fs.rmSync(this.home, {recursive: true, force: true});
    }
}

let passed = 0, failed = 0;
function check(name, holds, found) {
    if (holds) passed++;
    else failed++, console.log(`playground: ${name}: ${found === undefined ? "no" : JSON.stringify(found)}`);
}

/* Reads from the page: the example, its inputs, its output, and the result at the last step as sorted lines "1 2 3.5". */
const situation = `const step = playground.trace.steps.at(-1), t = playground.plan.tensors.filter(x => x.role === "output" || x.updated).at(-1), r = step.results[t.name];
    const rank = t.rank, inputs = playground.plan.tensors.filter(x => x.role === "input" || x.updated);
    return {e: playground.state.e, f: playground.state.f, o: playground.state.o, output: t.name, rank,
        inputs: inputs.map(x => ({name: x.name, rank: x.rank, entries: x.entries, indices: x.dimensions.map(d => d.index), sizes: x.sizes})),
        found: rank === 0 ? [String(r.value)] : r.entries.filter(e => e.value !== 0).map(e => [...e.at.map(n => n + 1), e.value].join(" ")).sort()};`;

/* Writes a tensor to a file: a matrix with its sizes; another tensor as coordinates, of which the last one gives the sizes. */
function write_tensor(directory, t) {
    const end = t.sizes.map(n => n - 1);
    if (t.rank !== 2 && !t.entries.some(e => e.at.join() === end.join())) t.entries.push({at: end, value: 0});
    const lines = t.entries.map(e => [...e.at.map(n => n + 1), e.value].join(" ")), file = path.join(directory, `${t.name}.${t.rank === 2 ? "mtx" : "tns"}`);
    if (t.rank === 2) lines.unshift("%%MatrixMarket matrix coordinate real general", `${t.sizes.join(" ")} ${lines.length}`);
    fs.writeFileSync(file, `${lines.join("\n")}\n`);
    return file;
}

/* The arguments of the generator for the example that the page shows. */
function command(at) {
    return [at.e, ...Object.entries(at.f).flatMap(([name, format]) => ["-f", `${name}=${format}`]), ...at.o.split(" ").filter(Boolean)];
}

/* The generator's result for the example that the page shows, as sorted lines. */
function computed(generator, at) {
    const directory = fs.mkdtempSync(path.join(os.tmpdir(), "playground-")), list = command(at);
    for (const t of at.inputs) {
        list.push("-i", `${t.name}=${write_tensor(directory, t)}`);
        t.indices.forEach((index, d) => { if (at.e.match(/\w+/g).includes(index)) list.push("-d", `${index}=${t.sizes[d]}`); });
    }
    const out = path.join(directory, "out.tns");
    if (at.rank) list.push("-o", `${at.output}=${out}`);
    const printed = execFileSync(generator, [...list, "--run"], {encoding: "utf8"});
    const lines = at.rank ? fs.readFileSync(out, "utf8").trim().split("\n").filter(l => l && Number(l.split(" ").at(-1)) !== 0) : [printed.trim().split(" = ")[1]];
    fs.rmSync(directory, {recursive: true, force: true});
    return lines.sort();
}

/* The loops and the result on the page equal those of the generator. */
async function compare(b, name, generator) {
    const at = await b.evaluate(situation), wanted = computed(generator, at);
    const plain = text => text.replaceAll(/\/\*.*?\*\/|\s/g, ""); /* where lines break, comments differ */
    check(`${name}: the loops are those of --expand`, plain(await b.evaluate("return playground.made.loops")) === plain(execFileSync(generator, [...command(at), "--expand"], {encoding: "utf8"})));
    check(`${name}: the result is that of the generator`, same_numbers(at.found, wanted), [at.found, wanted]);
}

/* If DAY is set, every other slow test runs: those whose n is even if TURN is 0, odd if it is 1. */
const has_turn = n => !process.env.DAY || n % 2 === Number(process.env.TURN);

async function examples(b, url, generator) {
    await b.go(url);
    const count = await b.evaluate("return playground.examples.length");
    check("there are examples", count > 20, count);
    for (let n = 0; n < count; n++) {
        await b.evaluate(`const p = document.getElementById("preset"); p.value = "${n}"; p.dispatchEvent(new Event("change"));`);
        const state = await b.settled(), name = await b.evaluate(`return playground.examples[${n}].name`);
        const failure = await b.evaluate(`return playground.trace.failed || document.querySelector("#error:not([hidden])")?.textContent || ""`);
        check(`${name}: runs`, state === "ready" && !failure, failure || state);
        if (failure) continue;
        await b.evaluate("document.getElementById('last').click()");
        check(`${name}: says that it is done`, await b.evaluate("return !!document.getElementById('done')"));
        if (has_turn(n)) await compare(b, name, generator);
        check(`${name}: no variable is undefined`, await b.evaluate("return playground.trace.steps.every(s => Object.values(s.variables).every(v => v !== undefined))"));
        await b.evaluate("playground.go(Math.floor(playground.trace.steps.length / 2))");
        check(`${name}: a line is marked`, await b.evaluate("return document.querySelectorAll('#loops .here').length") === 1);
        for (const tab of ["kernel", "graph", "reasons"]) {
            await b.evaluate(`document.getElementById("tab-${tab}").click()`);
            const text = await b.evaluate(`return document.getElementById("${tab}").textContent`);
            check(`${name}: ${tab}`, text.length > 20 && !text.includes("undefined"), text);
        }
        await b.evaluate(`document.getElementById("tab-steps").click()`);
    }
}

const near = (a, b) => a === b || (a === "Infinity" && b === "inf") || Math.abs(Number(a) - Number(b)) <= 1e-9 * Math.abs(Number(a));
function same_numbers(found, wanted) {
    if (found.length !== wanted.length) return false;
    return found.every((line, n) => line.split(" ").every((word, k) => near(word, wanted[n].split(" ")[k])));
}

async function every_format(b, url) {
    await b.go(url);
    for (const format of await b.evaluate("return playground.formats[2]")) {
        await b.evaluate(`const f = document.querySelector("[data-format=A]"); f.value = "${format}"; f.dispatchEvent(new Event("change", {bubbles: true}));`);
        const state = await b.settled();
        check(`format ${format}`, state === "ready" && !(await b.evaluate("return playground.trace.failed")), await b.evaluate("return [playground.trace.failed, document.getElementById('error').textContent]"));
        check(`format ${format}: its arrays hold the matrix`, await b.evaluate(`const t = playground.plan.tensors.find(x => x.name === "A");
            const sum = list => list.reduce((a, x) => a + x, 0);
            return sum(t.storage.numbers) === sum(t.entries.map(e => e.value)) && document.querySelectorAll(".card[data-tensor=A] [data-array=val] .cell").length === t.storage.numbers.length;`));
        await b.evaluate("document.getElementById('last').click()");
        check(`format ${format}: y = A x`, await b.evaluate(`const p = playground.plan, of = name => p.tensors.find(x => x.name === name), y = new Array(4).fill(0);
            const x = new Map(of("x").entries.map(e => [e.at[0], e.value]));
            for (const e of of("A").entries) y[e.at[0]] += e.value * (x.get(e.at[1]) || 0);
            const r = playground.trace.steps.at(-1).results.y.entries;
            return y.every((v, n) => (r.find(e => e.at[0] === n) || {value: 0}).value === v);`));
    }
}

async function typing(b, url) {
    await b.go(url);
    const shown = `return ["kernel", "loops", "graph", "reasons"].map(id => document.getElementById(id).textContent)`;
    const before = await b.evaluate(shown);
    await b.evaluate("const s = document.getElementById('statement'); s.focus(); s.select();");
    await b.send("Input.insertText", {text: "z(i) = A(i,j) * A(i,j)"});
    await b.evaluate("await new Promise(done => setTimeout(done, 250))");
    await b.settled();
    const after = await b.evaluate(shown);
    ["kernel line", "loops", "iteration graph", "explanation"].forEach((name, n) => check(`typing: another ${name}`, before[n] !== after[n] && after[n].includes("z"), after[n]));
    check("typing: another kernel", await b.settled() === "ready" && (await b.evaluate("return playground.made.kernel")).includes("z += A * A"), await b.evaluate("return playground.made.kernel"));
    check("typing: the statement is in the link", (await b.evaluate("return new URLSearchParams(location.hash.slice(1)).get('e')")) === "z(i) = A(i,j) * A(i,j)");
    await b.evaluate("const s = document.getElementById('statement'); s.focus(); s.select();");
    await b.send("Input.insertText", {text: "y(i) = x(i) / A(i"});
    await b.evaluate("await new Promise(done => setTimeout(done, 250))");
    check("an error is refused", await b.settled() === "refused");
    const error = await b.evaluate("return document.getElementById('error').textContent");
    check("an error has its text and a caret", /\n {4}y\(i\) = x\(i\) \/ A\(i\n {4} *\^/.test(error), error);
    check("an error is an alert", await b.evaluate("return document.getElementById('error').getAttribute('role') === 'alert' && !document.getElementById('error').hidden"));
    await b.evaluate("const o = document.getElementById('options'); document.getElementById('preset').value = '0'; document.getElementById('preset').dispatchEvent(new Event('change'));");
    await b.settled();
    await b.evaluate("const o = document.getElementById('options'); o.focus();");
    await b.send("Input.insertText", {text: "--run"});
    await b.evaluate("await new Promise(done => setTimeout(done, 250))");
    check("an option of the command line is refused", await b.settled() === "refused" && (await b.evaluate("return document.getElementById('error').textContent")).includes("--run"));
}

async function keyboard(b, url) {
    await b.go(url);
    await b.evaluate("document.querySelector('.card[data-tensor=A] td').focus()");
    const stored = "return playground.plan.tensors.find(x => x.name === 'A').entries.find(e => e.at.join() === '1,1')?.value ?? null";
    await b.key("ArrowRight");
    await b.key("ArrowDown");
    check("arrows move in a matrix", await b.evaluate("return document.activeElement.dataset.key") === "A 1.1", await b.evaluate("return document.activeElement.dataset.key"));
    await b.key("7");
    await b.settled();
    check("a digit sets an element", await b.evaluate(stored) === 7, await b.evaluate(stored));
    check("the focus stays", await b.evaluate("return document.activeElement.dataset.key") === "A 1.1");
    await b.key("Delete");
    await b.settled();
    check("Delete removes it", await b.evaluate(stored) === null);
    await b.key(" ", "Space");
    await b.settled();
    check("Space stores it", await b.evaluate(stored) > 0);
    const entries = await b.evaluate("return [location.href, JSON.stringify(playground.plan.tensors.map(t => t.entries))]");
    await b.go(entries[0]);
    check("the link holds the entries", await b.evaluate("return JSON.stringify(playground.plan.tensors.map(t => t.entries))") === entries[1]);
    await b.evaluate("document.activeElement.blur()");
    await b.key("End");
    check("End goes to the last step", await b.evaluate("return playground.state.n === playground.trace.steps.length - 1"));
    await b.key("ArrowLeft");
    check("Left goes back", await b.evaluate("return playground.state.n === playground.trace.steps.length - 2"));
    await b.key("Home");
    await b.key("n", "KeyN");
    check("N goes to the statement", await b.evaluate("return playground.trace.steps[playground.state.n].statement"));
    check("the operands have cursors", await b.evaluate("return document.querySelectorAll('.cell.cursor').length") >= 4, await b.evaluate("return document.querySelectorAll('.cell.cursor').length"));
    check("points are lit", await b.evaluate("return document.querySelectorAll('.point.lit').length") === 2);
}

const stored_at = at => `return playground.plan.tensors.find(x => x.name === "A").entries.find(e => e.at.join() === "${at}")?.value ?? null`;

async function clicking(b, url) {
    await b.go(url);
    for (const wanted of [await b.evaluate(stored_at("1,1")) === null, await b.evaluate(stored_at("1,1")) !== null]) {
        await b.click(".card[data-tensor=A] td[data-at='1.1']");
        await b.settled();
        check(`a click ${wanted ? "stores" : "removes"} an element`, (await b.evaluate(stored_at("1,1")) !== null) === wanted);
    }
    for (const format of ["csr", "csc", "coo"]) { /* the arrays follow */
        await b.go(`${url}#${new URLSearchParams({e: "y(i) = A(i,j) * x(j)", f: `A:${format}`})}`);
        const boxes = "return document.querySelectorAll('.card[data-tensor=A] [data-array=val] .cell').length", before = await b.evaluate(boxes);
        const stored = await b.evaluate(stored_at("2,3")) !== null;
        await b.click(".card[data-tensor=A] td[data-at='2.3']");
        await b.settled();
        check(`${format}: a click changes the arrays`, await b.evaluate(boxes) === before + (stored ? -1 : 1));
    }
}

/* Each copy button copies the text below it, and shows its own label again soon after. */
async function copying(b, url) {
    await b.go(url);
    await b.evaluate("Object.defineProperty(navigator, 'clipboard', {value: {writeText: async text => { window.copied = text; }}})");
    const names = await b.evaluate("return [...document.querySelectorAll('.copy')].map(x => x.dataset.copy)");
    check("what can be copied", names.join(" ") === "loops kernel command graph reasons", names);
    for (const name of names) {
        await b.evaluate(`document.getElementById("tab-${{loops: "steps", command: "kernel"}[name] || name}").click()`);
        await b.click(`[data-copy=${name}]`);
        await b.click(`[data-copy=${name}]`);
        check(`copy: ${name}`, await b.evaluate(`return window.copied.length > 20 && window.copied === playground.made.${name}`), await b.evaluate("return window.copied"));
    }
    await b.click("#share");
    check("copy: the link", await b.evaluate("return window.copied === location.href && location.hash.includes('t=reasons')"), await b.evaluate("return window.copied"));
    await b.evaluate("await new Promise(done => setTimeout(done, 1500))");
    check("copy buttons have their names again", (await b.evaluate("return [...document.querySelectorAll('.copy, #share')].map(x => x.textContent).join()")) === "Copy,Copy,Copy,Copy SVG,Copy,Copy the link");
}

/* Without a mouse: Tab reaches every visible control, and keys operate them. */
async function keyboard_only(b, url) {
    await b.go(url);
    const visible = `return [...document.querySelectorAll("button, select, input, td[tabindex='0'], a[href], summary, [tabindex='0']")]
        .filter(e => e.tabIndex >= 0 && !e.disabled && e.getClientRects().length).map(e => e.id || e.dataset.key || e.dataset.format || e.dataset.copy || e.dataset.size || e.textContent)`;
    const wanted = await b.evaluate(visible), reached = new Set();
    for (let n = 0; n < wanted.length + 4; n++) {
        await b.key("Tab");
        reached.add(await b.evaluate("const e = document.activeElement; return e.id || e.dataset.key || e.dataset.format || e.dataset.copy || e.dataset.size || e.textContent"));
    }
    const missed = wanted.filter(name => !reached.has(name));
    check("Tab reaches every control", wanted.length > 20 && missed.length === 0, missed);
    const focus = id => b.evaluate(`document.getElementById("${id}").focus()`);
    await focus("theme");
    const theme = await b.evaluate("return document.documentElement.dataset.theme");
    await b.key("Enter");
    check("Enter switches the theme", await b.evaluate("return document.documentElement.dataset.theme") !== theme);
    await b.key("Enter");
    await focus("tab-steps");
    await b.key("ArrowRight");
    check("Right goes to the next tab", await b.evaluate("return !document.getElementById('view-kernel').hidden && document.activeElement.id === 'tab-kernel'"));
    await focus("preset");
    await b.key("ArrowDown");
    await b.settled();
    check("Down chooses the next example", await b.evaluate("return playground.state.f.A") === "csc", await b.evaluate("return playground.state"));
}

/* The page loads only its own files, and works without a network. */
async function offline(b, url) {
    await b.send("Network.enable");
    await b.send("Network.emulateNetworkConditions", {offline: true, latency: 0, downloadThroughput: 0, uploadThroughput: 0});
    b.requests = [];
    check("offline: runs", await b.go(url) === "ready");
    const others = b.requests.filter(address => !/^(file|data|blob|about):/.test(address));
    check("offline: no address of the network", b.requests.length >= 5 && others.length === 0, others);
    await b.send("Network.disable");
    const said = await b.evaluate("return document.getElementById('view-steps').textContent.replace(/\\s+/g, ' ')");
    check("the page says which preprocessor made the loops", said.includes("A preprocessor of this page's own expands the headers") && said.includes("compare its loops with those of gcc"), said);
}

/* A link restores statement, formats, options, sizes, tab and step. */
async function links(b, url) {
    await b.go(`${url}#${new URLSearchParams({e: "C(i,j) = A(i,j) + B(i,j)", f: "A:dcsr;B:coo;C:csr", o: "--name add", d: "i:3;j:5", s: "4", t: "kernel", n: "17"})}`);
    const state = "return JSON.stringify([playground.state, playground.plan.tensors.map(t => [t.entries, t.sizes])])";
    const [kept, address] = [await b.evaluate(state), await b.evaluate("return location.href")];
    check("the link is read", JSON.stringify(JSON.parse(kept)[0]) === JSON.stringify({e: "C(i,j) = A(i,j) + B(i,j)", f: {A: "dcsr", B: "coo", C: "csr"}, o: "--name add", d: {i: 3, j: 5}, s: 4, m: {}, t: "kernel", n: 17}), kept);
    await b.evaluate("document.getElementById('tab-steps').click(); document.getElementById('on').click()");
    const moved = await b.evaluate("return location.href");
    await b.go(moved);
    check("the link has the step", moved !== address && await b.evaluate("return playground.state.n") === 18, moved);
    await b.go(address);
    check("the link restores everything", await b.evaluate(state) === kept);
}

/* When the statement runs, the cursor in the values of A is at the element of A. It moves. */
async function cursors(b, url) {
    for (const format of ["csr", "csc", "dcsr", "coo", "bsr2x2", "ell4", "bitrows", "bitmaskrows", "csr_delta4", "packed2of4"]) {
        await b.go(`${url}#${new URLSearchParams({e: "y(i) = A(i,j) * x(j)", f: `A:${format}`})}`);
        const [wrong, places] = await b.evaluate(`const wrong = [], places = new Set(), A = playground.plan.tensors.find(t => t.name === "A");
            playground.trace.steps.forEach((s, n) => {
                if (!s.statement) return;
                playground.go(n);
                const lit = [...document.querySelectorAll(".card[data-tensor=A] [data-array=val] .cell.cursor")].map(c => c.querySelector("b").textContent);
                const at = [s.variables.i, s.variables.j].join(), entry = A.entries.find(e => e.at.join() === at);
                if (lit.length !== 1 || Number(lit[0]) !== (entry ? entry.value : 0)) wrong.push([at, lit]);
                places.add(document.querySelector(".card[data-tensor=A] [data-array=val] .cell.cursor i")?.textContent);
            });
            return [wrong, places.size];`);
        check(`${format}: the cursor of A is where the statement is`, wrong.length === 0 && places >= 8, [wrong, places]);
    }
}

/* The kernel of the gallery for each statement of the page; the generator refuses the other kernels. */
const gallery = {
    spmv_fast: "y(i) = A(i,j) * x(j)", spmv_csc: "y(i) = A(i,j) * x(j)", spmm: "Y(i,k) = A(i,j) * X(j,k)", sddmm: "D(i,j) = S(i,j) * A(i,k) * B(k,j)",
    mttkrp: "A(i,r) = X(i,j,k) * B(j,r) * C(k,r)", mttkrp_row: "A(i,r) = X(i,j,k) * B(j,r) * C(k,r)", triangles: "s = L(i,k) * U(k,j) * M(i,j)",
    product_where: "C(i,j) = A(i,k) * B(k,j) * M(i,j)", product_picked: "C(i,j) = A(i,k) * B(k,j) * M(i,j)", chain: "D(i,l) = A(i,k) * B(k,j) * C(j,l)",
    spgemm: "C(i,j) = A(i,k) * B(k,j)", spgemm_far: "C(i,j) = A(i,k) * B(k,j)", add3: "D(i,j) = A(i,j) + B(i,j) + C(i,j)",
    minus: "C(i,j) = A(i,j) * (B(i,j) == 0)", masked: "D(i,j) = (A(i,j) + B(i,j)) * M(i,j)", hops: "C(i,j) = A(i,k) * A(k,j)", least_sparse: "y(i) = max(j) A(i,j)",
    gauss_seidel: "",
};
async function presets(b, url) {
    await b.go(url);
    const kernels = fs.readFileSync("docs/kernels.md", "utf8").match(/## A gallery\s+```c\n([^]*?)```/)[1].match(/(?<=SPARSE_KERNEL\()\w+/g);
    const there = await b.evaluate("return playground.examples.map(x => x.e)");
    const missing = kernels.filter(name => gallery[name] === undefined || (gallery[name] && !there.includes(gallery[name])));
    check("every kernel of the gallery is an example", kernels.length > 15 && missing.length === 0, missing);
    /* and every named encoding of up to three dimensions is a format */
    const family = name => name.replaceAll(/[\d#]+(?!f)/g, "").replace(/^(vec|mat|cube)$/, "dense").replace(/^svec$/, "sparse");
    const table = fs.readFileSync("sparse_formats.h", "utf8").match(/#define SPARSE_ENCODINGS\(X\)[^]*?\n\n/)[0];
    const formats = new Set((await b.evaluate("return playground.formats.flat()")).map(family));
    const lacking = [...new Set([...table.matchAll(/X\("([^"]+)"/g)].map(m => family(m[1])))].filter(name => !formats.has(name));
    check("every named encoding is a format", lacking.length === 0, lacking);
}

/* Over all steps of a merge, exactly the points of its lattice light up. */
async function lattice(b, url) {
    await b.go(`${url}#${new URLSearchParams({e: "c(i) = a(i) + b(i)", f: "a:sparse;b:sparse;c:sparse", d: "i:9", m: "a!0:1;1:2;2:0;3:4;4:0;5:0;6:0;7:0;8:0"})}&m=${encodeURIComponent("b!0:0;1:1;2:2;3:0;4:0;5:0;6:0;7:0;8:0")}`);
    const lit = await b.evaluate(`const lit = new Set();
        playground.trace.steps.forEach((s, n) => { if (s.statement) playground.go(n), lit.add(document.querySelector(".point.lit").textContent); });
        return [...lit].sort();`);
    check("each point of a lattice lights up", JSON.stringify(lit) === '["a","a, b","b"]', lit);
}

/* The lit point says which operands are stored at the step, with any two formats. */
async function lit_points(b, url) {
    for (const [f, g] of [["csr", "csr"], ["csr", "coo"], ["dcsr", "csr"], ["coo", "coo"], ["dcsr", "dcsr"]]) {
        await b.go(`${url}#${new URLSearchParams({e: "C(i,j) = A(i,j) + B(i,j)", f: `A:${f};B:${g};C:csr`})}`);
        const wrong = await b.evaluate(`const wrong = [];
            const has = (name, at) => playground.plan.tensors.find(t => t.name === name).entries.some(e => e.at.join() === at);
            playground.trace.steps.forEach((s, n) => {
                if (!s.statement) return;
                playground.go(n);
                const at = [s.variables.i, s.variables.j].join(), lit = [...document.querySelectorAll(".point.lit")].at(-1)?.textContent;
                const wanted = ["A", "B"].filter(x => has(x, at)).join(", ");
                if (lit !== wanted) wrong.push([at, lit, wanted]);
            });
            return wrong;`);
        check(`${f} + ${g}: the lit point is where the operands are`, wrong.length === 0, wrong);
    }
}

/* The bits of a bitmap are those of the elements. */
async function bitmap(b, url) {
    await b.go(`${url}#${new URLSearchParams({e: "y(i) = A(i,j) * x(j)", f: "A:bitrows"})}`);
    const same = await b.evaluate(`const bits = [...document.querySelectorAll(".card[data-tensor=A] [data-array=crd] b")].map(x => x.textContent).join("");
        return bits === [...document.querySelectorAll(".card[data-tensor=A] td")].map(x => x.classList.contains("stored") ? "1" : "0").join("");`);
    check("a bitmap has a bit for each element", same);
}

/* Other options of the generator, and the results of the loops. */
async function options(b, url) {
    const y = "51 0 57 87", spmv = "y(i) = A(i,j) * x(j)";
    for (const [e, f, o, wanted] of [
        [spmv, "A:csr", "-s parallel(i)", y], [spmv, "A:csr", "-s simd(j)", y], [spmv, "A:csr", "-s prefetch(j)", y],
        [spmv, "A:csr, posWidth=8, crdWidth=16", "", y], [spmv, "A:csr, posWidth=64, crdWidth=64", "", y], [spmv, "A:csr", "-t float", y],
        [spmv, "A:csr", "-t f16", y], [spmv, "A:csr", "-t int8_t", y], [spmv, "A:(i, j) -> (j : dense, i : compressed)", "", y],
        ["--einsum 'ij,j->i' A x", "A:csr", "--name compute_y", y],
        ["y(i) = f(x(i))", "", "--define 'double f(double x) { return x * x; }'", "25 49 64 9"],
        ["y(i) = max(j) sqrt(abs(A(i,j)))", "A:csr", "-t float -d i=2,j=2", "1.4142135381698608 0"],
        ["y(i) = erf(0 * x(i)) + pow(x(i), 2)", "", "", "25 49 64 9"],
        ["C(i,j) = i + 2 * j", "", "-d i=2,j=3", "0 2 4 1 3 5"],
    ]) {
        const state = await b.go(`${url}#${new URLSearchParams({e, f, o})}`);
        const found = state === "ready" && await b.evaluate(`const t = playground.plan.tensors.find(x => x.role === "output");
            return playground.trace.failed || playground.trace.steps.at(-1).results[t.name].entries.map(x => x.value).join(" ");`);
        check(`${e} ${f} ${o}`, found === wanted, found || await b.evaluate("return document.getElementById('error').textContent"));
    }
    await b.go(`${url}#${new URLSearchParams({e: "y(i) = abs(A(i,j))", f: "A:csr"})}`);
    check("a note of the generator is shown", await b.evaluate("return !document.getElementById('note').hidden && document.getElementById('note').textContent.length > 20"));
}

/* Every format of a result, and of tensors of other ranks: the sum of the stored values is right. */
async function other_formats(b, url) {
    const formats = await b.evaluate("return playground.formats"), list = [];
    for (const f of formats[1]) list.push(["s = x(i)", `x:${f}`], ["c(i) = a(i) + b(i)", `a:sparse;b:sparse;c:${f}`]);
    for (const f of formats[2].filter(x => !/ell|jagged|2of4/.test(x))) list.push(["C(i,j) = A(i,j) + B(i,j)", `A:csr;B:csr;C:${f}`]);
    for (const f of formats[3]) list.push(["s = X(i,j,k)", `X:${f}`], ["Y(i,j,k) = X(i,j,k)", `X:csf;Y:${f}`]);
    for (const [e, f] of list.filter((_, n) => has_turn(n))) {
        await b.go(`${url}#${new URLSearchParams({e, f})}`);
        const sums = await b.evaluate(`const sum = list => list.reduce((a, x) => a + x.value, 0), tensors = playground.plan.tensors, steps = playground.trace.steps;
            for (let n = 0; n < steps.length; n += 5) playground.go(n);
            const r = steps.at(-1).results[tensors.find(t => t.role === "output").name];
            return [playground.trace.failed, r.entries ? sum(r.entries) : r.value, tensors.filter(t => t.role === "input").reduce((a, t) => a + sum(t.entries), 0)];`);
        check(`${e} ${f}`, sums[0] === "" && sums[1] === sums[2], sums);
    }
}

/* The boxes highlighted for an element under the mouse hold its coordinates and value. */
async function pointing(b, url) {
    for (const format of ["csr", "csc", "dcsr", "coo", "coosoa", "bsr2x2", "colmajor"]) {
        await b.go(`${url}#${new URLSearchParams({e: "y(i) = A(i,j) * x(j)", f: `A:${format}`})}`);
        const wrong = await b.evaluate(`const wrong = [], cells = [...document.querySelectorAll(".card[data-tensor=A] td.stored")];
            for (const cell of cells) {
                cell.dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
                const value = document.querySelector(".card[data-tensor=A] [data-array=val] .found b");
                if (!value || value.textContent !== cell.textContent) wrong.push(cell.dataset.at);
            }
            return cells.length ? wrong : "no cells";`);
        check(`${format}: an element points to its value`, wrong.length === 0, wrong);
    }
}

/* Texts whose contrast is below 4.5, the minimum for their size by WCAG 2. Disabled controls may be faint. */
const faint = `const found = [], seen = new Set(), rgb = c => c.match(/[\\d.]+/g).map(Number);
    const luminance = c => c.slice(0, 3).map(x => (x /= 255) <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4).reduce((sum, x, k) => sum + x * [.2126, .7152, .0722][k], 0);
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n; n = walk.nextNode();) {
        const e = n.parentElement;
        if (!n.textContent.trim() || !e.getClientRects().length || e.closest(":disabled, option, svg, [aria-hidden]")) continue;
        let under = e, behind;
        while (under && (behind = rgb(getComputedStyle(under).backgroundColor)).length > 3 && behind[3] < 1) under = under.parentElement;
        const pair = getComputedStyle(e).color + behind, [a, z] = [luminance(rgb(getComputedStyle(e).color)), luminance(behind)];
        const ratio = (Math.max(a, z) + .05) / (Math.min(a, z) + .05);
        if (ratio < 4.5 && !seen.has(pair)) seen.add(pair), found.push([n.textContent.trim().slice(0, 20), e.className, ratio.toFixed(2)]);
    }
    return found;`;

async function widths(b, url, pictures) {
    for (const theme of ["light", "dark"]) {
        await b.theme(theme);
        for (const [width, height] of [[360, 800], [800, 1000], [1440, 900]]) {
            await b.width(width, height);
            await b.go(`${url}#${new URLSearchParams({e: "C(i,j) = A(i,j) + B(i,j)", f: "A:csr;B:coo;C:csr", n: "60"})}`);
            const wide = await b.evaluate("return document.documentElement.scrollWidth");
            check(`width ${width}, ${theme}: nothing is cut off`, wide <= width, wide);
            const pale = await b.evaluate(faint);
            check(`width ${width}, ${theme}: every text has contrast`, pale.length === 0, pale);
            check(`width ${width}, ${theme}`, await b.evaluate("return document.documentElement.dataset.theme") === theme);
            if (pictures) await b.picture(path.join(pictures, `playground-${theme}-${width}.png`));
            for (const tab of ["kernel", "graph", "reasons"]) {
                await b.evaluate(`document.getElementById("tab-${tab}").click()`);
                const [page, part] = await b.evaluate(`const v = document.getElementById("${tab}"); return [document.documentElement.scrollWidth, "${tab}" === "graph" ? 0 : v.scrollWidth - v.clientWidth]`);
                check(`width ${width}, ${theme}: nothing of ${tab} is cut off`, page <= width && part <= 1, [page, part]);
                const weak = await b.evaluate(faint);
                check(`width ${width}, ${theme}: every text of ${tab} has contrast`, weak.length === 0, weak);
                if (pictures) await b.picture(path.join(pictures, `playground-${theme}-${width}-${tab}.png`));
            }
        }
    }
    await b.theme("light");
    await b.width(1280);
}

async function main() {
    const [page, generator, pictures] = process.argv.slice(2), url = `file://${path.resolve(page)}`;
    const b = new Browser(process.env.CHROMIUM || "chromium");
    const late = setTimeout(() => { console.log("playground: the browser is late"); b.process.kill("SIGKILL"); process.exit(1); }, 900000);
    try {
        await b.open();
        await b.width(1280);
        for (const test of [typing, clicking, keyboard, keyboard_only, copying, links, offline, presets, cursors, lattice, lit_points, pointing, bitmap, every_format, options, other_formats]) await test(b, url);
        await examples(b, url, path.resolve(generator));
        await widths(b, url, pictures);
        check("the page throws nothing", b.errors.length === 0, b.errors);
    } finally {
        await b.close();
        clearTimeout(late);
    }
    console.log(`playground: ${passed} passed, ${failed} failed`);
    process.exitCode = failed ? 1 : 0;
}

if (require.main === module) main().catch(error => { console.log(error); console.log(`playground: ${passed} passed, ${failed + 1} failed`); process.exitCode = 1; });
module.exports = {Browser};
