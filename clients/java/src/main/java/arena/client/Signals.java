package arena.client;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * SIGTERM and SIGINT, as long as this is open. Java has no public way to tell the two apart, and
 * javac warns about the class that can, in a way that cannot be turned off: hence by reflection.
 */
final class Signals implements AutoCloseable {
    private static final List<String> NAMES = List.of("TERM", "INT");

    private final List<Object> before = new ArrayList<>();

    /** Calls a handler, on another thread, with the name of each signal: "SIGTERM" or "SIGINT". */
    Signals(Consumer<String> handler) {
        try {
            Class<?> type = Class.forName("sun.misc.SignalHandler");
            for (String name : NAMES) {
                Object ours =
                        Proxy.newProxyInstance(
                                type.getClassLoader(),
                                new Class<?>[] {type},
                                (proxy, method, arguments) -> {
                                    handler.accept("SIG" + name);
                                    return null;
                                });
                before.add(handle(name, ours));
            }
        } catch (ReflectiveOperationException error) {
            close(); // a Java without it ends by signals as any program does
        }
    }

    @Override
    public void close() {
        try {
            for (int place = 0; place < before.size(); place++) {
                handle(NAMES.get(place), before.get(place));
            }
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error); // it worked the other way round
        }
    }

    private static Object handle(String name, Object handler) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        return signal.getMethod("handle", signal, Class.forName("sun.misc.SignalHandler"))
                .invoke(null, signal.getConstructor(String.class).newInstance(name), handler);
    }
}
