package io.penstock.push.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.penstock.budget.Outcome;
import io.penstock.push.outbound.Exchange.Phase;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTest {

  private static Throwable thrown(String kind) {
    return switch (kind) {
      case "reset" -> new SocketException("x");
      case "slow" -> new SocketTimeoutException("x");
      case "silent" -> new NoHttpResponseException("x");
      case "closed" -> new ConnectionClosedException("x");
      case "garbage" -> new ClientProtocolException("x");
      case "bound" -> new MessageConstraintException("x");
      case "pool" -> new ConnectionRequestTimeoutException("x");
      case "known" -> new CallFailedException(Failure.TLS_FAILED, "x", null);
      case "bug" -> new IllegalArgumentException("x");
      default -> new IOException("x");
    };
  }

  @ParameterizedTest(name = "{0} while {1}, expired {2}: {3}")
  @CsvSource({
    "reset,   UNSENT,  false, INTERNAL",
    "reset,   SENDING, false, BROKEN_WHILE_SENDING",
    "reset,   SENT,    false, RESET",
    "other,   SENT,    false, RESET",
    "slow,    SENDING, false, BROKEN_WHILE_SENDING",
    "slow,    SENT,    false, TIMED_OUT",
    "silent,  SENT,    false, CLOSED_WITHOUT_ANSWER",
    "closed,  SENT,    false, CLOSED_WITHOUT_ANSWER",
    "garbage, SENT,    false, ANSWER_GARBLED",
    "bound,   SENT,    false, ANSWER_GARBLED",
    "pool,    UNSENT,  false, NO_FREE_CONNECTION",
    "known,   UNSENT,  false, TLS_FAILED",
    "bug,     UNSENT,  false, INTERNAL",
    "bug,     SENT,    false, INTERNAL",
    "reset,   UNSENT,  true,  TIMED_OUT_UNSENT",
    "known,   UNSENT,  true,  TIMED_OUT_UNSENT",
    "reset,   SENDING, true,  TIMED_OUT_UNSENT",
    "reset,   SENT,    true,  TIMED_OUT"
  })
  void typeAndPhaseDecide(String kind, Phase phase, boolean expired, Failure failure) {
    assertThat(Failure.of(thrown(kind), phase, expired)).isEqualTo(failure);
  }

  @ParameterizedTest
  @CsvSource({
    "DNS_NOT_FOUND,         Transient",
    "DNS_TIMED_OUT,         Transient",
    "DNS_NODE_TROUBLE,      Ours",
    "ADDRESS_REFUSED,       Misconfigured",
    "NO_SOCKET,             Ours",
    "NO_FREE_CONNECTION,    Ours",
    "CONNECT_REFUSED,       Transient",
    "CONNECT_TIMED_OUT,     Transient",
    "UNREACHABLE,           Transient",
    "TLS_UNTRUSTED,         Transient",
    "TLS_FAILED,            Transient",
    "BROKEN_WHILE_SENDING,  Transient",
    "TIMED_OUT_UNSENT,      Transient",
    "TIMED_OUT,             Unknown",
    "RESET,                 Unknown",
    "CLOSED_WITHOUT_ANSWER, Unknown",
    "ANSWER_GARBLED,        Unknown",
    "INTERNAL,              Ours"
  })
  void eachFailureHasItsClass(Failure failure, String outcome) {
    assertThat(failure.outcome().getClass().getSimpleName()).isEqualTo(outcome);
    assertThat(failure.outcome().detail()).isEqualTo(failure.word());
  }

  @Test
  void theTableIsComplete() {
    assertThat(Arrays.stream(Failure.values())).hasSize(18);
  }

  @Test
  void theWordsThatTheBudgetLooksAtAreTheBudgets() {
    assertThat(Failure.TIMED_OUT.word()).isEqualTo(Outcome.Unknown.TIMED_OUT);
    assertThat(Failure.RESET.word()).isEqualTo(Outcome.Unknown.RESET);
  }
}
