package io.penstock.server.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.cli.PenstockCommand;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** Waves over the API. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WaveApiTest {
  private final TestingApi api;

  WaveApiTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @BeforeAll
  void tube() {
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    api.post("/v1/destinations", "{\"id\":\"crawl\",\"tenant\":\"acme\",\"mode\":\"pull\"}");
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private static String wave(int items, String over) {
    StringBuilder events = new StringBuilder();
    for (int i = 0; i < items; i++) {
      events
          .append(i == 0 ? "" : ",")
          .append("{\"tenant\":\"acme\",\"type\":\"page.due\",\"payload\":1,\"item\":\"page-")
          .append(i)
          .append("\",\"destinations\":[\"crawl\"]}");
    }
    return "{\"events\":[%s],\"over\":%s}".formatted(events, over);
  }

  @Test
  void a_batch_is_spread_over_its_window_and_why_says_until_when() {
    Instant before = api.server().node().time().now();
    Answered posted = api.post("/v1/events/batch", wave(30, "\"6h\""));
    assertThat(posted.status()).isEqualTo(202);
    assertThat(posted.json().path("accepted").asInt(0)).isEqualTo(30);
    Set<Long> hours = new HashSet<>();
    JsonNode waiting = api.get("/v1/deliveries?destination=crawl&limit=250").json().path("items");
    assertThat(waiting.size()).isEqualTo(30);
    for (JsonNode one : waiting) {
      Instant due = Instant.parse(one.path("not_before").asString(""));
      assertThat(due).isBetween(before.minusSeconds(1), before.plus(Duration.ofHours(6)));
      hours.add(Duration.between(before, due).toHours());
    }
    assertThat(hours).hasSizeGreaterThanOrEqualTo(4);
    JsonNode last = waiting.get(0);
    JsonNode why =
        api.get("/v1/deliveries/crawl/%s/why".formatted(last.path("event_id").asString(""))).json();
    assertThat(why.path("code").asString("")).isEqualTo("scheduled");
    assertThat(why.path("until").asString("")).isEqualTo(last.path("not_before").asString(""));
    Answered lease =
        api.post("/v1/jobs/lease", "{\"worker\":\"w\",\"tubes\":[\"crawl\"],\"jobs\":10}");
    assertThat(lease.json().path("jobs").size()).isLessThan(10);
  }

  @Test
  void the_command_line_posts_one_event_about_each_line(@TempDir Path folder) throws Exception {
    Path key = Files.writeString(folder.resolve("key"), api.adminKey());
    Path items = Files.write(folder.resolve("items"), List.of("p-1", "p-2", "", "p-3"));
    StringWriter out = new StringWriter();
    CommandLine line = PenstockCommand.commandLine().setOut(new PrintWriter(out));
    String[] words = {
      "send",
      "--tenant",
      "acme",
      "--type",
      "list.due",
      "--items",
      items.toString(),
      "--over",
      "2h",
      "--key",
      "k",
      "--url",
      api.url().toString(),
      "--key-file",
      key.toString(),
      "{\"a\": 1}"
    };
    assertThat(line.execute(words)).isZero();
    assertThat(out.toString().strip()).isEqualTo("3 events committed, 0 refused");
    assertThat(line.execute(words)).as("again, under the same keys").isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"8d\"", "\"0s\"", "\"soon\"", "6", "\"1500ms\""})
  void a_window_out_of_bounds_is_refused(String over) {
    Answered refused = api.post("/v1/events/batch", wave(1, over));
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("detail")).startsWith("over").contains("1s to 7d");
  }

  @Test
  void a_schedule_sends_waves_and_refuses_a_window_without_items() {
    String schedule =
        "{'every':'1d','over':'6h'%s,'event':{'tenant':'acme','type':'page.due','payload':1%s}}";
    Answered made =
        api.post(
            "/v1/schedules", schedule.formatted(",'items':['x','y','x']", "").replace('\'', '"'));
    assertThat(made.status()).as(made.json().toString()).isEqualTo(201);
    assertThat(made.json().path("items").size()).isEqualTo(2);
    assertThat(made.text("over")).isEqualTo("6h");
    Answered one =
        api.post("/v1/schedules", schedule.formatted("", ",'item':'x'").replace('\'', '"'));
    assertThat(one.json().path("items").size()).isEqualTo(1);
    Answered none = api.post("/v1/schedules", schedule.formatted("", "").replace('\'', '"'));
    assertThat(none.status()).isEqualTo(422);
    assertThat(none.text("detail")).startsWith("over");
    Answered both =
        api.post(
            "/v1/schedules",
            schedule.formatted(",'items':['x']", ",'item':'y'").replace('\'', '"'));
    assertThat(both.text("detail")).startsWith("event.item");
  }
}
