"""Serves the built site on a loopback address, as static hosts do."""

import functools
import http.server
from pathlib import Path

from evaluator.core.errors import UsageError
from evaluator.core.log import say


class SiteHandler(http.server.SimpleHTTPRequestHandler):
    """Lets other origins' pages read ``api/``, which is public anyway."""

    def end_headers(self) -> None:
        if self.path.startswith("/api/"):
            self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


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
