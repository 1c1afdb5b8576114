package io.penstock.server.tube;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.engine.ledger.Freshness;
import io.penstock.engine.tube.JobEnd;
import io.penstock.server.json.Fields;
import io.penstock.server.json.Json;
import io.penstock.server.json.Texts;
import io.penstock.server.problem.ProblemException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what workers say about the end of a job. */
final class JobReader {
  private JobReader() {}

  /** More things than one run can have found. */
  private static final long MOST_YIELD = 1_000_000_000_000L;

  private static final int MOST_RESULT_CHARS = 1_000;
  private static final int MOST_MESSAGE_CHARS = 1_000;

  /** What a worker says is kept with its attempt, where a receiver's answer stands otherwise. */
  private static final int MOST_REPORT_BYTES = 4_096;

  /** As long as a receiver's own hint may be. */
  private static final double MOST_RETRY_AFTER_SECONDS = 3_600;

  private static final Pattern DETAIL = Pattern.compile("[a-z][a-z0-9_]{0,39}");
  private static final Pattern OUTCOME =
      Pattern.compile("transient|throttled|unknown|rejected|unauthorised");

  /** Fields that name the lease, beside which those of the end stand. */
  static final Set<String> REFERENCE = Set.of("tube", "job", "lease_no");

  static final Set<String> COMPLETE = Set.of("yield", "no_op", "partial", "artifacts", "result");
  static final Set<String> FAIL =
      Set.of("outcome", "status", "detail", "retry_after_seconds", "message");

  /** A job that ended well. */
  static JobEnd completed(Fields fields) {
    long yield = fields.whole("yield", 0, MOST_YIELD).orElse(-1L);
    boolean noOp = fields.flag("no_op");
    boolean partial = fields.flag("partial");
    List<String> artifacts =
        fields.texts(
            "artifacts", Freshness.MOST_ARTIFACTS, Freshness.ARTIFACT, Texts.ARTIFACT_WORDS);
    Map<String, Object> report = new LinkedHashMap<>();
    if (yield >= 0) {
      report.put("yield", yield);
    }
    if (noOp) {
      report.put("no_op", true);
    }
    if (partial) {
      report.put("partial", true);
    }
    if (!artifacts.isEmpty()) {
      report.put("artifacts", artifacts);
    }
    fields.prose("result", MOST_RESULT_CHARS).ifPresent(result -> report.put("result", result));
    return new JobEnd.Completed(yield, noOp, partial, artifacts, bytes("artifacts", report));
  }

  /** A job that failed; transient when the worker does not say how. */
  static JobEnd failed(Fields fields) {
    String outcome =
        fields
            .optionalText(
                "outcome", OUTCOME, "transient, throttled, unknown, rejected or unauthorised")
            .orElse("transient");
    int status = fields.whole("status", 100, 599).orElse(0L).intValue();
    String detail =
        fields
            .optionalText("detail", DETAIL, "a word of a-z 0-9 _, at most 40 characters")
            .orElse("worker_said_so");
    Hint hint =
        fields
            .seconds("retry_after_seconds", 0, MOST_RETRY_AFTER_SECONDS)
            .map(Hint::new)
            .orElse(Hint.NONE);
    Map<String, Object> report = new LinkedHashMap<>();
    fields.prose("message", MOST_MESSAGE_CHARS).ifPresent(text -> report.put("message", text));
    return new JobEnd.Failed(outcome(outcome, status, detail, hint), bytes("message", report));
  }

  private static Outcome outcome(String word, int status, String detail, Hint hint) {
    return switch (word) {
      case "throttled" -> new Outcome.Throttled(status, detail, hint);
      case "unknown" -> new Outcome.Unknown(status, detail);
      case "rejected" -> new Outcome.Rejected(status, detail);
      case "unauthorised" -> new Outcome.Unauthorised(status, detail);
      default -> new Outcome.Transient(status, detail, hint);
    };
  }

  private static byte[] bytes(String field, Map<String, Object> report) {
    byte[] bytes = report.isEmpty() ? new byte[0] : Json.write(report);
    if (bytes.length > MOST_REPORT_BYTES) {
      throw ProblemException.field(
          field,
          "%,d bytes in all".formatted(bytes.length),
          "a report of at most %,d bytes; keep large results elsewhere and name them in result"
              .formatted(MOST_REPORT_BYTES));
    }
    return bytes;
  }

  /** The lease number of a call about one job. */
  static long leaseNo(Fields fields) {
    return fields
        .whole("lease_no", 1, Long.MAX_VALUE)
        .orElseThrow(() ->
            ProblemException.field("lease_no", "nothing", "the lease_no that came with the job"));
  }

  /** The id of a tube in a batch. */
  static String tube(Fields fields) {
    return fields.text("tube", Texts.ID, Texts.ID_WORDS);
  }

  /** The name that a worker gives itself. */
  static final Pattern WORKER = Pattern.compile("[!-~]{1,64}");

  static final String WORKER_WORDS =
      "1 to 64 printable ASCII characters without spaces, best unique to the process";
}
