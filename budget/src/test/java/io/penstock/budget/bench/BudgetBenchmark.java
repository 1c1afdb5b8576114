package io.penstock.budget.bench;

import io.penstock.budget.Budget;
import io.penstock.budget.BudgetSettings;
import io.penstock.budget.BudgetState;
import io.penstock.budget.Feedback;
import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.budget.Stamp;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Time and bytes of one decision, of a whole send, and of writing and reading a state. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class BudgetBenchmark {
  private static final BudgetSettings SETTINGS =
      new BudgetSettings(10_000, 10_000, 1_000, Duration.ofSeconds(15));
  private static final Duration STEP = Duration.ofNanos(100_000);
  private static final Duration TRIP = Duration.ofMillis(20);
  private static final Outcome OK = new Outcome.Delivered(200, "ok", Hint.NONE);
  private static final Outcome THROTTLED = new Outcome.Throttled(429, "throttled", Hint.NONE);

  /** At its ceiling, or walking back from a cut. */
  @Param({"healthy", "shrunken"})
  public String budget = "healthy";

  private Instant now = Instant.parse("2026-03-10T12:00:00Z");
  private BudgetState state = BudgetState.initial(SETTINGS, 1, now);
  private String text = "";

  /** Made by JMH. */
  public BudgetBenchmark() {}

  /** A second of traffic, and a refusal when the budget is to be shrunken. */
  @Setup
  public void traffic() {
    for (int i = 0; i < 10_000; i++) {
      send();
    }
    if (budget.equals("shrunken")) {
      state = feed(THROTTLED);
    }
    text = state.encode();
  }

  private BudgetState feed(Outcome outcome) {
    Stamp stamp = new Stamp(state.generation(), false, false, false);
    return Budget.feed(state, SETTINGS, new Feedback.Ended(stamp, outcome, TRIP), now);
  }

  /** One decision. */
  @Benchmark
  public Budget.Asked ask() {
    return Budget.ask(state, SETTINGS, now.plus(STEP));
  }

  /** A decision, its debit and its feedback. */
  @Benchmark
  public BudgetState send() {
    now = now.plus(STEP);
    state = Budget.ask(state, SETTINGS, now).state();
    state = Budget.debit(state, SETTINGS, new Budget.Debit(1, 0, 0, false), now);
    state = feed(OK);
    return state;
  }

  @Benchmark
  public String encode() {
    return state.encode();
  }

  @Benchmark
  public BudgetState decode() {
    return BudgetState.decode(text);
  }

  /** Runs all of them; bytes per operation are in {@code gc.alloc.rate.norm}. */
  public static void main(String[] arguments) throws RunnerException {
    new Runner(
            new OptionsBuilder()
                .include(BudgetBenchmark.class.getName())
                .addProfiler(GCProfiler.class)
                .jvmArgs("-XX:+UseCompactObjectHeaders", "-Xmx512m")
                .build())
        .run();
  }
}
