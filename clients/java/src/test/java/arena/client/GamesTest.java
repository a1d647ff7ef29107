package arena.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import arena.client.ArenaClientException.IllegalChoice;
import arena.v1.Play;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Matches and decisions of any game. */
class GamesTest {
    /** Seat, names, options and time control are read from the message. */
    @Test
    void aMatchTellsHowItStarts() {
        Match match = Match.of(Messages.started("m", "byzanz"));
        assertEquals("<byzanz match m, seat 1 of 2>", match.toString());
        assertEquals("other", match.seats().get(0).getBot());
        assertEquals(Map.of("deck", "uneven", "rounds", 2L), match.options());
        assertEquals(Optional.of(Duration.ofMillis(500)), match.moveTime());
        assertEquals(Optional.of(Duration.ofSeconds(10)), match.bank());
        assertEquals(3, match.maxFaults());
        assertEquals(Map.of(), new Match(Play.MatchStarted.getDefaultInstance()).options());
    }

    /** The same seed draws the same. */
    @Test
    void randomnessRepeats() {
        Match first = Match.of(Messages.started("m", "byzanz"));
        Match second = Match.of(Messages.started("m", "byzanz"));
        assertEquals(first.rng().nextLong(), second.rng().nextLong());
        assertSame(first.rng(), first.rng());
    }

    /** For a game without helpers there are moves by index, and times. */
    @Test
    void anUnknownGameCanBePlayedByIndex() {
        Play.Decision message =
                Play.Decision.newBuilder().setDecisionId(2).setLegalCount(3).build();
        Decision decision = Decision.of(Match.of(Messages.started("m", "chess")), message);
        assertEquals("[0, 1, 2]", decision.legalMoves().toString());
        assertEquals(2, decision.indexOf(decision.legalMoves().get(2)));
        assertEquals(Optional.empty(), decision.moveTime());
        assertEquals(List.of(), decision.events());
    }

    /** Moves are equal by what they do, not by their place. */
    @Test
    void aMoveKeptFromAnEarlierDecisionCounts() {
        Match match = Match.of(Messages.started("m", "byzanz"));
        Decision before = Decision.of(match, Messages.decision("m", 1));
        Play.Decision.Builder message = Messages.decision("m", 2).toBuilder().setLegalCount(2);
        message.getByzanzBuilder().removeLegalMoves(1);
        Decision now = Decision.of(match, message.build());
        assertEquals(1, now.indexOf(before.legalMoves().get(2)));
        assertThrows(IllegalChoice.class, () -> now.indexOf(before.legalMoves().get(1)));
        assertThrows(IllegalChoice.class, () -> now.indexOf(null));
    }

    /** Of many legal moves a refusal lists 40. */
    @Test
    void aRefusalIsNotTooLong() {
        Play.Decision message = Play.Decision.newBuilder().setLegalCount(100).build();
        Decision decision = Decision.of(Match.of(Messages.started("m", "chess")), message);
        String told =
                assertThrows(IllegalChoice.class, () -> decision.indexOf(Choice.of(100)))
                        .getMessage();
        assertEquals(43, told.lines().count());
        assertTrue(told.contains("\n  ... and 60 more\n"));
    }

    /** A match that does not count has no score; a fault of a later version is one. */
    @Test
    void outcomesMayBeVoid() {
        Match match = Match.of(Messages.started("m", "byzanz"));
        Outcome outcome =
                new Outcome(
                        match,
                        Play.MatchEnded.newBuilder()
                                .setVoidReason("stopped")
                                .addForfeitsValue(99)
                                .build());
        assertTrue(outcome.isVoid());
        assertTrue(outcome.score().isEmpty());
        assertTrue(outcome.rank().isEmpty());
        assertEquals(List.of(Fault.UNKNOWN), outcome.forfeits());
    }
}
