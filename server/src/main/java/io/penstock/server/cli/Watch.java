package io.penstock.server.cli;

import io.penstock.engine.host.Signal;
import io.penstock.engine.host.SystemHost;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Shows something again and again until somebody interrupts. */
final class Watch {
  private static final String CLEAR = "\u001b[H\u001b[2J";

  @Option(
      names = "--watch",
      paramLabel = "SECONDS",
      arity = "0..1",
      fallbackValue = "2",
      defaultValue = "0",
      description = "Show it again every so many seconds (2) until interrupted.")
  double seconds;

  /** One showing; its exit code. */
  @FunctionalInterface
  interface Showing {
    int show();
  }

  /** Shows it once, or for as long as nobody interrupts and it succeeds. */
  int run(ApiOptions api, Showing showing) {
    if (seconds <= 0) {
      return showing.show();
    }
    try (SystemHost host = new SystemHost()) {
      Signal never = host.newSignal();
      int code = 0;
      while (code == 0 && !Thread.currentThread().isInterrupted()) {
        if (!api.json) {
          api.print(CLEAR);
        }
        code = showing.show();
        never.awaitBeyond(never.count(), Duration.ofMillis(Math.round(seconds * 1_000)));
      }
      return code;
    }
  }
}
