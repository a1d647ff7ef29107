import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertFalse;

import arena.client.Decision;
import arena.client.Match;
import arena.v1.Play;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Asks the bot real decisions, without an arena. */
class MyBotTest {
    private static Play.PlayResponse sample(String name) throws IOException {
        return Play.PlayResponse.parseFrom(Files.readAllBytes(Path.of("..", "samples", name)));
    }

    /** Whatever is asked, the bot chooses a legal move. */
    @Test
    void choosesLegalMoves() throws IOException {
        Match match = Match.of(sample("match-started.binpb").getMatchStarted());
        List<Play.Decision> messages = sample("decisions.binpb").getDecisions().getDecisionsList();
        MyBot bot = new MyBot(match);
        assertFalse(messages.isEmpty());
        for (Play.Decision message : messages) {
            Decision decision = Decision.of(match, message);
            assertDoesNotThrow(() -> decision.indexOf(bot.decide(decision)));
        }
    }
}
