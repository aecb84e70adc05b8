"""Addresses for search engines."""

import gzip
import re

from evaluator.site.build.writing import sitemap_files


def test_all_pages_are_named_in_one_file() -> None:
    files = dict(sitemap_files("https://s.test/x/", ["", "a/", "b&c/"]))
    text = files["sitemap.xml"].decode()
    assert re.findall("<loc>(.*?)</loc>", text) == [
        "https://s.test/x/", "https://s.test/x/a/", "https://s.test/x/b&amp;c/"
    ]  # fmt: skip
    assert gzip.decompress(files["sitemap.xml.gz"]) == files["sitemap.xml"]
    assert files["robots.txt"].endswith(b"Sitemap: https://s.test/x/sitemap.xml\n")
    assert files == dict(sitemap_files("https://s.test/x/", ["", "a/", "b&c/"]))


def test_many_pages_are_in_several_files() -> None:
    pages = [f"{number}/" for number in range(7)]
    files = dict(sitemap_files("https://s.test/", pages, limit=3))
    index = re.findall("<loc>https://s.test/(.*?)</loc>", files["sitemap.xml"].decode())
    assert index == ["sitemap-1.xml", "sitemap-2.xml", "sitemap-3.xml"]
    found = [
        page
        for name in index
        for page in re.findall("<loc>https://s.test/(.*?)</loc>", files[name].decode())
    ]
    assert found == pages


def test_without_an_address_no_page_is_named() -> None:
    files = dict(sitemap_files("", ["a/"]))
    assert files["robots.txt"] == b"User-agent: *\nAllow: /\n"
    assert b"<urlset" in files["sitemap.xml"]  # the theme asks for it
    assert b"<loc>" not in files["sitemap.xml"]
