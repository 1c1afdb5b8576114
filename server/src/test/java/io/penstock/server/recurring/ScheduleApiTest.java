package io.penstock.server.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.cli.PenstockCommand;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import io.penstock.testkit.receiver.Received;
import io.penstock.testkit.receiver.ScriptedReceiver;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** Schedules over the API and the command line, on two nodes, with real deliveries. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ScheduleApiTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestDatabase database;
  private final Path folder;
  private final TestingApi api;

  ScheduleApiTest(TestDatabase database, @TempDir Path folder) {
    this.database = database;
    this.folder = folder;
    api = TestingApi.start(database, folder.resolve("a"), _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @BeforeAll
  void tenants() {
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    api.post("/v1/tenants", "{\"id\":\"zenith\"}");
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private JsonNode made(String body) {
    Answered made = api.post("/v1/schedules", body);
    assertThat(made.status()).as(made.json().toString()).isEqualTo(201);
    return made.json();
  }

  private Answered steer(String id, String verb) {
    return api.post("/v1/schedules/" + id + "/" + verb, "{\"reason\":\"a test\"}");
  }

  @Test
  void two_nodes_send_each_instant_of_a_schedule_once() throws Exception {
    try (ScriptedReceiver receiver = ScriptedReceiver.start();
        TestingApi other = TestingApi.beside(api, database, folder.resolve("b"), Map.of())) {
      api.post(
          "/v1/destinations",
          "{\"id\":\"sc-live\",\"tenant\":\"acme\",\"url\":\"%s\"}".formatted(receiver.uri("/")));
      String id =
          made("{\"id\":\"sc-live\",\"every\":\"1s\",\"catch_up\":{\"missed\":\"each\"},"
                  + "\"event\":{\"tenant\":\"acme\",\"type\":\"sync.due\",\"payload\":{ \"a\":1.0 },"
                  + "\"destinations\":[\"sc-live\"]}}")
              .path("id")
              .asString("");
      List<Received> all = receiver.await(4, PATIENCE);
      assertThat(other.get("/v1/schedules/" + id).status()).isEqualTo(200);
      assertThat(steer(id, "pause").json().path("state").asString("")).isEqualTo("paused");
      Set<String> keys = new HashSet<>();
      List<Instant> instants = new ArrayList<>();
      for (Received one : all) {
        String key = one.header("Idempotency-Key").orElseThrow().replace("\"", "");
        assertThat(key).startsWith("schedule/sc-live/");
        assertThat(keys.add(key)).isTrue();
        instants.add(Instant.parse(key.substring("schedule/sc-live/".length())));
        assertThat(new String(one.body(), StandardCharsets.UTF_8)).isEqualTo("{ \"a\":1.0 }");
      }
      for (int i = 1; i < instants.size(); i++) {
        assertThat(instants).contains(instants.getFirst().plusSeconds(i));
      }
      JsonNode after = api.get("/v1/schedules/" + id).json();
      assertThat(after.at("/counts/fired").asInt(0)).isGreaterThanOrEqualTo(4);
      assertThat(after.at("/counts/merged").asInt(0)).isZero();
      JsonNode firings = api.get("/v1/schedules/" + id + "/firings?limit=2").json();
      assertThat(firings.path("items").size()).isEqualTo(2);
      JsonNode more =
          api.get(
                  "/v1/schedules/%s/firings?limit=2&cursor=%s"
                      .formatted(id, firings.path("next_cursor").asString("")))
              .json();
      assertThat(Instant.parse(more.at("/items/0/at").asString("")))
          .isBefore(Instant.parse(firings.at("/items/1/at").asString("")));
      assertThat(steer(id, "pause").status()).isEqualTo(409);
      assertThat(steer(id, "delete").status()).isEqualTo(200);
      assertThat(api.get("/v1/schedules/" + id).status()).isEqualTo(404);
    }
  }

  @Test
  void a_cron_schedule_shows_when_it_comes_and_what_clocks_show_then() {
    JsonNode made =
        made(
            "{\"cron\":\"30  2 * * *\",\"zone\":\"Europe/Berlin\",\"reason\":\"nightly\","
                + "\"event\":{\"tenant\":\"acme\",\"type\":\"sync.due\",\"payload\":{}}}");
    assertThat(made.path("id").asString("")).startsWith("sch_");
    assertThat(made.path("cron").asString("")).isEqualTo("30 2 * * *");
    assertThat(made.path("on_gap").asString("")).isEqualTo("after");
    assertThat(made.path("on_repeat").asString("")).isEqualTo("first");
    assertThat(made.at("/catch_up/within").asString("")).isEqualTo("1h");
    assertThat(made.at("/catch_up/missed").asString("")).isEqualTo("once");
    assertThat(made.path("next").size()).isEqualTo(5);
    assertThat(made.at("/next/0/local").asString("")).contains("T02:30+0");
    JsonNode shown = api.get("/v1/schedules/" + made.path("id").asString("") + "?next=100").json();
    assertThat(shown.path("next").size()).isEqualTo(100);
    assertThat(shown.path("reason").asString("")).isEqualTo("nightly");
    JsonNode hourly =
        made(
            "{\"cron\":\"0 * * * *\",\"zone\":\"UTC\",\"on_gap\":\"after\","
                + "\"event\":{\"tenant\":\"zenith\",\"type\":\"sync.due\",\"payload\":{}}}");
    assertThat(hourly.path("on_gap").asString("")).isEqualTo("after");
    assertThat(hourly.path("on_repeat").asString("")).isEqualTo("both");
    JsonNode page = api.get("/v1/schedules?tenant=zenith").json().path("items");
    assertThat(page.values())
        .allMatch(one -> one.path("tenant_id").asString("").equals("zenith"))
        .anyMatch(one -> one.path("id").equals(hourly.path("id")));
  }

  @Test
  void a_tenants_producer_makes_and_steers_its_own_alone() {
    String producer = api.key("[\"producer\"]", "[\"zenith\"]");
    String body = "{\"every\":\"1h\",\"event\":{\"type\":\"a.b\",\"payload\":1%s}}";
    Answered own = api.call("POST", "/v1/schedules", producer, body.formatted(""), Map.of());
    assertThat(own.status()).isEqualTo(201);
    assertThat(own.text("tenant_id")).isEqualTo("zenith");
    Answered others =
        api.call(
            "POST", "/v1/schedules", producer, body.formatted(",\"tenant\":\"acme\""), Map.of());
    assertThat(others.status()).isEqualTo(403);
    Answered named =
        api.call(
            "POST",
            "/v1/schedules",
            producer,
            "{\"id\":\"mine\",\"every\":\"1h\",\"event\":{\"type\":\"a.b\",\"payload\":1}}",
            Map.of());
    assertThat(named.status()).isEqualTo(403);
    String foreign =
        made("{\"every\":\"1h\",\"event\":{\"tenant\":\"acme\",\"type\":\"a.b\",\"payload\":1}}")
            .path("id")
            .asString("");
    for (String verb : List.of("pause", "resume", "delete")) {
      assertThat(
              api.call(
                      "POST",
                      "/v1/schedules/" + foreign + "/" + verb,
                      producer,
                      "{\"reason\":\"x\"}",
                      Map.of())
                  .status())
          .isEqualTo(404);
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "every    | 'every':'500ms'",
        "every    | 'every':'367d'",
        "every    | 'every':'soon'",
        "cron     | 'every':'1h','cron':'* * * * *'",
        "every    | 'id':'x'",
        "zone     | 'cron':'* * * * *'",
        "zone     | 'cron':'* * * * *','zone':'Mars/Olympus'",
        "zone     | 'every':'1h','zone':'UTC'",
        "from     | 'cron':'* * * * *','zone':'UTC','from':'2026-01-01T00:00:00Z'",
        "from     | 'every':'1h','from':'yesterday'",
        "cron     | 'cron':'61 * * * *','zone':'UTC'",
        "cron     | 'cron':'0 0 30 2 *','zone':'UTC'",
        "on_gap   | 'cron':'* * * * *','zone':'UTC','on_gap':'never'",
        "catch_up.within | 'every':'1h','catch_up':{'within':'10s'}",
        "catch_up.missed | 'every':'1h','catch_up':{'missed':'all'}",
        "evry     | 'evry':'1h'"
      })
  void what_is_wrong_is_refused_with_its_field(String field, String fields) {
    Answered refused =
        api.post(
            "/v1/schedules",
            "{%s,'event':{'tenant':'acme','type':'a.b','payload':1}}"
                .formatted(fields)
                .replace('\'', '"'));
    assertThat(refused.status()).as(refused.json().toString()).isEqualTo(422);
    assertThat(refused.text("detail")).startsWith(field);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "event                 | 'every':'1h'",
        "event                 | 'every':'1h','event':7",
        "event.idempotency_key | 'every':'1h','event':{'tenant':'acme','type':'a.b','payload':1,'idempotency_key':'k'}",
        "event.type            | 'every':'1h','event':{'tenant':'acme','payload':1}",
        "event.tpye            | 'every':'1h','event':{'tenant':'acme','tpye':'a.b','payload':1}"
      })
  void what_is_wrong_with_its_event_is_refused_too(String field, String fields) {
    Answered refused = api.post("/v1/schedules", ("{" + fields + "}").replace('\'', '"'));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("detail")).startsWith(field);
  }

  @Test
  void the_command_line_makes_shows_and_steers_them() throws Exception {
    Path key = Files.writeString(folder.resolve("key"), api.adminKey());
    String made =
        run(
            key,
            "create",
            "--id",
            "by-cli",
            "--every",
            "90s",
            "--catch-up",
            "2h",
            "--missed",
            "each",
            "--tenant",
            "acme",
            "--type",
            "sync.due",
            "--reason",
            "why not",
            "{\"a\": 1}");
    assertThat(made).contains("by-cli", "every 90s", "each of the last 2h", "why not", "next");
    assertThat(run(key, "list", "--tenant", "acme")).contains("by-cli", "every 90s");
    assertThat(run(key, "show", "by-cli", "--next", "3").split("\nnext ", -1)).hasSize(4);
    assertThat(run(key, "firings", "by-cli")).contains("None has come.");
    assertThat(run(key, "pause", "by-cli", "--reason", "x")).contains("paused");
    assertThat(run(key, "resume", "by-cli", "--reason", "x")).contains("active");
    assertThat(run(key, "delete", "by-cli", "--reason", "x")).contains("by-cli deleted");
  }

  private String run(Path key, String... words) {
    List<String> all = new ArrayList<>(List.of("schedules"));
    all.addAll(List.of(words));
    all.addAll(List.of("--url", api.url().toString(), "--key-file", key.toString()));
    StringWriter out = new StringWriter();
    CommandLine line = PenstockCommand.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(out));
    int code = line.execute(all.toArray(String[]::new));
    assertThat(code).as(out.toString()).isZero();
    return out.toString();
  }
}
