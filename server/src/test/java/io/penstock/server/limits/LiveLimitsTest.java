package io.penstock.server.limits;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.LimitsDocument;
import io.penstock.engine.rollup.Rollup;
import io.penstock.postgres.Pool;
import io.penstock.postgres.rollup.RollupStore;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.config.Setting;
import io.penstock.server.json.Json;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.receiver.Receiver.Reply;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two nodes on one database, each with a limits file of its own. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LiveLimitsTest {
  private final Path folder;
  private final Path fileOfA;
  private final Path fileOfB;
  private final TestDatabase database;
  private final TestingApi a;
  private final TestingApi b;
  private int names;

  LiveLimitsTest(TestDatabase database, @TempDir Path folder) throws IOException {
    this.database = database;
    this.folder = folder;
    // As an orchestrator mounts it: limits.yaml -> current/limits.yaml, current -> a folder.
    Path first = Files.createDirectories(folder.resolve("a/v0"));
    Files.writeString(first.resolve("limits.yaml"), "defaults: {burst: 100}\n");
    Files.createSymbolicLink(folder.resolve("a/current"), Path.of("v0"));
    fileOfA = folder.resolve("a/limits.yaml");
    Files.createSymbolicLink(fileOfA, Path.of("current", "limits.yaml"));
    fileOfB = Files.createDirectories(folder.resolve("b")).resolve("limits.yaml");
    Files.writeString(fileOfB, "defaults: {burst: 999}\n");
    a =
        TestingApi.start(
            database,
            folder.resolve("a"),
            LimitsDocument.DEFAULT,
            Map.of(Setting.LIMITS_FILE, fileOfA.toString()));
    b =
        TestingApi.beside(
            a, database, folder.resolve("b"), Map.of(Setting.LIMITS_FILE, fileOfB.toString()));
  }

  @AfterAll
  void stop() {
    b.close();
    a.close();
  }

  private static void await(String what, BooleanSupplier holds) throws InterruptedException {
    for (int look = 0; look < 1_000; look++) {
      if (holds.getAsBoolean()) {
        return;
      }
      new CountDownLatch(1).await(10, TimeUnit.MILLISECONDS);
    }
    assertThat(holds.getAsBoolean()).as(what).isTrue();
  }

  private static String burst(TestingApi api) {
    return api.get("/v1/limits/effective/any").json().at("/limits/burst").asString("");
  }

  private static long version(TestingApi api) {
    return api.get("/v1/limits/effective/any").json().path("version").asLong();
  }

  private void awaitBurst(int burst) throws InterruptedException {
    String wanted = Integer.toString(burst);
    await("a obeys burst " + wanted, () -> burst(a).equals(wanted));
    await("b obeys burst " + wanted, () -> burst(b).equals(wanted));
  }

  private Answered apply(TestingApi api, String content) {
    return api.post(
        "/v1/limits/apply",
        Json.text(
            Map.of(
                "content", content,
                "reason", "a test",
                "author", "ann",
                "reviewer", "bob",
                "commit", "1f3c")));
  }

  private void replace(Path file, String content) throws IOException {
    Path next = Files.writeString(folder.resolve("next-" + names++), content);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void swapLink(String content) throws IOException {
    String name = "v" + ++names + "x";
    Path fresh = Files.createDirectories(folder.resolve("a").resolve(name));
    Files.writeString(fresh.resolve("limits.yaml"), content);
    Path link = folder.resolve("a/link-" + names);
    Files.createSymbolicLink(link, Path.of(name));
    Files.move(link, folder.resolve("a/current"), StandardCopyOption.ATOMIC_MOVE);
  }

  private static String metrics(TestingApi api) {
    return new String(api.get("/metrics").response().body(), UTF_8);
  }

  @Test
  void aFileThatIsRenamedIsObeyedByEveryNode() throws Exception {
    replace(fileOfB, "defaults: {burst: 201}\n");
    awaitBurst(201);
    Answered inForce = a.get("/v1/limits");
    assertThat(inForce.json().at("/in_force/source").asString("")).endsWith(fileOfB.toString());
    assertThat(inForce.json().at("/in_force/diff").asString("")).contains("defaults.burst: ");
    long version = inForce.json().path("version").asLong();
    await(
        "both nodes report it",
        () ->
            a.get("/v1/nodes")
                    .json()
                    .path("items")
                    .valueStream()
                    .filter(node -> node.path("limits_version").asLong() == version)
                    .count()
                == 2);
    assertThat(metrics(b)).contains("penstock_limits_version " + version);
    assertThat(b.get("/readyz?verbose").json().at("/checks/limits").asString(""))
        .isEqualTo("version " + version);
  }

  @Test
  void aSwappedSymbolicLinkIsSeen() throws Exception {
    swapLink("defaults: {burst: 202}\n");
    awaitBurst(202);
    swapLink("defaults: {burst: 203}\n");
    awaitBurst(203);
  }

  @Test
  void aBrokenFileIsRefusedWholeAndTheLastGoodOneStays() throws Exception {
    apply(a, "defaults: {burst: 204}\n");
    awaitBurst(204);
    long good = version(a);
    replace(fileOfB, "defaults:\n  burst: 205\n  slots: many\n");
    await("b complains", () -> metrics(b).contains("penstock_limits_refused 1.0"));
    assertThat(b.get("/readyz?verbose").status()).as("a refused file is no outage").isEqualTo(200);
    assertThat(b.get("/readyz?verbose").json().at("/checks/limits").asString(""))
        .startsWith("version " + good + "; refused: ")
        .contains("limits.yaml:3:10: defaults.slots: got many, wanted 1 to 10,000");
    assertThat(burst(b)).isEqualTo("204");
    assertThat(metrics(a)).contains("penstock_limits_refused 0.0");
    assertThat(a.get("/v1/limits/versions?limit=1").json().at("/items/0/result").asString(""))
        .isEqualTo("refused");
    await(
        "the ledger knows",
        () -> a.get("/v1/nodes").json().toString().contains("defaults.slots: got many"));
    replace(fileOfB, "defaults: {burst: 206}\n");
    awaitBurst(206);
    assertThat(metrics(b)).contains("penstock_limits_refused 0.0");
  }

  @Test
  void nodesWithDifferentFilesDoNotFlap() throws Exception {
    assertThat(apply(b, "defaults: {burst: 207}\n").status()).isEqualTo(200);
    awaitBurst(207);
    long version = version(a);
    // Restarted beside them with yet another file: it differs, and has not changed.
    Path third = Files.createDirectories(folder.resolve("c" + names++));
    Path its = Files.writeString(third.resolve("limits.yaml"), "defaults: {burst: 208}\n");
    for (int start = 0; start < 2; start++) {
      try (TestingApi c =
          TestingApi.beside(a, database, third, Map.of(Setting.LIMITS_FILE, its.toString()))) {
        assertThat(burst(c)).isEqualTo("207");
        new CountDownLatch(1).await(1_200, TimeUnit.MILLISECONDS); // two looks at every file
        assertThat(version(c)).isEqualTo(version);
      }
    }
    assertThat(version(a)).isEqualTo(version);
    // A change while it was down is a change of its own file.
    Files.writeString(its, "defaults: {burst: 209}\n");
    try (TestingApi c =
        TestingApi.beside(a, database, third, Map.of(Setting.LIMITS_FILE, its.toString()))) {
      assertThat(burst(c)).isEqualTo("209");
      awaitBurst(209);
    }
  }

  @Test
  void aRollbackIsANewVersion() throws Exception {
    Answered first = apply(a, "defaults: {burst: 210}\n");
    apply(a, "defaults: {burst: 211}\n");
    awaitBurst(211);
    long before = version(a);
    Answered back =
        b.post(
            "/v1/limits/versions/%s/rollback".formatted(first.json().at("/version/version")),
            "{\"reason\":\"too much\"}");
    assertThat(back.status()).isEqualTo(200);
    awaitBurst(210);
    assertThat(version(a)).isGreaterThan(before);
    assertThat(a.get("/v1/limits").json().at("/in_force/source").asString(""))
        .isEqualTo("rollback");
  }

  @Test
  void theSameTextMakesNoVersionAndAnOutdatedOneIsRefused() throws Exception {
    apply(a, "defaults: {burst: 212}\n");
    awaitBurst(212);
    long version = version(a);
    Answered again = apply(b, "defaults: {burst: 212}\n");
    assertThat(again.json().path("changed").asBoolean()).isFalse();
    Answered late =
        a.post(
            "/v1/limits/apply",
            "{\"content\":\"defaults: {burst: 1}\",\"reason\":\"r\",\"replaces\":\"%d\"}"
                .formatted(version - 1));
    assertThat(late.status()).isEqualTo(409);
    assertThat(version(a)).isEqualTo(version);
  }

  @Test
  void aFaultyTextIsRefusedWithItsFaultsByNameAndPlace() {
    Answered refused =
        a.post(
            "/v1/limits/apply",
            "{\"name\":\"ci.yaml\",\"content\":\"defaults:\\n  brust: 1\\n\",\"reason\":\"r\"}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("code")).isEqualTo("limits_refused");
    assertThat(refused.text("detail"))
        .isEqualTo("ci.yaml:2:3: defaults.brust: unknown key; did you mean burst?");
    Answered checked =
        a.post("/v1/limits/check", "{\"content\":\"destinations: {nobody: {burst: 1}}\"}");
    assertThat(checked.json().path("ok").asBoolean()).isTrue();
    assertThat(checked.json().at("/notes/0/message").asString(""))
        .isEqualTo("there is no such destination yet");
    assertThat(a.post("/v1/limits/apply", "{\"content\":\"a: \\u0000\",\"reason\":\"r\"}").status())
        .isEqualTo(422);
    assertThat(apply(a, "defaults: " + "[".repeat(200_000)).status()).isEqualTo(422);
  }

  @Test
  void aKeyThatIsBoundToATenantSeesNoLimits() {
    a.post("/v1/tenants", "{\"id\":\"bound\"}");
    String key = a.key("[\"operator\"]", "[\"bound\"]");
    assertThat(a.call("GET", "/v1/limits", key, null, Map.of()).status()).isEqualTo(403);
    assertThat(
            a.call("POST", "/v1/limits/apply", key, "{\"content\":\"\",\"reason\":\"r\"}", Map.of())
                .status())
        .isEqualTo(403);
  }

  @Test
  @DisplayName("case 10 and 17: a limit that is raised from 0 lets what waits go, on every node")
  void aRaisedLimitActsAtOnceOnWhatWaits() throws Exception {
    AtomicInteger received = new AtomicInteger();
    try (Receiver receiver =
        new Receiver(
            0,
            (_, _) -> {
              received.incrementAndGet();
              return Reply.of(204);
            })) {
      apply(a, "destinations: {shut: {rate_per_second: 0}}\n");
      long shut = version(a);
      await("b follows", () -> version(b) >= shut);
      JsonNode effective = b.get("/v1/limits/effective/shut").json();
      assertThat(effective.at("/limits/rate_per_second").asString("")).isEqualTo("0");
      assertThat(effective.path("built_in").toString()).isEqualTo("{\"rate_per_second\":\"50\"}");
      a.post("/v1/tenants", "{\"id\":\"acme\"}");
      a.post(
          "/v1/destinations",
          "{\"id\":\"shut\",\"tenant\":\"acme\",\"url\":\"%s\",\"types\":[]}"
              .formatted(receiver.url()));
      for (int i = 0; i < 3; i++) {
        a.post(
            "/v1/events",
            "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":1,\"destinations\":[\"shut\"]}");
      }
      await(
          "it waits because of the limit",
          () -> a.get("/v1/destinations/shut/why").text("code").equals("rate_zero"));
      assertThat(received).hasValue(0);
      apply(b, "destinations: {shut: {rate_per_second: 50}}\n");
      await("all three went", () -> received.get() == 3);
    }
  }

  @Test
  void aPlanSaysWhatWouldHaveBeenHeldBack() throws Exception {
    a.post("/v1/tenants", "{\"id\":\"planned\"}");
    a.post(
        "/v1/destinations",
        "{\"id\":\"busy\",\"tenant\":\"planned\",\"url\":\"http://127.0.0.1:9/\",\"types\":[]}");
    apply(a, "destinations: {busy: {rate_per_second: 50}}\n");
    await(
        "in force", () -> a.get("/v1/limits/effective/busy").json().toString().contains("\"50\""));
    try (Pool pool = Pool.open(database.settings())) {
      Instant minute =
          pool.read(Pool.Use.CALLER, pool::now).minusSeconds(300).truncatedTo(ChronoUnit.MINUTES);
      new RollupStore(pool)
          .add(List.of(new Rollup("busy", minute, 1_200, 0, Map.of(), null, null, null)));
    }
    Answered plan =
        a.post(
            "/v1/limits/plan",
            "{\"content\":\"destinations: {busy: {rate_per_second: 1, burst: 1}}\"}");
    assertThat(plan.status()).isEqualTo(200);
    var busy = plan.json().at("/plan/destinations/0");
    assertThat(busy.path("admitted").asLong()).isEqualTo(1_200);
    assertThat(busy.at("/before/held_back").asLong()).isZero();
    assertThat(busy.at("/after/held_back").asLong()).isGreaterThan(1_000);
    assertThat(busy.at("/after/left").asLong()).isGreaterThan(700);
    assertThat(busy.path("warning").asString("")).contains("2 a second arrive now");
    assertThat(plan.json().at("/plan/changes").toString()).contains("rate_per_second");
  }
}
