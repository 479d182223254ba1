"""Takes pings over TLS and writes the path of each to a file. Usage: listener.py PORT CERTIFICATE KEY FILE"""

import http.server
import ssl
import sys

port, certificate, key, log = sys.argv[1:]


class Pings(http.server.BaseHTTPRequestHandler):
    def answer(self):
        with open(log, "a") as file:
            file.write(self.path + "\n")
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD = do_POST = answer

    def log_message(self, *_):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", int(port)), Pings)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(certificate, key)
server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
