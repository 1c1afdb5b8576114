package io.penstock.server.http;

/** The address cannot be listened on: taken, not ours, or not allowed. */
public final class CannotListenException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CannotListenException(HttpSettings settings, Throwable cause) {
    super(
        "cannot listen on %s:%d (%s); is another server running there? --listen chooses another"
            .formatted(settings.host(), settings.port(), root(cause).getMessage()),
        cause);
  }

  private static Throwable root(Throwable failure) {
    Throwable at = failure;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return at;
  }
}
