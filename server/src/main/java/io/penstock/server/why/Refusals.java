package io.penstock.server.why;

import io.penstock.budget.RefuseReason;
import java.util.Locale;
import java.util.Map;

/** Says why a budget refuses until somebody acts, and what to do. Pure. */
final class Refusals {
  private Refusals() {}

  static Why why(RefuseReason reason) {
    String sentence =
        switch (reason) {
          case RATE_ZERO -> "Its rate_per_second is 0 in limits.yaml; raise it there.";
          case AUTO_DISABLED ->
              "Disabled, because %s; enable it when the receiver is well.".formatted(cause(reason));
          case GONE -> "%s; enable it if that was a mistake.".formatted(cause(reason));
          case HELD_REJECTED, HELD_UNAUTHORISED, HELD_MISCONFIGURED ->
              "Held, because %s; mend that and release it.".formatted(cause(reason));
        };
    String code = reason.name().toLowerCase(Locale.ROOT);
    String capital = sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    return new Why(code, capital, Map.of(), null, null);
  }

  /** The cause, as a part of a sentence. */
  static String cause(RefuseReason reason) {
    return switch (reason) {
      case RATE_ZERO -> "its rate_per_second is 0 in limits.yaml";
      case HELD_REJECTED ->
          "the receiver rejected everything for a while (a bad deploy at the receiver?)";
      case HELD_UNAUTHORISED -> "the receiver answered 401 or 403 in a row (a credential?)";
      case HELD_MISCONFIGURED -> "our configuration of it is wrong (a secret, an address)";
      case AUTO_DISABLED ->
          "it only failed, longer and more often than auto_disable in limits.yaml allows";
      case GONE -> "the receiver answered 410: it is gone for good";
    };
  }
}
