package arena.client;

import java.nio.file.Files;
import java.nio.file.Path;

/** A short session of a bot, arena included, in one program: loads what any program will need. */
final class Rehearsal {
    private Rehearsal() {}

    public static void main(String[] arguments) throws Exception {
        Path directory = Files.createTempDirectory("arena");
        Path path = directory.resolve("arena");
        path.toFile().deleteOnExit();
        directory.toFile().deleteOnExit();
        FakeArena.on(path, Rehearsal::play); // ends with the program, as the session does
        Program.anyGame("rehearsal", match -> decision -> decision.legalMoves().get(0))
                .run(new String[] {"--address", "unix:" + path});
    }

    private static void play(FakeArena.Visit visit) throws InterruptedException {
        visit.welcome();
        visit.start("a");
        visit.ask(Messages.decision("a", 1));
        visit.answers();
        visit.end("a");
        visit.goodbye();
    }
}
