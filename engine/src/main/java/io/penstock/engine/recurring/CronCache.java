package io.penstock.engine.recurring;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Remembers parsed expressions: parsing costs more than a thousand steps. */
final class CronCache {
  /** About 10 MB when all of them come every minute. */
  static final int MOST = 2_000;

  private final Map<String, CronExpression> parsed = new LinkedHashMap<>(16, 0.75f, true);

  CronExpression of(String text) {
    synchronized (parsed) {
      CronExpression known = parsed.get(text);
      if (known != null) {
        return known;
      }
    }
    CronExpression made = CronExpression.parse(text);
    synchronized (parsed) {
      parsed.put(text, made);
      if (parsed.size() > MOST) {
        @Nullable String eldest = parsed.keySet().iterator().next();
        parsed.remove(eldest);
      }
    }
    return made;
  }
}
