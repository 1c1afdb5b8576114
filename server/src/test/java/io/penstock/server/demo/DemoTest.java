package io.penstock.server.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.engine.host.SystemHost;
import io.penstock.engine.limits.DestinationLimits;
import io.penstock.postgres.testing.PostgresTest;
import io.penstock.postgres.testing.TestDatabase;
import io.penstock.server.client.ApiClient;
import io.penstock.server.json.Json;
import io.penstock.server.testing.TestingApi;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@PostgresTest
class DemoTest {
  @Test
  void theBooksOfAShortDemoAreInOrder(TestDatabase database, @TempDir Path folder)
      throws InterruptedException {
    CountDownLatch never = new CountDownLatch(1);
    StringWriter screen = new StringWriter();
    try (SystemHost host = new SystemHost();
        TestingApi server =
            TestingApi.start(database, folder, _ -> DestinationLimits.DEFAULT, Map.of());
        ApiClient api = new ApiClient(server.url(), server.adminKey())) {
      Demo demo = new Demo(api, new PrintWriter(screen), false, host::nanoTime);
      Summary summary =
          demo.run(
              Duration.ofSeconds(4), most -> never.await(most.toNanos(), TimeUnit.NANOSECONDS));
      assertThat(summary.bars()).allMatch(Summary.Bar::ok);
      assertThat((Long) summary.figures().get("healthy_delivered_deliveries")).isPositive();
      assertThat((Long) summary.figures().get("broken_failed_requests")).isPositive();
      assertThat(Json.text(summary))
          .startsWith("{\"name\":\"demo\",\"figures\":{\"run_s\":")
          .contains("\"bars\":[{\"name\":\"nothing lost\",\"wanted\":\"0 deliveries\"")
          .contains("\"settings\":{");
      assertThat(screen.toString()).contains("healthy").contains("delivered");
      assertThat(screen.toString().lines())
          .anyMatch(
              line -> line.matches("The books after \\d+\\.\\d s and \\d+ events, the first .*:"))
          .anyMatch(line -> line.matches("healthy +\\d+ +\\d+ +\\d+ +0 +0 +\\d+ +0 +0 +0"));
    }
  }
}
