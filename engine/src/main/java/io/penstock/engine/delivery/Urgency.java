package io.penstock.engine.delivery;

/** How much a delivery hurries, within its lane: interactive before batch. */
public enum Urgency {
  INTERACTIVE(0),
  BATCH(1);

  private final int code;

  Urgency(int code) {
    this.code = code;
  }

  /** What stands in the ledger; ascending in the order of service. */
  public int code() {
    return code;
  }

  /** The urgency of a stored code; throws IllegalArgumentException for a code none has. */
  public static Urgency ofCode(int code) {
    for (Urgency urgency : values()) {
      if (urgency.code == code) {
        return urgency;
      }
    }
    throw new IllegalArgumentException("no urgency has code " + code);
  }
}
