package io.penstock.engine.recurring;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule owes at a time. Pure.
 *
 * @param firing the instants that come now, oldest first
 * @param tooOld instants that were skipped because they lie before the catch-up window
 * @param merged instants that were skipped because a newer one stands for them
 * @param next the first instant that was not looked at; it may be due too; null = it comes no more
 */
public record Due(List<Instant> firing, long tooOld, long merged, @Nullable Instant next) {

  /**
   * Goes through what is due at {@code now}.
   *
   * @param from the first instant that was not looked at yet
   * @param mostLooked instants looked at, 1 at least
   * @param mostFired instants that may come, 1 at least
   */
  public static Due of(
      Recurrence recurrence,
      CatchUp catchUp,
      Instant from,
      Instant now,
      int mostLooked,
      int mostFired) {
    Instant oldest = now.minus(catchUp.within());
    boolean each = catchUp.missed() == CatchUp.Missed.EACH;
    List<Instant> firing = new ArrayList<>();
    long tooOld = 0;
    long merged = 0;
    Instant at = from;
    for (int looked = 0; at != null && !at.isAfter(now) && looked < mostLooked; looked++) {
      if (at.isBefore(oldest)) {
        tooOld++;
      } else if (each && firing.size() == mostFired) {
        break;
      } else if (each || firing.isEmpty()) {
        firing.add(at);
      } else {
        merged++;
        firing.set(0, at);
      }
      at = recurrence.next(at).orElse(null);
    }
    if (!each && at != null && !at.isAfter(now) && !firing.isEmpty()) {
      merged++; // the newest is not reached yet: it will stand for this one too
      firing.clear();
    }
    return new Due(List.copyOf(firing), tooOld, merged, at);
  }
}
