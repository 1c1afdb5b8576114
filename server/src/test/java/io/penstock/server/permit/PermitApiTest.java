package io.penstock.server.permit;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.BudgetSettings;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.engine.limits.DestinationLimits.OnUnknown;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Permits over HTTP, on Postgres. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PermitApiTest {
  /** A token in 1,000 s beyond the one of the start, so that time plays no part. */
  private static final BudgetSettings SLOW =
      new BudgetSettings(0.001, 5, 32, Duration.ofSeconds(15));

  private static final BudgetSettings FAST =
      new BudgetSettings(100_000, 100_000, 7, Duration.ofSeconds(15));

  private final TestingApi api;
  private String worker = "";

  PermitApiTest(TestDatabase database, @TempDir Path folder) {
    api =
        TestingApi.start(
            database,
            folder,
            id ->
                new DestinationLimits(
                    id.startsWith("slow") ? SLOW : FAST, 8, Duration.ofDays(3), OnUnknown.RETRY),
            Map.of());
  }

  @BeforeAll
  void aTenant() {
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    worker = api.key("[\"worker\"]", "[\"acme\"]");
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private void destination(String id) {
    assertThat(
            api.post(
                    "/v1/destinations",
                    "{\"id\":\"%s\",\"tenant\":\"acme\",\"url\":\"http://127.0.0.1:9999/\"}"
                        .formatted(id))
                .status())
        .isEqualTo(201);
  }

  private Answered take(String id, String body) {
    return api.call("POST", "/v1/destinations/%s/permits".formatted(id), worker, body, Map.of());
  }

  private List<String> taken(String id, int count) {
    Answered answered = take(id, "{\"count\":%d}".formatted(count));
    assertThat(answered.status()).as(answered.json().toString()).isEqualTo(200);
    List<String> ids = new ArrayList<>();
    answered.json().path("permits").forEach(permit -> ids.add(permit.path("id").asString("")));
    return ids;
  }

  private Answered report(String permit, String body) {
    return api.call("POST", "/v1/permits/%s/feedback".formatted(permit), worker, body, Map.of());
  }

  private JsonNode budget(String id) {
    return api.get("/v1/destinations/" + id).json().path("budget");
  }

  @Test
  void permits_are_granted_until_the_tokens_end_and_then_it_says_when() {
    destination("slow-tokens");
    assertThat(taken("slow-tokens", 3)).hasSize(1);
    Answered none = take("slow-tokens", "{}");
    assertThat(none.status()).isEqualTo(429);
    assertThat(none.text("code")).isEqualTo("no_permit_yet");
    assertThat(none.text("detail")).startsWith("Waits until ");
    long millis = none.json().path("retry_after_ms").asLong(0);
    assertThat(millis).isBetween(900_000L, 1_000_000L);
    assertThat(Long.parseLong(none.header("Retry-After"))).isEqualTo(Math.ceilDiv(millis, 1_000));
  }

  @Test
  void a_feedback_counts_once_and_a_repeat_says_that_it_changed_nothing() {
    destination("fast-once");
    String permit = taken("fast-once", 2).getFirst();
    assertThat(budget("fast-once").path("in_flight").asInt(-1)).isEqualTo(2);
    Answered booked =
        report(permit, "{\"status\":429,\"headers\":{\"Retry-After\":\"20\"},\"duration_ms\":12}");
    assertThat(booked.json().path("applied").asBoolean(false)).isTrue();
    JsonNode after = budget("fast-once");
    assertThat(after.path("in_flight").asInt(-1)).isEqualTo(1);
    assertThat(after.path("rate_per_second").asDouble(0)).isLessThan(60_000);

    Answered repeated = report(permit, "{\"status\":429}");
    assertThat(repeated.status()).isEqualTo(200);
    assertThat(repeated.text("result")).isEqualTo("repeated");
    assertThat(repeated.json().path("applied").asBoolean(true)).isFalse();

    Answered pinned = take("fast-once", "{}");
    assertThat(pinned.status()).isEqualTo(429);
    assertThat(pinned.json().path("retry_after_ms").asLong(0)).isBetween(15_000L, 23_000L);
  }

  @Test
  void a_permit_that_was_not_used_gives_its_token_back() {
    destination("slow-back");
    String permit = taken("slow-back", 1).getFirst();
    assertThat(report(permit, "{\"failure\":\"not_sent\"}").text("result")).isEqualTo("booked");
    assertThat(taken("slow-back", 1)).hasSize(1);
  }

  @Test
  void a_parked_destination_grants_the_probe_alone() {
    destination("fast-parked");
    String permit = taken("fast-parked", 1).getFirst();
    report(permit, "{\"status\":429,\"headers\":{\"retry-after\":\"31\"}}");
    assertThat(api.get("/v1/destinations/fast-parked").text("state")).isEqualTo("parked");
    Answered denied = take("fast-parked", "{}");
    assertThat(denied.status()).isEqualTo(429);
    assertThat(denied.text("detail")).contains("parked since");
  }

  @Test
  void a_closed_destination_grants_none_and_says_why() {
    destination("fast-closed");
    api.post("/v1/destinations/fast-closed/pause", "{\"reason\":\"test\"}");
    Answered paused = take("fast-closed", "{}");
    assertThat(paused.status()).isEqualTo(409);
    assertThat(paused.text("code")).isEqualTo("permits_closed");
    assertThat(paused.text("detail")).contains("paused by an operator");
    api.post("/v1/destinations/fast-closed/disable", "{\"reason\":\"test\"}");
    assertThat(take("fast-closed", "{}").text("detail")).contains("disabled");

    destination("fast-refused");
    for (int i = 0; i < 5; i++) {
      report(taken("fast-refused", 1).getFirst(), "{\"status\":401}");
    }
    Answered held = take("fast-refused", "{}");
    assertThat(held.status()).isEqualTo(409);
    String state = "";
    for (int i = 0; i < 5_000 && !state.equals("held"); i++) { // its gate follows in a moment
      state = api.get("/v1/destinations/fast-refused").text("state");
    }
    assertThat(state).isEqualTo("held");
  }

  @Test
  void sixty_four_takers_at_once_never_exceed_the_slots() throws Exception {
    destination("fast-crowd");
    List<Callable<Answered>> tasks = new ArrayList<>();
    for (int i = 0; i < 64; i++) {
      tasks.add(() -> take("fast-crowd", "{\"count\":2}"));
    }
    int granted = 0;
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Answered> one : threads.invokeAll(tasks)) {
        assertThat(one.get().status()).isIn(200, 429);
        granted += one.get().json().path("permits").size();
      }
    }
    assertThat(granted).isEqualTo(7);
    assertThat(budget("fast-crowd").path("in_flight").asInt(-1)).isEqualTo(7);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | neither a status nor a failure",
        "{\"status\":99} | a whole number, 100 to 599",
        "{\"status\":\"200\"} | a whole number, 100 to 599",
        "{\"status\":1e99} | a whole number, 100 to 599",
        "{\"status\":200,\"failure\":\"reset\"} | a status and a failure",
        "{\"failure\":\"tired\"} | timed_out",
        "{\"status\":200,\"duration_ms\":-1} | 0 to 86,400,000",
        "{\"status\":200,\"headers\":[]} | an object",
        "{\"status\":200,\"extra\":1} | unknown field",
      })
  void a_report_that_cannot_be_right_is_told_with_what_was_wanted(String body, String told) {
    Answered answered = report("prm_0_mmmmmmmm_00000000000000000000", body);
    assertThat(answered.status()).isEqualTo(422);
    assertThat(answered.json().toString()).contains(told);
  }

  @Test
  void what_is_no_permit_is_not_found_and_an_old_one_has_expired() {
    for (String id : List.of("prm_1", "prm_zz_mmmmmmmm_00000000000000000000")) {
      assertThat(
              api.call(
                      "POST",
                      "/v1/permits/%s/feedback".formatted(id),
                      worker,
                      "{\"status\":200}",
                      Map.of())
                  .status())
          .isEqualTo(404);
    }
    assertThat(report("prm_0_k0000000_00000000000000000000", "{\"status\":200}").text("result"))
        .isEqualTo("expired");
    assertThat(take("nowhere", "{}").status()).isEqualTo(404);
    destination("fast-bounds");
    assertThat(take("fast-bounds", "{\"count\":1001}").status()).isEqualTo(422);
    assertThat(take("fast-bounds", "{\"count\":0}").status()).isEqualTo(422);
  }
}
