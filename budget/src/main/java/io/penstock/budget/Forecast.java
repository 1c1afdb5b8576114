package io.penstock.budget;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When what waits in line would be let go: the rules of {@link Budget} themselves, run forward from
 * a state. There is no second formula, so a forecast cannot disagree with what will be decided; it
 * can only be wrong about the world. It supposes that the receiver answers well in its mean time,
 * that the limits stay, and that nothing joins the line in front. Pure, like all rules.
 *
 * <p>Its cost follows how many go (about a microsecond each) and is bounded by {@link #MOST_STEPS}.
 */
public final class Forecast {
  /** Decisions looked at before it says "later than this": some tens of milliseconds. */
  public static final int MOST_STEPS = 50_000;

  private Forecast() {}

  /** In which turn of a destination something is served. */
  public enum Turn {
    FIRST,
    RETRY,
    REDRIVE
  }

  /**
   * A stretch of the line: deliveries that are alike.
   *
   * @param count how many, 1 or more
   * @param notBefore when they may go at the earliest
   */
  public record Stretch(int count, Instant notBefore, Turn turn, boolean batch) {
    public Stretch {
      Checks.within("count", count, 1, Integer.MAX_VALUE);
    }
  }

  /** What is expected of one stretch. */
  public sealed interface Expected {

    /**
     * Its last one goes then.
     *
     * @param reason what it waits for last, with the numbers of that moment; null = for nothing
     * @param ifWell whether that rests on how the receiver answers, not on time alone
     */
    record Goes(Instant at, @Nullable WaitReason reason, boolean ifWell) implements Expected {}

    /** Nothing goes until somebody acts. */
    record Refused(RefuseReason reason) implements Expected {}

    /** It goes later than this; looked no further. */
    record Later(Instant than, @Nullable WaitReason reason) implements Expected {}
  }

  /**
   * What is expected of each stretch, in the order of the line.
   *
   * @param line in the order of service: an earlier stretch that is due goes before a later one
   */
  public static List<Expected> of(
      BudgetState state, BudgetSettings settings, List<Stretch> line, Instant now) {
    return new Run(state, settings, line, now).run();
  }

  /** One run. Never leaves the call that made it. */
  private static final class Run {
    /** Further than any quota's window; a budget that lets nothing go in a year never will. */
    private static final Duration HORIZON = Duration.ofDays(366);

    /** As often as a claim looks again when some turns were not allowed. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final BudgetSettings settings;
    private final List<Stretch> line;
    private final int[] left;
    private final List<@Nullable Expected> expected;
    private final SupposedAnswers answers;
    private final Instant end;
    private BudgetState state;
    private Instant now;
    private int open;
    private @Nullable WaitReason reason;
    private boolean ifWell;

    Run(BudgetState state, BudgetSettings settings, List<Stretch> line, Instant now) {
      this.settings = settings;
      this.line = line;
      this.left = line.stream().mapToInt(Stretch::count).toArray();
      this.expected = new ArrayList<>();
      line.forEach(_ -> expected.add(null));
      this.open = line.size();
      this.state = state;
      this.now = now;
      this.end = now.plus(HORIZON);
      this.answers = new SupposedAnswers(state, settings, now);
    }

    List<Expected> run() {
      for (int step = 0; open > 0 && step < MOST_STEPS && now.isBefore(end); step++) {
        if (!anyDue()) {
          reason = null;
          goTo(earliest());
          continue;
        }
        Budget.Asked asked = Budget.ask(state, settings, now);
        state = asked.state();
        switch (asked.decision()) {
          case Decision.Admit admit -> take(admit);
          case Decision.Wait wait -> goTo(endOf(wait));
          case Decision.Refuse refuse -> {
            return filled(new Expected.Refused(refuse.reason()));
          }
        }
      }
      return filled(new Expected.Later(now, reason));
    }

    private List<Expected> filled(Expected rest) {
      return expected.stream().map(one -> one == null ? rest : one).toList();
    }

    private boolean anyDue() {
      for (int i = 0; i < left.length; i++) {
        if (left[i] > 0 && !line.get(i).notBefore().isAfter(now)) {
          return true;
        }
      }
      return false;
    }

    private Instant earliest() {
      Instant earliest = end;
      for (int i = 0; i < left.length; i++) {
        if (left[i] > 0 && line.get(i).notBefore().isBefore(earliest)) {
          earliest = line.get(i).notBefore();
        }
      }
      return earliest;
    }

    /** Takes what is due in order, as a claim picks it, and debits it. */
    private void take(Decision.Admit admit) {
      int most = admit.most();
      int notFirst = admit.mostRetries();
      int batch = admit.mostBatch();
      int took = 0;
      int retries = 0;
      for (int i = 0; i < left.length && took < most; i++) {
        Stretch stretch = line.get(i);
        if (left[i] == 0 || stretch.notBefore().isAfter(now)) {
          continue;
        }
        int allowed = Math.min(left[i], most - took);
        allowed = stretch.turn() == Turn.FIRST ? allowed : Math.min(allowed, notFirst);
        allowed = stretch.batch() ? Math.min(allowed, batch) : allowed;
        took += allowed;
        notFirst -= stretch.turn() == Turn.FIRST ? 0 : allowed;
        retries += stretch.turn() == Turn.RETRY ? allowed : 0;
        batch -= stretch.batch() ? allowed : 0;
        left[i] -= allowed;
        if (left[i] == 0) {
          expected.set(i, new Expected.Goes(now, reason, ifWell));
          open--;
        }
      }
      if (took == 0) {
        awaitPart();
        return;
      }
      int ofBatch = admit.mostBatch() - batch;
      Duration charged = Budget.chargePerJob(state, settings, now);
      state =
          Budget.debit(
              state, settings, new Budget.Debit(took, retries, ofBatch, admit.probe()), now);
      ifWell |= admit.probe();
      answers.sent(took, new Stamp(admit.generation(), admit.probe(), false, false), charged, now);
    }

    /** Something may go, but nothing of what is due: retries or batch work wait on their own. */
    private void awaitPart() {
      boolean first = false;
      boolean batch = false;
      for (int i = 0; i < left.length; i++) {
        if (left[i] > 0 && !line.get(i).notBefore().isAfter(now)) {
          first |= line.get(i).turn() == Turn.FIRST;
          batch |= line.get(i).batch();
        }
      }
      Decision.Wait ofRetries = first ? null : Budget.retriesWait(state, settings, now);
      Decision.Wait ofBatch = batch ? Budget.batchWait(state, settings, now) : null;
      Decision.Wait wait = ofRetries == null ? ofBatch : ofRetries;
      if (wait != null && ofBatch != null && ofBatch.until().isAfter(wait.until())) {
        wait = ofBatch;
      }
      if (wait == null) {
        goTo(nextDueBefore(now.plus(LOOK_AGAIN)));
      } else {
        goTo(nextDueBefore(endOf(wait)));
      }
    }

    /** An answer may end these waits early; the others end with time alone. */
    private Instant endOf(Decision.Wait wait) {
      reason = wait.reason();
      boolean endsByAnswer =
          switch (wait.reason()) {
            case WaitReason.Slots _ -> true;
            case WaitReason.Parked parked -> parked.probeOut();
            case WaitReason.WorkerSeconds _ -> true;
            case WaitReason.RetryAllowance _ -> true;
            case WaitReason.Pinned _ -> false;
            case WaitReason.Tokens _ -> false;
            case WaitReason.Quota _ -> false;
          };
      ifWell |=
          switch (wait.reason()) {
            case WaitReason.Slots _, WaitReason.Parked _, WaitReason.Pinned _ -> true;
            case WaitReason.WorkerSeconds _, WaitReason.RetryAllowance _ -> true;
            case WaitReason.Tokens _, WaitReason.Quota _ -> false;
          };
      Instant answer = answers.next();
      return endsByAnswer && answer != null && answer.isBefore(wait.until())
          ? answer
          : wait.until();
    }

    /** Something of another turn that becomes due meanwhile may be allowed to go. */
    private Instant nextDueBefore(Instant then) {
      Instant soonest = then;
      for (int i = 0; i < left.length; i++) {
        Instant due = line.get(i).notBefore();
        if (left[i] > 0 && due.isAfter(now) && due.isBefore(soonest)) {
          soonest = due;
        }
      }
      return soonest;
    }

    /** Passes the time, booking the answers that come meanwhile. */
    private void goTo(Instant then) {
      state = answers.feed(state, settings, then);
      now = then.isAfter(now) ? then : now;
    }
  }
}
