/* Search in the pages of the site. The index, an array of [page, anchor, title, heading, text] for each section, is loaded
   when the reader begins to search; it is a script, because pages opened from a file may not read other files. */
"use strict";

/* Words of questions that tell nothing. */
const COMMON = new Set(("a about an and any are as at be by can could do does each few for from get give given had has have how i if in into " +
    "is it its just like may mean means more most must my need needs not of off on one only or other own same should so some take takes tell than " +
    "that the their them then there these they this to up use used uses using want was we were what when where which while who " +
    "why will with without work works would you your").split(" "));

/* A word without its ending, if enough of it remains: compilers, compiled and compiling all begin with compil. */
const stem = (word) => (word.length > 4 ? word.replace(/(?:ations?|ings?|ers?|est|ed|es|e|s|y|ies)$/, (end, at) => (at >= 4 ? "" : end.replace(/e?s$/, ""))) : word);

/* How well a word fits each section, and how rare it is: a word in a heading counts most, then one in the title of the page, then
   one in the text, more of them a little more, and least a word that another section of the page has. */
function fits(index, word) {
    const start = stem(word), pages = new Set();
    const begins = new RegExp("(^|[^\\p{L}\\p{N}])" + start, "iu");
    const whole = new RegExp("(^|[^\\p{L}\\p{N}_])" + (start.length < word.length ? start + "\\p{L}{0,5}" : word + "s?") + "($|[^\\p{L}\\p{N}_])", "iu");
    const every = new RegExp(start, "giu");
    const fit = index.map(([page, , title, heading, text]) => {
        let best = 0;
        for (const [place, weight] of [[heading, 10], [title, heading ? 5 : 12], [text, 2]])
            if (begins.test(place)) best = Math.max(best, whole.test(place) ? 1.5 * weight : weight);
        if (!best) return 0;
        pages.add(page);
        return best + Math.min(6, text.split(every).length - 1) / 2;
    });
    const rare = Math.log((index.length + 1) / (fit.filter((f) => f).length + 0.5));
    return index.map(([page], k) => rare * (fit[k] || (pages.has(page) ? 1 : -6)));
}

/* The sections that fit the words of the query, the best first. A section may lack some of the words, which counts against it.
   The documents come before the examples, and the best section of each page before the others. */
function search(index, query, most) {
    const typed = query.toLowerCase().match(/c\+\+|[\p{L}\p{N}_]+/gu) || [];
    const telling = typed.filter((w) => !COMMON.has(w));
    const words = [...new Set(telling.length ? telling : typed)].map((w) => w.replace(/\+/g, "\\+"));
    if (!words.length) return [];
    const each = words.map((word) => fits(index, word));
    const found = index.map((section, k) => {
        const [page, , , , text] = section;
        const score = each.reduce((sum, fit) => sum + fit[k], 0);
        const place = /^(docs\/(notebook|errors|api)|tests|bench|CHANGELOG)/.test(page) ? 0.7 : page.startsWith("examples/") ? 0.4 : 1;
        return [score * place - text.length / 2000, section, each.some((fit) => fit[k] > 0)];
    }).filter((f) => f[2] && f[0] > 0);
    found.sort((a, b) => b[0] - a[0]);
    const pages = new Set(), first = [], others = [];
    for (const [, section] of found) {
        (pages.has(section[0]) ? others : first).push(section);
        pages.add(section[0]);
    }
    return first.concat(others).slice(0, most);
}

/* About 120 characters of a text around the first word of the query. */
function excerpt(text, query) {
    const word = (query.toLowerCase().match(/[\p{L}\p{N}_]+/u) || [""])[0];
    const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);
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
