package io.penstock.budget;

import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.quota.QuotaUse;
import io.penstock.budget.work.Estimate;
import io.penstock.budget.work.WorkBalance;
import java.time.DateTimeException;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * How a state is written: {@code 1 <part> <part> …}, each part a key of one letter and its fields
 * with commas between them. A part that says nothing (no pin, no failures) is left out, so that the
 * line of a healthy budget stays short, and a part that a later version adds is simply absent from
 * an older line. Numbers are decimal and exact.
 */
final class StateCodec {
  private static final String VERSION = "1";

  private StateCodec() {}

  static String encode(BudgetState state) {
    StateWriter out = new StateWriter(VERSION);
    out.part('s').field(state.seed);
    out.part('g').field(state.generation);
    out.part('f').field(state.inFlight);
    state.bucket.write(out.part('b'));
    if (!state.pin.equals(Pin.NONE)) {
      state.pin.write(out.part('p'));
    }
    if (!state.rate.isNew()) {
      state.rate.write(out.part('a'));
    }
    if (state.rate.knee.known()) {
      state.rate.knee.write(out.part('k'));
    }
    if (!state.rate.walls.equals(Walls.NONE)) {
      state.rate.walls.write(out.part('w'));
    }
    if (!state.rate.recent.isEmpty()) {
      state.rate.recent.write(out.part('n'));
    }
    if (state.failures.count() > 0) {
      state.failures.write(out.part('x'));
    }
    if (!state.park.equals(Park.NONE)) {
      state.park.write(out.part('q'));
    }
    if (!state.retries.equals(RetryAllowance.UNUSED)) {
      state.retries.write(out.part('y'));
    }
    if (!state.runs.equals(Runs.NONE)) {
      state.runs.write(out.part('r'));
    }
    if (state.quota != null) {
      writeQuota(state.quota, out.part('u'));
    }
    if (state.work != null) {
      writeWork(state.work, out.part('t'));
    }
    if (state.closed != null) {
      out.part('c').field(state.closed.name());
    }
    return out.toString();
  }

  static BudgetState decode(String text) {
    try {
      return read(new StateReader(text));
    } catch (IllegalArgumentException | IndexOutOfBoundsException | ArithmeticException e) {
      throw new IllegalArgumentException("not a budget state: " + text, e);
    }
  }

  private static BudgetState read(StateReader in) {
    String version = in.word();
    if (!version.equals(VERSION)) {
      throw new IllegalArgumentException("version " + version + ", wanted " + VERSION);
    }
    long seed = 0;
    long generation = 0;
    int inFlight = 0;
    Bucket bucket = null;
    Pin pin = Pin.NONE;
    AdaptiveRate rate = new AdaptiveRate();
    Failures failures = Failures.NONE;
    Park park = Park.NONE;
    RetryAllowance retries = RetryAllowance.UNUSED;
    Runs runs = Runs.NONE;
    QuotaUse quota = null;
    WorkBalance work = null;
    RefuseReason closed = null;
    while (in.more()) {
      char key = in.key();
      switch (key) {
        case 's' -> seed = in.integer();
        case 'g' -> generation = in.integer();
        case 'f' -> inFlight = in.small();
        case 'b' -> bucket = Bucket.read(in);
        case 'p' -> pin = Pin.read(in);
        case 'a' -> rate.read(in);
        case 'k' -> rate.knee = Knee.read(in);
        case 'w' -> rate.walls = Walls.read(in);
        case 'n' -> rate.recent = Recent.read(in);
        case 'x' -> failures = Failures.read(in);
        case 'q' -> park = Park.read(in);
        case 'y' -> retries = RetryAllowance.read(in);
        case 'r' -> runs = Runs.read(in);
        case 'u' -> quota = readQuota(in);
        case 't' -> work = readWork(in);
        case 'c' -> closed = RefuseReason.valueOf(in.word());
        default -> throw new IllegalArgumentException("unknown part " + key);
      }
    }
    return new BudgetState(
        seed,
        generation,
        inFlight,
        present(bucket),
        pin,
        rate,
        failures,
        park,
        retries,
        runs,
        quota,
        work,
        closed);
  }

  private static void writeQuota(QuotaUse use, StateWriter out) {
    out.field(use.per().name()).field(use.zone().getId());
    out.field(Micros.of(use.start())).field(Micros.of(use.end()));
    out.field(use.used()).field(use.generation()).field(Micros.of(use.resumeAt()));
  }

  private static QuotaUse readQuota(StateReader in) {
    return new QuotaUse(
        QuotaSettings.Per.valueOf(in.word()),
        zone(in.word()),
        Micros.toInstant(in.integer()),
        Micros.toInstant(in.integer()),
        in.integer(),
        in.integer(),
        Micros.toInstant(in.integer()));
  }

  private static ZoneId zone(String id) {
    try {
      return ZoneId.of(id);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("unknown zone " + id, e);
    }
  }

  private static void writeWork(WorkBalance work, StateWriter out) {
    Estimate estimate = work.estimate();
    out.field(work.seconds()).field(Micros.of(work.at())).field(estimate.seconds());
    out.field(estimate.samples()).field(estimate.untaught()).field(work.clipped());
    out.field(work.forgiven()).field(work.charged()).field(work.lent());
  }

  private static WorkBalance readWork(StateReader in) {
    return new WorkBalance(
        in.decimal(),
        Micros.toInstant(in.integer()),
        new Estimate(in.decimal(), in.small(), in.small()),
        in.decimal(),
        in.decimal(),
        in.decimal(),
        in.decimal());
  }

  private static Bucket present(@Nullable Bucket bucket) {
    if (bucket == null) {
      throw new IllegalArgumentException("no bucket");
    }
    return bucket;
  }
}
