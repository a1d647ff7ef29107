"""The environment that a bot's process gets."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from arena.config.bot_spec import BotSpec
from arena.grpc_settings import forget_settings
from arena.launch.sweep import LAUNCH_ID
from arena.sandbox.bubblewrap import HOME
from arena.sandbox.level import Level
from arena.sandbox.visible import SEARCH_VARIABLES, TOOLCHAIN_VARIABLES

OWN_PREFIX = "ARENA_"
SEED = "ARENA_SEED"
_SECRET_PREFIXES = (OWN_PREFIX, "RAY_")  # whoever has Ray's token can run programs on its cluster

_KEPT = {"PATH", "LANG", "LANGUAGE", "TZ", *TOOLCHAIN_VARIABLES, *SEARCH_VARIABLES}
_KEPT_PREFIX = "LC_"
_NETWORK = (  # how a build reaches the network, where it may
    {"GOPROXY", "GOFLAGS", "GOSUMDB", "GONOSUMDB", "PIP_INDEX_URL", "NPM_CONFIG_REGISTRY"}
    | {f"{name}_proxy" for name in ("http", "https", "all", "no")}
    | {f"{name}_PROXY" for name in ("HTTP", "HTTPS", "ALL", "NO")}
    | {"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE"}
    | {"PIP_CERT", "CARGO_HTTP_CAINFO"}
)


def bot_environment(
    spec: BotSpec,
    given: Mapping[str, str],
    launch_id: str,
    inherited: Mapping[str, str] = os.environ,
    *,
    level: Level = Level.NONE,
    has_network: bool = False,
    home: str = HOME,
) -> dict[str, str]:
    """Return the whole environment of a bot's process.

    In this order, the later winning: the arena's own environment without the variables that begin
    with ARENA_ (they may hold secrets of the arena, such as its admin token) and without the
    settings of the arena's own gRPC; `spec.env`; ARENA_SEED where the bot was given a seed; what
    the caller gives (ARENA_ADDRESS, ARENA_TOKEN); and ARENA_LAUNCH_ID, by which everything the bot
    starts is found again.

    The rest is inherited because a bot given as a command is started by the organiser, who expects
    PATH, VIRTUAL_ENV, JAVA_HOME, GOPATH or a proxy to mean what they mean in the shell. Without a
    sandbox it is no protection to leave it out: the bot runs as the same user and could read it
    elsewhere. In one, only what programs need to be found is inherited, and `home` is its home.
    """
    environment = {
        name: value for name, value in inherited.items() if not name.startswith(_SECRET_PREFIXES)
    }
    forget_settings(environment)
    if level is Level.BUBBLEWRAP:
        kept = _KEPT | _NETWORK if has_network else _KEPT
        environment = {
            name: value
            for name, value in environment.items()
            if name in kept or name.startswith(_KEPT_PREFIX)
        }
        environment |= {"HOME": home, "TMPDIR": HOME, "USER": "bot", "LOGNAME": "bot"}
        if (rustup := Path.home() / ".rustup").exists():  # it looks in the home, which is another
            environment.setdefault("RUSTUP_HOME", str(rustup))
    environment.update(spec.env)
    if spec.seed is not None:
        environment[SEED] = spec.seed
    environment.update(given)
    environment[LAUNCH_ID] = launch_id
    return environment
