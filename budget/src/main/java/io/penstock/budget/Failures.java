package io.penstock.budget;

/**
 * Failures in a row, up to the last success.
 *
 * @param count all that count to park
 * @param since when the first of them came, epoch microseconds
 * @param repeated those that cut only when repeated
 */
record Failures(int count, long since, int repeated) {
  static final Failures NONE = new Failures(0, 0, 0);

  /** From so many in a row on, a failure that is no throttling cuts the rate. */
  private static final int CUTS_FROM = 3;

  Failures one(long now, boolean cutsWhenRepeated) {
    return new Failures(
        count + 1, count == 0 ? now : since, cutsWhenRepeated ? repeated + 1 : repeated);
  }

  boolean cuts() {
    return repeated >= CUTS_FROM;
  }

  boolean parks(AdaptiveSettings settings, long now) {
    return settings.parkAfterFailures() > 0
        && count >= settings.parkAfterFailures()
        && now - since >= Micros.of(settings.parkAfterSilence());
  }

  Failures shifted(long by) {
    return count == 0 ? this : new Failures(count, since + by, repeated);
  }

  void write(StateWriter out) {
    out.field(count).field(since).field(repeated);
  }

  static Failures read(StateReader in) {
    return new Failures(in.small(), in.integer(), in.small());
  }
}
