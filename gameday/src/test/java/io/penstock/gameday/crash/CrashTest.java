package io.penstock.gameday.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.penstock.gameday.stand.Home;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The server as it was just built, in processes of its own: this module comes after it in the build
 * and does not see it otherwise.
 */
class CrashTest {
  /** Server, postmaster, both; then an end in good order. */
  private static final int ROUNDS = 4;

  @TempDir Path folder;

  @Test
  @Timeout(300)
  @DisplayName("case 24: kill -9 loses nothing accepted, and repeats only what was under way")
  void kills_lose_nothing() throws Exception {
    assumeTrue(Home.find().hasServer(), "the server is not built; ./penstock verify builds it");

    CrashRounds.Outcome outcome = CrashRounds.run(folder, ROUNDS, new SplittableRandom(1));

    assertThat(outcome.finding().lost()).isEmpty();
    assertThat(outcome.undrained()).isZero();
    assertThat(outcome.leftByTerminate()).as("case 29: left leased by SIGTERM").isZero();
    assertThat(outcome.finding().unexplained()).isEmpty();
    assertThat(outcome.accepted()).as("traffic went on").isPositive();
  }
}
