package io.penstock.push;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/**
 * An address that answers no call for a connection: its listener accepts none, and its backlog is
 * full, so that the kernel drops what comes.
 */
final class FullListener implements AutoCloseable {
  /** A connection to a backlog with room is made at once. */
  private static final int FULL_AFTER_MILLIS = 200;

  /** Kernels round a backlog of one up, by little. */
  private static final int MOST_WAITING = 16;

  private final List<Socket> waiting = new ArrayList<>();
  private final ServerSocket listener;

  FullListener() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
    while (waiting.size() < MOST_WAITING) {
      Socket socket = new Socket();
      waiting.add(socket);
      try {
        socket.connect(new InetSocketAddress(listener.getInetAddress(), port()), FULL_AFTER_MILLIS);
      } catch (SocketTimeoutException full) {
        return;
      }
    }
    throw new IOException("the backlog of %d was never full".formatted(MOST_WAITING));
  }

  int port() {
    return listener.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : waiting) {
      socket.close();
    }
    listener.close();
  }
}
