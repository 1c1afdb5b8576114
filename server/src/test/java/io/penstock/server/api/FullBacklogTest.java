package io.penstock.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.limits.BacklogBound;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.testing.TestingApi;
import io.penstock.server.testing.TestingApi.Answered;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FullBacklogTest {
  private static final long BOUND = 3;

  /** The count comes about once a second; a post takes milliseconds. */
  private static final int MOST_POSTS = 20_000;

  private final TestingApi api;

  FullBacklogTest(TestDatabase database, @TempDir Path folder) {
    api =
        TestingApi.start(
            database,
            folder,
            _ -> DestinationLimits.DEFAULT.with(new BacklogBound(BOUND)),
            Map.of());
  }

  @AfterAll
  void stop() {
    api.close();
  }

  private Answered post(String destinations) {
    return api.post(
        "/v1/events",
        "{\"tenant\":\"acme\",\"type\":\"t\",\"payload\":1,\"destinations\":%s}"
            .formatted(destinations));
  }

  @Test
  @DisplayName("case 46: a full destination sheds early, with a time to come back, and alone")
  void fullDestinationSheds() {
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
    for (String id : new String[] {"full", "free"}) {
      Answered made =
          api.post(
              "/v1/destinations",
              "{\"id\":\"%s\",\"tenant\":\"acme\",\"url\":\"http://127.0.0.1:9999/\",\"generate_secret\":true}"
                  .formatted(id));
      assertThat(made.status()).as(made.json().toString()).isEqualTo(201);
    }
    api.post("/v1/destinations/full/pause", "{\"reason\":\"to fill it\"}");

    Answered answer = post("[\"full\"]");
    for (int n = 0; answer.status() == 202 && n < MOST_POSTS; n++) {
      answer = post("[\"full\"]");
    }

    assertThat(answer.status()).isEqualTo(429);
    assertThat(answer.text("code")).isEqualTo("backlog_full");
    assertThat(answer.json().path("bound").path("allowed").asLong()).isEqualTo(BOUND);
    assertThat(Long.parseLong(answer.header("Retry-After"))).isBetween(1L, 60L);
    Answered both = post("[\"full\",\"free\"]");
    assertThat(both.status()).as("the other has room").isEqualTo(202);
    assertThat(both.json().toString()).contains("backlog_full").contains("pending");
  }
}
