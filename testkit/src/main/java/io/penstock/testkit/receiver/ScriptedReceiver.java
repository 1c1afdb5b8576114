package io.penstock.testkit.receiver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * An HTTP/1.1 receiver on a loopback port of its own. Requests take the next answer of the script,
 * and when that is used up, what the rule says. Keeps connections open as HTTP/1.1 does. Safe for
 * use by many threads; {@link #close} ends every connection, hanging ones too.
 */
public final class ScriptedReceiver implements AutoCloseable {
  /** Connections that wait to be accepted; tests open hundreds at once. */
  private static final int BACKLOG = 1_024;

  private final ServerSocket server;
  private final Function<Received, Answer> rule;
  private final Queue<Answer> script = new ConcurrentLinkedQueue<>();
  private final List<Received> received = new ArrayList<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private int connections;

  private ScriptedReceiver(Function<Received, Answer> rule) throws IOException {
    this.rule = rule;
    server = new ServerSocket();
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
  }

  /** A receiver that answers 200 once its script is used up. */
  public static ScriptedReceiver start() {
    return start(request -> Answer.ok());
  }

  /** A receiver that answers by this rule once its script is used up. */
  public static ScriptedReceiver start(Function<Received, Answer> rule) {
    try {
      ScriptedReceiver receiver = new ScriptedReceiver(rule);
      Thread.ofVirtual().name("scripted-receiver").start(receiver::acceptAll);
      return receiver;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Adds answers to the script, for the next requests in the order in which they come. */
  public ScriptedReceiver then(Answer... answers) {
    script.addAll(List.of(answers));
    return this;
  }

  public int port() {
    return server.getLocalPort();
  }

  /** The URL of a path on it; {@code path} begins with a slash. */
  public URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port() + path);
  }

  /** What came so far, in the order in which requests were complete. */
  public List<Received> received() {
    synchronized (received) {
      return List.copyOf(received);
    }
  }

  /** Waits until so many requests came; throws IllegalStateException when they do not. */
  public List<Received> await(int count, Duration most) {
    synchronized (received) {
      long leftMillis = most.toMillis();
      try {
        while (received.size() < count && leftMillis > 0) {
          // Whole steps of waiting, so that no clock is needed; early wake-ups only lengthen it.
          long step = Math.min(leftMillis, 50);
          received.wait(step);
          leftMillis -= step;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (received.size() < count) {
        throw new IllegalStateException(
            "wanted " + count + " requests within " + most + ", got " + received.size());
      }
      return List.copyOf(received);
    }
  }

  /** Lets all {@link Answer.Held} answers go, now and from now on. */
  public void release() {
    released.countDown();
  }

  /** How many connections were accepted so far. */
  public int connections() {
    synchronized (received) {
      return connections;
    }
  }

  @Override
  public void close() {
    closed.countDown();
    released.countDown();
    closeQuietly(server);
    open.forEach(ScriptedReceiver::closeQuietly);
  }

  private void acceptAll() {
    while (closed.getCount() > 0) {
      try {
        Socket socket = server.accept();
        open.add(socket);
        synchronized (received) {
          connections++;
        }
        Thread.ofVirtual().name("scripted-connection").start(() -> serve(socket));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      socket.setTcpNoDelay(true);
      RequestReader reader = new RequestReader(socket.getInputStream());
      while (true) {
        Received request = reader.next();
        if (request == null) {
          return;
        }
        synchronized (received) {
          received.add(request);
          received.notifyAll();
        }
        Answer scripted = script.poll();
        Answer answer = scripted == null ? rule.apply(request) : scripted;
        if (!perform(answer, socket)) {
          return;
        }
      }
    } catch (IOException e) {
      // The other side went away, which is one of the things that tests let it do.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(socket);
    }
  }

  /** Does it; returns whether the connection goes on. */
  private boolean perform(Answer answer, Socket socket) throws IOException, InterruptedException {
    switch (answer) {
      case Answer.Reply reply -> {
        socket.getOutputStream().write(Wire.bytes(reply));
        return !Wire.closes(reply);
      }
      case Answer.Raw(byte[] bytes) -> {
        socket.getOutputStream().write(bytes);
        return false;
      }
      case Answer.Hang() -> {
        closed.await();
        return false;
      }
      case Answer.Reset() -> {
        socket.setSoLinger(true, 0);
        return false;
      }
      case Answer.Close() -> {
        return false;
      }
      case Answer.Drip(Answer.Reply reply, int bytes, Duration every) ->
          drip(Wire.bytes(reply), bytes, every, socket);
      case Answer.Held(Answer then) -> {
        released.await();
        return perform(then, socket);
      }
    }
    return true;
  }

  private void drip(byte[] bytes, int piece, Duration every, Socket socket)
      throws IOException, InterruptedException {
    for (int at = 0; at < bytes.length; at += piece) {
      socket.getOutputStream().write(bytes, at, Math.min(piece, bytes.length - at));
      if (closed.await(every.toNanos(), TimeUnit.NANOSECONDS)) {
        return;
      }
    }
  }

  private static void closeQuietly(AutoCloseable closeable) {
    try {
      closeable.close();
    } catch (Exception e) {
      // Nothing is lost with a test's socket.
    }
  }
}
