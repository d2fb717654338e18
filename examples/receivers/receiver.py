import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["WEBHOOK_SECRET"].encode("utf-8")
PORT = int(os.environ.get("PORT", "8080"))
TOLERANCE_SECONDS = 300
MAX_BYTES = 2 * 1024 * 1024

# In production, store the ids in a table with a unique column, in the same transaction as the effects of the event.
seen = set()
lock = threading.Lock()


def is_genuine(headers, body):
    """Tells whether the body, byte for byte as received, has a valid signature that is not too old."""
    timestamp = headers.get("X-Webhook-Timestamp", "")
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = timestamp.encode("ascii") + b"." + body
    expected = b"v1=" + hmac.new(SECRET, signed, hashlib.sha256).hexdigest().encode("ascii")
    # During a rotation the header has several signatures, separated by commas. One of them must match.
    given = headers.get("X-Webhook-Signature", "").split(",")
    return any(hmac.compare_digest(part.strip().encode("utf-8"), expected) for part in given)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BYTES:
            self.close_connection = True
            return self.answer(400)
        body = self.rfile.read(int(length))
        if not is_genuine(self.headers, body):
            return self.answer(400)
        event = json.loads(body)
        with lock:
            if event["id"] not in seen:
                seen.add(event["id"])
                print(event["type"], event["id"], flush=True)
        return self.answer(204)

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("", PORT), Receiver)
print("listening on", server.server_port, flush=True)
server.serve_forever()
