package io.penstock.budget.readme;

import io.penstock.budget.Decision;
import io.penstock.budget.Explanation;
import io.penstock.budget.Hint;
import io.penstock.budget.Hints;
import io.penstock.budget.Outcome;
import io.penstock.budget.memory.MemoryBudget;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

/** As a decorator for an HTTP client. */
final class ClientSample {

  /** Whatever client there is. */
  interface HttpClient {
    Response send(String request) throws IOException;
  }

  /** Status and headers, names in lower case. */
  record Response(int status, Map<String, List<String>> headers) {}

  private final InstantSource clock;

  ClientSample(InstantSource clock) {
    this.clock = clock;
  }

  // sample: client
  /** The same client, which now says no by itself instead of hitting the wall. */
  HttpClient budgeted(HttpClient client, MemoryBudget budget) {
    return request -> {
      Decision decision = budget.take(1);
      Instant began = clock.instant();
      if (!(decision instanceof Decision.Admit turn)) {
        throw new IOException(Explanation.of(decision, began));
      }
      Outcome outcome = new Outcome.Transient(0, "connect", Hint.NONE);
      try {
        Response response = client.send(request);
        outcome = outcome(response);
        return response;
      } finally {
        budget.ended(turn, outcome, Duration.between(began, clock.instant()));
      }
    };
  }

  private Outcome outcome(Response response) {
    int status = response.status();
    Hint hint =
        Hints.parse(
            status, name -> response.headers().getOrDefault(name, List.of()), clock.instant());
    if (status < 300) {
      return new Outcome.Delivered(status, "ok", hint);
    }
    if (status == 429 || (status == 503 && hint.stayAway() != null)) {
      return new Outcome.Throttled(status, "throttled", hint);
    }
    return status >= 500
        ? new Outcome.Transient(status, "error", hint)
        : new Outcome.Rejected(status, "rejected");
  }
  // end
}
