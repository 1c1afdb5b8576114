package io.penstock.push.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.penstock.push.lookup.Lookups.Life;
import io.penstock.push.lookup.Lookups.Result.Crowded;
import io.penstock.push.lookup.Lookups.Result.Got;
import io.penstock.push.lookup.Lookups.Result.Late;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LookupsTest {
  private static final Duration NOW = Duration.ofNanos(1);
  private static final Life GOOD = new Life(Duration.ofSeconds(30), Duration.ofSeconds(60), true);
  private static final Life BAD = new Life(Duration.ofSeconds(5), Duration.ZERO, false);

  private long nanos = -5_000_000_000L; // a monotonic clock may be negative
  private final List<String> asked = new ArrayList<>();
  private final Map<String, String> answers = new HashMap<>();
  private final Queue<Runnable> queue = new ArrayDeque<>();

  private Lookups<String, String> lookups(Executor pool) {
    return new Lookups<>(
        key -> {
          asked.add(key);
          return answers.getOrDefault(key, "none");
        },
        answer -> answer.equals("none") ? BAD : GOOD,
        2,
        pool,
        () -> nanos);
  }

  private void pass(Duration time) {
    nanos += time.toNanos();
  }

  @Test
  void anAnswerServesWhileItIsFresh() throws InterruptedException {
    Lookups<String, String> lookups = lookups(Runnable::run);
    answers.put("a", "1");
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("1"));
    answers.put("a", "2");
    pass(Duration.ofSeconds(29));
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("1"));
    assertThat(asked).containsExactly("a");
  }

  @Test
  void anAgedAnswerServesOnceMoreWhileANewerOneIsFetched() throws InterruptedException {
    Lookups<String, String> lookups = lookups(Runnable::run);
    answers.put("a", "1");
    lookups.get("a", NOW);
    answers.put("a", "2");
    pass(Duration.ofSeconds(31));
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("1"));
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("2"));
  }

  @Test
  void anAnswerBeyondItsLifeDoesNotServe() throws InterruptedException {
    Lookups<String, String> lookups = lookups(Runnable::run);
    answers.put("a", "1");
    lookups.get("a", NOW);
    answers.put("a", "2");
    pass(Duration.ofSeconds(91));
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("2"));
  }

  @Test
  void aFailureDoesNotDisplaceAnAnswerThatCanServeStill() throws InterruptedException {
    Lookups<String, String> lookups = lookups(Runnable::run);
    answers.put("a", "1");
    lookups.get("a", NOW);
    answers.remove("a");
    pass(Duration.ofSeconds(31));
    lookups.get("a", NOW);
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("1"));
    assertThat(asked).as("the failure itself is fresh for a while").hasSize(2);
    pass(Duration.ofSeconds(60));
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("none"));
  }

  @Test
  void thereIsOneFlightPerKey() throws InterruptedException {
    Lookups<String, String> lookups = lookups(queue::add);
    answers.put("a", "1");
    assertThat(lookups.get("a", NOW)).isEqualTo(new Late<>());
    assertThat(lookups.get("a", NOW)).isEqualTo(new Late<>());
    assertThat(queue).hasSize(1);
    queue.remove().run();
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("1"));
    assertThat(asked).containsExactly("a");
  }

  @Test
  void aFullPoolIsSaidSoAndLeavesNothingBehind() throws InterruptedException {
    boolean[] full = {true};
    Lookups<String, String> lookups =
        lookups(task -> {
          if (full[0]) {
            throw new RejectedExecutionException("full");
          }
          task.run();
        });
    assertThat(lookups.get("a", NOW)).isEqualTo(new Crowded<>());
    full[0] = false;
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("none"));
  }

  @Test
  void theLeastRecentlyUsedAnswerGoesFirst() throws InterruptedException {
    Lookups<String, String> lookups = lookups(Runnable::run);
    for (String key : List.of("a", "b", "a", "c", "a", "b")) {
      lookups.get(key, NOW);
    }
    assertThat(asked).containsExactly("a", "b", "c", "b");
  }

  @Test
  void aBugInTheSourceReachesTheCallerAndTheNextOneAsksAgain() throws InterruptedException {
    boolean[] broken = {true};
    Lookups<String, String> lookups =
        new Lookups<>(
            key -> {
              if (broken[0]) {
                throw new IllegalArgumentException("bug");
              }
              return key;
            },
            _ -> GOOD,
            2,
            Runnable::run,
            () -> nanos);
    assertThatIllegalStateException().isThrownBy(() -> lookups.get("a", NOW));
    broken[0] = false;
    assertThat(lookups.get("a", NOW)).isEqualTo(new Got<>("a"));
  }
}
