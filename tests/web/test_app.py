from __future__ import annotations

import gzip
import json

import pytest

from arena.results.page.document import page_policy
from arena.web.app import COOKIE, WebApp, make_app
from arena.web.directory import DirectoryDocuments
from arena.web.pages import make_page
from arena.web.safety import CONTENT_SECURITY_POLICY, ClientLimits
from tests.played_tournament import create, finish
from tests.web.asgi import ask

HOSTS = frozenset({"127.0.0.1"})
PAGES = {
    "": make_page("index.html", b"<p>home"),
    "match.html": make_page("match.html", b"<p>match"),
    "js/home.js": make_page("js/home.js", b"1" * 999),
}


class OneToken:
    async def is_known(self, token):
        return token == "right"


@pytest.fixture
def cup(tmp_path, high_card):
    return DirectoryDocuments([finish(tmp_path / "cup")])


def app_of(documents, **changes):
    return make_app(WebApp(documents, PAGES, hosts=HOSTS, tokens=OneToken(), **changes))


async def test_documents_and_pages_carry_the_headers_that_keep_pages_safe(cup):
    """No inline script, no other origin, no sniffing, on whatever is sent."""
    app = app_of(cup)
    for path in ("/", "/js/home.js", "/data/home.json", "/data/nothing.json", "/nothing"):
        answer = await ask(app, path)
        assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert "unsafe" not in CONTENT_SECURITY_POLICY


async def test_the_page_of_the_results_runs_no_script_but_its_own(tmp_path, high_card):
    """leaderboard.html is served as it is with the policy it was made with, or not at all."""
    directory = finish(tmp_path / "cup")
    app = app_of(DirectoryDocuments([directory]))
    file = directory / "leaderboard.html"
    page = await ask(app, "/data/t/cup/leaderboard.html")
    assert page.body == file.read_bytes()
    assert page.headers["content-security-policy"] == f"{page_policy()}; frame-ancestors 'none'"
    tournament = json.loads((await ask(app, "/data/t/cup/tournament.json")).body)
    assert tournament["page"] == "data/t/cup/leaderboard.html"

    file.write_text("<script>alert(1)</script>")
    assert (await ask(app, "/data/t/cup/leaderboard.html")).status == 404
    assert "page" not in json.loads((await ask(app, "/data/t/cup/tournament.json")).body)


async def test_every_document_of_a_tournament_is_served(cup):
    """Home, tournament, matches, bots, replays and replay files, each with its type."""
    app = app_of(cup)
    home = json.loads((await ask(app, "/data/home.json")).body)
    assert [cup["name"] for cup in home["tournaments"]] == ["cup"]
    tournament = json.loads((await ask(app, "/data/t/cup/tournament.json")).body)
    assert tournament["seed"] == "7"
    assert tournament["pages"] == 1
    matches = json.loads((await ask(app, "/data/t/cup/matches/0.json")).body)["matches"]
    assert len(matches) == tournament["played"]
    bot = json.loads((await ask(app, "/data/t/cup/bots/clumsy/bot.json")).body)
    assert bot["faults"][0]["fault"] == "illegal_move"
    assert sum(bot["places"]) == sum(seat["matches"] for seat in bot["seats"])
    replay = await ask(app, f"/data/t/cup/replays/{matches[0]['match']}.json.gz")
    assert replay.headers["content-type"] == "application/gzip"
    document = json.loads(gzip.decompress(replay.body))
    assert document["views"] == ["everything", "public", "0", "1", "2"]
    assert len(document["steps"]) == matches[0]["moves"] + 1
    assert document["clock"] == {"move_ms": 1000, "bank_ms": 10_000}
    file = await ask(app, "/" + document["download"])
    assert file.body.startswith(b'{"type":"match"')


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/data/t/..%2f..%2fetc/tournament.json", 404),
        ("/data/t/cup/replays/..%2F..%2Farena.db.jsonl", 404),
        ("/data/t/cup/replays/%2e%2e.jsonl", 404),
        ("/data/t/cup/matches/9999999.json", 404),
        ("/data/t/cup/matches/-1.json", 404),
        ("/data/t/cup/matches/99999999999999999999.json", 404),
        ("/data/t/cup/bots/nobody/bot.json", 404),
        ("/data/rules/highcard.json", 404),
        ("/data/rules/nothing.json", 404),
        (f"/data/{'x' * 100_000}", 404),
        ("/../../etc/passwd", 404),
        ("/data/", 404),
    ],
)
async def test_an_address_that_leads_nowhere_is_refused_with_a_reason(cup, path, status):
    """Nothing outside the results is found, and nothing fails."""
    answer = await ask(app_of(cup), path)

    assert answer.status == status
    assert json.loads(answer.body)["error"]


async def test_a_person_who_opens_it_is_shown_a_page(cup):
    """In words, with the way back, wherever the address lies; what it names is text."""
    taken = "text/html,*/*;q=0.8"
    answer = await ask(app_of(cup), "/data/t/<b>/tournament.json", accept=taken)

    assert answer.status == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert b"There is no tournament &#x27;&lt;b&gt;&#x27; here." in answer.body
    assert b'href="../../../index.html"' in answer.body
    assert b'href="./index.html"' in (await ask(app_of(cup), "/nothing.html", accept=taken)).body


async def test_other_methods_hosts_and_floods_are_refused(cup):
    """A page of somebody else cannot point its name here; nobody asks without end."""
    app = app_of(cup, limits=ClientLimits(requests_per_s=0.001, burst=4))

    assert (await ask(app, "/data/home.json", "POST")).status == 405
    assert (await ask(app, "/", host="evil.example")).status == 421
    assert (await ask(app, "/", "DELETE")).status == 405
    assert [(await ask(app, "/")).status for _ in range(4)] == [200, 200, 429, 429]


async def test_what_is_known_already_is_not_sent_again(cup):
    """Pages and documents have tags; they are compressed for those who take it."""
    app = app_of(cup)
    for path in ("/js/home.js", "/data/t/cup/tournament.json"):
        answer = await ask(app, path, accept_encoding="gzip")
        assert answer.headers["content-encoding"] == "gzip"
        assert gzip.decompress(answer.body) == (await ask(app, path)).body
        again = await ask(app, path, if_none_match=answer.headers["etag"])
        assert (again.status, again.body) == (304, b"")


async def test_the_page_of_a_match_tells_the_browser_of_its_replay(cup):
    """The replay is made from then on, once; names stay inside the address."""
    app = app_of(cup)
    match = json.loads((await ask(app, "/data/t/cup/matches/0.json")).body)["matches"][0]["match"]
    asked, read = [], cup.read_replay

    def count(*names):
        asked.append(names)
        return read(*names)

    cup.read_replay = count
    page = await ask(app, f"/match.html?t=cup&m={match}")
    link = f"<data/t/cup/replays/{match}.json.gz>; rel=preload; as=fetch; crossorigin"
    assert page.headers["link"] == link
    replay = await ask(app, f"/data/t/cup/replays/{match}.json.gz", accept_encoding="gzip")
    assert (replay.headers["content-type"], replay.headers["content-encoding"]) == (
        "application/json",
        "gzip",
    )
    assert json.loads(gzip.decompress(replay.body))["match"] == match
    again = await ask(app, f"/match.html?t=cup&m={match}", if_none_match=page.headers["etag"])
    assert (again.status, again.headers["link"]) == (304, link)
    assert asked == [("cup", match)]

    odd = await ask(app, "/match.html?m=%3E%0D%0Aset-cookie:+x/..")
    assert odd.headers["link"].startswith("<data/replays/%3E%0D%0Aset-cookie%3A%20x%2F...json.gz>;")
    for other in ("/match.html?live=x", "/match.html", f"/?m={match}"):
        assert "link" not in (await ask(app, other)).headers


async def test_a_token_is_shown_once_and_stays_here(cup):
    """The browser gets a cookie that no script reads and no other site's page sends."""
    app = app_of(cup)
    json_type = "application/json"
    wrong = b'{"token": "wrong"}'
    assert (await ask(app, "/api/login", "POST", wrong, content_type=json_type)).status == 403
    assert (await ask(app, "/api/login", "POST", b"[", content_type=json_type)).status == 400
    assert (await ask(app, "/api/login", "POST", b"x" * 9999, content_type=json_type)).status == 413
    right = b'{"token": "right"}'
    foreign = {"content_type": json_type, "sec_fetch_site": "cross-site"}
    assert (await ask(app, "/api/login", "POST", right, **foreign)).status == 403
    assert (await ask(app, "/api/login", "POST", right)).status == 415
    answer = await ask(app, "/api/login", "POST", right, content_type=json_type)
    cookie = answer.headers["set-cookie"]
    assert answer.status == 204
    assert cookie.startswith(f"{COOKIE}=")
    assert "right" not in cookie
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()


async def test_an_open_deal_is_not_shown(tmp_path):
    """While a deal is played there is no replay, and the seed stays a secret."""
    tournament = create(tmp_path / "cup")
    tournament.play(1)
    app = app_of(DirectoryDocuments([tournament.directory]))

    matches = (await ask(app, "/data/t/cup/matches/0.json")).body
    document = (await ask(app, "/data/t/cup/tournament.json")).body
    row = json.loads(matches)["matches"][0]
    assert row["open"]
    assert "moves" not in row
    value = json.loads(document)
    assert value["seed"] is None
    assert value["salt"] is None
    assert value["leaderboard"]["seed"] == ""
    for ending in ("json.gz", "jsonl"):
        assert (await ask(app, f"/data/t/cup/replays/{row['match']}.{ending}")).status == 403
    tournament.store.close()
