package io.penstock.server.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The sick destination is found among many. */
@PostgresTest
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WaitingApiTest {
  private final TestingApi api;

  WaitingApiTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @BeforeAll
  void threeWaitBehindAGateAndOneElsewhere() {
    for (String tenant : List.of("acme", "beta")) {
      api.post("/v1/tenants", "{\"id\":\"%s\"}".formatted(tenant));
      for (String which : List.of("idle", "sick")) {
        api.post(
            "/v1/destinations",
            "{\"id\":\"%s-%s\",\"tenant\":\"%s\",\"url\":\"http://127.0.0.1:1024/\",\"types\":[\"%s\"]}"
                .formatted(tenant, which, tenant, which));
      }
      api.post("/v1/destinations/%s-sick/pause".formatted(tenant), "{\"reason\":\"test\"}");
    }
    for (String tenant : List.of("acme", "acme", "acme", "beta")) {
      api.post(
          "/v1/events", "{\"tenant\":\"%s\",\"type\":\"sick\",\"payload\":1}".formatted(tenant));
    }
  }

  /** Asks until the node has counted again. */
  private JsonNode once(String path, Predicate<JsonNode> wanted) {
    Answered answered = api.get(path);
    while (!wanted.test(answered.json())) {
      assertThat(answered.status()).as(answered.json().toString()).isEqualTo(200);
      answered = api.get(path);
    }
    return answered.json();
  }

  private static List<String> ids(JsonNode page) {
    return page.path("items").valueStream().map(item -> item.path("id").asString("")).toList();
  }

  @Test
  void theListCanBeOfThoseForWhichSomethingWaits() {
    JsonNode page = once("/v1/destinations?waiting=true", json -> json.path("items").size() == 2);
    assertThat(ids(page)).containsExactlyInAnyOrder("acme-sick", "beta-sick");
    assertThat(once("/v1/destinations?waiting=true&tenant=beta", json -> true).path("items"))
        .hasSize(1);
    assertThat(api.get("/v1/destinations?waiting=true&cursor=x").status()).isEqualTo(400);
    assertThat(api.get("/v1/destinations?waiting=yes").status()).isEqualTo(400);
  }

  @Test
  void aDestinationTellsWhatWaitsForItAndWhenThatWasCounted() {
    JsonNode waiting =
        once("/v1/destinations/acme-sick", json -> json.path("waiting").path("later").asInt() == 3)
            .path("waiting");
    assertThat(waiting.path("ready").asInt(-1)).isZero();
    assertThat(waiting.has("oldest_ready_at")).as("nothing may go").isFalse();
    assertThat(waiting.has("counted_at")).isTrue();
    assertThat(api.get("/v1/destinations/acme-idle").json().path("waiting").path("later").asInt(-1))
        .isZero();
    assertThat(api.get("/v1/destinations/acme-sick/why").json().path("waiting").path("later"))
        .isEqualTo(waiting.path("later"));
  }

  @Test
  void aTenantsKeySeesItsOwnOnly() {
    once("/v1/destinations?waiting=true", json -> json.path("items").size() == 2);
    String key = api.key("[\"tenant-reader\"]", "[\"beta\"]");
    Answered answered = api.call("GET", "/v1/destinations?waiting=true", key, null, Map.of());
    assertThat(ids(answered.json())).containsExactly("beta-sick");
  }
}
