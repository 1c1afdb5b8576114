package io.penstock.budget;

/**
 * What became of one attempt. The class of an outcome, not its status code, decides what happens to
 * the budget ({@link BudgetEffect}) and, in the engine, to the delivery.
 *
 * <p>{@code status} is the HTTP status of the answer, or 0 when there was none. {@code detail} is a
 * short stable word for people and metrics (for instance {@code connect_refused}); it never holds
 * bytes from a receiver or a secret.
 */
public sealed interface Outcome {

  /** The HTTP status of the answer, 100 to 599, or 0 when there was none. */
  int status();

  /** A stable lower-case word that names the cause within the class. */
  String detail();

  /** What the answer said about when to come back; {@link Hint#NONE} when it said nothing. */
  default Hint hint() {
    return Hint.NONE;
  }

  /** The receiver took it: any 2xx. */
  record Delivered(int status, String detail, Hint hint) implements Outcome {}

  /** The receiver asked for less: 429, or 503 with Retry-After. */
  record Throttled(int status, String detail, Hint hint) implements Outcome {}

  /**
   * It failed before or at the receiver and nothing was done there: other 5xx, 408, 425, DNS,
   * connect, TLS.
   */
  record Transient(int status, String detail, Hint hint) implements Outcome {}

  /** Sent, but no answer: it may have arrived. */
  record Unknown(int status, String detail) implements Outcome {
    public static final String TIMED_OUT = "timed_out";
    public static final String RESET = "reset";
    public static final String LEASE_LOST = "lease_lost";
  }

  /** The receiver will never take this one: 400, 404, 405, 413, 415, 422, 3xx and other 4xx. */
  record Rejected(int status, String detail) implements Outcome {}

  /** The receiver does not know us: 401 or 403. */
  record Unauthorised(int status, String detail) implements Outcome {}

  /** The receiver is gone for good: 410. */
  record Gone(int status, String detail) implements Outcome {}

  /** We may not send it as it is: a forbidden header, a body over the limit. */
  record Unsendable(int status, String detail) implements Outcome {}

  /**
   * Our configuration of the destination is wrong: secret missing, address refused by the guard.
   */
  record Misconfigured(int status, String detail) implements Outcome {
    /** The secret store did not answer; pins for 5 s instead of holding the destination. */
    public static final String SECRET_STORE_SILENT = "secret_store_silent";
  }

  /** Our own fault: database, memory, proxy, or DNS when several unrelated hosts fail at once. */
  record Ours(int status, String detail) implements Outcome {}
}
