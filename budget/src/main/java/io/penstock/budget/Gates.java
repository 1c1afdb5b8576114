package io.penstock.budget;

import io.penstock.budget.quota.QuotaSettings;
import io.penstock.budget.quota.QuotaUse;
import io.penstock.budget.work.WorkSettings;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The gates of one budget, all of which must be open for anything to go: what they let through
 * together, or the one that stays shut longest. Reads a {@link Step} and changes nothing.
 */
final class Gates {
  /**
   * When to ask again while all slots are taken. Every feedback frees one and is a better moment;
   * this only bounds the wait if that hint is lost.
   */
  private static final long SLOTS_RECHECK = Micros.SECOND;

  /** Below the ceiling, a batch is spread over the time that its tokens took. */
  private static final Duration PACE = Duration.ofMillis(100);

  /**
   * In flight at most what the rate needs at the mean round trip, half as much again, and a few.
   */
  private static final double SLOTS_PER_NEED = 1.5;

  private static final int SPARE_SLOTS = 4;

  private final Step step;

  Gates(Step step) {
    this.step = step;
  }

  Decision decide() {
    if (step.closed != null) {
      return new Decision.Refuse(step.closed);
    }
    if (step.ceiling == 0) {
      return new Decision.Refuse(RefuseReason.RATE_ZERO);
    }
    if (step.park.parked()) {
      return decideParked();
    }
    Decision.Wait longest = longest(longest(pinWait(), quotaWait()), workWait());
    int slots = slots();
    if (step.inFlight >= slots) {
      longest =
          longest(
              longest, wait(step.now + SLOTS_RECHECK, new WaitReason.Slots(step.inFlight, slots)));
    }
    int tokens = step.bucket.whole();
    if (tokens < 1) {
      longest = longest(longest, tokensWait());
    }
    return longest != null ? longest : admit(Math.min(tokens, slots - step.inFlight));
  }

  /** Everything allows something: the least of what each allows. */
  private Decision admit(int most) {
    if (step.quota != null && step.settings.quota() != null) {
      most = (int) Math.min(most, step.quota.left(step.settings.quota()));
    }
    if (step.work != null && step.settings.work() != null) {
      most = Math.min(most, step.work.admits(step.settings.work(), step.inFlight));
    }
    return new Decision.Admit(
        most,
        Math.min(most, retriesAllowed()),
        (int) Math.min(most, batchAllowed()),
        false,
        step.generation,
        step.rate.shrunken(step.ceiling) ? PACE : Duration.ZERO);
  }

  private Decision.@Nullable Wait pinWait() {
    return step.pin.holds(step.now)
        ? wait(
            step.bucket.readyAt(1, step.pin.until()),
            new WaitReason.Pinned(step.pin.misses(), step.pin.byHint()))
        : null;
  }

  private Decision.Wait tokensWait() {
    return wait(
        step.bucket.readyAt(1, step.pin.until()),
        new WaitReason.Tokens(step.bucket.tokens(), step.bucket.rate(), step.ceiling));
  }

  private Decision.@Nullable Wait quotaWait() {
    QuotaSettings limits = step.settings.quota();
    if (step.quota == null || limits == null || step.quota.left(limits) > 0) {
      return null;
    }
    return wait(Micros.of(step.quota.resumeAt()), quotaReason(step.quota, limits));
  }

  private static WaitReason quotaReason(QuotaUse use, QuotaSettings limits) {
    return new WaitReason.Quota(
        use.used(), limits.limit(), Duration.between(use.start(), use.end()));
  }

  private Decision.@Nullable Wait workWait() {
    WorkSettings limits = step.settings.work();
    if (step.work == null || limits == null || step.work.admits(limits, step.inFlight) > 0) {
      return null;
    }
    int running = step.work.estimate().known() ? limits.mostRunning() : 1;
    if (step.inFlight >= running) {
      return wait(step.now + SLOTS_RECHECK, new WaitReason.Slots(step.inFlight, running));
    }
    return wait(
        Micros.of(step.work.readyAt(limits)),
        new WaitReason.WorkerSeconds(
            step.work.seconds(), step.work.wanted(limits), limits.allotment()));
  }

  Decision.@Nullable Wait retriesWait() {
    if (retriesAllowed() > 0) {
      return null;
    }
    double available = step.retries.available(step.adaptive);
    double perSecond = step.adaptive.retriesPerSecond();
    long until =
        perSecond > 0
            ? step.now + Micros.ofSeconds((1 - available) / perSecond)
            : step.now + SLOTS_RECHECK;
    return wait(until, new WaitReason.RetryAllowance(available));
  }

  Decision.@Nullable Wait batchWait() {
    QuotaSettings limits = step.settings.quota();
    if (step.quota == null || limits == null || batchAllowed() > 0) {
      return null;
    }
    return wait(Micros.of(step.quota.batchFrom(limits)), quotaReason(step.quota, limits));
  }

  private long batchAllowed() {
    QuotaSettings limits = step.settings.quota();
    return step.quota == null || limits == null
        ? Integer.MAX_VALUE
        : step.quota.leftForBatch(limits, Micros.toInstant(step.now));
  }

  private static Decision.@Nullable Wait longest(
      Decision.@Nullable Wait a, Decision.@Nullable Wait b) {
    if (a == null || b == null) {
      return a == null ? b : a;
    }
    return b.until().isAfter(a.until()) ? b : a;
  }

  /**
   * A parked budget's probe needs a slot and a place in the quota and among the workers, but no
   * token. The configured slots count: the effective ones follow a rate that is not in force.
   */
  private Decision decideParked() {
    long until = Math.max(step.park.waitsUntil(), step.pin.until());
    Decision.Wait longest = longest(longest(quotaWait(), workWait()), slotsWait());
    if (step.now < until) {
      longest =
          longest(
              longest,
              wait(
                  until,
                  new WaitReason.Parked(
                      Micros.toInstant(step.park.since()),
                      step.park.failures(),
                      step.park.probeOut(step.now))));
    }
    return longest != null
        ? longest
        : new Decision.Admit(
            1, 1, (int) Math.min(1, batchAllowed()), true, step.generation, Duration.ZERO);
  }

  private Decision.@Nullable Wait slotsWait() {
    int slots = step.settings.slots();
    return step.inFlight < slots
        ? null
        : wait(step.now + SLOTS_RECHECK, new WaitReason.Slots(step.inFlight, slots));
  }

  private Decision.Wait wait(long until, WaitReason reason) {
    return new Decision.Wait(Micros.roundedUp(until, step.now), reason);
  }

  private int slots() {
    if (step.rate.roundTrip == 0) {
      return step.settings.slots();
    }
    double needed =
        Math.ceil(SLOTS_PER_NEED * step.bucket.rate() * step.rate.roundTrip) + SPARE_SLOTS;
    return (int) Math.min(step.settings.slots(), needed);
  }

  private int retriesAllowed() {
    return step.retries.binds() ? (int) step.retries.available(step.adaptive) : Integer.MAX_VALUE;
  }
}
