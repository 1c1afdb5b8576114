package io.penstock.server.permit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.receiver.Receiver.Reply;
import io.penstock.server.testing.TestingApi;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The workers of {@code examples/permits}, run as a reader would run them. */
@PostgresTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SampleWorkersTest {
  private static final int REQUESTS = 12;

  private final TestingApi api;

  SampleWorkersTest(TestDatabase database, @TempDir Path folder) {
    api = TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
    api.post("/v1/tenants", "{\"id\":\"acme\"}");
  }

  @AfterAll
  void stop() {
    api.close();
  }

  @Test
  void the_python_worker_stays_within_the_budget_and_feeds_it_back() throws Exception {
    runs("python3", "worker.py");
  }

  @Test
  void the_node_worker_stays_within_the_budget_and_feeds_it_back() throws Exception {
    runs("node", "worker.mjs");
  }

  private void runs(String program, String sample) throws IOException, InterruptedException {
    assumeTrue(isInstalled(program), program + " is not on the PATH: " + sample + " was not run");
    AtomicInteger received = new AtomicInteger();
    // The third request is refused: the worker must report it and come back.
    try (Receiver receiver =
        new Receiver(
            0, (_, _) -> received.incrementAndGet() == 3 ? new Reply(429, 1) : Reply.of(204))) {
      api.post(
          "/v1/destinations",
          "{\"id\":\"of-%s\",\"tenant\":\"acme\",\"url\":\"%s\"}"
              .formatted(program, receiver.url()));
      ProcessBuilder worker =
          new ProcessBuilder(
              program,
              sampleFile(sample).toString(),
              "--url",
              api.url().toString(),
              "--destination",
              "of-" + program,
              "--target",
              receiver.url(),
              "--requests",
              Integer.toString(REQUESTS));
      worker.environment().put("PENSTOCK_API_KEY", api.key("[\"worker\"]", "[\"acme\"]"));
      worker.redirectErrorStream(true);
      Process process = worker.start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(said).isEqualToIgnoringNewLines("12 done with 13 requests\n");
      assertThat(received).hasValue(REQUESTS + 1);
    }
    JsonNode budget = api.get("/v1/destinations/of-" + program).json().path("budget");
    assertThat(budget.path("in_flight").asInt(-1)).isZero();
    assertThat(api.get("/v1/destinations/of-" + program).text("state")).isIn("shrunken", "flowing");
  }

  private static Path sampleFile(String name) {
    return Path.of("..", "examples", "permits", name);
  }

  private static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }
}
