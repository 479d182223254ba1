"""Speaks headless Chromium's own protocol, so that a page's content security policy holds while it is looked at."""
import json
import subprocess
import time

import websocket


class Browser:
    def __init__(self, chromium, folder):
        self.process = subprocess.Popen(
            [chromium, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--window-size=1280,2000",
             f"--user-data-dir={folder}/profile", "about:blank"], stderr=subprocess.PIPE, text=True)
        address = next(line.split("listening on ")[1].strip() for line in self.process.stderr if "listening on " in line)
        self.socket = websocket.create_connection(address, timeout=600, suppress_origin=True)
        self.count, self.events, self.session = 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=60)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.recv())
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def evaluate(self, expression, waits=False):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=waits)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def load(self, address):
        """The events until it was loaded."""
        self.events = []
        self.call("Page.navigate", url=address)
        deadline = time.monotonic() + 120
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            if time.monotonic() > deadline:
                raise RuntimeError("the page did not load within two minutes")
            self.call("Runtime.evaluate", expression="1")
        seen, self.events = self.events, []
        return seen

    def open(self, page, scripts=True):
        """A page with what stands behind its #; by way of another one, so that it is read from its beginning."""
        self.call("Emulation.setScriptExecutionDisabled", value=not scripts)
        self.load("about:blank")
        return self.load("file://" + page)

    def settle(self):
        """Until what was asked for has been drawn."""
        self.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))", waits=True)
