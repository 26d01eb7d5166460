#!/usr/bin/env python3
"""Counts pages and links of a directory, jar or zip of HTML, independently of Braid.

A page is a file or entry that ends in .html or .htm; a link is an a element whose href, resolved
and without its fragment, is a page of the input. Compare with: ./braid index --json PATH
"""

import hashlib
import json
import os
import sys
import zipfile
from html.parser import HTMLParser
from urllib.parse import quote, unquote, urldefrag, urljoin, urlsplit

ROOT = "https://corpus/"


def address(url):
    parts = urlsplit(urldefrag(url)[0])
    path = quote(unquote(parts.path), safe="/:@!$&'()*+,;=~-._") or "/"
    query = "?" + parts.query if parts.query else ""
    return parts.scheme.lower() + "://" + parts.netloc.lower() + path + query


def files(path):
    if os.path.isdir(path):
        for folder, _, names in os.walk(path):
            for name in names:
                file = os.path.join(folder, name)
                with open(file, "rb") as body:
                    yield os.path.relpath(file, path).replace(os.sep, "/"), body.read()
    else:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                if not entry.is_dir():
                    yield entry.filename, archive.read(entry)


class Links(HTMLParser):
    def __init__(self):
        super().__init__()
        self.hrefs = []
        self.base = None

    def handle_starttag(self, tag, attributes):
        href = dict(attributes).get("href")
        if href is not None and tag == "a":
            self.hrefs.append(href.strip())
        if href and tag == "base" and self.base is None:
            self.base = href


def links(url, body, pages):
    parser = Links()
    parser.feed(body.decode("utf-8", "replace"))
    base = urljoin(url, parser.base or "")
    count = 0
    for href in parser.hrefs:
        try:
            count += address(urljoin(base, href)) in pages
        except ValueError:
            pass  # no address
    return count


def main(path):
    pages = {
        address(ROOT + quote(name)): body
        for name, body in files(path)
        if name.lower().endswith((".html", ".htm"))
    }
    print(
        json.dumps(
            {
                "pages": len(pages),
                "distinct_exact": len({hashlib.sha256(b).digest() for b in pages.values()}),
                "links": sum(links(url, body, pages) for url, body in pages.items()),
            }
        )
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: count.py PATH")
    main(sys.argv[1])
