package io.penstock.gameday.receiver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Optional;

/** One keep-alive connection: bytes that came and are not yet a whole request. For one thread. */
final class Connection {
  /** Bytes of a buffer at first; most requests fit. */
  private static final int FIRST = 8 << 10;

  /** Bytes of a request at most; a body is at most 256 KiB. */
  private static final int MOST = 1 << 20;

  private final SocketChannel channel;
  private byte[] bytes = new byte[FIRST];
  private int filled;
  private long firstByteNanos;

  Connection(SocketChannel channel) {
    this.channel = channel;
  }

  SocketChannel channel() {
    return channel;
  }

  /** When the first byte of the request at hand came. */
  long firstByteNanos() {
    return firstByteNanos;
  }

  /** Takes in what there is; false when the peer has closed. */
  boolean read(ByteBuffer scratch, long now) throws IOException {
    scratch.clear();
    int got = channel.read(scratch);
    if (got < 0) {
      return false;
    }
    if (filled == 0) {
      firstByteNanos = now;
    }
    if (filled + got > bytes.length) {
      if (filled + got > MOST) {
        throw new IOException("a request of more than " + MOST + " bytes");
      }
      bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, filled + got));
    }
    scratch.flip().get(bytes, filled, got);
    filled += got;
    return true;
  }

  /** The next whole request, taken out; empty when more bytes must come first. */
  Optional<Request> next() {
    Optional<Request> request = Request.parse(bytes, 0, filled);
    if (request.isEmpty() || request.get().length() > filled) {
      return Optional.empty();
    }
    int length = request.get().length();
    System.arraycopy(bytes, length, bytes, 0, filled - length);
    filled -= length;
    return request;
  }
}
