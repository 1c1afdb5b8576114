package io.penstock.server.event;

import io.penstock.engine.wave.Wave;
import io.penstock.server.problem.ProblemException;
import io.penstock.server.yaml.Quantities;
import java.time.Duration;

/** Windows over which batches are spread, as requests say them. */
public final class Windows {
  public static final String WORDS = "1s to 7d in whole seconds, as " + Quantities.DURATION_WORDS;

  private Windows() {}

  /** The window that the text of a field means. */
  public static Duration read(String field, String text) {
    return Quantities.duration(text)
        .filter(over -> over.compareTo(Wave.LEAST) >= 0 && over.compareTo(Wave.MOST) <= 0)
        .filter(over -> over.toNanosPart() == 0)
        .orElseThrow(() -> ProblemException.field(field, text, WORDS));
  }
}
