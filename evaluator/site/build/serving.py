"""Serves the built site on a loopback address, as static hosts do."""

import email.utils
import functools
import gzip
import http.server
import io
import os
from http import HTTPStatus
from pathlib import Path
from typing import BinaryIO

from evaluator.core.errors import UsageError
from evaluator.core.log import say

_COMPRESSED = (
    "text/", "application/json", "application/javascript", "application/xml", "image/svg+xml",
    "application/atom+xml",
)  # fmt: skip
_LARGE = 2**20
"""From here on compressing hard takes longer than the loopback takes for the difference."""
_MIN_BYTES = 1000
"""Less does not become fewer packets."""


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Serves the site as static hosts do: compressed, and for programs of any origin."""

    def end_headers(self) -> None:
        """Add what lets another origin's pages read ``api/``, which is public anyway."""
        if self.path.startswith("/api/"):
            self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Vary", "Accept-Encoding")
        super().end_headers()

    def send_head(self) -> io.BytesIO | BinaryIO | None:
        """Answer with a compressed file where the browser takes one and it is worth it."""
        path = self.translate_path(self.path)
        if os.path.isdir(path) and self.path.split("?")[0].endswith("/"):  # noqa: PTH112
            path = os.path.join(path, "index.html")  # noqa: PTH118
        if not self._takes_gzip() or not self.guess_type(path).startswith(_COMPRESSED):
            return super().send_head()
        try:
            file = Path(path)
            status = file.stat()
            if not file.is_file() or status.st_size < _MIN_BYTES:
                return super().send_head()
            modified = int(status.st_mtime)
            if self._has_it(modified):
                self.send_response(HTTPStatus.NOT_MODIFIED)
                self.end_headers()
                return None
            level = 1 if status.st_size > _LARGE else 6
            content = gzip.compress(file.read_bytes(), compresslevel=level, mtime=0)
        except OSError:
            return super().send_head()  # which says what is wrong
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Last-Modified", self.date_time_string(modified))
        self.end_headers()
        return io.BytesIO(content)

    def _takes_gzip(self) -> bool:
        for offered in self.headers.get("Accept-Encoding", "").split(","):
            coding, _, quality = offered.replace(" ", "").partition(";")
            if coding.lower() == "gzip":
                return quality not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
        return False

    def _has_it(self, modified: int) -> bool:
        """Whether the browser's copy is no older; as the standard library decides it."""
        header = self.headers.get("If-Modified-Since")
        if header is None or "If-None-Match" in self.headers:
            return False
        try:
            return modified <= int(email.utils.parsedate_to_datetime(header).timestamp())
        except (TypeError, ValueError, OverflowError, IndexError):
            return False


def serve(folder: Path, port: int) -> None:
    handler = functools.partial(SiteHandler, directory=str(folder))
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
    except OSError as error:
        raise UsageError(
            f"cannot serve on port {port}: {error}", hint="Choose another with --port."
        ) from None
    with server:
        say(f"serving at http://127.0.0.1:{server.server_port}/ (stop with ^C)")
        server.serve_forever()
