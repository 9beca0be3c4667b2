/* Search in the pages of the site. SEARCH_INDEX is loaded when the reader begins to search; it is a script, because pages opened
   from a file may not read other files. Its sections are arrays of [page, anchor, title, heading, text], its synonyms the rows
   of synonyms.txt, its titles arrays of [section, what a reader may call it]. */
"use strict";

/* Words of questions that tell nothing. */
const COMMON = new Set(("a about again all already also always am an and another any are as at away be been before by can could did do does done each every " +
    "few first for from get gets getting give given go got had happen happens has have having how i if in into is it its itself just keep know " +
    "let like made make makes many may me mean meant means more most much must my need needed needs no not of off ok on one ones only or other our " +
    "out own please possible same see should so some something still support supported supports take taken takes tell than that the their them then " +
    "there these they thing things this those to too up use used useful user uses using very want wants was we were what when where whether which " +
    "while who whose why will with without work works would write yes you your").split(" "));

/* A word without its ending, if enough of it remains: compilers, compiled and compiling all become compil. Spelled as in
   Britain, as the pages are. */
function stem(word) {
    const british = word.replace(/(?<=.{3})iz(?=e|ing|ation)/, "is").replace(/matrices$/, "matrix").replace(/indices$/, "index");
    if (british.length < 5) return british.length > 3 ? british.replace(/([^su])s$/, "$1") : british;
    const start = british.replace(/(?:ations?|ions?|ings?|ers?|ors?|est|ed|es|e|s|y|ies|ly)$/, (end, at) => (at >= 4 ? "" : end.replace(/e?s$/, "")));
    return start.length < british.length ? start.replace(/([bdfgmnprt])\1$/, "$1") : start;
}
const words_of = (text) => text.toLowerCase().match(/[\p{L}\p{N}_]+(?:\+\+)?/gu) || [];

/* The stems of a text; a name such as sparse_drop_zeros also counts as the words that it has. */
function stems_of(text) {
    const stems = [];
    for (const word of words_of(text)) {
        stems.push(stem(word));
        if (word.includes("_")) for (const part of word.split("_")) if (part) stems.push(stem(part));
    }
    return stems;
}

/* The index by stems: for each, how well it fits the sections that have it. A word of a short heading or title counts most.
   In the text the first uses count more than the others, and less if the section is long. */
function prepare(index) {
    const all = index.sections.map(([page, , title, heading, text]) => ({
        page, title: stems_of(title), heading: stems_of(heading), text: stems_of(text),
    }));
    const length = all.reduce((sum, s) => sum + s.text.length, 0) / all.length;
    const have = new Map();
    for (const { title, heading, text } of all) for (const s of new Set([...title, ...heading, ...text])) have.set(s, (have.get(s) || 0) + 1);
    const rarity = (s) => (COMMON.has(s) ? 0 : Math.log((all.length + 1) / ((have.get(s) || 0) + 0.5)));
    const stems = new Map();
    all.forEach((section, k) => {
        const fits = new Map();
        const add = (s, fit) => fits.set(s, (fits.get(s) || 0) + fit);
        const counts = new Map();
        for (const s of section.text) counts.set(s, (counts.get(s) || 0) + 1);
        for (const [s, n] of counts) {
            const many = n / (0.4 + (0.6 * section.text.length) / length);
            add(s, (0.5 * many) / (many + 0.7));
        }
        for (const [list, weight] of [[section.heading, 0.4], [section.title, section.heading.length ? 0.5 : 0.7]]) {
            const names = [...new Set(list)].map((s) => [s, rarity(s)]);
            const whole = Math.sqrt(names.reduce((sum, [, r]) => sum + r * r, 0)) || 1;
            for (const [s, r] of names) add(s, s.includes("_") ? 0.9 : (weight * r) / whole);
        }
        for (const [s, fit] of fits) {
            if (!stems.has(s)) stems.set(s, new Map());
            stems.get(s).set(k, fit);
        }
        section.phrase = " " + [...section.heading, "/", ...section.title, "/", ...section.text].join(" ") + " ";
    });
    const synonyms = index.synonyms.map((row) => {
        const [said, written] = row.split(":");
        return [said.split(",").map((phrase) => words_of(phrase).map(stem)), words_of(written).map(stem)];
    });
    const titles = index.titles.map(([section, title]) => [section, telling(words_of(title))]);
    return { all, stems, synonyms, titles, rarity };
}

const telling = (words) => new Set(words.filter((w) => !COMMON.has(w)).map(stem));

/* For sections with another title that is nearly the query: the part of the words of both that they share, the rare ones
   counting more. */
function named(query, { titles, rarity }) {
    const typed = telling(words_of(query)), sections = new Map();
    for (const [section, title] of titles) {
        let both = 0, either = 0;
        for (const s of new Set([...typed, ...title])) {
            either += rarity(s);
            if (typed.has(s) && title.has(s)) both += rarity(s);
        }
        if (both > 0.5 * either) sections.set(section, Math.max(sections.get(section) || 0, both / either));
    }
    return sections;
}

/* The sections that fit a stem, or, less well, a word that begins with it, as the reader may still be typing. */
function sections_of(stems, start) {
    if (stems.has(start)) return stems.get(start);
    const fit = new Map();
    if (start.length > 2) {
        for (const [s, sections] of stems)
            if (s.startsWith(start)) for (const [k, f] of sections) fit.set(k, Math.max(fit.get(k) || 0, 0.7 * f));
    }
    return fit;
}

/* The query as groups of stems that mean the same. A phrase of the synonyms is one group. */
function groups_of(query, synonyms) {
    const words = words_of(query), stems = words.map(stem), groups = [];
    const telling = words.some((w) => !COMMON.has(w));
    for (let at = 0; at < stems.length; ) {
        let most = 1;
        const written = new Set();
        for (const [said, names] of synonyms) {
            for (const phrase of said) {
                if (phrase.length < most || !phrase.every((s, n) => s === stems[at + n])) continue;
                if (phrase.length > most) written.clear();
                most = phrase.length;
                names.forEach((s) => written.add(s));
            }
        }
        if (written.size || !telling || !COMMON.has(words[at])) groups.push({ said: stems.slice(at, at + most), written: [...written], at });
        at += most;
    }
    return groups;
}

/* The sections that fit the query, the best first. A section may lack some of the words, which counts against it, but less if
   another section of its page has them. The documents come before the examples, and the best section of each page before the
   others. */
function search(index, query, most) {
    if (!index.ready) index.ready = prepare(index);
    const { all, stems, synonyms } = index.ready;
    const score = new Array(all.length).fill(0);
    let total = 0;
    for (const { said, written } of groups_of(query, synonyms)) {
        const fit = new Map();
        const add = (s, weight) => { for (const [k, f] of sections_of(stems, s)) fit.set(k, Math.max(fit.get(k) || 0, weight * f)); };
        said.forEach((s) => add(s, 1 / said.length));
        const own = fit.size;
        written.forEach((s) => add(s, 0.9));
        if (!fit.size) continue;
        const rare = Math.log((all.length + 1) / ((own || fit.size) + 0.5));
        const pages = new Map();
        for (const [k, f] of fit) pages.set(all[k].page, Math.max(pages.get(all[k].page) || 0, f));
        all.forEach(({ page }, k) => { score[k] += rare * Math.max(fit.get(k) || 0, 0.45 * (pages.get(page) || 0)); });
        total += rare;
    }
    const typed = words_of(query).map(stem), pairs = typed.slice(1).map((s, n) => [typed[n], s]);
    const found = [], called = named(query, index.ready);
    all.forEach((section, k) => {
        if (!score[k] && !called.has(k)) return;
        let near = 0;
        for (const [a, b] of pairs) if (section.phrase.includes(" " + a + " " + b + " ")) near += COMMON.has(a) || COMMON.has(b) ? 0.02 : 0.1;
        const place = /^(docs\/(notebook|errors|api)|tests|bench|CHANGELOG)/.test(section.page) ? 0.8 : /^examples\/(?!index)/.test(section.page) ? 0.5 : 1;
        found.push([place * (score[k] / (total || 1) + near) + (called.get(k) || 0), index.sections[k]]);
    });
    found.sort((a, b) => b[0] - a[0]);
    const pages = new Set(), first = [], others = [];
    for (const [, section] of found) {
        (pages.has(section[0]) ? others : first).push(section);
        pages.add(section[0]);
    }
    return first.concat(others).slice(0, most);
}

/* About 120 characters of a text around the first word of the query that it has. */
function excerpt(text, query) {
    const small = text.toLowerCase();
    const word = words_of(query).filter((w) => !COMMON.has(w)).map(stem).find((s) => small.includes(s)) || "";
    const at = Math.max(0, small.indexOf(word) - 40);
    return (at ? "... " : "") + text.slice(at, at + 120) + (at + 120 < text.length ? " ..." : "");
}

function set_up() {
    const form = document.querySelector(".search");
    const input = form.querySelector("input");
    const results = form.querySelector(".results");
    const root = document.body.dataset.root;
    let loading = false;
    form.hidden = false;

    function load() {
        if (loading) return;
        loading = true;
        const script = document.createElement("script");
        script.src = root + "search-index.js";
        script.onload = show;
        document.head.append(script);
    }
    function row(section) {
        const [page, anchor, title, heading, text] = section;
        const item = document.createElement("li");
        const link = document.createElement("a");
        link.href = root + page + (anchor ? "#" + anchor : "");
        const name = document.createElement("b");
        name.textContent = heading ? title + ": " + heading : title;
        const words = document.createElement("span");
        words.textContent = excerpt(text, input.value);
        link.append(name, words);
        item.append(link);
        return item;
    }
    function show() {
        if (!window.SEARCH_INDEX) return load();
        const found = search(window.SEARCH_INDEX, input.value, 12);
        results.replaceChildren(...found.map(row));
        if (!found.length && input.value.trim()) {
            const none = document.createElement("li");
            none.textContent = "No page has these words.";
            results.append(none);
        }
        results.hidden = !input.value.trim();
    }
    /* the arrow keys go through the input and the links below it */
    function step(by) {
        const stops = [input, ...results.querySelectorAll("a")];
        const next = stops[stops.indexOf(document.activeElement) + by];
        if (next) next.focus();
    }
    input.addEventListener("focus", load);
    input.addEventListener("input", show);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        const first = results.querySelector("a");
        if (first) location.href = first.href;
    });
    results.addEventListener("click", (event) => {
        if (event.target.closest("a")) results.hidden = true;
    });
    form.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            step(event.key === "ArrowDown" ? 1 : -1);
        }
        if (event.key === "Escape") {
            results.hidden = true;
            input.blur();
        }
    });
    document.addEventListener("click", (event) => {
        if (!form.contains(event.target)) results.hidden = true;
    });
    document.addEventListener("keydown", (event) => {
        if (event.key === "/" && !/^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement.tagName)) {
            event.preventDefault();
            input.focus();
        }
    });
}

if (typeof document !== "undefined") set_up();
else module.exports = { search, excerpt };
