package io.penstock.gameday.receiver;

import io.penstock.gameday.lab.Limiter;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/**
 * Limits of receivers, one for each path of the form {@code /limit/KIND/RATE/DELAY_MS/NAME}:
 *
 * <ul>
 *   <li>{@code fixed}, {@code sliding}: RATE per second in windows of a second
 *   <li>{@code bucket}: RATE per second with a burst of 20, or of RATE when that is less
 *   <li>{@code tens}, {@code tens_hint}: RATE per ten seconds in fixed windows, without and with
 *       Retry-After
 *   <li>{@code wall-FROM-TO}: everything but from second FROM to second TO after its first request,
 *       when it refuses all; RATE says nothing
 * </ul>
 *
 * Answers come after DELAY_MS; NAME makes a path its own, and the phase of its windows. For one
 * thread.
 */
final class Limits {
  private static final long SECOND = 1_000_000;
  private static final double BURST = 20;
  private static final int PARTS = 6;

  private final Map<String, Limit> limits = new HashMap<>();

  private record Limit(Limiter limiter, Duration delay, long beginNanos) {}

  Answer.Status answer(String path, long nanos) {
    Limit limit = limits.computeIfAbsent(path, its -> make(its, nanos));
    Limiter.Verdict verdict = limit.limiter.arrives((nanos - limit.beginNanos) / 1_000);
    Duration retryAfter = verdict.retryAfter();
    int seconds = retryAfter == null ? 0 : (int) retryAfter.toSeconds();
    return new Answer.Status(verdict.status(), limit.delay, seconds);
  }

  private static Limit make(String path, long nanos) {
    String[] parts = path.split("/", -1);
    if (parts.length != PARTS) {
      throw new IllegalArgumentException("not /limit/KIND/RATE/DELAY_MS/NAME: " + path);
    }
    double rate = Double.parseDouble(parts[3]);
    Duration delay = Duration.ofMillis(Long.parseLong(parts[4]));
    long phase = new Random(parts[5].hashCode()).nextLong(10 * SECOND);
    return new Limit(limiter(parts[2], rate, phase), delay, nanos);
  }

  private static Limiter limiter(String kind, double rate, long phase) {
    String[] words = kind.split("-", -1);
    return switch (words[0]) {
      case "fixed" -> Limiter.fixed(_ -> rate, SECOND, phase);
      case "sliding" -> Limiter.sliding(_ -> rate, SECOND);
      case "bucket" -> Limiter.bucket(_ -> rate, Math.min(BURST, rate));
      case "tens" -> Limiter.fixed(_ -> rate / 10, 10 * SECOND, phase);
      case "tens_hint" -> Limiter.fixedWithRetryAfter(_ -> rate / 10, 10 * SECOND, phase);
      case "wall" ->
          Limiter.wall(
              Long.parseLong(words[1]) * SECOND,
              Long.parseLong(words[2]) * SECOND,
              Limiter.Verdict.REFUSED,
              _ -> Limiter.Verdict.ACCEPTED);
      default -> throw new IllegalArgumentException("no limit of kind " + kind);
    };
  }
}
