"""The golden messages: `python -m clients.conformance.golden` checks the codecs of all SDKs.

Each message is kept in its JSON form, which is written by hand or taken from a match, and in its
binary form, which is made of it: `--write` makes them again, to be reviewed as a diff. The codec of
an SDK must turn each form into the other one.
"""

from __future__ import annotations

import argparse
import base64
import binascii
import json
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message

from arena.v1.play_pb2 import PlayRequest, PlayResponse
from clients.conformance import sdks
from clients.conformance.expectation import shortened

DIRECTORY = Path(__file__).resolve().parent / "golden"
TYPES: Mapping[str, type[Message]] = {"PlayRequest": PlayRequest, "PlayResponse": PlayResponse}
GARBAGE = (
    "binary PlayResponse !!!",
    f"binary PlayResponse {base64.b64encode(bytes([0x0A, 0x7F, 0x01])).decode()}",
    "binary NoSuchType CgA=",
    'json PlayRequest {"hello"',
    'json PlayRequest {"hello": {"protocol": "one"}}',
    'json PlayRequest {"nothing": {"known": 1}}',
    "neither PlayRequest {}",
    "nonsense",
)
"""Lines that a codec must answer with an error, and go on."""
TIMEOUT_S = 60.0


@dataclass(frozen=True, slots=True)
class Golden:
    """One message: its type, its JSON form, and its binary one."""

    name: str
    type: str
    text: str
    content: bytes

    @property
    def value(self) -> Mapping[str, Any]:
        """The JSON form."""
        value: Mapping[str, Any] = json.loads(self.text)
        return value


@dataclass(frozen=True, slots=True)
class Question:
    """A line for a codec, and what its answer must be."""

    what: str
    line: str
    golden: Golden | None  # None: an error

    def complaint(self, answer: str) -> str | None:
        """Return what is wrong with an answer; None if nothing is."""
        golden = self.golden
        if golden is None:
            if answer.startswith("error ") and len(answer) > len("error "):
                return None
            return f"{self.what}: expected an error, got {shortened(answer)}"
        if self.line.startswith("binary"):
            return self._compare_json(golden, answer)
        try:
            content = base64.b64decode(answer, validate=True)
        except binascii.Error:
            return f"{self.what}: expected base64, got {shortened(answer)}"
        if content == golden.content:
            return None
        return f"{self.what}: got {content.hex()} instead of {golden.content.hex()}"

    def _compare_json(self, golden: Golden, answer: str) -> str | None:
        try:
            value = json.loads(answer)
        except json.JSONDecodeError:
            return f"{self.what}: expected JSON, got {shortened(answer)}"
        if value == golden.value:
            return None
        return (
            f"{self.what}: got {answer} instead of {json.dumps(golden.value, ensure_ascii=False)}"
        )


def read_golden() -> list[Golden]:
    """Return all golden messages, made from their JSON forms."""
    return [_read(path) for path in sorted(DIRECTORY.glob("*.json"))]


def questions() -> Iterator[Question]:
    """Yield what a codec is asked."""
    for golden in read_golden():
        content = base64.b64encode(golden.content).decode()
        line = json.dumps(golden.value, ensure_ascii=False)
        named = json.dumps(_as_in_proto(golden.value, TYPES[golden.type].DESCRIPTOR))
        yield Question(f"{golden.name} as JSON", f"binary {golden.type} {content}", golden)
        yield Question(f"{golden.name} as bytes", f"json {golden.type} {line}", golden)
        yield Question(
            f"{golden.name} as bytes, by numbers and names of the .proto files",
            f"json {golden.type} {named}",
            golden,
        )
    for line in GARBAGE:
        yield Question(f"the garbage {line!r}", line, None)


def check(sdk: sdks.Sdk) -> list[str]:
    """Return what is wrong with the codec of an SDK, which must have been built."""
    return check_program(sdks.resolve(sdk.programs["golden_codec"]), sdk.directory)


def check_program(command: Sequence[str], directory: Path) -> list[str]:
    """Return what is wrong with a codec."""
    asked = list(questions())
    try:
        done = subprocess.run(
            command,
            cwd=directory,
            input="".join(f"{question.line}\n" for question in asked).encode(),
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return [f"the codec did not end within {TIMEOUT_S:g} s after its input had"]
    answers = done.stdout.decode(errors="replace").split("\n")[:-1]
    if done.returncode or len(answers) != len(asked):
        written = done.stderr.decode(errors="replace").strip()
        told = f"{len(answers)} answers to {len(asked)} lines, exit code {done.returncode}"
        return [f"the codec gave {told}: {shortened(written) or 'nothing on stderr'}"]
    complaints = (one.complaint(answer) for one, answer in zip(asked, answers, strict=True))
    return [complaint for complaint in complaints if complaint]


def stale() -> list[str]:
    """Return the files that are not as --write would make them."""
    wanted = _files()
    there = {path.name: path.read_bytes() for path in DIRECTORY.iterdir()}
    return sorted(name for name in wanted | there if wanted.get(name) != there.get(name))


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the golden messages, or check SDKs with them; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m clients.conformance.golden",
        description="Check the codecs of the SDKs with the golden messages.",
    )
    parser.add_argument("language", nargs="*", help="an SDK such as go; all if none is named")
    parser.add_argument("--write", action="store_true", help="write the messages again instead")
    options = parser.parse_args(arguments)
    if options.write:
        return _write()
    failed = False
    try:
        for sdk in sdks.chosen(options.language):
            failed |= not _shown(sdk)
    except sdks.SdkError as error:
        print(error, file=sys.stderr)
        return 2
    return int(failed)


def _shown(sdk: sdks.Sdk) -> bool:
    """Check an SDK and tell; return whether it is right, or cannot be checked here."""
    lacking = sdks.missing(sdk)
    if lacking is not None:
        print(f"{sdk.name}: skipped ({lacking})")
        return True
    sdks.build(sdk)
    complaints = check(sdk)
    for complaint in complaints:
        print(f"{sdk.name}: {shortened(complaint, 2000)}")
    if not complaints:
        print(f"{sdk.name}: {len(list(questions()))} lines answered as they should be")
    return not complaints


def _write() -> int:
    wanted = _files()
    for path in DIRECTORY.iterdir():
        if path.name not in wanted:
            path.unlink()
    for name, content in wanted.items():
        (DIRECTORY / name).write_bytes(content)
    print(f"wrote {len(wanted)} files")
    return 0


def _files() -> dict[str, bytes]:
    found = {}
    for golden in read_golden():
        found[f"{golden.name}.json"] = golden.text.encode()
        found[f"{golden.name}.binpb"] = golden.content
    return found


def _read(path: Path) -> Golden:
    value = json.loads(path.read_text(encoding="utf-8"))
    name = "PlayRequest" if value.keys() & PlayRequest.DESCRIPTOR.fields_by_name else "PlayResponse"
    message = TYPES[name]()
    try:
        json_format.ParseDict(value, message)
    except json_format.ParseError as error:
        raise SystemExit(f"{path.name}: {error}") from None
    text = json.dumps(json_format.MessageToDict(message), indent=1, ensure_ascii=False) + "\n"
    return Golden(path.stem, name, text, message.SerializeToString(deterministic=True))


def _as_in_proto(value: Any, descriptor: Any) -> Any:
    """Return a message in the other JSON form that parsers must take.

    Fields have their names of the .proto files in it, and enums are numbers.
    """
    if descriptor.full_name.startswith("google.protobuf."):  # they have forms of their own
        return value
    fields = {field.json_name: field for field in descriptor.fields}
    return {
        fields[key].name: [_other_form(one, fields[key]) for one in inner]
        if isinstance(inner, list)
        else _other_form(inner, fields[key])
        for key, inner in value.items()
    }


def _other_form(value: Any, field: Any) -> Any:
    if field.enum_type is not None:
        return field.enum_type.values_by_name[value].number
    return _as_in_proto(value, field.message_type) if field.message_type is not None else value


if __name__ == "__main__":
    sys.exit(main())
