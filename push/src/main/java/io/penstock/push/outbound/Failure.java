package io.penstock.push.outbound;

import io.penstock.budget.Hint;
import io.penstock.budget.Outcome;
import io.penstock.push.outbound.Exchange.Phase;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;

/**
 * Why a call has no answer: the one table from what went wrong to the outcome's class. What decides
 * is whether the whole request had left: then it may have arrived.
 */
public enum Failure {
  /** The name does not resolve. */
  DNS_NOT_FOUND(Blame.RECEIVER),
  /** The name's servers did not answer in time. */
  DNS_TIMED_OUT(Blame.RECEIVER),
  /** Unrelated names do not resolve either. */
  DNS_NODE_TROUBLE(Blame.NODE),
  /** The guard refused an address of the name. */
  ADDRESS_REFUSED(Blame.CONFIGURATION),
  /** The node has no socket left. */
  NO_SOCKET(Blame.NODE),
  /** No connection was free in the pool, which is smaller than the node's slots. */
  NO_FREE_CONNECTION(Blame.NODE),
  /** Nobody listens, or a network refuses. */
  CONNECT_REFUSED(Blame.RECEIVER),
  CONNECT_TIMED_OUT(Blame.RECEIVER),
  /** There is no way to the address. */
  UNREACHABLE(Blame.RECEIVER),
  /** The certificate is not trusted, has expired or is for another name. */
  TLS_UNTRUSTED(Blame.RECEIVER),
  TLS_FAILED(Blame.RECEIVER),
  /** The connection broke before the whole request was written. */
  BROKEN_WHILE_SENDING(Blame.RECEIVER),
  /** The deadline came before the whole request was written. */
  TIMED_OUT_UNSENT(Blame.RECEIVER),
  /** No answer to the whole request before a deadline. */
  TIMED_OUT(Blame.NOBODY_KNOWS),
  /** The connection was reset after the whole request was written. */
  RESET(Blame.NOBODY_KNOWS),
  /** The connection was closed without an answer. */
  CLOSED_WITHOUT_ANSWER(Blame.NOBODY_KNOWS),
  /** What came is not HTTP, or breaks off in the middle of a line. */
  ANSWER_GARBLED(Blame.NOBODY_KNOWS),
  /** A bug, or no memory. */
  INTERNAL(Blame.NODE);

  private enum Blame {
    RECEIVER,
    CONFIGURATION,
    NODE,
    NOBODY_KNOWS
  }

  private final Blame blame;

  Failure(Blame blame) {
    this.blame = blame;
  }

  /** The stable word of the cause. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Whether the receiver has ended the connection under us. */
  boolean isHangUp() {
    return this == BROKEN_WHILE_SENDING || this == RESET || this == CLOSED_WITHOUT_ANSWER;
  }

  /** What it means for the delivery. */
  public Outcome outcome() {
    return switch (blame) {
      case RECEIVER -> new Outcome.Transient(0, word(), Hint.NONE);
      case CONFIGURATION -> new Outcome.Misconfigured(0, word());
      case NODE -> new Outcome.Ours(0, word());
      case NOBODY_KNOWS -> new Outcome.Unknown(0, word());
    };
  }

  /**
   * The failure behind an exception, by its type and by how far the call had come; never by its
   * text.
   *
   * @param expired whether the deadline ended the call: then the exception is only its echo
   */
  static Failure of(Throwable thrown, Phase phase, boolean expired) {
    if (expired) {
      return phase == Phase.SENT ? TIMED_OUT : TIMED_OUT_UNSENT;
    }
    return switch (thrown) {
      case CallFailedException known -> known.failure();
      case ConnectionRequestTimeoutException _ -> NO_FREE_CONNECTION;
      case IOException broken ->
          switch (phase) {
            case UNSENT -> INTERNAL;
            case SENDING -> BROKEN_WHILE_SENDING;
            case SENT -> unanswered(broken);
          };
      default -> INTERNAL;
    };
  }

  private static Failure unanswered(IOException broken) {
    return switch (broken) {
      case SocketTimeoutException _ -> TIMED_OUT;
      case NoHttpResponseException _ -> CLOSED_WITHOUT_ANSWER;
      case ConnectionClosedException _ -> CLOSED_WITHOUT_ANSWER;
      case ClientProtocolException _ -> ANSWER_GARBLED;
      case MessageConstraintException _ -> ANSWER_GARBLED;
      default -> RESET;
    };
  }
}
