package io.penstock.server.problem;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request that is refused, with everything that its answer says. Not a bug: it carries no stack
 * trace.
 */
public final class ProblemException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final ErrorCode code;
  private final transient List<FieldFault> faults;
  private final transient @Nullable Bound bound;
  private final transient @Nullable Duration retryAfter;

  /**
   * A bound that was hit.
   *
   * @param name the setting that holds it
   * @param allowed the bound
   * @param got what was asked for; -1 when it is only known to be more
   */
  public record Bound(String name, long allowed, long got, String unit) {}

  private ProblemException(
      ErrorCode code,
      String detail,
      List<FieldFault> faults,
      @Nullable Bound bound,
      @Nullable Duration retryAfter) {
    super(detail, null, false, false);
    this.code = code;
    this.faults = List.copyOf(faults);
    this.bound = bound;
    this.retryAfter = retryAfter;
  }

  /** A refusal that one sentence explains. */
  public static ProblemException of(ErrorCode code, String detail) {
    return new ProblemException(code, detail, List.of(), null, null);
  }

  /** A refusal for the sake of fields, each named. */
  public static ProblemException of(ErrorCode code, String detail, List<FieldFault> faults) {
    return new ProblemException(code, detail, faults, null, null);
  }

  /** One field of the body that is not acceptable. */
  public static ProblemException field(String field, String got, String allowed) {
    FieldFault fault = new FieldFault(field, got, allowed);
    return of(
        ErrorCode.INVALID_FIELD,
        "%s: wanted %s, got %s".formatted(field, allowed, fault.got()),
        List.of(fault));
  }

  /** A parameter of the URL or a header that is not acceptable. */
  public static ProblemException parameter(String name, String got, String allowed) {
    FieldFault fault = new FieldFault(name, got, allowed);
    return of(
        ErrorCode.BAD_PARAMETER,
        "%s: wanted %s, got %s".formatted(name, allowed, fault.got()),
        List.of(fault));
  }

  /** A bound that was hit. */
  public static ProblemException bound(ErrorCode code, String detail, Bound bound) {
    return new ProblemException(code, detail, List.of(), bound, null);
  }

  /** A refusal that time may lift. */
  public static ProblemException later(ErrorCode code, String detail, Duration retryAfter) {
    return new ProblemException(code, detail, List.of(), null, retryAfter);
  }

  /** A bound that was hit and that time may lift. */
  public static ProblemException later(
      ErrorCode code, String detail, Bound bound, Duration retryAfter) {
    return new ProblemException(code, detail, List.of(), bound, retryAfter);
  }

  public ErrorCode code() {
    return code;
  }

  /** What is wrong this time; never holds a secret. */
  public String detail() {
    return String.valueOf(getMessage());
  }

  public List<FieldFault> faults() {
    return faults;
  }

  public @Nullable Bound bound() {
    return bound;
  }

  public @Nullable Duration retryAfter() {
    return retryAfter;
  }
}
