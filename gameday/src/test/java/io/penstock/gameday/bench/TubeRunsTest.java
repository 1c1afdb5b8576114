package io.penstock.gameday.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.gameday.lab.TubeStory;
import io.penstock.gameday.load.RunLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TubeRunsTest {
  private static final long SECOND = 1_000_000_000L;

  private static final List<TubeStory.Arrival> ARRIVALS =
      List.of(
          new TubeStory.Arrival(0, TubeStory.SMALL, 2),
          new TubeStory.Arrival(0, TubeStory.INTERACTIVE, 1),
          new TubeStory.Arrival(0, TubeStory.SMALL, 2));

  @TempDir Path folder = Path.of(".");

  private TubeRuns runs(String log) throws IOException {
    Path file = Files.writeString(folder.resolve("runs"), log);
    return new TubeRuns(ARRIVALS, List.of(SECOND, 2 * SECOND, 3 * SECOND), RunLog.read(file));
  }

  @Test
  void aBatchIsDoneWithItsLastJobAndNotBefore() throws IOException {
    TubeRuns runs =
        runs(
            """
            leased a/1 0 2000000000 small
            leased b/1 0 2000000000 small
            ended a/1 complete 3000000000 3500000000 200 -
            ended b/1 complete 4000000000 4500000000 200 -
            leased c/1 2 5000000000 small
            ended c/1 complete 6000000000 6000000000 200 -
            leased d/1 2 7000000000 small
            """);
    assertThat(runs.batchSeconds(TubeStory.SMALL)).containsExactly(3.5);
    assertThat(runs.mostAtOnce(TubeStory.SMALL)).isEqualTo(2);
    assertThat(runs.heldSeconds(TubeStory.SMALL)).isEqualTo(1 + 2 + 1);
    assertThat(runs.completed(TubeStory.SMALL)).isEqualTo(3);
  }

  @Test
  void aJobThatWasLostHasWaitedOnceAndIsDoneOnce() throws IOException {
    TubeRuns runs =
        runs(
            """
            leased x/1 -1 1000000000 interactive
            leased e/1 1 2500000000 interactive
            ended e/1 complete 3000000000 3100000000 409 lease_lost
            leased e/2 1 4000000000 interactive
            ended e/2 complete 5000000000 5100000000 200 -
            """);
    assertThat(runs.waitSeconds(TubeStory.INTERACTIVE)).containsExactly(0.5);
    assertThat(runs.lost(TubeStory.INTERACTIVE)).isEqualTo(1);
    assertThat(runs.completed(TubeStory.INTERACTIVE)).isEqualTo(1);
    assertThat(runs.runs(TubeStory.INTERACTIVE)).as("of arrivals only").isEqualTo(2);
  }
}
