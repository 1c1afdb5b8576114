package io.penstock.gameday.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.penstock.engine.host.Host;
import io.penstock.engine.host.Loop;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Simulated threads run the engine's own loops. */
class BatonTest {
  private static final long A_MINUTE = Duration.ofMinutes(1).toNanos();

  private final Baton baton = new Baton(new Random(1));
  private final Baton.Host process = new Baton.Host("node-1");
  private final Host host = new SimHost(baton, process, new Random(2), 1, false);
  private int steps;

  @Test
  void aKillEndsTheLoopsOfItsProcessWhereTheyWait() {
    Loop loop =
        new Loop(
            "claim",
            host,
            () -> {
              steps++;
              baton.sleep(1_000);
              return Duration.ofSeconds(1);
            });
    loop.start();
    baton.run(A_MINUTE, () -> steps == 5);
    baton.kill(process);
    baton.run(A_MINUTE, loop::hasEnded);
    assertThat(loop.hasEnded()).isTrue();
    assertThat(steps).isEqualTo(5);
    baton.close(List.of(process));
  }

  @Test
  void anErrorOfAStepIsABugThatEndsTheRun() {
    LoggedBugs.listen();
    AssertionError bug = new AssertionError("planted");
    Loop loop =
        new Loop(
            "claim",
            host,
            () -> {
              throw bug;
            });
    loop.start();
    assertThatThrownBy(() -> baton.run(A_MINUTE, () -> false))
        .isInstanceOf(Baton.TaskFailed.class)
        .hasCause(bug);
    baton.close(List.of(process));
  }
}
