package io.penstock.gameday.receiver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The loop: reads requests, answers as their paths say, counts, and logs what it answered with a
 * 2xx. Runs on the thread that calls {@link #run}; {@link #close} may be called from another.
 */
public final class Receiver implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final int SCRATCH = 256 << 10;

  private final Selector selector;
  private final ServerSocketChannel listener;
  private final @Nullable ReceiptLog log;
  private final @Nullable ArrivalLog arrivals;
  private final Limits limits = new Limits();
  private final LongSupplier nanoClock;
  private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH);
  private final PriorityQueue<Delayed> delayed =
      new PriorityQueue<>(Comparator.comparingLong(Delayed::dueNanos));
  private final PriorityQueue<Dripping> dripping =
      new PriorityQueue<>(Comparator.comparingLong(Dripping::dueNanos));
  private long webhooks;
  private long delivered;

  private record Delayed(
      long dueNanos,
      SelectionKey key,
      Request request,
      long firstByteNanos,
      Answer.Status answer) {}

  private record Dripping(long dueNanos, SelectionKey key, int next) {}

  /** The same without a log of arrivals. */
  public Receiver(int port, @Nullable Path log, LongSupplier nanoClock) throws IOException {
    this(port, log, null, nanoClock);
  }

  /**
   * Listens on the loopback address.
   *
   * @param port 0 = any free one
   * @param log where to write receipts; null = nowhere
   * @param arrivals where to write what came, whatever was answered; null = nowhere
   */
  public Receiver(int port, @Nullable Path log, @Nullable Path arrivals, LongSupplier nanoClock)
      throws IOException {
    this.selector = Selector.open();
    this.listener = ServerSocketChannel.open();
    this.log = log == null ? null : new ReceiptLog(log);
    this.arrivals = arrivals == null ? null : new ArrivalLog(arrivals);
    this.nanoClock = nanoClock;
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), BACKLOG);
    listener.configureBlocking(false);
    listener.register(selector, SelectionKey.OP_ACCEPT);
  }

  public int port() {
    return listener.socket().getLocalPort();
  }

  /** Serves until closed. */
  public void run() throws IOException {
    while (listener.isOpen()) {
      selector.select(this::serve, millisToNext());
      answerDue();
      dripDue();
      if (log != null) {
        log.flush();
      }
    }
    selector.close();
    if (log != null) {
      log.close();
    }
    if (arrivals != null) {
      arrivals.close();
    }
  }

  /** Ends {@link #run}; what was answered is in the log when that returns. */
  @Override
  public void close() throws IOException {
    listener.close();
    selector.wakeup();
  }

  private long millisToNext() {
    Delayed answer = delayed.peek();
    Dripping drip = dripping.peek();
    if (answer == null && drip == null) {
      return 0; // for ever
    }
    long due =
        Math.min(
            answer == null ? Long.MAX_VALUE : answer.dueNanos(),
            drip == null ? Long.MAX_VALUE : drip.dueNanos());
    return Math.max(1, Duration.ofNanos(due - nanoClock.getAsLong()).toMillis());
  }

  private void serve(SelectionKey key) {
    try {
      if (key.isAcceptable()) {
        accept();
      } else {
        read(key);
      }
    } catch (IOException | IllegalArgumentException e) {
      drop(key); // the peer went away, or is none that we know how to answer
    }
  }

  private void accept() throws IOException {
    for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
      channel.configureBlocking(false);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.register(selector, SelectionKey.OP_READ, new Connection(channel));
    }
  }

  private void read(SelectionKey key) throws IOException {
    Connection connection = (Connection) key.attachment();
    if (!connection.read(scratch, nanoClock.getAsLong())) {
      drop(key);
      return;
    }
    for (Optional<Request> next = connection.next(); next.isPresent(); next = connection.next()) {
      handle(key, next.get(), connection.firstByteNanos());
    }
  }

  private void handle(SelectionKey key, Request request, long firstByteNanos) throws IOException {
    if (!request.webhookId().isEmpty()) {
      webhooks++;
    }
    switch (Answer.of(request.path())) {
      case Answer.Stats() -> write(key, stats());
      case Answer.Hang() -> arrived(firstByteNanos, request, 0);
      case Answer.Reset() -> {
        arrived(firstByteNanos, request, 0);
        drop(key);
      }
      case Answer.Drip() -> {
        arrived(firstByteNanos, request, 0);
        dripping.add(new Dripping(nanoClock.getAsLong(), key, 0));
      }
      case Answer.Limited() ->
          answerWith(key, request, firstByteNanos, limits.answer(request.path(), firstByteNanos));
      case Answer.Status status -> answerWith(key, request, firstByteNanos, status);
    }
  }

  private void arrived(long firstByteNanos, Request request, int status) throws IOException {
    if (arrivals != null && !request.webhookId().isEmpty()) {
      arrivals.add(firstByteNanos, status, request.path(), request.webhookId());
    }
  }

  private void answerWith(
      SelectionKey key, Request request, long firstByteNanos, Answer.Status wanted)
      throws IOException {
    arrived(firstByteNanos, request, wanted.status());
    switch (wanted) {
      case Answer.Status status when status.after().isZero() ->
          answer(key, request, firstByteNanos, status);
      case Answer.Status status ->
          delayed.add(
              new Delayed(
                  nanoClock.getAsLong() + status.after().toNanos(),
                  key,
                  request,
                  firstByteNanos,
                  status));
    }
  }

  private void answerDue() {
    long now = nanoClock.getAsLong();
    for (Delayed next = delayed.peek();
        next != null && next.dueNanos() <= now;
        next = delayed.peek()) {
      delayed.remove();
      try {
        answer(next.key(), next.request(), next.firstByteNanos(), next.answer());
      } catch (IOException e) {
        drop(next.key());
      }
    }
  }

  private void dripDue() {
    long now = nanoClock.getAsLong();
    for (Dripping next = dripping.peek();
        next != null && next.dueNanos() <= now;
        next = dripping.peek()) {
      dripping.remove();
      try {
        if (next.key().isValid() && next.next() < Answer.Drip.BYTES.length) {
          write(next.key(), new byte[] {Answer.Drip.BYTES[next.next()]});
          long due = now + Answer.Drip.GAP.toNanos();
          dripping.add(new Dripping(due, next.key(), next.next() + 1));
        }
      } catch (IOException e) {
        drop(next.key());
      }
    }
  }

  // Logged before it is written: an answer that the peer saw is in the log, whatever comes next.
  private void answer(SelectionKey key, Request request, long firstByteNanos, Answer.Status status)
      throws IOException {
    if (!request.webhookId().isEmpty() && status.status() / 100 == 2) {
      delivered++;
      if (log != null) {
        log.add(firstByteNanos, request.webhookId());
      }
    }
    if (key.isValid()) { // otherwise the sender has gone, and we have its webhook all the same
      write(key, status.bytes());
    }
  }

  private byte[] stats() {
    String body = "{\"webhooks\":" + webhooks + ",\"delivered\":" + delivered + "}";
    return ("HTTP/1.1 200 -\r\ncontent-type: application/json\r\ncontent-length: "
            + body.length()
            + "\r\n\r\n"
            + body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  // An answer fits into any socket buffer; a peer that reads none of them is not worth waiting for.
  private static void write(SelectionKey key, byte[] bytes) throws IOException {
    SocketChannel channel = ((Connection) key.attachment()).channel();
    if (channel.write(ByteBuffer.wrap(bytes)) < bytes.length) {
      throw new IOException("the peer does not read its answers");
    }
  }

  private static void drop(SelectionKey key) {
    key.cancel();
    try {
      key.channel().close();
    } catch (IOException alreadyGone) {
      // Nothing is left to close.
    }
  }
}
