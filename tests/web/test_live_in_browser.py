"""A running arena in a real browser: played by clicking, and followed."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser import Tab, new_tab, resize
from tests.e2e import command
from tests.web.accessibility import check_accessible

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("live in browser")]

# Makes a move wherever one can be made, with the elements that a person clicks, until the match is
# over or as many moves have been made. Every second one begins with something on the table. The
# focus has to wait at the moves or their confirmation whenever there is something new to decide.
PLAY = """async most => {
  const pause = () => new Promise(done => setTimeout(done, 5));
  const first = selector => document.querySelector(selector);
  const count = () => first("output.count").textContent;
  const pickable = ["button.card", "button.slip", ".track button", "button.pick"]
    .map(selector => selector + ":not(.impossible)").join();
  let made = 0, asked = count();
  for (let waited = 0; made < most && waited < 6000 && !first(".ended"); waited++) {
    const confirm = first(".confirm .main"), before = count();
    if (!confirm || !first(".legal button")) { await pause(); continue; }
    const isAtMoves = document.activeElement.closest(".legal, .confirm");
    if (asked !== before && !isAtMoves) throw new Error("the focus is lost");
    asked = before;
    if (made % 2) first(pickable)?.click();
    await pause();
    if (confirm.disabled) first(".legal button")?.click();
    await pause();
    if (confirm.disabled || !confirm.isConnected) continue;
    confirm.click();
    while (before === count() && !first(".ended")) await pause();
    made++;
    waited = 0;
  }
  return made;
}"""


# Keeps the last connection for whoever wants to cut it.
KEEP = """window.WebSocket = class extends WebSocket {
  constructor(...words) {
    super(...words);
    window.kept = this;
  }
}"""


# Waits until the next decision is asked and says where the focus is.
FOCUS = """async before => {
  const first = selector => document.querySelector(selector);
  const count = () => first("output.count")?.textContent;
  for (let waited = 0; count() === before || !first(".confirm"); waited++) {
    if (waited > 6000) throw new Error(`nothing is asked: ${document.body.innerText}`);
    await new Promise(done => setTimeout(done, 5));
  }
  await new Promise(requestAnimationFrame);
  const at = document.activeElement;
  const area = at.closest(".legal, .confirm, .drawn")?.className ?? at.tagName;
  return [count(), area];
}"""


@pytest.fixture(scope="module")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the pages of an arena that runs in processes of its own."""
    words = ("serve", "--listen", "127.0.0.1:0", "--web", "127.0.0.1:0", "--grace", "0")
    with command.arena(*words, place=tmp_path_factory.mktemp("arena")) as running:
        running.wait_for("web pages on ")
        found = re.search(r"web pages on (\S+)", running.out + running.err)
        assert found is not None
        yield found[1]
        running.signal(signal.SIGTERM)
        running.wait()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Tab]:
    """A tab of its own: it keeps a seat, and its connections are watched."""
    with new_tab(browser) as tab:
        yield tab


def sit(tab: Tab, arena: str, game: str) -> None:
    """Take seat 1 at a table with random bots."""
    tab.page.goto(f"{arena}play.html")
    tab.page.get_by_label("Game").select_option(game)
    tab.page.get_by_label("Your seat").select_option("1")
    for bot in tab.page.locator("select[name=bot]").all():
        bot.select_option("random")
    tab.page.get_by_role("button", name="Sit down").click()
    expect(tab.page.locator(".confirm")).to_be_visible()


def sit_by_keyboard(tab: Tab, arena: str, game: str) -> None:
    """Take seat 1 at a table with random bots."""
    tab.page.goto(f"{arena}play.html")
    expect(tab.page.get_by_role("button", name="Sit down")).to_be_visible()
    # Past the link to the content and the way back, then the form from its top to its end.
    for typed in ["", "", game[0], "", "", "1", "r", "r", "Enter"]:
        tab.page.keyboard.press("Tab")
        if typed:
            tab.page.keyboard.press(typed)


def play_by_keyboard(tab: Tab) -> None:
    """Make moves from the list and on the table, and undo some."""
    press = tab.page.keyboard.press
    chosen = tab.page.locator(".confirm .chosen")
    at, area = tab.page.evaluate(FOCUS, "")
    ways = {"list": 0, "table": 0, "undone": 0}
    while ways["table"] < 2:
        if "confirm" in area:  # there is one move alone
            press("Enter")
        elif ways["list"] >= 2 * ways["table"]:
            press("t")
            assert tab.run("document.activeElement.closest('.drawn') !== null")
            press("Space")
            assert tab.run("document.activeElement.getAttribute('aria-pressed')") == "true"
            if not chosen.count():
                press("m")
                press("Enter")
            press("Control+Enter")
            ways["table"] += 1
        else:
            assert "legal" in area
            press("ArrowDown")
            press("Enter")
            if ways["undone"] < 2:
                assert tab.run("document.activeElement.textContent") == "Confirm"
                press("Tab")
                press("Enter")
                assert chosen.count() == 0
                assert tab.run("document.activeElement.closest('.legal') !== null")
                press("Enter")
                ways["undone"] += 1
            press("Enter")
            ways["list"] += 1
        at, area = tab.page.evaluate(FOCUS, at)
    assert min(ways.values()) >= 2


def test_a_match_is_played(tab, arena):
    """A person plays to the end, over a lost connection and a reload, and sees the replay.

    Without a mouse they sit down, find moves and cards, undo, confirm and leave. In between they
    click.
    """
    sockets: list[str] = []
    tab.page.on("websocket", lambda socket: sockets.append(socket.url))
    tab.page.add_init_script(KEEP)
    sit_by_keyboard(tab, arena, "byzanz")
    expect(tab.page.locator(".drawn .table")).to_have_class(re.compile("byzanz"))
    play_by_keyboard(tab)
    assert tab.page.evaluate(PLAY, 3) == 3
    with tab.page.expect_websocket():  # what was asked before is shown until it is gone
        tab.run("kept.close()")
    expect(tab.page.locator(".confirm")).to_be_visible()
    assert len(sockets) == 2
    # What had the focus is gone; the question that is asked again has it.
    tab.page.wait_for_function("() => document.activeElement.closest('.legal, .confirm')")
    assert tab.page.evaluate(PLAY, 3) == 3
    tab.page.reload()
    expect(tab.page.locator(".confirm")).to_be_visible()
    assert len(sockets) == 3

    assert tab.page.evaluate(PLAY, 500) > 3
    expect(tab.page.locator(".ended")).to_be_visible()
    assert tab.page.locator(".ended li").count() == 3
    assert tab.said == []
    assert tab.run("document.activeElement.textContent") == "Look at the replay"
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".table.byzanz")).to_be_visible()
    assert tab.page.url.startswith(f"{arena}match.html")
    assert tab.said == []


def test_a_match_is_left(tab, arena, axe):
    """Goods that cannot be traded say why; a chosen move is undone until it is confirmed.

    Before and after sitting down axe-core finds nothing serious. After a reload the match goes on,
    until the person resigns.
    """
    tab.page.goto(f"{arena}play.html")
    expect(tab.page.get_by_role("button", name="Sit down")).to_be_visible()
    check_accessible(tab, axe)
    resize(tab, 1280)
    sit_by_keyboard(tab, arena, "schwarzmarkt")
    expect(tab.page.locator(".drawn .table")).to_have_class(re.compile("schwarzmarkt"))
    play_by_keyboard(tab)
    assert tab.page.evaluate(PLAY, 9) == 9
    check_accessible(tab, axe)
    resize(tab, 1280)
    tab.page.reload()
    expect(tab.page.locator(".confirm")).to_be_visible()
    tab.page.locator(".legal button").first.focus()
    tab.page.keyboard.press("Enter")
    expect(tab.page.locator(".chosen")).to_be_visible()
    tab.page.get_by_role("button", name="Undo").click()
    expect(tab.page.locator(".chosen")).not_to_be_visible()

    goods = tab.page.locator(".place.own .held button.card.impossible")
    while not goods.count():  # all are wanted: rare
        assert tab.page.evaluate(PLAY, 1) == 1
    goods.first.click(position={"x": 8, "y": 20})  # cards overlap
    expect(tab.page.locator(".your-move [role=alert]")).to_have_text(re.compile("."))
    tab.page.get_by_role("button", name="Resign").click()
    tab.page.get_by_role("button", name="Yes, resign").click()
    expect(tab.page.locator(".ended")).to_be_visible()
    assert tab.said == []


def test_a_running_match_is_followed(tab, arena):
    """A spectator's home page shows the match that somebody plays, and it moves by itself."""
    player, spectator = tab, Tab(tab.page.context.new_page())
    spectator.page.goto(arena)
    expect(spectator.page.locator("#app:not([aria-busy])")).to_be_visible()
    sit(player, arena, "byzanz")
    running = spectator.page.locator("section:has(#running) a.tile", has_text="Byzanz")
    expect(running).to_contain_text("guest")
    running.click()
    expect(spectator.page.locator(".table.byzanz")).to_be_visible()
    before = int(spectator.page.locator("output.count b").inner_text())
    assert player.page.evaluate(PLAY, 2) == 2
    count = spectator.page.locator("output.count b")
    expect(count).not_to_have_text(str(before))
    assert int(count.inner_text()) > before
    assert spectator.said == []
