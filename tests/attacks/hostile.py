"""Bots that attack: `hostile.py MARK NAME ATTACK...`, each in its first decision.

A few attack before they have said hello (EARLY). A bot with `leak` for an attack is a victim: it
gives its ticket away, and says hello only when somebody has tried to use it.

After that they play on, always the move in the middle. An attack returns what it has achieved, or
raises OSError where the system refuses it. Both are printed, as `HIT attack: ...` and
`STOPPED attack: ...`. MARK is in the command line of everything that belongs to one test: nothing
else is ever signalled. What is to be attacked is in the environment, under TARGET_.

None of them does anything in the namespaces of the machine itself, whose names are in the
environment: see contained.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import platform
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

MARK, NAME, *HOW = sys.argv[1:] or ("", "")
SPAWNED_LIMIT = 200
SPINNERS, SPIN_S = 8, 1.0
CHILDREN = 6
NOTICED_S = 2.0  # arena has ended a bot that uses too much by then
MEGABYTE = 1 << 20

LIBC = ctypes.CDLL(None, use_errno=True)
ATTACKS: dict[str, Callable[[], str]] = {}


def require_containment() -> None:
    """End at once if mounts or signals could reach the machine."""
    for kind in ("mnt", "pid"):
        if str(Path(f"/proc/self/ns/{kind}").readlink()) == os.environ[f"MACHINE_{kind.upper()}"]:
            sys.exit(f"not started: the {kind} namespace is that of the machine")


def attack(function: Callable[[], str]) -> Callable[[], str]:
    ATTACKS[function.__name__.replace("_", "-")] = function
    return function


def target(name: str) -> Path:
    return Path(os.environ[f"TARGET_{name}"])


def others() -> list[int]:
    """The other processes of the test that can be seen: rivals and the arena."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) not in (os.getpid(), 1):
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if MARK.encode() in line and f"\0{NAME}\0".encode() not in line:
                found.append(int(entry.name))
    return found


def arena_socket() -> Path:
    return Path(os.environ["ARENA_ADDRESS"].removeprefix("unix:"))


def scratch() -> str:
    """A place to write to."""
    return os.environ.get("TMPDIR", "/tmp")


def call(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def first(results: list[str], nothing: str = "nothing is there") -> str:
    """What was achieved anywhere, or an error."""
    if not results:
        raise FileNotFoundError(nothing)
    return results[0]


def each(things: list[object], attempt: Callable[[object], object]) -> str:
    """Try it with each of them, and return the first with which it works."""
    for thing in things:
        try:
            attempt(thing)
        except OSError:
            continue
        return f"{thing}"
    raise PermissionError(f"none of {len(things)}")


# Rivals and the arena


@attack
def read_tickets() -> str:
    """Read the ticket of a rival, to play as it."""
    own = os.environ["ARENA_TOKEN"].encode()

    def read(pid: object) -> None:
        line = Path(f"/proc/{pid}/environ").read_bytes()
        if b"ARENA_TOKEN=" not in line or own in line:
            raise FileNotFoundError

    return each([*others()], read)


@attack
def use_ticket() -> str:
    """Say hello with the ticket of a rival, however it was got, before the rival does."""
    leaked = wait_for(target("LEAKS") / "leaked")
    address, token = leaked.split()
    try:
        return each(
            [os.environ["ARENA_ADDRESS"], address], lambda place: say_hello(str(place), token)
        )
    finally:
        (target("LEAKS") / "tried").touch()


def leak() -> None:
    """Give the ticket away and wait until somebody has tried to use it."""
    part = target("LEAKS") / "part"
    part.write_text(f"{os.environ['ARENA_ADDRESS']} {os.environ['ARENA_TOKEN']}")
    part.chmod(0o644)
    part.rename(target("LEAKS") / "leaked")
    wait_for(target("LEAKS") / "tried")


def wait_for(path: Path) -> str:
    """Return what a file holds, once it is there."""
    deadline = time.monotonic() + 60.0
    while not path.exists():
        if time.monotonic() > deadline:
            raise FileNotFoundError(path)
        time.sleep(0.02)
    return path.read_text()


def say_hello(address: str, token: str) -> None:
    import grpc  # noqa: PLC0415 - the others do without
    from arena_client.v1 import play_pb2  # noqa: PLC0415 - likewise

    hello = play_pb2.PlayRequest(hello=play_pb2.Hello(protocol=1, bot="rival", token=token))
    with grpc.insecure_channel(address) as channel:
        call: Any = channel.stream_stream("/arena.v1.PlayService/Play")
        try:
            next(call(iter([hello.SerializeToString()]), timeout=5.0))
        except grpc.RpcError as error:
            raise PermissionError(str(error)) from None


@attack
def read_memory() -> str:
    """Read the memory of the arena or a rival: the seed and all hands are in it."""

    def read(pid: object) -> None:
        start = Path(f"/proc/{pid}/maps").read_text().split("-")[0]
        with Path(f"/proc/{pid}/mem").open("rb") as file:
            file.seek(int(start, 16))
            file.read(64)

    return each([*others()], read)


@attack
def trace() -> str:
    """Attach to a rival or the arena as a debugger does, and let it go again."""

    def attach(pid: object) -> None:
        call(LIBC.ptrace(16, pid, None, None))
        os.waitpid(int(str(pid)), 0)
        LIBC.ptrace(17, pid, None, None)

    return each([*others()], attach)


@attack
def stop_rivals() -> str:
    """Freeze and go on, so that a rival loses time."""

    def stop(pid: object) -> None:
        os.kill(int(str(pid)), signal.SIGSTOP)
        time.sleep(0.05)
        os.kill(int(str(pid)), signal.SIGCONT)

    return each([*others()], stop)


@attack
def kill_rivals() -> str:
    """End the rivals and the arena."""
    return each([*others()], lambda pid: os.kill(int(str(pid)), signal.SIGKILL))


@attack
def kill_everybody() -> str:
    """Send SIGKILL to every process that can be reached."""
    os.kill(-1, signal.SIGKILL)
    raise PermissionError("nobody else was there, or the rivals play on")


@attack
def delete_socket() -> str:
    """Remove the arena's socket, so that nobody can come back."""
    arena_socket().unlink()
    return "gone"


@attack
def squat_socket() -> str:
    """Put a socket of its own in the place of the arena's, so that rivals come to it."""
    own = Path(scratch(), f"{MARK}.sock")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(own))
        try:
            own.replace(arena_socket())
        finally:
            own.unlink(missing_ok=True)
    return "replaced"


# Files


@attack
def read_seed() -> str:
    """Read the seed of the tournament."""
    return f"{len((target('RESULTS') / 'tournament.toml').read_bytes())} bytes"


@attack
def rewrite_results() -> str:
    """Write to the database."""
    try:
        link = sqlite3.connect(f"file:{target('RESULTS')}/arena.db?mode=rw", uri=True)
        link.execute("CREATE TABLE forged (result)")
        link.close()
    except sqlite3.Error as error:
        raise PermissionError(str(error)) from None
    return "a table"


@attack
def delete_results() -> str:
    """Delete from the results directory."""
    (target("RESULTS") / "canary").unlink()
    return "a file"


@attack
def read_home() -> str:
    """Look around in the organiser's home."""
    return first([entry.name for entry in target("HOME").iterdir()])


@attack
def follow_links() -> str:
    """Reach the results by a link in a place of its own."""
    link = Path(scratch(), f"{MARK}-link")
    link.symlink_to(target("RESULTS"))
    try:
        return first([entry.name for entry in link.iterdir()])
    finally:
        link.unlink()


@attack
def change_programs() -> str:
    """Change the program that it and its rivals are started from."""
    with Path(__file__).open("r+b"):
        return __file__


@attack
def leave_files() -> str:
    """Leave files wherever others might find them; whoever looks afterwards must find none."""
    places = ["/", "/usr", "/etc", "/var/tmp", "/dev", "/run", "/dev/shm", "/tmp", scratch()]
    targets = (str(target(name)) for name in ("HOME", "SHARED", "RESULTS"))
    for place in (*places, *targets):
        with contextlib.suppress(OSError):
            (Path(place) / f"{MARK}-file").touch()
    raise PermissionError("what it could write is its own")


@attack
def read_devices() -> str:
    """Open the memory of the machine, its disks and its log."""
    names = ["mem", "port", "kmsg", "vda", "sda", "nvme0n1", "loop0", "fuse", "net/tun", "kvm"]
    paths: list[object] = [f"/dev/{name}" for name in names]
    return each([*paths, "/proc/kcore", "/proc/kmsg", "/etc/shadow"], opened(os.O_RDONLY))


@attack
def change_settings() -> str:
    """Open the settings of the kernel for writing."""
    names = ["sysrq-trigger", "sys/kernel/core_pattern", "sys/vm/drop_caches"]
    return each([f"/proc/{name}" for name in names], opened(os.O_WRONLY))


def opened(flags: int) -> Callable[[object], object]:
    return lambda path: os.close(os.open(str(path), flags))


@attack
def read_environment() -> str:
    """Read what the organiser's shell knows."""
    return first([os.environ[name] for name in ("ORGANISER_SECRET",) if name in os.environ])


# Networks


@attack
def dial_network() -> str:
    """Dial a server on this machine, and look for other networks."""
    links = [name for _, name in socket.if_nameindex() if name != "lo"]
    try:
        with socket.create_connection(("127.0.0.1", int(os.environ["TARGET_PORT"])), 5.0):
            return "loopback"
    except OSError:
        return first(links, "only a loopback of its own")


@attack
def dial_abstract() -> str:
    """Dial a socket without a file, which no permission protects."""
    with socket.socket(socket.AF_UNIX) as dialling:
        dialling.connect(f"\0{MARK}")
    return "connected"


# The kernel


@attack
def gain_privileges() -> str:
    """Use a capability, or get one by a program with special rights."""
    status = dict(
        line.split(":\t", 1) for line in Path("/proc/self/status").read_text().splitlines()
    )
    if int(status["CapEff"], 16) or (int(status["CapBnd"], 16) and status["NoNewPrivs"] == "0"):
        return f"effective {status['CapEff'].strip()}, bounding {status['CapBnd'].strip()}"
    raise PermissionError("none")


@attack
def nest_namespaces() -> str:
    """Become root in a user namespace of its own: the way to most holes of the kernel."""
    return in_child(lambda: call(LIBC.unshare(0x10000000)))


@attack
def mount() -> str:
    """Mount a file system."""
    call(LIBC.mount(b"none", b"/tmp", b"tmpfs", ctypes.c_ulong(0), None))
    return "/tmp"


@attack
def use_kernel() -> str:
    """Make calls that bots never need: keys, BPF programs, counters, io_uring."""
    numbers = {"x86_64": (250, 321, 298, 425), "aarch64": (219, 280, 241, 425)}
    room = ctypes.create_string_buffer(512)
    refused = []
    for number in numbers[platform.machine()]:
        # An empty buffer makes BPF and counters fail with EINVAL if they are allowed at all.
        result = LIBC.syscall(number, 0, ctypes.byref(room), 0, -1, 0)
        refused.append(result < 0 and ctypes.get_errno() in (1, 38))
    if not all(refused):
        return f"allowed: {refused.count(False)} of {len(refused)}"
    raise PermissionError("all of them")


@attack
def raise_priority() -> str:
    """Get processor time before others."""
    return in_child(lambda: os.nice(-10) and None)


def in_child(attempt: Callable[[], object]) -> str:
    """Do it in a child, which ends at once."""
    child = os.fork()
    if child == 0:
        try:
            attempt()
        except OSError as error:
            os._exit(error.errno or 1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        raise PermissionError(os.strerror(os.waitstatus_to_exitcode(status)))
    return "done"


# What takes more than its share; each in a bot of its own


def spawn(*words: str) -> int:
    """Start a program that carries the mark."""
    return os.posix_spawn("/bin/sleep", [f"sleep-{MARK}", *words], {})


def run_python(code: str) -> int:
    """Start a Python that carries the mark. A fork of this one would lack gRPC's threads."""
    words = [sys.executable, "-I", "-S", "-c", code, MARK]
    return os.posix_spawn(sys.executable, words, {})


@attack
def fork_bomb() -> str:
    """Start one process after another."""
    for _ in range(SPAWNED_LIMIT):
        spawn("600")
    return f"{SPAWNED_LIMIT} processes"


@attack
def take_memory() -> str:
    """Take memory in many children, each within the limit of one process."""
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    children = [
        run_python(
            f"import os, time; held = bytearray({100 * MEGABYTE}); held[::4096] = held[::4096]; "
            f"os.write({writing}, b'x'); time.sleep(60)"
        )
        for _ in range(CHILDREN)
    ]
    held_by = b""
    while len(held_by) < CHILDREN:
        held_by += os.read(reading, CHILDREN)
    time.sleep(NOTICED_S)
    # Each has held its part, but the kernel may have ended one to make room for the next.
    if any(os.waitpid(child, os.WNOHANG)[0] for child in children):
        raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
    return f"{100 * CHILDREN} MB"


@attack
def fill_disk() -> str:
    """Write more than is allowed wherever it can be written."""
    written = 0
    for place in (scratch(), "/dev/shm", "/var/tmp", str(Path.cwd())):
        path = Path(place) / f"{MARK}-full"
        try:
            with path.open("wb", buffering=0) as file:
                for _ in range(128):
                    written += file.write(bytes(MEGABYTE))
        except OSError:
            continue
    if written >= 128 * MEGABYTE:
        return f"{written // MEGABYTE} MB"
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@attack
def fill_inodes() -> str:
    """Make empty files; nothing of them may remain."""
    place = Path(scratch())
    for number in range(5000):
        (place / f"{MARK}-{number}").touch()
    raise PermissionError("they are its own")


@attack
def spin() -> str:
    """Take all processors."""
    for _ in range(SPINNERS):
        run_python(
            f"import time; end = time.monotonic() + {SPIN_S}\nwhile time.monotonic() < end: pass"
        )
    raise PermissionError("the rivals keep their time")


@attack
def freeze() -> str:
    """Stop itself, and with it whoever waits."""
    os.kill(os.getpid(), signal.SIGSTOP)
    raise PermissionError("it was made to go on")


@attack
def shout() -> str:
    """Write 32 MB to stderr."""
    line = b"x" * (MEGABYTE - 1) + b"\n"
    for _ in range(32):
        os.write(2, line)
    raise PermissionError("the log is limited")


@attack
def outlive() -> str:
    """Leave a daemon: another session, no parent, no environment."""
    child = os.fork()
    if child == 0:
        os.setsid()
        if os.fork() == 0:
            spawn("600")
            os.execve("/bin/sleep", [f"sleep-{MARK}", "600"], {})
        os._exit(0)
    os.waitpid(child, 0)
    raise PermissionError("it ends with the bot")


def carry_out(name: str) -> None:
    require_containment()
    try:
        said = f"HIT {name}: {ATTACKS[name]()}"
    except OSError as error:
        said = f"STOPPED {name}: {error}"
    os.write(2, f"\n{said}\n".encode())
    if name in LOUD and said.startswith("STOPPED"):
        os._exit(3)


LOUD = {"fork-bomb", "take-memory", "fill-disk"}
"""They end the bot with an error where they are stopped, as in any program."""

EARLY = {"use-ticket"}


STDIO = "stdio-"
"""What the names of bots begin with that speak over stdio."""


def play_by_lines() -> None:
    """Play as a program that only reads and writes lines: attack once, then play badly."""
    print('{"hello":{"bot":"hostile"}}', flush=True)
    attacks = list(HOW)
    for line in sys.stdin:
        for decision in json.loads(line).get("decisions", {}).get("decisions", ()):
            while attacks:
                carry_out(attacks.pop(0))
            answer = {name: decision[name] for name in ("matchId", "decisionId")}
            answer["moveIndex"] = decision["legalCount"] // 2
            print(json.dumps({"answers": {"answers": [answer]}}), flush=True)


if __name__ == "__main__":
    require_containment()
    if NAME.startswith(STDIO):
        play_by_lines()
        sys.exit()
    # Some attacks fork. gRPC would start its threads again in the child, which is about to end.
    os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "0"
    from arena_client import Bot, Decision, Match, run

    class Hostile(Bot):
        """Attacks once, and then plays like a bad bot."""

        def __init__(self, match: Match) -> None:
            self.has_attacked = False

        def decide(self, decision: Decision) -> int:
            if not self.has_attacked:
                self.has_attacked = True
                for name in HOW:
                    if name not in {*EARLY, "leak"}:
                        carry_out(name)
            return decision.legal_count // 2

    for name in EARLY.intersection(HOW):
        carry_out(name)
    if "leak" in HOW:
        leak()
    run(Hostile, [])
