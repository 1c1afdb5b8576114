package io.penstock.budget.readme;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.penstock.budget.BudgetSettings;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.memory.MemoryBudget;
import io.penstock.budget.testing.TestClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The README's samples are the code of this package, and they do what it says. */
final class ReadmeTest {
  private static final Outcome OK = new Outcome.Delivered(200, "ok", Hint.NONE);

  private static final BudgetSettings SETTINGS =
      new BudgetSettings(100, 100, 32, Duration.ofSeconds(15));

  private final TestClock clock = new TestClock();
  private final MemoryBudget budget = new MemoryBudget(SETTINGS, clock, 1);

  @ParameterizedTest
  @CsvSource({"queue, QueueSample", "poll, PollSample", "client, ClientSample"})
  void theSamplesOfTheReadmeAreThisCode(String sample, String file) throws IOException {
    String source =
        Files.readString(Path.of("src/test/java/io/penstock/budget/readme", file + ".java"));
    String begin = "  // sample: " + sample + "\n";
    String code =
        source.substring(source.indexOf(begin) + begin.length(), source.indexOf("  // end\n"));
    assertThat(Files.readString(Path.of("README.md")))
        .contains("```java\n" + code.stripTrailing().stripIndent().strip() + "\n```");
  }

  @Test
  void aQueueIsDrainedAndWhatWasThrottledGoesAgain() throws InterruptedException {
    InstantSource ticking = () -> clock.advance(Duration.ofMillis(20));
    MemoryBudget ours = new MemoryBudget(SETTINGS, ticking, 1);
    BlockingQueue<String> queue = new ArrayBlockingQueue<>(10, false, List.of("a", "b", "c"));
    List<String> sent = new ArrayList<>();
    new QueueSample(ticking)
        .drain(
            queue,
            ours,
            message -> {
              sent.add(message);
              return sent.size() == 2 ? new Outcome.Throttled(429, "throttled", Hint.NONE) : OK;
            });
    assertThat(sent).containsExactly("a", "b", "c", "b");
  }

  @Test
  void aPollLoopReceivesNoMoreThanItMaySend() {
    Deque<String> waiting = new ArrayDeque<>(List.of("a", "b", "c", "d", "e", "f", "g"));
    PollSample.CloudQueue queue =
        new PollSample.CloudQueue() {
          @Override
          public List<String> receive(int most) {
            List<String> received = new ArrayList<>();
            while (received.size() < most && !waiting.isEmpty()) {
              received.add(waiting.removeFirst());
            }
            return received;
          }

          @Override
          public void delete(String message) {}
        };
    PollSample sample = new PollSample();
    Instant again = sample.poll(queue, budget, _ -> OK, clock.instant());
    assertThat(waiting).as("a new budget starts with 5 tokens").hasSize(2);
    assertThat(again).isEqualTo(clock.instant());
    Instant later = sample.poll(queue, budget, _ -> OK, clock.instant());
    assertThat(later).isEqualTo(clock.instant().plusMillis(10));
    clock.advance(Duration.ofSeconds(1));
    sample.poll(queue, budget, _ -> OK, clock.instant());
    assertThat(waiting).isEmpty();
    assertThat(budget.state().inFlight()).as("what was not used came back").isZero();
  }

  @Test
  void aClientSaysNoInsteadOfHittingTheWall() throws IOException {
    List<String> sent = new ArrayList<>();
    ClientSample.HttpClient client =
        new ClientSample(clock)
            .budgeted(
                request -> {
                  sent.add(request);
                  return new ClientSample.Response(429, Map.of("retry-after", List.of("20")));
                },
                budget);
    assertThat(client.send("a").status()).isEqualTo(429);
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> client.send("b"))
        .withMessageContaining("the receiver asked to be left alone for so long");
    assertThat(sent).containsExactly("a");
  }
}
