"""Says the last message backwards, in whichever form it is asked."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = asked["messages"][-1]["content"]
        said, used = text[::-1], (len(text), len(text))
        if self.path.endswith("/messages"):
            usage = dict(zip(("input_tokens", "output_tokens"), used, strict=True))
            answer = {"content": [{"type": "text", "text": said}], "usage": usage}
        else:
            usage = dict(zip(("prompt_tokens", "completion_tokens"), used, strict=True))
            answer = {"choices": [{"message": {"content": said}}], "usage": usage}
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


ThreadingHTTPServer(("127.0.0.1", 8000), Model).serve_forever()
