#!/bin/bash
# make.sh [DIRECTORY]: builds the documents as static pages, in build/site if no directory is given.
#
# Every page of README.md, CHANGELOG.md, docs/, bench/ and examples/ becomes an HTML file at the same relative place.
# README.md becomes index.html. The programs of examples/ become pages, too. Needs pandoc; the pages need no server and
# no network. search-index.js, which search.js loads when the reader begins to type, has one row for each section,
# the synonyms of docs/site/synonyms.txt and the other titles of docs/site/titles.txt.
cd "$(dirname "$0")/../.." || exit 1
site=${1:-build/site}
command -v pandoc >/dev/null || { echo "make site: pandoc is not installed" >&2; exit 1; }
rm -rf "$site"
mkdir -p "$site" || exit 1
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT

# page_of FILE: the path of its page
page_of() {
    case $1 in
    *README.md) echo "${1%README.md}index.html" ;;
    *.md) echo "${1%.md}.html" ;;
    *) echo "$1.html" ;;
    esac
}
# root_of FILE: the way from its directory to the top
root_of() { dirname "$1" | sed 's/^\.$//; s|[^/][^/]*|..|g; s|..$|&/|'; }

# navigation ROOT PAGE: the menu as the page shows it, with its own entry marked
navigation() {
    [ -e "$work/navigation" ] || pandoc -f gfm -t html5 --lua-filter=docs/site/page.lua docs/site/navigation.md >"$work/navigation"
    sed -e "s|href=\"$2\"|& aria-current=\"page\"|" -e "s|href=\"|&$1|" "$work/navigation"
}

# blocks: what stands behind the three backticks becomes classes and a caption
blocks() {
    awk '
        /^```/ && !open {
            open = 1
            n = split(substr($0, 4), word, " ")
            if (n == 0) { print; next }
            caption = word[1] == "text" && follows ? "Output" : word[1] == "sh" ? "Shell" : ""
            follows = 0
            if (word[2] == "wrong") { caption = "Refused"; refused = 1 }
            else if (word[1] == "text" && refused) { caption = "Message of the compiler"; refused = 0 }
            if (word[2] == "loops") caption = "Loops of " word[3]
            if (word[2] == "expansion") caption = "Expansion of " word[4]
            if (word[2] == "printed") caption = "Output"
            if (word[2] ~ /\//) caption = word[2]
            print "```{." (word[1] == "c++" ? "cpp" : word[1] == "sh" ? "bash" : word[1]) \
                  (word[2] == "wrong" ? " .refused" : "") (caption ? " caption=\"" caption "\"" : "") "}"
            next
        }
        /^```/ { open = 0; follows = 1 }
        !/^```/ && !open && NF { follows = 0 }
        { print }' "$1"
}

# neighbours FILE: links to the how-to pages before and after it
neighbours() {
    sed -n 's/^- \[\(.*\)\](\([a-z0-9-]*\.md\))$/\2 \1/p' docs/howto/README.md | awk -v file="${1##*/}" '
        { name[NR] = $1; sub(/^[^ ]* /, ""); title[NR] = $0 }
        name[NR] == file { at = NR }
        END {
            if (!at) exit
            print "\n---\n"
            if (at > 1) print "- Before: [" title[at - 1] "](" name[at - 1] ")"
            if (at < NR) print "- Next: [" title[at + 1] "](" name[at + 1] ")"
            print "- [All tasks](README.md)"
        }'
}

# convert FILE FORMAT: its page, from standard input
convert() {
    local page root
    page=$(page_of "$1") root=$(root_of "$1")
    mkdir -p "$site/$(dirname "$page")"
    navigation "$root" "$page" >"$work/menu"
    PAGE=$page INDEX=$work/index SOURCES=$work/sources DIRECTORY=$(dirname "$1") \
        pandoc -f "$2" -t html5 --standalone --toc --toc-depth=3 --template=docs/site/template.html --lua-filter=docs/site/page.lua \
        --include-before-body="$work/menu" -V root="$root" -V name="$(basename "$1" .md)" -o "$site/$page"
}

for file in README.md CHANGELOG.md docs/*.md docs/howto/*.md bench/README.md bench/peers/README.md examples/README.md tests/README.md; do
    [ -e "$file" ] || continue
    case $file in
    docs/howto/README.md | [!d]* | docs/[!h]*) blocks "$file" ;;
    *) blocks "$file" && neighbours "$file" ;;
    esac | convert "$file" gfm+attributes || exit 1
done
for file in LICENSE examples/*.c examples/*.cc examples/company/*.[ch] examples/company/*.cc examples/company/*.py; do
    case $file in *.cc) kind=cpp ;; *.py) kind=python ;; *.[ch]) kind=c ;; *) kind=text ;; esac
    { printf '# %s\n\n```````{.%s}\n' "${file//\//\/<wbr>}" $kind && cat "$file" && echo '```````'; } | convert "$file" gfm+attributes || exit 1
done
# the other titles of pages, as rows of the number of their section and the title
awk -F ' *[|] *' '
    FILENAME == ARGV[1] { if (!/^#/ && NF == 2) titles[$1] = $2; next }
    {
        split($0, part, /","/)
        at = substr(part[1], 3) (part[2] == "" ? "" : "#" part[2])
        if (at in titles) {
            many = split(titles[at], title, / *; */)
            for (k = 1; k <= many; k++) printf "[%d,\"%s\"],\n", FNR - 1, title[k]
            delete titles[at]
        }
    }
    END {
        for (at in titles) print "make site: titles.txt has " at ", which no page has" >"/dev/stderr"
        for (at in titles) exit 1
    }' docs/site/titles.txt "$work/index" >"$work/titles" || exit 1
{
    echo 'window.SEARCH_INDEX = { sections: [' && cat "$work/index" && echo '], synonyms: ['
    sed -n 's/^[^#].*/"&",/p' docs/site/synonyms.txt && echo '], titles: [' && cat "$work/titles" && echo '] };'
} >"$site/search-index.js"
cp docs/site/style.css docs/site/search.js "$site"
if [ -d docs/pictures ]; then mkdir -p "$site/docs/pictures" && cp docs/pictures/*.svg "$site/docs/pictures"; fi
if [ -s build/playground/wasm.js ]; then
    mkdir -p "$site/docs/playground" && cp build/playground/*.html build/playground/*.css build/playground/*.js "$site/docs/playground"
    sed -i 's|^  <button id="theme"|  <a href="../playground.html">Documents</a>\n&|' "$site/docs/playground/index.html"
fi
echo "$site/index.html: $(find "$site" -name '*.html' | wc -l) pages"
