package io.penstock.server.event;

import io.penstock.server.problem.ProblemException;
import java.util.Optional;

/** The {@code Idempotency-Key} header, quoted as its draft standard has it, or bare. */
final class IdempotencyHeader {
  static final String NAME = "Idempotency-Key";

  private IdempotencyHeader() {}

  /** The posted event with the header's key, unless header and body disagree. */
  static Posted read(Optional<String> header, Posted posted) {
    if (header.isEmpty()) {
      return posted;
    }
    String key = unquoted(header.get().strip());
    if (!EventRules.isKey(key)) {
      throw ProblemException.parameter(NAME, header.get(), EventRules.KEY_WORDS);
    }
    if (posted.idempotencyKey() != null && !posted.idempotencyKey().equals(key)) {
      throw ProblemException.parameter(
          NAME,
          key,
          "the same key as in the body (%s), or none".formatted(posted.idempotencyKey()));
    }
    return posted.withKey(key);
  }

  private static String unquoted(String value) {
    boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
    return quoted
        ? value.substring(1, value.length() - 1).replace("\\\"", "\"").replace("\\\\", "\\")
        : value;
  }
}
