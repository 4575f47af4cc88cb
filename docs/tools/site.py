#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The documents as one static site. Doxygen makes it; this script does what Doxygen's Markdown cannot.

    site.py stage SOURCE OUT   copies the documents to OUT, with a page for each chapter; headings get the anchors and
                               links the targets that Doxygen wants
    site.py symbols XML        fails where a symbol without documentation is of a kind that Doxygen does not check:
                               enumerations without a name, enumerators, concepts, namespaces
    site.py check HTML         fails where a link of the site leads nowhere
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag
from xml.etree import ElementTree

# The site's chapters in order. Each has an id, a title, its purpose, and its documents in order ("*": the rest).
CHAPTERS = (
    ("start", "Start", "Install the program, write a configuration, read what a run leaves.",
     ("docs/guides/install.md", "docs/guides/config.md", "docs/guides/studies.md", "docs/guides/python.md",
      "docs/run-record.md", "docs/exit-codes.md", "docs/glossary.md")),
    ("problems-and-algorithms", "Problems and algorithms", "What can be solved, and with what.",
     ("docs/guides/qap-from-other-problems.md", "docs/guides/algorithms/*.md", "docs/performance.md",
      "docs/records/README.md")),
    ("plugins", "Write plugins", "Problems, solvers and improvers of your own.",
     ("docs/guides/write-a-problem.md", "docs/guides/write-a-solver.md", "docs/guides/write-an-improver.md",
      "docs/guides/write-device-code.md", "docs/guides/test-your-plugin.md", "docs/guides/write-*.md",
      "docs/guides/*.md")),
    ("reference", "Reference of plugins and keys", "Generated from what the program and the plugins declare.",
     ("docs/reference/README.md", "docs/reference/settings.md", "docs/reference/*.md")),
    ("inside", "How it is built", "For those who change it.",
     ("docs/architecture.md", "CONTRIBUTING.md", "docs/decisions/README.md", "docs/decisions/*.md", "CHANGELOG.md",
      "sdk/README.md", "kernels/README.md", "framework/README.md", "problems/README.md", "plugins/README.md",
      "configs/README.md", "tests/README.md", "bench/README.md", "python/README.md",
      "docs/*.md")),
    ("notebook", "Notebook", "What was tried, predicted and measured.", ("docs/notebook/*.md",)),
)
FRONT = "README.md"


def page_id(path):
    """The page of a document, and the name of its HTML file."""
    return "index" if path == FRONT else "page-" + re.sub(r"[^a-z0-9]+", "-", path.removesuffix(".md").lower())


def anchor_of(heading):
    """The anchor that Markdown viewers give a heading."""
    words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower())
    return words.strip().replace(" ", "-")


def chapters(source):
    """(id, title, purpose, documents) of each chapter; every document is in one."""
    taken = {FRONT}
    for name, title, purpose, patterns in CHAPTERS:
        documents = []
        for pattern in patterns:
            for path in sorted(str(file.relative_to(source)) for file in source.glob(pattern)):
                if path not in taken and path.endswith(".md"):
                    taken.add(path)
                    documents.append(path)
        yield name, title, purpose, documents


class Document:
    """A Markdown file on its way into the site."""

    def __init__(self, source, path, known):
        self.source, self.path, self.known = source, path, known
        self.page = page_id(path)

    def text(self):
        """The document as Doxygen takes it."""
        out, prose, fence, titled = [], [], False, False

        def flush():
            if prose:
                out.append(self.links(self.escaped("\n".join(prose))))
                prose.clear()

        for line in (self.source / self.path).read_text(encoding="utf-8").splitlines():
            heading = None if fence else re.match(r"(#+) +(.*)", line)
            if line.startswith("<!-- "):
                continue  # marks of snippets
            if not (fence or heading or line.startswith(("```", "    "))):
                prose.append(line)
                continue
            flush()
            if line.startswith("```"):
                fence = not fence
                out.append(self.fence(line))
            elif heading:
                out.append(self.heading(*heading.groups(), titled))
                titled = True
            else:
                out.append(line)
        flush()
        return "\n".join(out) + "\n"

    @staticmethod
    def escaped(text):
        """The text, with the signs escaped that Doxygen takes for tags and commands outside code."""
        parts = re.split(r"(`[^`]*`)", text)
        for k in range(0, len(parts), 2):
            parts[k] = re.sub(r"([@\\])(?=[a-z])", r"\\\1", parts[k]).replace("<", "&lt;")
        return "".join(parts)

    @staticmethod
    def fence(line):
        """The first or last line of code: Doxygen colours some languages and wants others without a name."""
        language = line[3:].strip()
        return f"```{{.{language}}}" if language in ("cpp", "c", "python") else "```"

    def heading(self, marks, title, titled):
        if not titled:
            return f"# {title} {{#{'mainpage' if self.path == FRONT else self.page}}}"
        return f"{marks} {title} {{#{self.page}-{anchor_of(title)}}}"

    def links(self, text):
        # Doxygen finds pictures by their names alone (IMAGE_PATH).
        text = re.sub(r"!\[([^\]]*)\]\((?:[^)\s]*/)?([^)\s/]+)\)", r"![\1](\2)", text)
        return re.sub(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", self.link, text)

    def link(self, match):
        text, target = match.groups()
        if re.match(r"[a-z]+:", target):
            return match.group(0)
        file, anchor = urldefrag(target)
        path = self.path if not file else str((self.source / self.path).parent.joinpath(file).resolve()
                                              .relative_to(self.source))
        for candidate in (path, f"{path}/README.md"):
            if candidate in self.known:
                page = page_id(candidate)
                place = f"#{page}-{anchor}" if anchor else ""
                return f'<a href="{page}.html{place}">{self.html(text)}</a>'
        return text  # the target has no page, so only the link's text remains

    @staticmethod
    def html(text):
        return re.sub(r"`([^`]*)`", lambda code: f"<code>{code.group(1)}</code>", text)


def stage(source, out):
    out.mkdir(parents=True, exist_ok=True)
    all_chapters = list(chapters(source))
    known = {FRONT, *(path for chapter in all_chapters for path in chapter[3])}
    for path in known:
        (out / f"{page_id(path)}.md").write_text(Document(source, path, known).text(), encoding="utf-8")
    for name, title, purpose, documents in all_chapters:
        text = f"# {title} {{#chapter-{name}}}\n\n{purpose}\n\n"
        text += "".join(f"- \\subpage {page_id(path)}\n" for path in documents)
        (out / f"chapter-{name}.md").write_text(text, encoding="utf-8")
    front = out / f"{page_id(FRONT)}.md"
    parts = "".join(f'- \\subpage chapter-{name} "{title}": {purpose}\n' for name, title, purpose, _ in all_chapters)
    parts += '- <a href="annotated.html">Classes and structs</a>, <a href="files.html">headers</a>: the API.\n'
    front.write_text(front.read_text(encoding="utf-8") + f"\n## This site {{#this-site}}\n\n{parts}", encoding="utf-8")


class Page(HTMLParser):
    """The links and anchors of an HTML file."""

    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.update(values[key] for key in ("id", "name") if values.get(key))
        for key in ("href", "src"):
            if values.get(key):
                self.links.append(values[key])


def check(folder):
    pages = {path.name: Page(path) for path in sorted(folder.glob("*.html"))}
    dead, count = [], 0
    for name, page in pages.items():
        for link in page.links:
            if re.match(r"(https?|mailto|javascript|data):", link):
                continue
            count += 1
            file, anchor = urldefrag(unquote(link))
            if anchor == "nested-classes":
                continue  # this anchor may be missing: Doxygen links to it even if all nested classes are private
            file = file or name
            if not (folder / file).exists() or (anchor and file in pages and anchor not in pages[file].anchors):
                dead.append(f"{name}: no such place: {link}")
    print("\n".join(sorted(set(dead))))
    print(f"{len(pages)} pages, {count} links, {len(set(dead))} of them dead")
    return 1 if dead or count == 0 else 0


def is_documented(node):
    return any("".join(part.itertext()).strip() for part in (node.find("briefdescription"),
                                                             node.find("detaileddescription")) if part is not None)


def symbols(folder):
    bare, count = set(), 0
    for path in sorted(folder.glob("*.xml")):
        for compound in ElementTree.parse(path).iter("compounddef"):
            asked = []
            if compound.get("kind") in ("concept", "namespace"):
                asked.append((f"{compound.get('kind')} {compound.findtext('compoundname')}", compound))
            for enum in compound.iterfind(".//memberdef[@kind='enum']"):
                if enum.get("prot") == "private":
                    continue
                place = enum.find("location")
                asked.append((f"{place.get('file')}:{place.get('line')}: enum {enum.findtext('name')}", enum))
                asked += [(f"enumerator {value.findtext('name')}", value) for value in enum.iterfind("enumvalue")]
            count += len(asked)
            bare.update(name for name, node in asked if not is_documented(node))
    for name in sorted(bare):
        print(f"{name} is not documented")
    print(f"{count} enumerations, enumerators, concepts and namespaces, {len(bare)} of them undocumented")
    return 1 if bare or count == 0 else 0


def main(words):
    if len(words) == 3 and words[0] == "stage":
        return stage(Path(words[1]).resolve(), Path(words[2]))
    if len(words) == 2 and words[0] == "symbols":
        return symbols(Path(words[1]))
    if len(words) == 2 and words[0] == "check":
        return check(Path(words[1]))
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
