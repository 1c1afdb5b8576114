package io.penstock.budget.quota;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;

/**
 * What of a quota is used in one window. Immutable; reserved at the send, given back when nothing
 * was sent.
 *
 * @param per what kind of window
 * @param zone whose days it counts
 * @param start the window's first instant
 * @param end the first instant of the next one
 * @param used how many were sent or are about to be
 * @param generation the budget's generation when the window began: what was taken before it does
 *     not come back to this one
 * @param resumeAt when sending may go on once it is exhausted: the boundary and some jitter
 */
public record QuotaUse(
    QuotaSettings.Per per,
    ZoneId zone,
    Instant start,
    Instant end,
    long used,
    long generation,
    Instant resumeAt) {

  /** The most that is added to the boundary, so that not everybody starts with the new day. */
  public static final Duration MAX_JITTER = Duration.ofSeconds(60);

  /**
   * A clock that steps back over the boundary by no more than this keeps the window and what was
   * used in it: a step at midnight must not refill a quota.
   */
  public static final Duration CLOCK_STEP = Duration.ofHours(1);

  /** The reserve is released over this last part of the window. */
  private static final double RELEASED_OVER = 0.1;

  /** Nothing used in the window of {@code now}; {@code chance} is uniform in [0, 1). */
  public static QuotaUse fresh(
      QuotaSettings settings, long generation, double chance, Instant now) {
    return of(settings, 0, generation, chance, now);
  }

  private static QuotaUse of(
      QuotaSettings settings, long used, long generation, double chance, Instant now) {
    QuotaSettings.Window window = settings.windowAt(now);
    Instant resume = window.end().plusMillis((long) (chance * MAX_JITTER.toMillis()));
    return new QuotaUse(
        settings.per(), settings.zone(), window.start(), window.end(), used, generation, resume);
  }

  /** Whether the window of {@code now} is another one. */
  public boolean isOver(Instant now) {
    return !now.isBefore(end) || now.isBefore(start.minus(CLOCK_STEP));
  }

  /** Whether it counts by the calendar of these settings. */
  public boolean isOf(QuotaSettings settings) {
    return per == settings.per() && zone.equals(settings.zone());
  }

  /** The same use by another calendar: its boundaries move and nothing is refilled. */
  public QuotaUse under(QuotaSettings settings, double chance, Instant now) {
    return of(settings, used, generation, chance, now);
  }

  /** How many interactive ones may still go. */
  public long left(QuotaSettings settings) {
    return Math.max(0, settings.limit() - used);
  }

  /** How many of batch urgency may still go. */
  public long leftForBatch(QuotaSettings settings, Instant now) {
    double length = seconds(start, end);
    double toGo = Math.clamp(seconds(now, end) / (length * RELEASED_OVER), 0, 1);
    long kept = (long) Math.ceil(settings.limit() * settings.reserveInteractive() * toGo);
    return Math.max(0, left(settings) - kept);
  }

  /** When one more of batch urgency may go: in the release of the reserve, or the next window. */
  public Instant batchFrom(QuotaSettings settings) {
    long kept = left(settings) - 1;
    double reserve = settings.limit() * settings.reserveInteractive();
    if (kept < 0 || reserve <= kept) {
      return resumeAt;
    }
    double toGo = kept / reserve * seconds(start, end) * RELEASED_OVER;
    return end.minusMillis((long) Math.floor(toGo * 1_000)).plusMillis(1);
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / 1_000.0;
  }

  /** Counts what is about to be sent. */
  public QuotaUse take(long count) {
    return counted(used + count);
  }

  /** Takes back what was counted in this window and not sent. */
  public QuotaUse giveBack(long count, long takenInGeneration) {
    return takenInGeneration < generation ? this : counted(Math.max(0, used - count));
  }

  private QuotaUse counted(long newUsed) {
    return new QuotaUse(per, zone, start, end, newUsed, generation, resumeAt);
  }
}
