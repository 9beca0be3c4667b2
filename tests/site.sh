#!/bin/bash
# site.sh: tests the pages that `make site` builds.
# - Every document has a page, every page is in the menu, and every link leads to an existing page and heading.
# - The search answers docs/site/questions.txt: a right page is among the first three. Needs node.
# - No page is wider than its window at 380, 800 and 1400 pixels. The contrast of text is at least 4.5, in light and in dark
#   colours. No text of a picture lies outside it or on another text. Needs chromium.
# - The list of examples names every program, its number of lines, and the words in its kernels.
# - The pictures are up to date.
cd "$(dirname "$0")/.." || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 skipped=0
site=$work/site

# verdict STATUS WHAT: counts a check, and shows what it printed if it failed
verdict() {
    if [ "$1" = 0 ]; then passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "failed: $2"
        head -n 12 "$work/out"
    fi
}
skip() { skipped=$((skipped + 1)); echo "skipped: $*"; }
finish() {
    echo "site: $passed passed, $failed failed, $skipped skipped"
    [ $failed = 0 ]
    exit
}

# The list of examples: every program with its number of lines; for every word of the kernel line the programs and how-to
# pages whose kernels use it. The words are those before `dense` under "Reserved words".
words="$(sed -n '/^## Reserved words/,$p' docs/limits.md | sed -n '/^```text$/,/^```$/p' | sed '/^```/d; /^dense/,$d') has_"
gallery=examples/README.md
: >"$work/out"
[ "$(echo $words | wc -w)" -gt 25 ] || echo "docs/limits.md lists no words" >>"$work/out"
for file in examples/*.c examples/*.cc examples/company/*.[ch] examples/company/*.cc examples/company/*.py; do
    name=${file#examples/} lines=$(($(wc -l <"$file")))
    grep -qF -e "[${name##*/}]($name), $lines lines" -e "[${name##*/}]($name) | $lines |" $gallery ||
        echo "$gallery does not have $name with $lines lines" >>"$work/out"
done
for file in examples/*.c examples/*.cc examples/company/*.[ch] examples/company/*.cc docs/howto/*.md; do
    case $file in docs/*) link="](../$file)" ;; *) link="[${file##*/}](" ;; esac
    awk -v words="$(echo $words)" -v link="$link" '
        { text = text $0 "\n" }
        END {
            n = split(words, word, " ")
            while (at = index(text, "SPARSE_KERNEL(")) {
                text = substr(text, at)
                depth = 0
                for (i = index(text, "("); i <= length(text); i++) {
                    c = substr(text, i, 1)
                    if (c == "(") depth++
                    if (c == ")" && !--depth) break
                }
                kernel = substr(text, 1, i)
                text = substr(text, i)
                for (k = 1; k <= n; k++)
                    if (kernel ~ "[^A-Za-z_]" word[k] (word[k] == "has_" ? "" : "[(]") && !used[word[k]]++) print word[k], link
            }
        }' "$file"
done | sort >"$work/used"
for word in $words; do
    [ "$word" = all ] && continue # nearly all kernels use it
    row=$(grep -F "| [\`$word\`](../docs/kernels.md#" $gallery) || echo "$gallery has no row for the word $word" >>"$work/out"
    grep "^$word " "$work/used" | cut -d' ' -f2- | while read -r link; do
        case $row in *"$link"*) ;; *) echo "$gallery does not have $link below $word" ;; esac
    done >>"$work/out"
    there=$(echo "$row" | cut -d'|' -f3- | grep -oE '\]\(' | wc -l) # the number of links in the row
    [ "$there" = "$(grep -c "^$word " "$work/used")" ] || echo "a program in the row of $word has no kernel with it" >>"$work/out"
done
# every program with a section of its own has its output and a picture there
awk '
    function report() { if (name ~ /[.]/ && !(printed && picture)) print name " has no output, or no picture" }
    /^## / { report(); name = substr($0, 4); printed = picture = 0 }
    /^```text/ || /shows its output/ { printed = 1 }
    /^!\[/ { picture = 1 }
    { last = $0 }
    END { report() }' <(sed -e ':a' -e '/shows$/{N;s/\n/ /;ba' -e '}' $gallery) >>"$work/out"
[ ! -s "$work/out" ]
verdict $? "the gallery"

# the pictures in docs are up to date: the kit draws equal ones
mkdir "$work/pictures"
docs/pictures/make.sh "$work/pictures" >"$work/out" 2>&1 &&
    diff -rq -x draw.c -x make.sh -x roofline.svg docs/pictures "$work/pictures" >>"$work/out" 2>&1
verdict $? "make pictures draws others than docs/pictures has"
: >"$work/out"
for picture in docs/pictures/*.svg; do
    grep -qF "pictures/${picture##*/})" docs/*.md docs/howto/*.md examples/README.md README.md || echo "no page shows $picture" >>"$work/out"
done
[ ! -s "$work/out" ]
verdict $? "pictures that no page shows"

if ! command -v pandoc >/dev/null; then
    skip "the pages, as there is no pandoc"
    finish
fi
docs/site/make.sh "$site" >"$work/out" 2>&1 && [ -s "$site/index.html" ]
verdict $? "make site"

# every document has a page, and the menu or the list of tasks leads to it
: >"$work/out"
for file in README.md CHANGELOG.md docs/*.md docs/howto/*.md bench/README.md bench/peers/README.md examples/README.md tests/README.md; do
    page=$(echo "$file" | sed 's|README\.md$|index.html|; s|\.md$|.html|')
    [ -s "$site/$page" ] || echo "$file has no page" >>"$work/out"
    list=$site/index.html name=$page
    case $file in docs/howto/[!R]*) list=$site/docs/howto/index.html name=${page##*/} ;; esac
    grep -qF "href=\"$name\"" "$list" || echo "$page is not in the list of ${list#"$site"/}" >>"$work/out"
done
[ ! -s "$work/out" ]
verdict $? "pages and menu"

# links of every page to files and anchors
[ ! -e "$site/docs/playground" ] || grep -q 'href="../playground.html">Documents' "$site/docs/playground/index.html"
verdict $? "the playground does not lead back to the documents"
rm -rf "$site/docs/playground" # playground.sh tests it
(cd "$site" && find . -type f | sed 's|^\./||') >"$work/files"
(cd "$site" && xargs -a <(grep '\.html$' "$work/files") awk '
    function normal(path, n, part, i, out, top) {
        n = split(path, part, "/")
        for (i = 1; i <= n; i++)
            if (part[i] == "..") top--
            else if (part[i] != "." && part[i] != "") out[++top] = part[i]
        path = ""
        for (i = 1; i <= top; i++) path = path (i > 1 ? "/" : "") out[i]
        return path
    }
    function attribute(name, found, at) { # returns the next value of an attribute in rest, and removes it from rest
        if (!match(rest, "(^| )" name "=\"[^\"]*\"")) return ""
        found = substr(rest, RSTART, RLENGTH - 1)
        sub(/^[^"]*"/, "", found)
        rest = substr(rest, RSTART + RLENGTH)
        return found == "" ? "#" : found
    }
    FNR == 1 { directory = FILENAME; if (!sub(/[^\/]*$/, "", directory)) directory = "" }
    {
        rest = $0
        while ((id = attribute("id")) != "") {
            if ((FILENAME, id) in ids && id != "#") print FILENAME ": the anchor " id " is there twice"
            ids[FILENAME, id] = 1
        }
        rest = $0
        while ((href = attribute("(href|src)")) != "") links[++n] = FILENAME SUBSEP directory SUBSEP href
    }
    END {
        while ((getline file <FILES) > 0) there[file] = 1
        for (i = 1; i <= n; i++) {
            split(links[i], at, SUBSEP)
            if (at[3] ~ /^(https?|mailto|data):/ || at[3] == "#") continue
            target = at[3]
            anchor = ""
            if (match(target, /#.*/)) { anchor = substr(target, RSTART + 1); target = substr(target, 1, RSTART - 1) }
            file = target == "" ? at[1] : normal(at[2] target)
            if (!(file in there)) print at[1] ": the link " at[3] " leads nowhere"
            else if (anchor != "" && file ~ /\.html$/ && !((file, anchor) in ids)) print at[1] ": no anchor for the link " at[3]
        }
    }' FILES="$work/files" >"$work/out" 2>&1)
awk '/leads nowhere|no anchor|twice/ { bad = 1 } END { exit bad }' "$work/out"
verdict $? "links and anchors"
# the check of links works: links known to be right are in the pages
grep -q 'href="docs/kernels.html"' "$site/index.html" && grep -q 'id="operands"' "$site/docs/kernels.html"
verdict $? "links that are known"

# search: what a reader types, and the right pages; one of them must be among the first three results
if command -v node >/dev/null; then
    {
        echo 'global.window = {};'
        cat "$site/search-index.js"
        printf 'const { search } = require("%s/search.js");\n' "$site"
        grep -v '^#' docs/site/questions.txt | sed 's/\\/\\\\/g; s/"/\\"/g; s/^\([^|]*[^ |]\) *| *\(.*\)$/ask("\1", "\2");/'
        cat <<'END'
function ask(query, pages) {
    const found = search(window.SEARCH_INDEX, query, 3).map((s) => s[0] + (s[1] ? "#" + s[1] : ""));
    if (!pages.split(" ").some((page) => found.some((f) => f === page || f.startsWith(page + "#")))) console.log(query + ": " + (found.join(", ") || "nothing"));
}
END
    } >"$work/ask.js"
    node "$work/ask.js" >"$work/out" 2>&1 && [ ! -s "$work/out" ]
    verdict $? "questions whose page is not among the first three"
else skip "the search, as there is no node"
fi

# every document answers at least ten questions
: >"$work/out"
for file in README.md docs/*.md; do
    page=$(echo "$file" | sed 's|README\.md$|index.html|; s|\.md$|.html|')
    asked=$(grep -v '^#' docs/site/questions.txt | grep -cE "[| ]$page( |#|\$)")
    [ "$asked" -ge 10 ] || echo "$page: only $asked questions" >>"$work/out"
done
[ ! -s "$work/out" ]
verdict $? "questions for each page"

# windows: shows every page in frames of three widths; prints elements that are wider than the frame or have low contrast
if command -v chromium >/dev/null; then
    {
        echo '<!doctype html><pre id="log"></pre><iframe id="frame" height="800"></iframe><script>const pages = ['
        grep '\.html$' "$work/files" | sed 's/.*/"&",/'
        cat <<'END'
];
const frame = document.getElementById("frame"), log = document.getElementById("log");
const dark = matchMedia("(prefers-color-scheme: dark)").matches, widths = dark ? [800] : [380, 800, 1400];
const luminance = ([r, g, b]) => [r, g, b].map((x) => (x /= 255) <= .03928 ? x / 12.92 : ((x + .055) / 1.055) ** 2.4)
    .reduce((sum, x, k) => sum + x * [.2126, .7152, .0722][k], 0);
const rgb = (color) => color.match(/[\d.]+/g).map(Number);
/* The least ratio that readers can do with, by WCAG 2, is 4.5 for text of this size. */
function faint(page, doc) {
    const seen = new Set(), walk = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT);
    for (let node; node = walk.nextNode();) {
        const element = node.parentElement;
        if (!node.textContent.trim() || !element.getClientRects().length) continue;
        let under = element, behind;
        while (under && (behind = rgb(getComputedStyle(under).backgroundColor)).length > 3 && behind[3] < 1) under = under.parentElement;
        const color = getComputedStyle(element).color, pair = color + behind;
        if (seen.has(pair)) continue;
        seen.add(pair);
        const [a, b] = [luminance(rgb(color)), luminance(behind)];
        const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
        if (ratio < 4.5) log.append(page + ": \"" + node.textContent.trim().slice(0, 30) + "\" has a contrast of " + ratio.toFixed(2) + "\n");
    }
}
/* A table of a narrow window is a list, so that none of its columns is a ribbon of words. */
function ribbons(page, doc) {
    for (const cell of doc.querySelectorAll("td")) {
        const {width, height} = cell.getBoundingClientRect();
        if (width < 90 && height > 200) log.append(page + ": a cell of " + width + " by " + height + ": " + cell.textContent.slice(0, 40) + "\n");
    }
}
/* Tables and pictures that scroll: in a window of 800 pixels only pictures above 1000, below that no list of a table's rows. */
function cut(page, width, doc) {
    for (const part of doc.querySelectorAll(width < 800 ? ".stacked" : ".table, p:has(> img:only-child)")) {
        const image = part.querySelector(":scope > img");
        if (part.scrollWidth > part.clientWidth + 2 && !(image && image.naturalWidth > 1000))
            log.append(page + ": " + part.scrollWidth + " pixels of " + (image ? image.src.replace(/.*\//, "") : "the table " + part.textContent.trim().slice(0, 20).replace(/\s+/g, " ")) + " in " + part.clientWidth + ", in a window of " + width + "\n");
    }
}
function wide(page, width) {
    const doc = frame.contentDocument, root = doc.documentElement;
    if (width === 800) faint(page, doc);
    if (dark) return;
    if (width === 380) ribbons(page, doc);
    cut(page, width, doc);
    if (root.scrollWidth > width) log.append(page + " is " + root.scrollWidth + " pixels wide in a window of " + width + "\n");
    if (!doc.querySelector("h1")) log.append(page + " has no heading\n");
    for (const image of doc.images) if (!image.naturalWidth) log.append(page + ": " + image.src + " is not a picture\n");
    const side = doc.querySelector(".side"), menu = doc.querySelector(".menu");
    if (side && (getComputedStyle(side).display === "none") !== (width < 1088)) log.append(page + ": the side menu at " + width + "\n");
    if (menu && (getComputedStyle(menu).display === "none") !== (width >= 1088)) log.append(page + ": the menu at " + width + "\n");
}
(async () => {
    for (const width of widths) {
        frame.width = width;
        for (const page of pages) {
            await new Promise((done) => { frame.onload = done; frame.src = page; });
            wide(page, width);
        }
    }
    log.append((dark ? "looked in the dark at " : "looked at ") + widths.length * pages.length + " windows\n");
})();
</script>
END
    } >"$site/windows.html"
    for scheme in 1 0; do # light, dark
        timeout 300 chromium --headless --no-sandbox --disable-gpu --allow-file-access-from-files --user-data-dir="$work/profile" \
            --blink-settings=preferredColorScheme=$scheme --virtual-time-budget=2000000 --dump-dom "file://$site/windows.html" 2>/dev/null |
            sed -n '/<pre id="log">/,/<\/pre>/p' | sed 's/<\/pre>.*//; s/<[^>]*>//g'
    done >"$work/out"
    if grep -q '^looked at' "$work/out"; then
        grep -q '^looked in the dark' "$work/out"
        verdict $? "pages in the dark"
        # pictures: no text lies outside its picture or on another text
        {
            echo '<!doctype html><pre id="log"></pre>'
            for picture in docs/pictures/*.svg; do
                echo "<div class='picture' data-name='${picture##*/}'>" && cat "$picture" && echo '</div>'
            done
            cat <<'END'
<script>
const log = document.getElementById("log"), pictures = document.querySelectorAll(".picture");
for (const {dataset, firstElementChild: svg} of pictures) {
    const whole = svg.getBoundingClientRect(), texts = [...svg.querySelectorAll("text")].map((t) => [t.textContent, t.getBoundingClientRect(), t.hasAttribute("transform")]);
    texts.forEach(([text, box, turned], k) => {
        if (box.left < whole.left || box.right > whole.right || box.top < whole.top || box.bottom > whole.bottom)
            log.append(dataset.name + ": a part of \"" + text + "\" is outside\n");
        for (const [other, its, also] of texts.slice(0, k))
            if (!turned && !also && Math.min(box.right, its.right) - Math.max(box.left, its.left) > 1 && Math.min(box.bottom, its.bottom) - Math.max(box.top, its.top) > 4)
                log.append(dataset.name + ": \"" + text + "\" lies on \"" + other + "\"\n");
    });
}
log.append("looked at " + pictures.length + " pictures\n");
</script>
END
        } >"$site/pictures.html"
        chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --dump-dom "file://$site/pictures.html" 2>/dev/null |
            sed -n '/<pre id="log">/,/<\/pre>/p' | sed 's/<\/pre>.*//; s/<[^>]*>//g' >"$work/shown"
        grep -v '^looked ' "$work/out" | grep . >"$work/wide"
        mv "$work/wide" "$work/out"
        [ ! -s "$work/out" ]
        verdict $? "pages that do not fit their window"
        grep -v '^looked ' "$work/shown" | grep . >"$work/out"
        [ ! -s "$work/out" ] && grep -q '^looked at [1-9]' "$work/shown"
        verdict $? "texts of pictures that lie outside, or on another"
        chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --no-pdf-header-footer \
            --print-to-pdf="$work/sheet.pdf" "file://$site/docs/cheatsheet.html" >"$work/out" 2>&1
        [ "$(grep -ac '/Type */Page\b' "$work/sheet.pdf")" = 1 ]
        verdict $? "the cheat sheet does not print on one page"
    else skip "the windows, as chromium does not run here"
    fi
else skip "the windows, as there is no chromium"
fi
finish
