package io.penstock.budget;

import java.time.Duration;

/** Checks of settings; a message says which field, what was got and what is allowed. */
final class Checks {
  private Checks() {}

  static void within(String field, double got, double least, double most) {
    if (!(got >= least && got <= most)) {
      throw outside(field, got, least, most);
    }
  }

  static void within(String field, long got, long least, long most) {
    if (got < least || got > most) {
      throw outside(field, got, least, most);
    }
  }

  static void within(String field, Duration got, Duration least, Duration most) {
    if (got.compareTo(least) < 0 || got.compareTo(most) > 0) {
      throw outside(field, got, least, most);
    }
  }

  private static IllegalArgumentException outside(
      String field, Object got, Object least, Object most) {
    return new IllegalArgumentException(
        "%s is %s, wanted %s to %s".formatted(field, got, least, most));
  }
}
