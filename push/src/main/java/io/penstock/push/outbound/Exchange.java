package io.penstock.push.outbound;

import io.penstock.push.guard.Target;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.EndpointDetails;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.io.CloseMode;
import org.jspecify.annotations.Nullable;

/**
 * One call on its way through the HTTP client: where it points, how far it has come, and when it
 * must end. Belongs to the thread that makes the call; only {@link #expire} may be called from
 * others.
 */
final class Exchange extends HttpClientContext {

  /** How far a call has come. */
  enum Phase {
    /** Nothing was sent yet: waiting for a connection, looking up, connecting, securing it. */
    UNSENT,
    /** Bytes may have left, but not all of them. */
    SENDING,
    /** The whole request has left. */
    SENT
  }

  private final Target target;
  private final RequestBody body;
  private final Thread thread = Thread.currentThread();
  private final LongSupplier nanos;
  private final long deadline;
  private final ReentrantLock ending = new ReentrantLock();
  private boolean over;
  private boolean expired;
  private Phase phase = Phase.UNSENT;
  private boolean answeredEarly;
  private boolean overUsedConnection;
  private @Nullable InetAddress address;
  private @Nullable HttpClientConnection connection;

  Exchange(Call call, LongSupplier nanos) {
    this.target = call.target();
    this.body = call.body();
    this.nanos = nanos;
    this.deadline = nanos.getAsLong() + call.deadline().toNanos();
  }

  Target target() {
    return target;
  }

  /** Nanoseconds until the deadline, at least 1 so that it can be waited for. */
  long remainingNanos() {
    return Math.max(1, deadline - nanos.getAsLong());
  }

  Phase phase() {
    return phase;
  }

  /** The request is about to be written over this connection. */
  void sendingOver(HttpClientConnection connection) {
    this.connection = connection;
    EndpointDetails details = connection.getEndpointDetails();
    overUsedConnection = details.getRequestCount() > 0;
    if (details.getRemoteAddress() instanceof InetSocketAddress remote) {
      address = remote.getAddress();
    }
    phase = Phase.SENDING;
  }

  /** Whether the connection had carried another request before. */
  boolean isOverUsedConnection() {
    return overUsedConnection;
  }

  /** Breaks the connection off, so that nobody reads what is left of the answer. */
  void hangUp() {
    if (connection != null) {
      connection.close(CloseMode.IMMEDIATE);
    }
  }

  void sent() {
    phase = Phase.SENT;
    body.release();
  }

  /** The answer came before the request was read to its end: the connection is not used again. */
  void answeredEarly() {
    answeredEarly = true;
    body.release();
  }

  boolean isAnsweredEarly() {
    return answeredEarly;
  }

  void dialling(InetAddress next) {
    address = next;
  }

  @Nullable String address() {
    return address == null ? null : address.getHostAddress();
  }

  /**
   * Ends the call from outside by interrupting its thread: that reaches every place where it can
   * wait, and closes a socket that a virtual thread is blocked on.
   */
  void expire() {
    ending.lock();
    try {
      if (!over) {
        expired = true;
        thread.interrupt();
      }
    } finally {
      ending.unlock();
    }
  }

  /** The call is over: from now on the thread is not interrupted, and it is not left so. */
  void finish() {
    ending.lock();
    try {
      if (!over && expired) {
        Thread.interrupted();
      }
      over = true;
    } finally {
      ending.unlock();
    }
  }

  /** Whether the deadline ended the call; certain once it is finished. */
  boolean isExpired() {
    return expired;
  }
}
