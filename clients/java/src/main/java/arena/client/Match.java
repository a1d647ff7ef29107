package arena.client;

import arena.v1.Play;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import com.google.gson.reflect.TypeToken;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** One match, as one seat of it knows it from the start. */
public class Match {
    private final Play.MatchStarted message;
    private Map<String, Object> options;
    private RandomGenerator rng;

    /** A match of a game that this library does not know. */
    public Match(Play.MatchStarted message) {
        this.message = message;
    }

    /** Returns a match, typed by its game. */
    public static Match of(Play.MatchStarted message) {
        return switch (message.getGame()) {
            case "byzanz" -> new arena.client.byzanz.Match(message);
            case "schwarzmarkt" -> new arena.client.schwarzmarkt.Match(message);
            default -> new Match(message);
        };
    }

    /** The message it came in; what it holds beyond this class can be read there. */
    public final Play.MatchStarted message() {
        return message;
    }

    /** What names the match. */
    public final String id() {
        return message.getMatchId();
    }

    /** The name of the game, such as "byzanz". */
    public final String game() {
        return message.getGame();
    }

    /** The bot's own seat, from 0, clockwise. */
    public final int seat() {
        return message.getSeat();
    }

    /** All who play, by seat: their bot and version, empty where names are hidden. */
    public final List<Play.SeatInfo> seats() {
        return message.getSeatsList();
    }

    /** The game options that differ from the default, as read from JSON. */
    public final Map<String, Object> options() {
        if (options == null) {
            Gson gson =
                    new GsonBuilder()
                            .setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE)
                            .create();
            Map<String, Object> read =
                    gson.fromJson(message.getOptionsJson(), new TypeToken<>() {});
            options = read == null ? Map.of() : read;
        }
        return options;
    }

    /** What is free for every decision. Empty: no limit. */
    public final Optional<Duration> moveTime() {
        Play.TimeControl control = message.getTimeControl();
        return control.hasMoveTime()
                ? Optional.of(duration(control.getMoveTime()))
                : Optional.empty();
    }

    /** The reserve for the whole match, for decisions that take longer. Empty: no limit. */
    public final Optional<Duration> bank() {
        Play.TimeControl control = message.getTimeControl();
        return control.hasBank() ? Optional.of(duration(control.getBank())) : Optional.empty();
    }

    /** With how many faults a seat forfeits. */
    public final int maxFaults() {
        return message.getTimeControl().getMaxFaults();
    }

    /**
     * Randomness of this seat in this match, the same on every machine. A bot that draws from
     * nothing else plays the same match the same way again.
     */
    public final RandomGenerator rng() {
        if (rng == null) {
            rng = new Xoshiro(message.getBotSeed().toByteArray());
        }
        return rng;
    }

    /** What is settled about the game before the first move; the bare Any in an unknown game. */
    public Object material() {
        return message.getOther();
    }

    @Override
    public final String toString() {
        return "<%s match %s, seat %d of %d>"
                .formatted(game(), id(), seat(), message.getSeatsCount());
    }

    static Duration duration(com.google.protobuf.Duration duration) {
        return Duration.ofSeconds(duration.getSeconds(), duration.getNanos());
    }
}
