from __future__ import annotations

from arena.server.greetings import Greetings
from arena.server.limits import SessionLimits

LIMITS = SessionLimits(max_hellos=6, max_hellos_of_connection=3)


async def test_a_connection_has_so_many_places():
    """The oldest stream of a connection gives way to its newest, and to nobody else's."""
    greetings = Greetings(LIMITS)
    other = greetings.begin("ipv4:10.0.0.2:1")
    mine = [greetings.begin("ipv4:10.0.0.1:1") for _ in range(5)]
    assert [place.done() for place in mine] == [True, True, False, False, False]
    assert not other.done()


async def test_the_host_with_most_places_gives_way():
    """When all places are taken, whoever has most of them loses its oldest."""
    greetings = Greetings(LIMITS)
    honest = greetings.begin("ipv4:10.0.0.2:1")
    crowd = [greetings.begin(f"ipv4:10.0.0.1:{port}") for port in (1, 2, 2, 3, 3)]
    newcomer = greetings.begin("ipv6:[::1]:9")
    assert [place.done() for place in crowd] == [False, True, False, False, False]
    assert not honest.done()
    assert not newcomer.done()


async def test_a_place_that_is_left_is_free():
    """Those who have said hello make no difference to others, and leaving twice does no harm."""
    greetings = Greetings(LIMITS)
    first = greetings.begin("unix:")
    places = [greetings.begin("unix:") for _ in range(5)]
    for _ in range(2):
        greetings.end("unix:", places[0])
    greetings.begin("unix:")
    assert not first.done()
    greetings.begin("unix:")
    assert first.done()
    greetings.end("unix:", first)
    greetings.begin("unix:")
    assert [place.done() for place in places] == [False, True, False, False, False]
