# SPDX-License-Identifier: Apache-2.0
"""A small SMTP server on a loopback port, for tests: STARTTLS or TLS, AUTH PLAIN and LOGIN, and answers by a script.

Usage: mail_server.py FOLDER. FOLDER/settings.json says how it is to be:
  security     "none", "starttls" or "tls"; certificate, key: files
  user, password      a login is required where they are given
  answers      {"RCPT bad@example.com": ["550 no such user"], "DATA": ["451 later"], "MESSAGE": ["DROP"]}: one after the
               other in place of the usual answer; DROP closes the connection; an answer of "…*" is given for ever
It writes FOLDER/port once it listens, and FOLDER/messages/N.json for each mail it took, FOLDER/commands.txt for what was said.
"""
import base64
import json
import os
import socket
import ssl
import sys
import threading

folder = sys.argv[1]
with open(os.path.join(folder, "settings.json"), encoding="utf-8") as file:
    settings = json.load(file)
answers = settings.get("answers", {})
lock = threading.Lock()
count = 0


class Closed(Exception):
    pass


class Session:
    def __init__(self, connection):
        self.connection = connection
        self.is_secure = False
        self.is_logged_in = "user" not in settings
        self.sender = None
        self.recipients = []
        if settings["security"] == "tls":
            self.secure()
        self.stream = self.connection.makefile("rb")

    def secure(self):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(settings["certificate"], settings["key"])
        self.connection = context.wrap_socket(self.connection, server_side=True)
        self.is_secure = True

    def say(self, line):
        self.connection.sendall((line + "\r\n").encode())

    def hear(self):
        line = self.stream.readline()
        if not line:
            raise Closed
        return line.decode("utf-8", "replace").rstrip("\r\n")

    def answer(self, usual, *names):
        """Says what the script has for this moment, else the usual; returns whether it was the usual."""
        for name in names:
            with lock:
                scripted = answers.get(name)
                line = None
                if scripted:
                    line = scripted[0][:-1] if scripted[0].endswith("*") else scripted.pop(0)
            if line == "DROP":
                raise Closed
            if line:
                self.say(line)
                if line.startswith("421"):
                    raise Closed
                return False
        self.say(usual)
        return True

    def run(self):
        self.answer("220 localhost", "CONNECT")
        while True:
            line = self.hear()
            verb = line.split(" ")[0].upper()
            # What is said to log in is no business of a log, in a test either.
            with lock, open(os.path.join(folder, "commands.txt"), "a", encoding="utf-8") as log:
                log.write(("tls " if self.is_secure else "plain ") + (verb if verb == "AUTH" else line) + "\n")
            if verb == "QUIT":
                self.say("221 bye")
                return
            handler = getattr(self, "do_" + verb.lower(), None)
            if handler:
                handler(line)
            else:
                self.say("502 not known")

    def do_ehlo(self, line):
        offers = ["localhost", "8BITMIME"]
        if settings["security"] == "starttls" and not self.is_secure:
            offers.append("STARTTLS")
        if "user" in settings:
            offers.append("AUTH PLAIN LOGIN")
        for offer in offers[:-1]:
            self.say("250-" + offer)
        self.say("250 " + offers[-1])

    def do_starttls(self, line):
        if settings["security"] != "starttls":
            self.say("502 not offered")
            return
        self.say("220 go on")
        self.secure()
        self.stream = self.connection.makefile("rb")

    def do_auth(self, line):
        words = line.split(" ")
        if words[1].upper() == "PLAIN":
            if len(words) < 3:
                self.say("334 ")
                words.append(self.hear())
            _, user, password = base64.b64decode(words[2]).decode().split("\0")
        else:
            self.say("334 VXNlcm5hbWU6")
            user = base64.b64decode(self.hear()).decode()
            self.say("334 UGFzc3dvcmQ6")
            password = base64.b64decode(self.hear()).decode()
        if (user, password) != (settings.get("user"), settings.get("password")):
            self.say("535 wrong")
            return
        self.is_logged_in = self.answer("235 welcome", "AUTH")

    def do_mail(self, line):
        if not self.is_logged_in:
            self.say("530 log in first")
            return
        self.sender = line.split("<")[1].split(">")[0]
        self.answer("250 ok", "MAIL")

    def do_rcpt(self, line):
        recipient = line.split("<")[1].split(">")[0]
        if self.answer("250 ok", "RCPT " + recipient, "RCPT"):
            self.recipients.append(recipient)

    def do_data(self, line):
        if not self.answer("354 go on", "DATA"):
            return
        lines = []
        while True:
            raw = self.stream.readline()
            if not raw:
                raise Closed
            if raw == b".\r\n":
                break
            lines.append(raw[1:] if raw.startswith(b"..") else raw)
        if self.answer("250 taken", "MESSAGE"):
            self.keep(b"".join(lines))

    def do_rset(self, line):
        self.say("250 ok")

    def keep(self, raw):
        global count
        with lock:
            count += 1
            number = count
        mail = {"from": self.sender, "to": self.recipients, "secure": self.is_secure, "raw": raw.decode("utf-8", "replace")}
        mail.update(read(raw))
        os.makedirs(os.path.join(folder, "messages"), exist_ok=True)
        path = os.path.join(folder, "messages", f"{number:04}.json")
        with open(path + ".part", "w", encoding="utf-8") as file:
            json.dump(mail, file)
        os.rename(path + ".part", path)


def read(raw):
    """What Python's own library makes of the mail."""
    import email
    import email.policy
    import hashlib

    mail = email.message_from_bytes(raw, policy=email.policy.default)
    parts = []
    for part in mail.walk():
        if part.is_multipart():
            parts.append({"type": part.get_content_type(), "name": "", "text": "", "sha256": ""})
            continue
        content = part.get_payload(decode=True)
        is_text = part.get_content_maintype() == "text" and not part.get_filename()
        parts.append({
            "type": part.get_content_type(),
            "name": part.get_filename() or "",
            "text": content.decode("utf-8").replace("\r\n", "\n") if is_text else "",
            "sha256": hashlib.sha256(content).hexdigest(),
        })
    return {
        "headers": [[name, str(value)] for name, value in mail.items()],
        "parts": parts,
        "defects": [str(defect) for defect in mail.defects],
    }


def serve(connection):
    try:
        Session(connection).run()
    except (Closed, OSError, ssl.SSLError):
        pass
    finally:
        connection.close()


listener = socket.create_server(("127.0.0.1", 0))
with open(os.path.join(folder, "port.part"), "w", encoding="utf-8") as file:
    file.write(str(listener.getsockname()[1]))
os.rename(os.path.join(folder, "port.part"), os.path.join(folder, "port"))
while True:
    accepted, _ = listener.accept()
    threading.Thread(target=serve, args=(accepted,), daemon=True).start()
