"""The documentation as web pages:  build.py DAGAZ OUT

Pages of doc/*.md, README.md, HACKING.md, STYLE.md and editors/README.md, of the library (from
`dagaz doc`) and of the examples, with a search that works without a server.  Nothing is fetched
from elsewhere.  Needs Python-Markdown."""
import html
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import markdown
except ImportError:
    sys.exit("make site needs Python-Markdown: `pip install markdown`, or the Debian package\n"
             "python3-markdown; PYTHON=.. names another interpreter that has it.")

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent

# Groups of the menu: pages by their names, which are those of the files in doc/.
GROUPS = [
    ("Start", ["index", "tutorial", "editors"]),
    ("Language", ["language", "errors", "intrinsics"]),
    ("Derivatives", ["ad", "strategies", "memory", "inspect", "lib-ad", "page"]),
    ("Library", ["lib", "api"]),
    ("Programs around it", ["data", "python", "from-c", "from-rust", "from-julia"]),
    ("Speed", ["performance", "parallel"]),
    ("Examples", []),
    ("Developers", ["hacking", "style", "core", "accumulators", "sparse-jacobians",
                    "glossary", "plan"]),
]
SHORT = {"index": "Overview", "api": "All functions", "hacking": "Finding one's way",
         "style": "Coding style", "editors": "Editors"}
FILES = {"README.md": "index", "HACKING.md": "hacking", "STYLE.md": "style",
         "editors/README.md": "editors"}


class Page:
    """One page: its name below the site ("api/lib-ad"), title, body and where the body is from."""

    def __init__(self, name, title, body, source, sections=()):
        self.name, self.title, self.body, self.source = name, title, body, source
        self.sections = sections  # (level, anchor, title)

    def up(self):
        return "../" * self.name.count("/")


# ---- code -----------------------------------------------------------------------------------------
WORDS = "def let in val with local open include import type entry module if then else loop for " \
        "while do match case assert".split()
TOKENS = re.compile(
    r"(?P<comment>--[^\n]*)|(?P<string>\"(?:\\.|[^\"\\\n])*\")|(?P<attribute>#\[[^\]\n]*\])"
    r"|(?P<number>\b\d[\w.]*\b)|(?P<derivative>\b(?:jvp2?|vjp2?|jmp2?|mjp2?|with_vjp)\b)"
    r"|(?P<type>\b(?:[iu](?:8|16|32|64)|f(?:16|32|64)|bool)\b)|(?P<keyword>\b(?:%s)\b)"
    r"|(?P<constructor>#[A-Za-z_]\w*)" % "|".join(WORDS))


def futhark_html(code):
    out, at = [], 0
    for m in TOKENS.finditer(code):
        out += [html.escape(code[at:m.start()]),
                f'<span class="{m.lastgroup}">{html.escape(m.group())}</span>']
        at = m.end()
    return "".join(out) + html.escape(code[at:])


def shell_html(code):
    lines, program = [], False  # whether a program follows, as in `$ cat > f.fut`
    for line in code.split("\n"):
        if line.startswith("$ "):
            program = re.match(r"\$ cat > .*\.fut$", line)
            lines.append(f'<span class="prompt">$ </span><b>{html.escape(line[2:])}</b>')
        else:
            lines.append(futhark_html(line) if program else html.escape(line))
    return "\n".join(lines)


def code_html(match):
    language, code = match.group(1), html.unescape(match.group(2))
    if not language and re.search(r"^\$ ", code, re.M):
        text = shell_html(code)
    elif language == "futhark" or re.search(r"^(def|entry|module|type|import \") ?", code, re.M):
        text = futhark_html(code)
    else:
        text = html.escape(code)
    return f"<pre><code>{text}</code></pre>"


# ---- documents ------------------------------------------------------------------------------------
def page_of_file(path):
    """The page of a file that documents mention, or None."""
    if path in FILES:
        return FILES[path]
    name = path.removeprefix("doc/").removesuffix(".md")
    return name if (ROOT / "doc" / f"{name}.md").exists() and path.endswith(".md") else None


def mentions_linked(body):
    """doc/ad.md in a text becomes a link, unless it stands in one or in an example."""
    out, depth = [], 0
    for part in re.split(r"(<[^>]*>)", body):
        tag = re.match(r"<(/?)(a|pre)\b", part)
        if tag:
            depth += -1 if tag.group(1) else 1
        elif not part.startswith("<") and depth == 0:
            part = re.sub(r"\b(?:doc/[\w-]+|README|HACKING|STYLE|editors/README)\.md\b", mention,
                          part)
        out.append(part)
    return "".join(out)


def mention(match):
    page = page_of_file(match.group())
    return f'<a href="{page}.html">{match.group()}</a>' if page else match.group()


def link_moved(match):
    path, anchor = match.group(1), match.group(2) or ""
    page = page_of_file(path) or page_of_file(f"doc/{path}")
    return f'href="{page}.html{anchor}"' if page else match.group()


def document(path, name):
    text = (ROOT / path).read_text()
    text = re.sub(r"<!--.*?-->\n?", "", text, flags=re.S)
    converter = markdown.Markdown(extensions=["tables", "fenced_code", "sane_lists", "toc"],
                                  extension_configs={"toc": {"permalink": "#"}})
    body = converter.convert(text)
    body = re.sub(r'<pre><code(?: class="language-(\w+)")?>(.*?)</code></pre>', code_html, body,
                  flags=re.S)
    body = re.sub(r'href="([\w./-]+\.md)(#[\w-]+)?"', link_moved, body)
    body = re.sub(r"<table>", '<div class="wide"><table>', body).replace("</table>", "</table></div>")
    tokens = converter.toc_tokens
    title = tokens[0]["name"] if tokens else name
    sections = [(t["level"], t["id"], t["name"]) for t in flat(tokens)]
    return Page(name, html.unescape(title), mentions_linked(body), path, sections)


def flat(tokens):
    for token in tokens:
        yield token
        yield from flat(token["children"])


# ---- library and examples -------------------------------------------------------------------------
def imports_html(path):
    """Links to the pages of the files that a file imports."""
    links = []
    for name in re.findall(r'^[^-\n]*\bimport "([^"]+)"', (ROOT / path).read_text(), re.M):
        to = ((ROOT / path).parent / f"{name}.fut").resolve()
        if to.exists() and ROOT / "lib" in to.parents:
            page = str(to.relative_to(ROOT)).removesuffix(".fut").replace("/", "-")
            links.append(f'<a href="{page}.html">{to.relative_to(ROOT)}</a>')
    return f"<p>Imports {', '.join(dict.fromkeys(links))}</p>\n" if links else ""


def functions_html(page):
    """The names of a page of the library, below its file's name."""
    links = [f'<a href="{page.name}.html#{anchor}"><code>{html.escape(title.split(".")[-1])}</code></a>'
             for _, anchor, title in page.sections]
    return (f'<h2 class="file"><a href="{page.name}.html">{page.source}</a></h2>\n'
            f"<p>{' '.join(links)}</p>\n")


def library(dagaz):
    """The pages of `dagaz doc`, below api/, and a list of them."""
    files = sorted(str(p.relative_to(ROOT)) for p in (ROOT / "lib").rglob("*.fut"))
    pages = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([dagaz, "doc", "-o", folder, *files], cwd=ROOT, check=True)
        for made in sorted(Path(folder).glob("*.html")):
            if made.stem != "index":
                pages.append(library_page(made.stem, made.read_text()))
    body = "<h1>All functions</h1>\n" + "".join(functions_html(p) for p in pages)
    return [Page("api", "All functions", body, "lib/"), *pages]


def library_page(stem, text):
    body = re.search(r"<body>(.*)</body>", text, re.S).group(1)
    title = html.unescape(re.search(r"<title>(.*?)</title>", text).group(1))
    body = body.replace('href="index.html"', 'href="../api.html"')
    body = body.replace("</h1>", f"</h1>\n{imports_html(title)}", 1)
    body = re.sub(r"<pre>(.*?)</pre>", lambda m: "<pre><code>%s</code></pre>" %
                  futhark_html(html.unescape(m.group(1))), body, flags=re.S)
    ids = re.findall(r'<div class="dec" id="([^"]+)"', body)
    return Page(f"api/{stem}", title, body, title, [(3, i, html.unescape(i)) for i in ids])


def examples():
    for path in sorted((ROOT / "examples").glob("*.fut")):
        source = f"examples/{path.name}"
        title = path.stem.replace("_", " ").capitalize()
        body = (f"<h1>{title}</h1>\n<p>The tests run this program: <code>dagaz test {source}</code>."
                f"</p>\n<pre><code>{futhark_html(path.read_text())}</code></pre>\n")
        yield Page(f"examples/{path.stem}", title, body, source)


# ---- the frame around pages -----------------------------------------------------------------------
def menu(pages, current):
    by_name = {p.name: p for p in pages}
    known = {n for _, names in GROUPS for n in names}
    out = []
    for group, names in GROUPS:
        if group == "Examples":
            names = [p.name for p in pages if p.name.startswith("examples/")]
        if group == "Developers":
            names = names + [p.name for p in pages if "/" not in p.name and p.name not in known]
        items = []
        for page in (by_name[n] for n in names if n in by_name):
            here = ' class="here"' if page.name == current.name else ""
            label = SHORT.get(page.name, page.title)
            items.append(f'<li><a{here} href="{current.up()}{page.name}.html">'
                         f"{html.escape(label)}</a></li>")
        if items:
            out.append(f"<h2>{group}</h2>\n<ul>\n" + "\n".join(items) + "\n</ul>")
    return "\n".join(out)


def contents(page):
    items = [f'<li class="level{level}"><a href="#{anchor}">{html.escape(html.unescape(title))}</a></li>'
             for level, anchor, title in page.sections if level in (2, 3)]
    if len(items) < 3:
        return ""
    return '<nav class="contents" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n' + \
        "\n".join(items) + "\n</ul>\n</nav>"


def frame(pages, page):
    layout = (HERE / "page.html").read_text()
    values = {"title": html.escape(page.title), "up": page.up(), "menu": menu(pages, page),
              "body": page.body, "contents": contents(page), "source": html.escape(page.source)}
    return re.sub(r"\{\{(\w+)\}\}", lambda m: values[m.group(1)], layout)


# ---- search ---------------------------------------------------------------------------------------
def plain(body):
    body = re.sub(r'<a class="headerlink".*?</a>', "", body)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", body)).split())


def search_entries(page):
    """One entry for each section: (address, page, section, text)."""
    pieces = re.split(r'(?=<h[23] id=|<div class="dec" id=)', page.body)
    for piece in pieces:
        anchor = re.match(r'<(?:h[23]|div class="dec") id="([^"]+)"', piece)
        title = next((t for _, a, t in page.sections if anchor and a == anchor.group(1)), "")
        address = f"{page.name}.html" + (f"#{anchor.group(1)}" if anchor else "")
        yield [address, page.title, html.unescape(title), plain(piece)[:3000]]


def main():
    dagaz, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2])
    paths = dict(FILES) | {f"doc/{p.name}": p.stem for p in sorted((ROOT / "doc").glob("*.md"))}
    pages = [document(path, name) for path, name in paths.items()]
    pages += [*library(str(dagaz)), *examples()]
    built = dagaz.parent / "page" / "dagaz.html"
    if built.exists():  # by `make page`
        about = next(page for page in pages if page.name == "page")
        about.body = '<p><a href="dagaz.html">Open the page</a></p>' + about.body
        out.mkdir(parents=True, exist_ok=True)
        (out / built.name).write_bytes(built.read_bytes())
    for page in pages:
        to = out / f"{page.name}.html"
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(frame(pages, page))
    entries = [e for p in pages for e in search_entries(p)]
    (out / "search-index.js").write_text(f"searchIndex = {json.dumps(entries)};\n")
    for name in ("style.css", "search.js"):
        (out / name).write_text((HERE / name).read_text())
    print(f"{len(pages)} pages: {out}/index.html")


main()
