package arena.client;

import com.google.gson.Gson;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Runs of a program, one after the other in one process (see clients/README.md). */
public final class Series {
    private static final Gson GSON = new Gson();

    /** What a line of stdin says. */
    private record Order(String mark, Map<String, String> variables, List<String> flags) {}

    private Series() {}

    /**
     * Plays for each line of stdin, and tells the end of each run on both outputs.
     *
     * @param program makes the program of a run, by the variables of its environment
     */
    public static void play(Function<Map<String, String>, Program> program) throws IOException {
        BufferedReader input =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            Order order = GSON.fromJson(line, Order.class);
            int code = program.apply(order.variables()).code(order.flags(), order.variables());
            for (PrintStream output : List.of(System.out, System.err)) {
                output.println(order.mark() + " " + code);
                output.flush();
            }
        }
    }
}
