package io.penstock.budget;

import java.time.Duration;
import java.time.Instant;

/** Why something waits, with the numbers of the moment. Rendered by one class, stored nowhere. */
public sealed interface WaitReason {

  /** The stable code of this reason: lower case, for the API, metrics and screens. */
  String code();

  /** The bucket holds too few tokens: {@code tokens} now, refilled at {@code ratePerSecond}. */
  record Tokens(double tokens, double ratePerSecond, double ceilingPerSecond)
      implements WaitReason {
    @Override
    public String code() {
      return "rate";
    }
  }

  /** As many are in flight as may be. */
  record Slots(int inFlight, int limit) implements WaitReason {
    @Override
    public String code() {
      return "slots";
    }
  }

  /** The receiver said (or by its 429 implied) when to come back. */
  record Pinned(int misses, boolean byHint) implements WaitReason {
    @Override
    public String code() {
      return "pinned";
    }
  }

  /** The budget closed itself after a run of failures and knocks with one probe at a time. */
  record Parked(Instant since, int failures, boolean probeOut) implements WaitReason {
    @Override
    public String code() {
      return "parked";
    }
  }

  /** The calendar quota, or the part of it that this urgency may use, is spent. */
  record Quota(long used, long limit, Duration window) implements WaitReason {
    @Override
    public String code() {
      return "quota";
    }
  }

  /** Retries have used up their share. */
  record RetryAllowance(double allowance) implements WaitReason {
    @Override
    public String code() {
      return "retry_allowance";
    }
  }

  /** The tube has too few worker-seconds banked for a job of the expected duration. */
  record WorkerSeconds(double balance, double wanted, double allotment) implements WaitReason {
    @Override
    public String code() {
      return "worker_seconds";
    }
  }
}
