"""Behind a proxy as in .serve: under a sub-path, on two processes, in a frame, with its headers."""

from __future__ import annotations

import copy
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from rates.rows import tables
from rates.study import codec
from rates.study.presets import preset
from sims.classroom import Asked, Rooms
from tests.benchmarks.wire import free_port, wait_until_up
from tests.browser.conftest import BROKEN, PATIENCE, ROOT, Visitor
from tests.browser.helpers import download, linked, press, read_rows, saved, slide, taking, use_rows
from tests.browser.test_first_edit import CONNECTED
from tests.browser.test_pages import PAGES
from tests.browser.test_report import leads
from tests.browser.test_study import upload
from tests.browser.test_theory import FITS

CONF = ROOT / ".serve" / "rates.conf"
COMMAND = "import sys; from pages.serve import main; sys.exit(main())"
OPTIONS = ("--quiet", "--path=rates")
# What the operating system's own configuration of nginx says, and the site of a course.
AROUND = """daemon off; master_process off; pid nginx.pid; error_log error.log; events {{}}
http {{
    log_format who "$cookie_visitor $uri $upstream_addr";
    access_log access.log who;
    client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi; scgi_temp_path scgi;
    include rates.conf;
    server {{ listen 127.0.0.1:{course}; default_type text/html; root {folder}/course; }}
}}
"""
SHORT = {"/adaptation": FITS, "/columns": "/columns?run=replicates:3"}  # runs in place of long ones
VIOLATED = """addEventListener("securitypolicyviolation", event =>
    console.error("policy", event.violatedDirective, event.blockedURI, event.sourceFile))"""


def read_frame() -> str:
    """The frame of a course page, as the README shows it."""
    (frame,) = re.findall(r"```html\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.S)
    return frame


@dataclass(frozen=True)
class Site:
    """A running example.

    Attributes:
        address: Of the app, behind the proxy.
        course: Port of the course's site.
        folder: Where the proxy keeps its files.
        rooms: The file that both processes know.
        processes: By their address, those that serve the app.
    """

    address: str
    course: int
    folder: Path
    rooms: Path
    processes: dict[str, subprocess.Popen[bytes]]

    def cookies(self) -> dict[str, str]:
        """By process, the cookie of a visitor whom the proxy sends there."""
        found: dict[str, str] = {}
        for name in map("v{}".format, range(64)):  # one of two by a hash: soon both
            headers = {"Cookie": f"visitor={name}"}
            asked = urllib.request.Request(f"{self.address}/_stcore/health", headers=headers)
            urllib.request.urlopen(asked, timeout=30).close()
            found.setdefault(self._logged(name), name)
            if len(found) == len(self.processes):
                break
        return found

    def asked(self) -> list[list[str]]:
        """Process, cookie and address of every request; the proxy tells after it has answered.

        Where it asked both processes, it is the first of them.
        """
        lines = map(str.split, (self.folder / "access.log").read_text().splitlines())
        return [[place.rstrip(","), cookie, uri] for cookie, uri, place, *_ in lines]

    def _logged(self, name: str) -> str:
        """The process that a visitor was sent to."""
        until = time.monotonic() + 30
        while time.monotonic() < until:
            for place, cookie, *_ in self.asked():
                if cookie == name:
                    return place
        raise AssertionError(f"{name} is not in the log")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    nginx = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")
    if nginx is None:
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail("nginx is required here and is not installed.")
        pytest.skip("nginx is not installed.")
    folder = tmp_path_factory.mktemp("site")
    (folder / "course").mkdir()
    one, two, front, course = (free_port() for _ in range(4))
    text = CONF.read_text("utf-8")
    for written, here in (
        ("127.0.0.1:8501", f"127.0.0.1:{one}"),
        ("127.0.0.1:8502", f"127.0.0.1:{two}"),
        ("listen 80;", f"listen 127.0.0.1:{front};"),
        ("server_name example.org", "server_name 127.0.0.1"),
        ("https://example.org", f"http://127.0.0.1:{front}"),
        ("https://course.example.org", f"http://localhost:{course}"),
    ):
        assert written in text
        text = text.replace(written, here)
    (folder / "rates.conf").write_text(text, "utf-8")
    (folder / "nginx.conf").write_text(AROUND.format(course=course, folder=folder), "utf-8")
    told = {**os.environ, "PYTHONPATH": str(ROOT), "RATES_ROOMS": str(folder / "rooms.sqlite")}
    commands = {
        f"127.0.0.1:{port}": [sys.executable, "-c", COMMAND, *OPTIONS, f"--port={port}"]
        for port in (one, two)
    }
    commands["nginx"] = [nginx, "-p", str(folder), "-c", str(folder / "nginx.conf")]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with ExitStack() as ending:
        processes = {}
        for name, command in commands.items():
            processes[name] = subprocess.Popen(command, env=told, cwd=folder, **quiet)
            ending.callback(_end, processes[name])
        for port in (one, two, front):
            wait_until_up(f"http://127.0.0.1:{port}/rates")
        del processes["nginx"]
        yield Site(
            f"http://127.0.0.1:{front}/rates", course, folder, folder / "rooms.sqlite", processes
        )


def patient(one: Visitor) -> Visitor:
    """Wait longer: two processes at once load all that they need."""
    one.page.set_default_timeout(4000 * PATIENCE)
    return one


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    process.wait(15)


def test_every_page_opens_under_the_policy(site, visit):
    one = patient(visit(at=site.address))
    one.page.add_init_script(VIOLATED)
    one.open("/study")
    headers = one.page.request.get(f"{site.address}/study").headers
    assert headers["x-content-type-options"] == "nosniff"
    assert "unsafe-eval" not in headers["content-security-policy"].replace("wasm-unsafe-eval", "")
    for path in [*PAGES, "/present", "/room"]:
        one.turn(f"/rates{SHORT.get(path, path)}")
        if path in SHORT:
            press("Run")(one)
        one.expect(*PAGES.get(path, []))
        assert one.page.locator("h1").count(), path
        one.check()
    one.turn("/rates/regression?tab=rate&run=replicates:3;epsilon:0.4,0.7,1,1.6;curves:1;n:3000")
    press("Run")(one)
    one.expect("finished in", "3 of 3 replicates")
    # Every request of a visitor goes to one process, but for the first, which has no cookie yet.
    (mine,) = (c["value"] for c in one.page.context.cookies() if c["name"] == "visitor")
    assert len({place for place, cookie, _ in site.asked() if cookie == mine}) == 1


def test_another_site_cannot_call_the_app(site):
    def ask(origin: str) -> int:
        address = f"{site.address}/_stcore/health"
        asked = urllib.request.Request(address, headers={"Origin": origin})
        with urllib.request.urlopen(asked, timeout=30) as answer:
            return answer.status

    assert ask(site.address.removesuffix("/rates")) == 200
    with pytest.raises(urllib.error.HTTPError, match="403"):
        ask("https://example.net")


def test_a_frame_on_a_course_page(site, visit):
    page = site.folder / "course" / "index.html"
    home = site.address.removesuffix("/rates")
    page.write_text(read_frame().replace("https://example.org", home), "utf-8")
    outside = patient(visit(at=site.address))
    outside.page.goto(f"http://localhost:{site.course}/")
    outside.page.frame_locator("iframe").locator("h1").wait_for()
    framed = copy.copy(outside)
    framed.page = outside.page.frame(url=re.compile("/rates/study"))
    framed.settle()
    framed.page.get_by_role("button", name="Open a file").click()
    framed.page.get_by_text("cannot send files").wait_for()
    assert framed.page.locator("input[type=file]").count() == 0
    alone = framed.page.get_by_role("link", name="Open this page by itself").get_attribute("href")
    assert re.fullmatch(re.escape(f"{site.address}/study?") + r"(study=.*)?", alone)
    outside.page.keyboard.press("Escape")
    framed.settle()
    study = preset("unequal").study
    read_rows(framed, tables.to_csv(study))
    use_rows(framed)
    framed.becomes(lambda: linked(framed).servers, study.servers)
    taking(framed)
    # A report leads back to the address of the proxy. A download brings the cookie of an earlier
    # visit, by which the proxy asks another process than the frame's own for one of the two.
    for cookie, (name, read, wanted) in zip(
        site.cookies().values(),
        (
            ("Sites as CSV", str, tables.to_csv(study)),
            ("Report (HTML)", leads, [f"{site.address}/study"]),
        ),
        strict=True,
    ):
        given = {"name": "visitor", "value": cookie, "domain": "127.0.0.1", "path": "/rates"}
        outside.page.context.add_cookies([given])
        file = download(outside, framed.page.get_by_role("button", name=name))
        assert read(file.read_text("utf-8")) == wanted
        framed.settle()
    assert framed.page.locator(BROKEN).count() == 0
    # The same address in a window of its own takes files, with embed=true as well.
    alone = patient(visit(at=site.address))
    alone.open("/study?embed=true")
    alone.page.get_by_role("button", name="Open a file").click()
    alone.page.locator("input[type=file]").wait_for(state="attached")
    # A site that the proxy does not name may not frame it.
    outside.page.goto(f"http://127.0.0.1:{site.course}/")
    assert outside.until(lambda: any("frame-ancestors" in said for said in outside.problems))
    assert outside.page.frame_locator("iframe").locator("[data-testid=stApp]").count() == 0


def test_two_processes_keep_their_visitors_and_share_a_room(site, visit):
    cookies = site.cookies()
    assert set(cookies) == set(site.processes)
    rooms = Rooms(site.rooms)
    room = rooms.open([Asked(key="odds")])
    rooms.step(room.code, room.host, "open", 0)
    people = []
    for cookie in cookies.values():
        people.append(one := patient(visit(at=site.address)))
        given = {"name": "visitor", "value": cookie, "domain": "127.0.0.1", "path": "/rates"}
        one.page.context.add_cookies([given])
        one.open("/study")
        for key in ("unequal", "hospitals"):
            upload(one, "study.json", codec.to_json(preset(key).study).encode())
            one.becomes(lambda one=one: linked(one), preset(key).study)
        table = saved(one, "Sites as CSV").read_text("utf-8")
        assert table == tables.to_csv(preset("hospitals").study)
        one.settle()  # a run that is still going on would take the address back
        one.turn(f"/rates/room?room={room.code}")
        press("Join")(one)
        one.page.get_by_role("slider").press("ArrowRight")
        press("Send my answer")(one)
        one.expect("You can change it until the vote closes")
        one.check()
    assert rooms.look(room.code).answers == 2
    rooms.close()
    one = people[0]
    one.turn("/rates/resolution")
    one.expect("recover")
    with one.page.expect_websocket():  # to the other process, which goes on where this one ended
        _end(site.processes[next(iter(cookies))])
    one.page.wait_for_selector(CONNECTED)
    before = one.page.url
    slide("Number of sites m")(one)
    one.page.wait_for_url(lambda url: url != before)
    one.expect("25 sites recover")
