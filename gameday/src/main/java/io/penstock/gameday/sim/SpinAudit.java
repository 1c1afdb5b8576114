package io.penstock.gameday.sim;

/** Whether a loop asks the ledger without a rest for what is not there. */
final class SpinAudit {
  /** Questions of one node in a second that bring nothing; a loop that spins asks thousands. */
  private static final int MOST_EMPTY = 800;

  /** A small step of the clock is believed after two seconds. */
  private static final int LONGEST_FLURRY_SECONDS = 3;

  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Model model;
  private final String what;
  private final int nodes;
  private long second;
  private int empty;
  private int spinning;

  /** Of one kind of question, for instance claims. */
  SpinAudit(Model model, String what, int nodes) {
    this.model = model;
    this.what = what;
    this.nodes = nodes;
  }

  /** One brought nothing. A clock that steps may cost a flurry of them, but not for long. */
  void broughtNothing() {
    long now = model.now() / SECOND_NANOS;
    if (now != second) {
      boolean spun = empty > MOST_EMPTY * nodes;
      spinning = spun && now == second + 1 ? spinning + 1 : 0;
      second = now;
      empty = 0;
    }
    empty++;
    if (spinning > LONGEST_FLURRY_SECONDS) {
      model.broken("no loop spins", "", "thousands of " + what + " a second bring nothing");
    }
  }
}
