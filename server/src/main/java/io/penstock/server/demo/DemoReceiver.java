package io.penstock.server.demo;

import com.sun.net.httpserver.HttpExchange;
import io.penstock.push.signing.Signatures;
import io.penstock.server.receiver.Receiver;
import io.penstock.server.receiver.Receiver.Reply;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** One of the demo's receivers, with what it saw. */
final class DemoReceiver implements AutoCloseable {
  /** How it behaves. */
  enum Kind {
    /** Takes everything. */
    HEALTHY,
    /** Takes so many a second and answers 429 to the rest. */
    LIMITED,
    /** Answers 500 to everything. */
    BROKEN
  }

  /** What the limited one takes in a second. */
  static final int LIMIT_PER_SECOND = 20;

  private final Kind kind;
  private final Tally tally = new Tally();
  private final LongSupplier nanoClock;
  private final Receiver receiver;
  private long second;
  private int takenThisSecond;

  DemoReceiver(Kind kind, LongSupplier nanoClock) {
    this.kind = kind;
    this.nanoClock = nanoClock;
    this.receiver = new Receiver(0, this::answer);
  }

  private Reply answer(HttpExchange exchange, byte[] body) {
    return switch (kind) {
      case HEALTHY -> take(exchange);
      case LIMITED -> {
        if (mayTake()) {
          yield take(exchange);
        }
        tally.throttled();
        yield new Reply(429, 1);
      }
      case BROKEN -> {
        tally.failed();
        yield Reply.of(500);
      }
    };
  }

  private Reply take(HttpExchange exchange) {
    String id = exchange.getRequestHeaders().getFirst(Signatures.ID_HEADER);
    tally.accepted(id == null ? "" : id, nanoClock.getAsLong());
    return Reply.of(204);
  }

  private synchronized boolean mayTake() {
    long now = TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong());
    if (now != second) {
      second = now;
      takenThisSecond = 0;
    }
    return takenThisSecond++ < LIMIT_PER_SECOND;
  }

  String url() {
    return receiver.url();
  }

  Tally tally() {
    return tally;
  }

  @Override
  public void close() {
    receiver.close();
  }
}
