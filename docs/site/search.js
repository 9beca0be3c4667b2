/* Search in the pages of the site. The index, an array of [page, anchor, title, heading, text] for each section, is loaded
   when the reader begins to search; it is a script, because pages opened from a file may not read other files. */
"use strict";

/* Words of questions that tell nothing. */
const COMMON = new Set(("a an and are as be by can do does for from has have how i in into is it its my not of on or the " +
    "there this to use what when where which why will with").split(" "));

/* The sections that contain a word beginning with each of the words of the query, the best first. A word in a heading
   counts most, then one in the title of the page, then one in the text; a whole word counts more than a beginning. More of them in the text
   count a little more. The documents come before the examples. */
function search(index, query, most) {
    const typed = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) || [];
    const telling = typed.filter((w) => !COMMON.has(w));
    const words = telling.length ? telling : typed;
    if (!words.length) return [];
    const stems = words.map((w) => (w.length > 3 ? w.replace(/s$/, "") : w));
    const begins = stems.map((w) => new RegExp("(^|[^\\p{L}\\p{N}])" + w, "iu"));
    const whole = stems.map((w) => new RegExp("(^|[^\\p{L}\\p{N}])" + w + "s?($|[^\\p{L}\\p{N}])", "iu"));
    const every = stems.map((w) => new RegExp(w, "giu"));
    const found = [];
    for (const section of index) {
        const [page, , title, heading, text] = section;
        let score = page.startsWith("docs/") ? 0 : page.startsWith("examples/") ? -40 : -6;
        const all = begins.every((word, n) => {
            const places = [[heading, 12], [title, heading ? 4 : 14], [text, 2]];
            let best = 0;
            for (const [place, weight] of places)
                if (word.test(place)) best = Math.max(best, weight * (whole[n].test(place) ? 2 : 1));
            if (best) score += Math.min(5, text.split(every[n]).length - 1) / 2;
            score += best;
            return best > 0;
        });
        if (all) found.push([score - text.length / 20000, section]);
    }
    found.sort((a, b) => b[0] - a[0]);
    return found.slice(0, most).map((f) => f[1]);
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
            none.textContent = "Nothing contains all of these words.";
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
