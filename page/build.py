"""Puts the page together: build.py MODULE OUT.  One file that needs nothing else.

page.html has the names of the other files between @ signs.  The module goes in compressed and as
base64; no text put in may end the script element that it stands in.
"""
import base64
import gzip
import json
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).parent
KEYS = ["language", "title", "file", "mode", "of", "expression", "from", "to", "evaluate"]


def examples():
    rows = []
    for line in (HERE / "examples.txt").read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        cells = [cell.strip() for cell in line.split(" | ")]
        row = dict(zip(KEYS, cells + [""] * (len(KEYS) - len(cells))))
        row["text"] = (HERE / row.pop("file")).read_text()
        row["head" if row["language"] == "c" else "entry"] = row.pop("of")
        rows.append(row)
    return rows


def part(name, module):
    if name == "module":
        return base64.b64encode(gzip.compress(module, 9, mtime=0)).decode()
    if name == "examples":
        text = json.dumps(examples(), indent=0)
        return text.replace("<", "\\u003c")
    text = (HERE / name).read_text()
    if re.search(r"</(script|style)", text):
        sys.exit(f"{name} ends the element that it is put in")
    return text.rstrip("\n")


def main():
    module = pathlib.Path(sys.argv[1]).read_bytes()
    page = (HERE / "page.html").read_text()
    page = re.sub(r"@([a-z.]+)@", lambda m: part(m.group(1), module), page)
    pathlib.Path(sys.argv[2]).write_text(page)
    size, wire = len(page.encode()), len(gzip.compress(page.encode(), 9))
    print(f"{sys.argv[2]}: {size / 1e6:.2f} MB, {wire / 1e6:.2f} MB compressed")


main()
