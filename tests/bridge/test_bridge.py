from __future__ import annotations

import asyncio
import errno
import io
import os
import signal

import grpc
import pytest

from arena import __version__
from arena.bridge import program
from arena.client.play_session import Patience
from arena.errors import InputError, LostError, ProgramError
from arena.grpc_settings import choose_settings
from arena.v1 import play_pb2
from tests.bridge.bridged import FIRST, bridge
from tests.marks import MARK, marked
from tests.waiting import until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("mark")]


async def one_match(link):
    """Play a match of one decision."""
    await link.welcome(max_message_bytes=65_536, max_note_bytes=1_024)
    await link.start("m1")
    await link.ask(("m1", 1))
    assert await link.answers() == [("m1", 1, 0)]
    await link.end("m1")
    await link.goodbye()


async def refused_line(link):
    """Ask once; what comes is not sent, but that the bot leaves."""
    await link.welcome(max_message_bytes=2_000)
    await link.start("m1")
    await link.ask(("m1", 1))
    assert (await link.request()).WhichOneof("message") == "leave"
    await link.send(goodbye={"reason": play_pb2.Goodbye.REASON_FINISHED})


def test_a_program_plays(tmp_path):
    """It is told everything in order, and its hello is made complete."""
    played = bridge(tmp_path, FIRST, one_match)
    assert played.error is None
    assert played.told == ["welcome", "matchStarted", "decisions", "matchEnded", "goodbye"]
    hello = played.received[0][0].hello
    assert (hello.protocol, hello.bot, hello.language) == (1, "mine", "python")
    assert hello.sdk == f"arena-bridge {__version__}"
    assert hello.max_matches in (0, 1)  # which is the same


def test_a_hello_that_says_more_is_left_as_it_is(tmp_path):
    """What the program says of itself counts."""
    more = {"version": "2", "language": "cobol", "sdk": "mine 3", "games": ["byzanz"]}
    source = FIRST.replace("hello()", f"hello(token='t', maxMatches=8, **{more!r})")
    hello = bridge(tmp_path, source, one_match).received[0][0].hello
    assert (hello.version, hello.language, hello.sdk) == ("2", "cobol", "mine 3")
    assert (list(hello.games), hello.max_matches, hello.token) == (["byzanz"], 8, "t")


def test_a_batch_is_one_line_in_each_direction(tmp_path):
    """As the arena asks, and as the program answers."""
    source = """
    hello(maxMatches=2)
    for message in messages():
        if "decisions" in message:
            say(answers={"answers": [
                {"matchId": each["matchId"], "decisionId": each["decisionId"], "moveIndex": 1}
                for each in message["decisions"]["decisions"]]})
    """

    async def batch(link):
        await link.welcome()
        await link.start("m1", "m2")
        await link.ask(("m1", 1), ("m2", 1))
        assert await link.answers() == [("m1", 1, 1), ("m2", 1, 1)]
        await link.goodbye()

    assert bridge(tmp_path, source, batch).error is None


def test_a_lost_connection_is_not_noticed_by_the_program(tmp_path, caplog):
    """It is asked each decision once; what it answers meanwhile is sent over the new connection."""
    source = """
    hello()
    asked = 0
    for decision in decisions():
        asked += 1
        answer(decision, note=str(asked))
    """

    async def cut(link):
        await link.welcome()
        await link.start("m1")
        await link.ask(("m1", 1))
        await link.answers()
        await link.ask(("m1", 2))

    async def resumed(link):
        hello = await link.welcome(resumed=True, token=b"r2")
        assert hello.resume_token == b"r1"
        await link.start("m1")
        await link.ask(("m1", 2))
        assert await link.answers() == [("m1", 2, 0)]
        await link.ask(("m1", 3))
        assert await link.answers() == [("m1", 3, 0)]
        assert link.received[-1].answers.answers[0].note == "3"
        await link.goodbye()

    with caplog.at_level("INFO"):
        played = bridge(tmp_path, source, cut, resumed)
    assert played.error is None
    assert played.told == ["welcome", "matchStarted", *3 * ["decisions"], "goodbye"]
    assert any("trying to resume" in line for line in caplog.messages)
    assert "the session was resumed" in caplog.messages


def test_an_expired_session_begins_anew(tmp_path):
    """The program is welcomed again, which means that its matches are gone."""

    async def cut(link):
        await link.welcome()
        await link.start("m1")

    async def expired(link):
        await link.request()
        await link.abort(grpc.StatusCode.NOT_FOUND)

    async def anew(link):
        hello = await link.welcome(token=b"r2")
        assert hello.resume_token == b""
        await link.start("m1")
        await link.ask(("m1", 1))
        await link.answers()
        await link.goodbye()

    played = bridge(tmp_path, FIRST, cut, expired, anew)
    assert played.error is None
    assert played.told == 2 * ["welcome", "matchStarted"] + ["decisions", "goodbye"]


def test_a_rejection_is_passed_on_and_warned_about(tmp_path, caplog):
    """The session goes on."""

    async def rejecting(link):
        await link.welcome()
        await link.start("m1")
        rejected = {"match_id": "m1", "decision_id": 1, "reason": 1, "message": "too late"}
        await link.send(rejected=rejected)
        await link.ask(("m1", 2))
        await link.answers()
        await link.goodbye()

    assert "rejected" in bridge(tmp_path, FIRST, rejecting).told
    expected = "the arena rejected the answer to decision 1 of match m1 (late): too late"
    assert expected in caplog.messages


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("print('hm', flush=True)", "line 2 of the program's output is not JSON (Expecting value)"),
        ("answer(decision, 3)", "line 2 of the program's output chose 3, which is not one of"),
        ("decision['matchId'] = 'm9'; answer(decision)", "of match 'm9', which it does not play"),
        ("decision['decisionId'] = 2; answer(decision)", "which was not asked (1 is the last)"),
        ("hello()", "line 2 of the program's output says hello again"),
        ("print(2_000_000 * 'x')", "line 2 of the program's output is longer than 1048576 bytes"),
        ("sys.exit(3)", "the program exited with code 3 before the arena said goodbye"),
        ("sys.exit(0)", "the program exited with code 0 before the arena said goodbye"),
        ("import os; os.kill(os.getpid(), 11)", "the program was killed by SIGSEGV before"),
        ("import os, time; os.close(1); time.sleep(60)", "the program closed its output before"),
        ("say(leave={'failed': True, 'reason': 'a bug'})", "a bug"),
    ],
)
def test_a_program_that_fails_is_never_answered_for(tmp_path, said, told):
    """Nothing is sent but a leave that says why, and whatever still runs is ended."""
    source = f"hello()\nfor decision in decisions():\n    {said}\n"
    played = bridge(tmp_path, source, refused_line)
    assert isinstance(played.error, ProgramError)
    assert told in str(played.error)
    assert played.leave.failed
    assert played.leave.reason == played.error.reason


@pytest.mark.parametrize(
    ("source", "told"),
    [
        ("sys.exit(4)", "the program exited with code 4 before it said hello"),
        ("print('hi', flush=True); sys.stdin.read()", "line 1 of the program's output is not JSON"),
        ("say(leave={})", "the first line of the program's output must be like {"),
        ("hello(resumeToken='AAAA')", "leave resumeToken out of the hello"),
        ("sys.stdin.read()", "has not said hello within 0.2 s: its first line must be like {"),
        ("print('x' * 2_000_000)", "line 1 of the program's output is longer than 1048576 bytes"),
    ],
)
def test_without_a_hello_nothing_is_dialled(tmp_path, source, told):
    """The program is ended, and its author told what was missing."""
    played = bridge(tmp_path, source, hello_timeout_s=0.2 if "within" in told else 10.0)
    assert isinstance(played.error, ProgramError)
    assert told in str(played.error)
    assert not played.received


def test_the_last_line_of_a_program_counts(tmp_path):
    """It may leave and end at once, without an end of line, while another holds its output."""
    source = """
    import subprocess
    hello()
    for decision in decisions():
        subprocess.Popen(["sleep", "60"], start_new_session=True)
        sys.stdout.write('{"leave":{"reason":"enough"}}')
        sys.exit()
    """

    async def left(link):
        await link.welcome()
        await link.start("m1")
        await link.ask(("m1", 1))
        await link.request()
        await link.send(goodbye={"reason": play_pb2.Goodbye.REASON_FINISHED})

    try:
        played = bridge(tmp_path, source, left)
    finally:
        _end_sleepers()
    assert played.error is None
    assert (played.leave.reason, played.leave.failed) == ("enough", False)


def _end_sleepers():
    """End the process that has left the program's group, which no bridge finds."""
    for pid, command in marked(os.environ[MARK]).items():
        if command.startswith("sleep"):
            os.kill(pid, signal.SIGKILL)


def test_a_program_that_does_not_end_is_ended(tmp_path, caplog):
    """With all of its group; the session has ended well all the same."""
    source = (
        "import signal, subprocess, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "subprocess.Popen(['sleep', '60'])\n" + FIRST + "while True: time.sleep(60)\n"
    )
    with caplog.at_level("INFO"):
        played = bridge(tmp_path, source, one_match)
    assert played.error is None
    assert caplog.messages[-1] == "the program was killed by SIGKILL"


def test_a_program_that_does_not_read_is_not_waited_for(tmp_path, monkeypatch):
    """Lines wait for it up to a limit; meanwhile the arena is read."""
    monkeypatch.setattr(program, "MOST_UNREAD", 1 << 16)

    async def telling(link):
        await link.welcome()
        for number in range(800):
            await link.start(f"m{number}")
        await link.request()

    played = bridge(tmp_path, "import time\nhello()\ntime.sleep(60)", telling)
    assert "the program does not read" in str(played.error)
    assert played.leave.failed


def test_what_a_program_writes_after_the_goodbye_is_read_and_dropped(tmp_path, caplog):
    """So that it can end by itself, however much it has to say, on however long a line."""
    source = FIRST + "print('x' * 5_000_000, flush=True)\nsys.exit(7)\n"
    with caplog.at_level("INFO"):
        assert bridge(tmp_path, source, one_match).error is None
    assert caplog.messages[-1] == "the program exited with code 7"


def test_what_a_program_writes_before_the_welcome_is_judged(tmp_path):
    """At once, while the arena is being dialled: nobody waits for it any more."""
    source = """
    import os, time
    os.write(1, b'{"hello":{"bot":"mine"}}\\nthinking\\n')
    time.sleep(60)
    """

    async def waiting(link):
        await link.read()

    error = bridge(tmp_path, source, waiting).error
    assert isinstance(error, ProgramError)
    assert str(error).startswith("line 2 of the program's output is not JSON")


def test_a_flood_of_empty_lines_keeps_nobody_waiting(tmp_path):
    """They are skipped; the arena is heard all the same."""
    source = """
    import os, threading
    hello()
    def flood():
        while True: os.write(1, 65536 * b"\\n")
    threading.Thread(target=flood, daemon=True).start()
    for decision in decisions():
        answer(decision)
    os._exit(0)
    """
    assert bridge(tmp_path, source, one_match).error is None


def test_a_line_may_be_longer_than_a_message(tmp_path):
    """Its answers are sent in several, and its notes cut."""
    source = """
    hello(maxMatches=2)
    for message in messages():
        if "decisions" in message:
            say(answers={"answers": [
                {"matchId": each["matchId"], "decisionId": 1, "moveIndex": 0, "note": 3000 * "x"}
                for each in message["decisions"]["decisions"]]})
    """

    async def batch(link):
        await link.welcome(max_message_bytes=1_500, max_note_bytes=1_000)
        await link.start("m1", "m2")
        await link.ask(("m1", 1), ("m2", 1))
        assert await link.answers() == [("m1", 1, 0)]
        assert await link.answers() == [("m2", 1, 0)]
        await link.goodbye()

    assert bridge(tmp_path, source, batch).error is None


SILENT = "import time\nopen({running!r}, 'w').close()\ntime.sleep(60)"


@pytest.mark.parametrize("source", [FIRST, SILENT, "hello()\nwhile 1: pass"])
def test_an_interruption_ends_both_sides(tmp_path, source):
    """In the middle of whatever they do; the arena is told unless it was never met."""
    running, transcript = tmp_path / "running", io.StringIO()

    async def waiting(link):
        await link.welcome()
        await link.start("m1")
        assert (await link.request()).WhichOneof("message") == "leave"

    async def interrupt(bridged):
        await until(lambda: running.exists() or "> " in transcript.getvalue())
        bridged.interrupt("stopped by SIGTERM")

    program = source.replace("{running!r}", repr(str(running)))
    played = bridge(tmp_path, program, waiting, during=interrupt, transcript=transcript)
    assert played.error is None
    assert bool(played.received) is (source != SILENT)
    if played.received:
        assert played.leave.reason == "stopped by SIGTERM"
        assert not played.leave.failed


def test_the_failure_of_the_program_counts_more_than_what_follows(tmp_path):
    """The arena may well call it misbehaviour."""

    async def misbehaved(link):
        await link.welcome()
        assert (await link.request()).leave.failed
        await link.send(goodbye={"reason": play_pb2.Goodbye.REASON_MISBEHAVED})

    # Not before the welcome: whoever leaves earlier hangs up without a word.
    error = bridge(tmp_path, "hello()\nnext(messages())\nsys.exit(3)", misbehaved).error
    assert isinstance(error, ProgramError)


def test_a_transcript_that_cannot_be_written_stops_nobody(tmp_path, caplog):
    """It ends with a warning."""

    class Full(io.StringIO):
        def write(self, _text):
            raise OSError(errno.ENOSPC, "No space left on device")

    assert bridge(tmp_path, FIRST, one_match, transcript=Full()).error is None
    assert caplog.messages.count("the transcript ends here: No space left on device") == 1


def test_the_program_is_not_given_what_is_for_the_bridge(tmp_path, monkeypatch):
    """Its token and its settings of gRPC; what else is in the environment is the program's, too."""
    monkeypatch.setenv("ARENA_TOKEN", "secret")
    monkeypatch.setenv("ARENA_SEED", "7")
    choose_settings()
    source = """
    import os
    own = [name for name in os.environ if name == "ARENA_TOKEN" or name.startswith("GRPC_E")]
    hello(version=os.environ["ARENA_SEED"], sdk=" ".join(own) or "none")
    for decision in decisions():
        answer(decision)
    """
    hello = bridge(tmp_path, source, one_match).received[0][0].hello
    assert (hello.version, hello.sdk) == ("7", "none")


def test_what_is_no_arena(tmp_path):
    """Somebody else answers there, and the author is told."""

    async def other(link):
        await link.request()  # a status that comes while gRPC writes may be lost on the way
        await link.abort(grpc.StatusCode.UNIMPLEMENTED, "Method not found!")

    error = bridge(tmp_path, FIRST, other).error
    assert isinstance(error, InputError)
    assert "is not an arena: Method not found! (is ARENA_ADDRESS right?)" in str(error)


def test_a_refusal_is_told(tmp_path):
    """With what the arena says."""

    async def refusing(link):
        await link.request()
        await link.abort(grpc.StatusCode.UNAUTHENTICATED, "no such token")

    error = bridge(tmp_path, FIRST, refusing).error
    assert isinstance(error, InputError)
    assert str(error) == "the arena refused: no such token (UNAUTHENTICATED)"


def test_misbehaviour_is_told(tmp_path):
    """The goodbye is passed on all the same."""

    async def sending_away(link):
        await link.welcome()
        await link.goodbye(play_pb2.Goodbye.REASON_MISBEHAVED)

    played = bridge(tmp_path, FIRST, sending_away)
    assert played.told == ["welcome", "goodbye"]
    assert isinstance(played.error, InputError)
    assert str(played.error) == "the arena ended the session: that was all"


def test_an_arena_that_does_not_come_back(tmp_path):
    """After the time for resuming it is given up, and the program ended."""

    async def gone(link):
        await link.welcome()
        await link.abort(grpc.StatusCode.UNAVAILABLE, "stopping")

    async def busy(link):
        await link.request()
        await link.abort(grpc.StatusCode.UNAVAILABLE, "busy")

    scripts = (gone, *20 * (busy,))
    error = bridge(tmp_path, FIRST, *scripts, patience=Patience(resume_s=0.3)).error
    assert isinstance(error, LostError)
    assert "went away and did not come back within 0.3 s (busy)" in str(error)


def test_a_program_that_is_not_there(tmp_path):
    """Nothing is started or dialled."""
    error = bridge(tmp_path, ("./nobody",)).error
    assert isinstance(error, InputError)
    assert "there is no program" in str(error)


def test_the_standard_loop_serves_as_well(tmp_path, monkeypatch):
    """Nothing here needs uvloop."""
    monkeypatch.setattr("tests.bridge.bridged.LOOP_FACTORY", asyncio.new_event_loop)
    assert bridge(tmp_path, FIRST, one_match).error is None
