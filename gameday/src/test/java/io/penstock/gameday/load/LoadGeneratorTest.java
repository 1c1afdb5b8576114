package io.penstock.gameday.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.penstock.budget.SystemAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class LoadGeneratorTest {
  @TempDir Path folder;

  private final AtomicInteger posts = new AtomicInteger();
  private volatile int stallMillis;
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/v1/events",
        exchange -> {
          String request =
              new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
          int n = posts.getAndIncrement();
          stall(n);
          StringBuilder answer = new StringBuilder("{\"items\":[");
          for (int i = 0; i < request.split("load.posted", -1).length - 1; i++) {
            answer.append(
                "{\"event_id\":\"00000000-0000-7000-8000-%012d\"}".formatted(n * 100 + i));
          }
          byte[] bytes = answer.append("]}").toString().getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(202, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  // The first post alone is slow: a server that stops for a moment.
  private void stall(int n) {
    try {
      if (n == 0 && stallMillis > 0) {
        var _ = new CountDownLatch(1).await(stallMillis, TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void posts_everything_in_batches_and_logs_what_was_accepted() throws Exception {
    LoadGenerator.Result result = run(plan(10, 0, 95));

    assertThat(result.accepted()).isEqualTo(95);
    assertThat(posts.get()).isEqualTo(10);
    assertThat(PostLog.read(folder.resolve("posts"))).hasSize(95);
  }

  @Test
  void a_stall_shows_in_the_latency_of_every_post_that_it_delayed() throws Exception {
    stallMillis = 500;

    LoadGenerator.Result result = run(plan(1, 100, 50));

    // 50 posts, one every 10 ms, on one connection: all of them were meant to go while it stood
    // still. Counting from when each really went, only the first would be slow.
    assertThat(result.micros().getValueAtPercentile(50)).isGreaterThan(150_000);
  }

  private static Plan plan(int batch, double perSecond, long events) {
    return new Plan(
        "t", 10, "dst-", 100, batch, perSecond, events, 1, 1_000, Duration.ofSeconds(20));
  }

  @SystemAccess("what is tested is real time")
  private LoadGenerator.Result run(Plan plan) throws Exception {
    URI api = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    return new LoadGenerator(plan, api, "key", null, System::nanoTime).run(folder.resolve("posts"));
  }
}
