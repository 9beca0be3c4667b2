-- page.lua: a filter for pandoc. Links to documents become links to their pages, tables and code blocks get the wrappers
-- that style.css expects, and every section becomes a row of the search index.
-- Environment: PAGE (the path of the page in the site), INDEX (the file to which rows are added), DIRECTORY (of the source).
local page, index_path, directory = os.getenv("PAGE"), os.getenv("INDEX"), os.getenv("DIRECTORY") or "."

local function exists(path)
    local file = io.open(path)
    if file then file:close() end
    return file ~= nil
end

-- The page of a file, relative as the file was.
local function page_of(path)
    if path:match("%.md$") then return (path:gsub("README%.md$", "index.html"):gsub("%.md$", ".html")) end
    if path:match("%.svg$") or path:match("%.html$") then return path end
    if exists(directory .. "/" .. path .. "/README.md") then return path .. "/index.html" end
    return path .. ".html"
end

function Link(link)
    local target = link.target
    if target:match("^%a+:") or target:match("^#") then return nil end
    local path, anchor = target:match("^([^#]*)(.*)$")
    link.target = page_of(path) .. anchor
    return link
end

-- The content of a cell: "no" stands out among many "yes"; numbers and their unit stay in one line.
local function cell_text(plain)
    local text = pandoc.utils.stringify(plain)
    if text == "no" then plain.content = { pandoc.Span(plain.content, pandoc.Attr("", { "no" })) } end
    if #text <= 28 and text:match("^[%d%s/.,^-]+%a?%a?$") or #text <= 16 and text:match("^%d[%d.e+]* %a+$") then
        local space = text:find("/") and "\u{200a}" or "\u{202f}"
        return pandoc.walk_block(plain, { Space = function() return pandoc.Str(space) end })
    end
    return plain
end

-- Calls visit(cell, column) for the cells of the bodies of a table.
local function each_cell(t, visit)
    for _, body in ipairs(t.bodies) do
        for _, row in ipairs(body.body) do
            for column, cell in ipairs(row.cells) do
                visit(cell, column)
                row.cells[column] = cell
            end
        end
    end
end

-- Columns that hold numbers alone, as "0.54 ms" or "1,999", stand at the right, so that their digits are below each other.
local function align_numbers(t)
    local numbers, others = {}, {}
    each_cell(t, function(cell, column)
        local text = pandoc.utils.stringify(cell.contents)
        if text:match("^[+-]?%d[%d,.]*%s?%a?%a?%%?$") then numbers[column] = true elseif text ~= "" then others[column] = true end
    end)
    for column, spec in ipairs(t.colspecs) do
        if numbers[column] and not others[column] then spec[1] = "AlignRight" end
        t.colspecs[column] = spec
    end
end

-- A short heading of a column, such as y = A x, stays in one line.
local function keep_short_headings(head)
    for _, cell in ipairs(head and head.cells or {}) do
        if #pandoc.utils.stringify(cell.contents) <= 9 then
            cell.contents = pandoc.walk_block(pandoc.Div(cell.contents), { Space = function() return pandoc.Str("\u{a0}") end }).content
        end
    end
end

-- In a table short code stays in one line, long code does not.
local long = 34

-- How many characters a table needs in a line: its columns have 20, or their longest word, or all of a short text.
local function characters_of(t)
    local most, sum = {}, 0
    each_cell(t, function(cell, column)
        local need = math.min(#pandoc.utils.stringify(cell.contents), 20)
        pandoc.walk_block(pandoc.Div(cell.contents), {
            Str = function(s) need = math.max(need, #s.text) end,
            Code = function(c) need = math.max(need, #c.text <= long and #c.text or 0) end,
        })
        most[column] = math.max(most[column] or 0, need)
    end)
    for _, need in pairs(most) do sum = sum + need + 3 end
    return sum
end

-- A table of three columns or more with prose becomes a list of its rows in a narrow window, and in one of medium width if
-- it is too wide for that: its cells have the headings of their columns.
function Table(t)
    local head, prose = t.head.rows[1], false
    align_numbers(t)
    keep_short_headings(head)
    each_cell(t, function(cell) prose = prose or #pandoc.utils.stringify(cell.contents) > long end)
    local stacked = prose and head and #head.cells > 2
    local classes = { "table" }
    if stacked then classes[2] = "stacked" end
    if stacked and characters_of(t) > 100 then classes[3] = "wide" end
    if not stacked and head and #head.cells > 6 then classes[2] = "many" end
    if stacked then
        each_cell(t, function(cell, column)
            local text = pandoc.utils.stringify(cell.contents)
            local label = pandoc.utils.stringify(head.cells[column].contents)
            cell.attr = pandoc.Attr("", #text <= 16 and { "short" } or {}, column > 1 and label ~= "" and { ["data-label"] = label } or {})
        end)
    end
    return pandoc.walk_block(pandoc.Div({ t }, pandoc.Attr("", classes)), {
        Code = function(code)
            if #code.text > long then code.classes:insert("long") end
            return code
        end,
        Plain = cell_text,
    })
end

-- An option, such as --search, is not broken after its hyphens, and short code, such as j < i, not at its spaces.
function Code(code)
    if #code.text <= (code.text:find("-", 1, true) and 24 or 16) then
        code.classes:insert("whole")
        return code
    end
    if not (" " .. code.text):find(" %-%-?%a") then return code end
    local words = {}
    for word in code.text:gmatch("%S+") do
        if #words > 0 then words[#words + 1] = pandoc.Space() end
        words[#words + 1] = pandoc.Code(word, pandoc.Attr("", #word <= long and { "whole" } or {}))
    end
    return pandoc.Span(words, pandoc.Attr("", { "words" }))
end

-- A picture tells its width, from which it may shrink a little.
function Image(image)
    local file = io.open(directory .. "/" .. image.src)
    local width = file and file:read(400):match("<svg[^>]- width=['\"](%d+)['\"]")
    if file then file:close() end
    if width then image.attributes.style = "--width:" .. width .. "px" end
    return image
end

function CodeBlock(code)
    local caption = code.attributes.caption
    if page == "docs/api.html" and #code.classes == 0 then code.classes:insert("c") end
    local classes = { "code" }
    if code.classes[1] == "text" then classes[2] = "output" end
    if classes[2] and select(2, code.text:gsub("\n", "")) < (page == "LICENSE.html" and 99 or 2) then classes[3] = "message" end -- sentences, which may be broken
    if code.classes:includes("refused") then classes[2] = "refused" end
    code.attributes.caption = nil
    local wrapped = { code }
    if caption then wrapped = { pandoc.Div({ pandoc.Plain({ pandoc.Str(caption) }) }, pandoc.Attr("", { "caption" })), code } end
    return pandoc.Div(wrapped, pandoc.Attr("", classes))
end

local function quoted(s)
    return '"' .. s:gsub('[%c"\\<]', { ['"'] = '\\"', ["\\"] = "\\\\", ["<"] = "\\u003c", ["\n"] = " ", ["\t"] = " " }) .. '"'
end

-- The words of a block, with spaces between the cells of a table and the lines of code.
local function words(block)
    local t = {}
    pandoc.walk_block(pandoc.Div({ block }), {
        Str = function(s) t[#t + 1] = s.text end,
        Code = function(s) t[#t + 1] = s.text end,
        CodeBlock = function(s) t[#t + 1] = s.text end,
    })
    return (table.concat(t, " "):gsub("%s+", " "))
end

-- Each row of a table of errors gets an anchor of its own, so that the search finds the row of a message. Returns the
-- block and the rows as { anchor, heading, text }: the name of a result and its sentence are the heading, or the sentence of the compiler.
local anchors = {}
local function errors_of(block)
    local rows = {}
    local marked = block:walk({
        Table = function(t)
            local bodies = t.bodies
            for _, row in ipairs(bodies[1].body) do
                local cells = {}
                for k, cell in ipairs(row.cells) do cells[k] = words(pandoc.Div(cell.contents)) end
                local heading = table.remove(cells, 1)
                local id = heading:lower():gsub("[^%w]+", "-"):gsub("^%-", ""):sub(1, 60):gsub("%-$", "")
                if heading:match("^SPARSE_") then heading = heading .. ": " .. table.remove(cells, 1) end
                while anchors[id] do id = id .. "-" end
                anchors[id] = true
                row.cells[1].attr = pandoc.Attr(id)
                rows[#rows + 1] = { id, heading, table.concat(cells, " ") }
            end
            t.bodies = bodies
            return t
        end,
    })
    return marked, rows
end

function Pandoc(doc)
    if not index_path then return nil end
    local title, heading, anchor, text = nil, "", "", {}
    local out = assert(io.open(index_path, "a"))
    local function write(at, head, words_there)
        out:write("[", quoted(page), ",", quoted(at), ",", quoted(title), ",", quoted(head), ",", quoted(words_there), "],\n")
    end
    local function finish()
        if title then write(anchor, heading, table.concat(text, " ")) end
        text = {}
    end
    local rows = {}
    for k, block in ipairs(doc.blocks) do
        if page == "docs/errors.html" then
            doc.blocks[k], rows[k] = errors_of(block)
        end
        if block.t == "Header" then
            finish()
            heading, anchor = pandoc.utils.stringify(block), block.identifier
            if not title then title, heading, anchor = heading, "", "" end
        else
            text[#text + 1] = words(block)
        end
    end
    finish()
    for k = 1, #doc.blocks do
        for _, row in ipairs(rows[k] or {}) do write(row[1], row[2], row[3]) end
    end
    out:close()
    doc.meta.pagetitle = title or page
    doc.meta.title = nil
    return doc
end
