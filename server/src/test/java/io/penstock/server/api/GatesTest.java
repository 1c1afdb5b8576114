package io.penstock.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.cli.PenstockCommand;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.receiver.Receiver.Reply;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Gates of every scope, what waits behind them and what goes next, on two nodes. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GatesTest {
  private static final int PATIENCE_SECONDS = 20;
  private static final DestinationLimits LIMITS =
      new DestinationLimits(
          new BudgetSettings(20, 20, 32, Duration.ofSeconds(15)),
          8,
          Duration.ofDays(3),
          OnUnknown.RETRY);

  private record Arrival(int number, Instant at) {}

  private final BlockingQueue<Arrival> arrived = new LinkedBlockingQueue<>();
  private final TestingApi api;
  private final TestingApi other;
  private final Receiver receiver;
  private final Path folder;
  private Path keyFile = Path.of("");

  GatesTest(TestDatabase database, @TempDir Path folder) {
    this.folder = folder;
    api = TestingApi.start(database, folder, _ -> LIMITS, Map.of());
    other = api.another(database, folder, _ -> LIMITS, Map.of());
    receiver =
        new Receiver(
            0,
            (_, body) -> {
              arrived.add(new Arrival(Integer.parseInt(new String(body, UTF_8)), now()));
              return Reply.of(204);
            });
  }

  private Instant now() {
    return api.server().node().time().now();
  }

  @BeforeAll
  void tenants() throws IOException {
    keyFile = Files.writeString(folder.resolve("key"), api.adminKey());
    for (String id : List.of("acme", "beta")) {
      api.post("/v1/tenants", "{\"id\":\"%s\"}".formatted(id));
    }
  }

  @AfterAll
  void stop() {
    other.close();
    api.close();
    receiver.close();
  }

  private void destination(String id, String tenant) {
    Answered made =
        api.post(
            "/v1/destinations",
            "{\"id\":\"%s\",\"tenant\":\"%s\",\"url\":\"%s\",\"types\":[]}"
                .formatted(id, tenant, receiver.url()));
    assertThat(made.status()).as(made.json().toString()).isEqualTo(201);
  }

  private String event(TestingApi node, String tenant, String destination, int number) {
    Answered posted =
        node.post(
            "/v1/events",
            "{\"tenant\":\"%s\",\"type\":\"t\",\"payload\":%d,\"destinations\":[\"%s\"]}"
                .formatted(tenant, number, destination));
    assertThat(posted.status()).as(posted.json().toString()).isEqualTo(202);
    return posted.text("event_id");
  }

  private static void batch(TestingApi node, String tenant, String destination, IntStream numbers) {
    String events =
        numbers
            .mapToObj(number ->
                "{\"tenant\":\"%s\",\"type\":\"t\",\"payload\":%d,\"destinations\":[\"%s\"]}"
                    .formatted(tenant, number, destination))
            .collect(Collectors.joining(","));
    Answered posted = node.post("/v1/events/batch", "{\"events\":[%s]}".formatted(events));
    assertThat(posted.status()).as(posted.json().toString()).isEqualTo(202);
  }

  private static Answered change(TestingApi node, String path) {
    Answered changed = node.post(path, "{\"reason\":\"test\"}");
    assertThat(changed.status()).as(changed.json().toString()).isEqualTo(200);
    return changed;
  }

  @Test
  @DisplayName("cases 16, 17, 18: a pause holds within a second on every node; resume is no herd")
  void aPauseHoldsOnEveryNodeAndAResumeIsNoHerd() throws InterruptedException {
    destination("busy", "acme");
    // At once, so that they pile up however slow the machine is.
    int posted = 60;
    batch(api, "acme", "busy", IntStream.range(0, posted / 2));
    batch(other, "acme", "busy", IntStream.range(posted / 2, posted));
    List<Integer> before = new ArrayList<>();
    while (before.size() < 10) {
      before.add(next().number());
    }
    Answered paused = change(api, "/v1/tenants/acme/pause");
    Instant at = now();
    assertThat(paused.text("state")).isEqualTo("paused");
    assertThat(paused.json().path("exact").asBoolean(false)).isTrue();
    Arrival late;
    while ((late = arrived.poll(1_500, TimeUnit.MILLISECONDS)) != null) {
      before.add(late.number());
      assertThat(Duration.between(at, late.at())).isLessThan(Duration.ofSeconds(1));
    }
    // What was under way at the pause may have come back since; nothing is lost, nothing goes.
    assertThat(change(other, "/v1/tenants/acme/pause").json().path("waiting").asInt(0))
        .isEqualTo(posted - before.size());
    Answered why = other.get("/v1/destinations/busy/why");
    assertThat(why.text("code")).isEqualTo("paused");
    assertThat(why.text("sentence")).contains("The tenant acme is paused").contains("(test)");

    change(other, "/v1/tenants/acme/resume");
    Instant resumed = now();
    List<Integer> after = new ArrayList<>();
    int inFirstSecond = 0;
    while (after.size() < posted - before.size()) {
      Arrival one = next();
      after.add(one.number());
      inFirstSecond += Duration.between(resumed, one.at()).toMillis() < 1_000 ? 1 : 0;
    }
    assertThat(inFirstSecond).as("20 a second from an empty bucket").isLessThanOrEqualTo(22);
    assertThat(after.subList(0, 5))
        .as("oldest first")
        .allSatisfy(number -> assertThat(number).isLessThan(after.getLast()));
    assertThat(after).doesNotContainAnyElementsOf(before);
  }

  private Arrival next() throws InterruptedException {
    Arrival one = arrived.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertThat(one).isNotNull();
    return Objects.requireNonNull(one);
  }

  @Test
  void everyActionWorksOnEveryScopeAndIsSaid() {
    destination("acted", "beta");
    for (String path : List.of("/v1/destinations/acted/", "/v1/tenants/beta/")) {
      assertThat(change(api, path + "hold").text("state")).isEqualTo("held");
      assertThat(change(api, path + "pause").text("state")).isEqualTo("paused");
      assertThat(change(api, path + "disable").text("state")).isEqualTo("disabled");
      assertThat(change(api, path + "disable").json().path("changed").asBoolean(true)).isFalse();
      change(api, path + "enable");
      assertThat(change(api, path + "resume").text("state")).isEqualTo("held");
      assertThat(change(api, path + "release").text("state")).isIn("open", "flowing");
    }
    change(api, "/v1/everything/hold");
    Answered shown = api.get("/v1/everything");
    assertThat(shown.text("state")).isEqualTo("held");
    assertThat(shown.json().at("/causes/0/reason").asString("")).isEqualTo("test");
    assertThat(api.get("/v1/destinations/acted").text("state")).isEqualTo("held");
    change(api, "/v1/everything/release");
    assertThat(api.get("/v1/everything").json().path("causes").size()).isZero();
    String bound = api.key("[\"operator\"]", "[\"beta\"]");
    assertThat(
            api.call("POST", "/v1/everything/pause", bound, "{\"reason\":\"x\"}", Map.of())
                .status())
        .isEqualTo(403);
    assertThat(api.post("/v1/everything/pause", "{}").status()).isEqualTo(422);
  }

  @Test
  void whatGoesNextIsListedInOrderWithItsTime() {
    destination("lined", "beta");
    change(api, "/v1/destinations/lined/pause");
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      events.add(event(api, "beta", "lined", 1_000 + i));
    }
    Answered next = api.get("/v1/destinations/lined/next?limit=3");
    List<String> listed = new ArrayList<>();
    next.json().path("items").forEach(item -> listed.add(item.path("event_id").asString("")));
    assertThat(listed).isEqualTo(events.subList(0, 3));
    assertThat(next.json().at("/items/0/code").asString("")).isEqualTo("paused");
    assertThat(next.json().at("/items/0").has("estimate")).isFalse();
    Answered ofTenant = api.get("/v1/tenants/beta/next");
    assertThat(ofTenant.json().path("items").size()).isEqualTo(5);
    assertThat(ofTenant.json().path("complete").asBoolean(false)).isTrue();
    assertThat(api.get("/v1/destinations/nowhere/next").status()).isEqualTo(404);
    assertThat(api.get("/v1/tenants/nobody/next").status()).isEqualTo(404);
    assertThat(api.get("/v1/tenants/beta/next?limit=0").status()).isEqualTo(400);
  }

  @Test
  void theScheduleIsRebuiltAndSaysHowLongItTook() {
    Answered rebuilt = change(api, "/v1/schedule/rebuild");
    assertThat(rebuilt.json().path("took_ms").asDouble(-1)).isPositive();
    assertThat(rebuilt.json().path("others_told").asInt(0)).isEqualTo(1);
    assertThat(api.post("/v1/schedule/rebuild", "{}").status()).isEqualTo(422);
  }

  private String type(String... words) {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("--url", api.url().toString(), "--key-file", keyFile.toString()));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        PenstockCommand.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(line.toArray(String[]::new));
    assertThat(code).as("%s: %s", line, err).isZero();
    return out.toString();
  }

  @Test
  void theCommandsSayWhatTheyDid() {
    destination("typed", "beta");
    assertThat(type("next", "typed")).isEqualTo("Nothing waits.\n");
    assertThat(type("why", "typed")).contains("Nothing waits for this destination.");
    assertThat(type("pause", "typed", "--reason", "by hand"))
        .isEqualTo("typed is paused; nothing waits behind it\n");
    event(api, "beta", "typed", 2_000);
    assertThat(type("pause", "typed", "--reason", "again"))
        .startsWith("typed is paused, as it was; 1 waits behind it, the oldest since ");
    assertThat(type("why", "typed")).contains("by hand").contains("code paused").contains("LANE");
    assertThat(type("next", "typed")).contains("#").contains("WAITS FOR").contains("paused");
    assertThat(type("next", "--tenant", "beta", "--json")).startsWith("{\"items\":[");
    assertThat(type("resume", "typed", "--reason", "by hand")).startsWith("typed is flowing; ");
    type("hold", "typed", "--reason", "x");
    assertThat(type("resume", "typed", "--reason", "x"))
        .startsWith("typed is held, as it was; ")
        .endsWith("; resume ends pauses only, penstock release ends a hold\n");
    type("release", "typed", "--reason", "x");
    assertThat(type("hold", "--tenant", "beta", "--reason", "x"))
        .startsWith("the tenant beta is held; ");
    assertThat(type("release", "--tenant", "beta", "--reason", "x")).contains("beta is open");
    assertThat(type("schedule", "rebuild", "--reason", "x"))
        .containsPattern("rebuilt on \\S+ in [0-9.]+ ms: .*; 1 other node was told");
  }
}
