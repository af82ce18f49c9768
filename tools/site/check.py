"""Checks a folder of pages:  check.py SITE

Every link and its anchor lead to something, identifiers are used once in a page, every page can be
reached from index.html, and nothing is loaded from elsewhere.  Prints what is wrong; the last line
has the counts."""
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(sys.argv[1]).resolve()
LOADED = {"script": "src", "link": "href", "img": "src", "iframe": "src", "source": "src"}


class Reader(HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.ids, self.links, self.loads, self.twice = set(), [], [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        name = values.get("id")
        if name is not None:
            if name in self.ids:
                self.twice.append(name)
            self.ids.add(name)
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in LOADED and LOADED[tag] in values:
            self.loads.append(values[LOADED[tag]])


def target(path, link):
    parts = urlsplit(link)
    to = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
    return to, unquote(parts.fragment)


pages = {p.resolve(): Reader(p) for p in sorted(SITE.rglob("*.html"))}
problems, links = [], 0
for path, page in pages.items():
    name = path.relative_to(SITE)
    problems += [f"{name}: the identifier {i} is used twice" for i in page.twice]
    for link in page.loads:
        to, _ = target(path, link)
        if urlsplit(link).scheme or link.startswith("//"):
            problems.append(f"{name}: loads {link} from elsewhere")
        elif not to.is_file():
            problems.append(f"{name}: loads {link}, which is missing")
    for link in page.links:
        links += 1
        if urlsplit(link).scheme:
            continue
        to, anchor = target(path, link)
        if to not in pages:
            problems.append(f"{name}: {link} leads nowhere")
        elif anchor and anchor not in pages[to].ids:
            problems.append(f"{name}: {link}: the page has no such place")
for path in SITE.rglob("*.css"):
    if "url(" in path.read_text() or "@import" in path.read_text():
        problems.append(f"{path.name} loads something")

reached, todo = set(), [SITE / "index.html"]
while todo:
    path = todo.pop()
    if path in reached or path not in pages:
        continue
    reached.add(path)
    todo += [target(path, l)[0] for l in pages[path].links if not urlsplit(l).scheme]
problems += [f"{p.relative_to(SITE)}: no link leads here" for p in pages if p not in reached]

for problem in problems:
    print(problem)
print(f"{links + len(pages) - len(problems)} passed, {len(problems)} failed")
sys.exit(bool(problems) or not pages)
