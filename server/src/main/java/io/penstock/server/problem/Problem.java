package io.penstock.server.problem;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The body of a refusal, as RFC 9457 has it, with our members beside the standard ones.
 *
 * @param code the stable word of {@link ErrorCode}
 * @param requestId what to tell whoever runs the server; null within a batch, whose own answer has
 *     it
 * @param errors the fields at fault; null = the fault is not a field's
 * @param bound the bound that was hit; null = none was
 * @param retryAfterMs when to come back, exact; null = the same request would be refused again
 */
public record Problem(
    String type,
    String title,
    int status,
    String code,
    String detail,
    @Nullable String requestId,
    @Nullable List<FieldFault> errors,
    ProblemException.@Nullable Bound bound,
    @Nullable Long retryAfterMs) {

  /** The media type of problem details. */
  public static final String MEDIA_TYPE = "application/problem+json";

  /** Renders a refusal. */
  public static Problem of(ProblemException e, @Nullable String requestId) {
    ErrorCode code = e.code();
    return new Problem(
        code.type(),
        code.title(),
        code.status(),
        code.word(),
        e.detail(),
        requestId,
        e.faults().isEmpty() ? null : e.faults(),
        e.bound(),
        e.retryAfter() == null ? null : e.retryAfter().toMillis());
  }

  /** The same with the status that was really answered. */
  public Problem withStatus(int answered) {
    return new Problem(type, title, answered, code, detail, requestId, errors, bound, retryAfterMs);
  }
}
