package io.penstock.server.health;

import io.penstock.server.http.Answer;
import io.penstock.server.http.Call;
import io.penstock.server.http.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * {@code /livez}: the process can answer; touches nothing, so that a database that is down never
 * gets the server killed. {@code /readyz}: it can do its work. Safe for use by many threads.
 */
public final class HealthRoutes {
  private final Map<String, Supplier<Optional<String>>> checks;
  private final Map<String, Supplier<String>> notes;

  /**
   * @param checks by name, in the order in which they run; each gives what is wrong, or nothing
   * @param notes by name, told among the checks; none of them makes the node unready
   */
  public HealthRoutes(
      Map<String, Supplier<Optional<String>>> checks, Map<String, Supplier<String>> notes) {
    this.checks = new LinkedHashMap<>(checks);
    this.notes = new LinkedHashMap<>(notes);
  }

  public List<Route> routes() {
    return List.of(
        Route.get("/livez", Route.PUBLIC, Set.of(), _ -> Answer.ok(new Live("alive"))),
        Route.get("/readyz", Route.PUBLIC, Set.of("verbose"), this::ready));
  }

  /** That it lives. */
  record Live(String status) {}

  /** Whether it is ready; {@code checks} only when asked for. */
  record Ready(String status, @Nullable Map<String, String> checks) {}

  private Answer ready(Call call) {
    Map<String, String> results = new LinkedHashMap<>();
    boolean allWell = true;
    for (var check : checks.entrySet()) {
      Optional<String> fault = check.getValue().get();
      allWell &= fault.isEmpty();
      results.put(check.getKey(), fault.orElse("ok"));
    }
    notes.forEach((name, note) -> results.put(name, note.get()));
    boolean verbose = call.query("verbose").isPresent();
    Answer answer =
        Answer.json(
            allWell ? 200 : 503,
            new Ready(allWell ? "ready" : "not_ready", verbose || !allWell ? results : null));
    return allWell ? answer : answer.with("Retry-After", "1");
  }
}
