package io.penstock.engine.redrive;

import java.util.Locale;

/** Where a redrive stands. The first three are active: a destination has at most one such. */
public enum RedriveState {
  /** Its set is being frozen: deaths that got their number before its start are still to commit. */
  STARTING(true),
  /** It releases, or waits for its rate, its canary or the backlog. */
  RUNNING(true),
  /** An operator stopped it for a while; nothing is released. */
  PAUSED(true),
  /** All that matched was released; what became of it is still followed. */
  COMPLETED(false),
  /** An operator ended it; the rest stays on the shelf. */
  CANCELLED(false),
  /** It ended itself: too much failed again, or its destination is no more. */
  ABORTED(false);

  private final boolean active;

  RedriveState(boolean active) {
    this.active = active;
  }

  public boolean active() {
    return active;
  }

  /** The word in the ledger, the API and on screens. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The state of a stored word; throws IllegalArgumentException for any other word. */
  public static RedriveState ofWord(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
