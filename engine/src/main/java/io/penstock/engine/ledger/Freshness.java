package io.penstock.engine.ledger;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * When a job need not be done again: its item had a complete run in its tube within this time, with
 * all of these artifacts. Checks itself.
 *
 * @param within 1 s to {@link #LONGEST}; a run that ended exactly so long ago does not count
 * @param requires names of artifacts, at most {@link #MOST_ARTIFACTS}, each as {@link #ARTIFACT};
 *     empty = any complete run will do
 */
public record Freshness(Duration within, List<String> requires) {
  public static final Duration SHORTEST = Duration.ofSeconds(1);

  /** Complete runs are remembered for so long. */
  public static final Duration LONGEST = Duration.ofDays(30);

  /** As many as a run may report. */
  public static final int MOST_ARTIFACTS = 50;

  /** Without blanks, so that a list of them is a line. */
  public static final Pattern ARTIFACT = Pattern.compile("[!-~]{1,200}");

  public Freshness {
    requires = requires.stream().distinct().sorted().toList();
    if (within.compareTo(SHORTEST) < 0 || within.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "fresh_for is %s, wanted %s to %s".formatted(within, SHORTEST, LONGEST));
    }
    if (requires.size() > MOST_ARTIFACTS
        || !requires.stream().allMatch(name -> ARTIFACT.matcher(name).matches())) {
      throw new IllegalArgumentException(
          "requires: wanted at most %d artifacts of %s, got %s"
              .formatted(MOST_ARTIFACTS, ARTIFACT, requires));
    }
  }
}
