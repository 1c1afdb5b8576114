package io.penstock.engine.delivery;

/** The three lanes of a destination, served in this order, always. The code is the ledger's. */
public enum Lane {
  FIRST(0),
  RETRY(1),
  REDRIVE(2);

  private final int code;

  Lane(int code) {
    this.code = code;
  }

  /** What stands in the ledger; ascending in the order of service. */
  public int code() {
    return code;
  }

  /** The lane of a stored code; throws IllegalArgumentException for a code no lane has. */
  public static Lane ofCode(int code) {
    for (Lane lane : values()) {
      if (lane.code == code) {
        return lane;
      }
    }
    throw new IllegalArgumentException("no lane has code " + code);
  }
}
