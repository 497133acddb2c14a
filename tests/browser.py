"""A real browser for tests: Debian's chromium, driven through chromedriver's HTTP interface (WebDriver)."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--disable-dev-shm-usage", "--window-size=1300,800",
)  # fmt: skip
MISSING = "the page is tested in a browser: install it with `apt-get install chromium chromium-driver`"
KEYS = {
    "End": "\ue010", "Home": "\ue011", "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014",
    "ArrowDown": "\ue015", "PageUp": "\ue00e", "PageDown": "\ue00f", "Escape": "\ue00c",
}  # fmt: skip


class Browser:
    """One window."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="hsfpy-browser-")
        self.driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            self.address = f"http://127.0.0.1:{self._port()}"
            options = {"args": [*FLAGS, f"--user-data-dir={self.folder}"], "binary": shutil.which("chromium")}
            wanted = {"goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
            made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        except BaseException:
            self._stop()
            raise
        self.session = f"/session/{made['sessionId']}"

    def _port(self) -> int:
        assert self.driver.stdout is not None
        for line in self.driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                return int(found[1])
        raise AssertionError("chromedriver did not start")

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                raise AssertionError(error.read().decode()) from None

    def open(self, page: Path) -> None:
        self._call("POST", f"{self.session}/url", {"url": page.as_uri()})

    def run(self, script: str, *arguments: Any) -> Any:
        """What a script returns."""
        return self._call("POST", f"{self.session}/execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys: str) -> None:
        """Presses keys, one after the other."""
        actions = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        body = {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}
        self._call("POST", f"{self.session}/actions", body)

    def click(self, selector: str) -> None:
        found = self._call("POST", f"{self.session}/element", {"using": "css selector", "value": selector})
        self._call("POST", f"{self.session}/element/{next(iter(found.values()))}/click", {})

    def complaints(self) -> list[str]:
        """What the page wrote to its console, and errors."""
        entries = self._call("POST", f"{self.session}/se/log", {"type": "browser"})
        return [entry["message"] for entry in entries]

    def close(self) -> None:
        try:
            self._call("DELETE", self.session)
        finally:
            self._stop()

    def _stop(self) -> None:
        assert self.driver.stdout is not None
        self.driver.terminate()
        self.driver.wait(20)
        self.driver.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)
