package io.penstock.server.why;

import io.penstock.budget.WaitReason;
import java.util.LinkedHashMap;
import java.util.Map;

/** The numbers of a reason by stable names, units in the names, for programs. */
final class Numbers {
  private Numbers() {}

  static Map<String, Object> of(WaitReason reason) {
    Map<String, Object> numbers = new LinkedHashMap<>();
    switch (reason) {
      case WaitReason.Tokens r -> {
        numbers.put("tokens", r.tokens());
        numbers.put("rate_per_second", r.ratePerSecond());
        numbers.put("ceiling_per_second", r.ceilingPerSecond());
      }
      case WaitReason.Slots r -> {
        numbers.put("in_flight", r.inFlight());
        numbers.put("slots", r.limit());
      }
      case WaitReason.Pinned r -> {
        numbers.put("misses", r.misses());
        numbers.put("by_hint", r.byHint());
      }
      case WaitReason.Parked r -> {
        numbers.put("since", r.since().toString());
        numbers.put("failures", r.failures());
        numbers.put("probe_out", r.probeOut());
      }
      case WaitReason.Quota r -> {
        numbers.put("used", r.used());
        numbers.put("limit", r.limit());
        numbers.put("window_seconds", r.window().toSeconds());
      }
      case WaitReason.RetryAllowance r -> numbers.put("retries_left", r.allowance());
      case WaitReason.WorkerSeconds r -> {
        numbers.put("banked_seconds", r.balance());
        numbers.put("wanted_seconds", r.wanted());
        numbers.put("allotment", r.allotment());
      }
    }
    return numbers;
  }
}
