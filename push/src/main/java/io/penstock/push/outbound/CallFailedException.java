package io.penstock.push.outbound;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Carries a failure that is known exactly through the layers of the HTTP client. */
final class CallFailedException extends IOException {
  private static final long serialVersionUID = 1;

  private final Failure failure;

  CallFailedException(Failure failure, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.failure = failure;
  }

  Failure failure() {
    return failure;
  }
}
